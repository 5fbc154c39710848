//! What steps of a run came to, kept on a remote: a ref for each, which can only be created. It leads to the facts of the step
//! and to every commit and tree that they name. Where branches move with a step, all of it is one atomic push. So a step
//! happens once, whoever carries it out and however often.

use crate::git::{Git, GitError};
use crate::mirror::{Mirror, MirrorError};
use crate::objects::CommitText;
use crate::remote::reaching;
use crate::shadow::{Shadow, ShadowError};
use proctor_core::words::{CommitId, Millis, RunId, TreeId};
use std::collections::BTreeSet;

const FACTS: &str = "facts.json";
const AUTHOR: &str = "Proctor <proctor@localhost>";

#[derive(Debug, thiserror::Error)]
pub enum StepError {
    #[error(
        "the remote did not take the step {name}: {why}\nhint: may this user push refs/proctor/* and the branch there?"
    )]
    Refused { name: String, why: String },
    #[error(transparent)]
    Mirror(#[from] MirrorError),
    #[error(transparent)]
    Shadow(#[from] ShadowError),
    #[error(transparent)]
    Git(#[from] GitError),
}

/// A branch that moves together with a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The full name of the ref.
    pub name: String,
    /// Where it was seen; none for one that was not there.
    pub from: Option<CommitId>,
    pub to: CommitId,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Published {
    Done,
    /// Somebody else's facts of this step were there first: those count.
    Before(Vec<u8>),
    /// A branch is no longer where it was seen. Nothing was written.
    Moved,
}

/// The steps of one run.
pub struct Steps<'a> {
    pub shadow: &'a Shadow,
    pub mirror: &'a Mirror,
    pub run: &'a RunId,
}

impl Steps<'_> {
    /// Brings what the mirror knows of the run's steps into the shadow, with all that they lead to.
    pub fn bring(&self) -> Result<(), StepError> {
        let git = self.shadow.git();
        let call = git.call(&["fetch", "--quiet", "--no-tags", "--no-write-fetch-head"]);
        let into = format!("+refs/proctor/{run}/*:refs/proctor/steps/{run}/*", run = self.run);
        call.arg("--no-recurse-submodules").arg(self.mirror.dir()).arg(into).run()?;
        Ok(())
    }

    /// The facts of a step that was carried out, as the shadow knows them.
    pub fn kept(&self, no: u32) -> Result<Option<Vec<u8>>, StepError> {
        let name = format!("refs/proctor/steps/{}/{no}", self.run);
        if self.shadow.ref_of(&name)?.is_none() {
            return Ok(None);
        }
        Ok(Some(self.shadow.git().run(&["cat-file", "blob", &format!("{name}:{FACTS}")])?))
    }

    /// Writes a step down on the remote, and moves branches with it. Gives what git said where it did not.
    pub fn push(&self, no: u32, facts: &[u8], moves: &[Move]) -> Result<Option<String>, StepError> {
        let step = self.commit(no, facts)?;
        let name = format!("refs/proctor/{}/{no}", self.run);
        let git = Git::on(self.shadow.dir()).with_users_settings();
        let mut call = reaching(git.call(&["push", "--quiet", "--no-verify", "--atomic"]))
            .arg(format!("--force-with-lease={name}:"));
        for branch in moves {
            let seen = branch.from.as_ref().map_or("", |seen| seen.as_str());
            call = call.arg(format!("--force-with-lease={}:{seen}", branch.name));
        }
        call = call.arg("--").arg(self.mirror.url()).arg(format!("{step}:{name}"));
        for branch in moves {
            call = call.arg(format!("{}:{}", branch.to, branch.name));
        }
        Ok(call.run().err().map(|error| error.stderr().to_owned()))
    }

    /// What a push came to: whatever git said, what stands on the remote now decides. Nobody may hold the mirror's lock.
    pub fn settle(
        &self,
        no: u32,
        moves: &[Move],
        refused: Option<String>,
    ) -> Result<Published, StepError> {
        let Some(why) = refused else { return Ok(Published::Done) };
        let seen = {
            let lock = self.mirror.lock()?;
            self.mirror.refresh(self.run, &lock)?;
            self.mirror.heads()?
        };
        self.bring()?;
        if let Some(facts) = self.kept(no)? {
            return Ok(Published::Before(facts));
        }
        if moves.iter().any(|branch| seen.get(&branch.name) != branch.from.as_ref()) {
            return Ok(Published::Moved);
        }
        Err(StepError::Refused { name: format!("refs/proctor/{}/{no}", self.run), why })
    }

    /// The facts, and all that they name, reachable from one commit.
    fn commit(&self, no: u32, facts: &[u8]) -> Result<CommitId, StepError> {
        let blob = self.shadow.write_blob(facts)?;
        let (commits, trees) = self.named(facts)?;
        let file = format!("100644 blob {blob}\t{FACTS}\n");
        let folders = trees.iter().map(|tree| format!("040000 tree {tree}\t{tree}\n"));
        let listing: String = std::iter::once(file).chain(folders).collect();
        let tree = TreeId(self.shadow.git().call(&["mktree"]).stdin(listing).line()?);
        let message = format!("{}, step {no}\n", self.run);
        let text = CommitText { message: &message, author: AUTHOR, at: Millis(0) };
        let parents: Vec<&CommitId> = commits.iter().collect();
        Ok(self.shadow.commit(&tree, &parents, &text)?)
    }

    /// Commits and trees of the shadow whose names stand in these facts.
    fn named(&self, facts: &[u8]) -> Result<(BTreeSet<CommitId>, BTreeSet<String>), StepError> {
        let length = self.shadow.format().zero().len();
        let is_name = |word: &&[u8]| {
            word.len() == length && word.iter().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        };
        let words = facts.split(|byte| !byte.is_ascii_alphanumeric());
        let words: BTreeSet<&[u8]> = words.filter(is_name).collect();
        let asked = words.iter().flat_map(|word| [*word, b"\n"].concat()).collect::<Vec<u8>>();
        let git = self.shadow.git();
        let form = "--batch-check=%(objectname) %(objecttype)";
        let told = git.call(&["cat-file", form]).stdin(asked).run()?;
        let (mut commits, mut trees) = (BTreeSet::new(), BTreeSet::new());
        for line in String::from_utf8_lossy(&told).lines() {
            match line.split_once(' ') {
                Some((id, "commit")) => {
                    commits.insert(CommitId::new(id));
                }
                Some((id, "tree")) => {
                    trees.insert(id.to_owned());
                }
                _ => {}
            }
        }
        Ok((commits, trees))
    }
}
