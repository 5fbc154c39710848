//! Replays a run's commits onto a base that moved. Works on objects alone, with no checkout; must not guess: a
//! conflict is a value that names its files.

use crate::listing::path_text;
use crate::objects::CommitText;
use crate::repo::UserRepo;
use crate::shadow::{Shadow, ShadowError};
use proctor_core::words::{CommitId, Millis, TreeId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Merged {
    Clean { tree: TreeId },
    Conflict { files: Vec<String> },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rebased {
    Clean { head: CommitId },
    Conflict { files: Vec<String> },
}

/// Replays `old_base..head` onto `onto`, a commit of the user's repository. Messages, authors and dates stay.
pub fn rebase(
    shadow: &Shadow,
    user: &UserRepo,
    old_base: &CommitId,
    head: &CommitId,
    onto: &CommitId,
) -> Result<Rebased, ShadowError> {
    debug_assert_eq!(user.git_dir, shadow.source());
    shadow.bring(onto)?;
    let mut tip = onto.clone();
    for step in line_of_commits(shadow, old_base, head)? {
        let ours = shadow.tree_of(&tip)?;
        let before = shadow.tree_of(&step.parent)?;
        match shadow.merge_trees(&before, &ours, &step.tree)? {
            Merged::Conflict { files } => return Ok(Rebased::Conflict { files }),
            Merged::Clean { tree } => tip = step.write_again(shadow, &tree, &tip)?,
        }
    }
    Ok(Rebased::Clean { head: tip })
}

/// One commit of the line, as git stores it.
struct Step {
    tree: TreeId,
    parent: CommitId,
    raw: Vec<u8>,
}

fn line_of_commits(
    shadow: &Shadow,
    base: &CommitId,
    head: &CommitId,
) -> Result<Vec<Step>, ShadowError> {
    let range = format!("{base}..{head}");
    let ids = shadow.git().line(&["rev-list", "--reverse", "--topo-order", &range])?;
    let ids: Vec<&str> = ids.lines().collect();
    let mut steps = Vec::new();
    let mut above = base.clone();
    for (id, raw) in ids.iter().zip(shadow.read_blobs(&ids)?) {
        let text = String::from_utf8_lossy(&raw);
        let headers = text.lines().take_while(|line| !line.is_empty());
        let (mut tree, mut parents) = (None, Vec::new());
        for header in headers {
            match header.split_once(' ') {
                Some(("tree", id)) => tree = Some(TreeId::new(id)),
                Some(("parent", id)) => parents.push(CommitId::new(id)),
                _ => {}
            }
        }
        let (Some(tree), true) = (tree, parents == [above.clone()]) else {
            return Err(ShadowError::NotLinear { base: base.clone(), head: head.clone() });
        };
        let parent = std::mem::replace(&mut above, CommitId::new(*id));
        steps.push(Step { tree, parent, raw });
    }
    Ok(steps)
}

impl Step {
    /// The same commit with another tree and parent. A signature would no longer hold, so it goes.
    fn write_again(
        &self,
        shadow: &Shadow,
        tree: &TreeId,
        parent: &CommitId,
    ) -> Result<CommitId, ShadowError> {
        let end = self.raw.windows(2).position(|pair| pair == b"\n\n");
        let (headers, message) = self.raw.split_at(end.unwrap_or(self.raw.len()));
        let mut raw = format!("tree {tree}\nparent {parent}\n").into_bytes();
        let mut dropping = false;
        for line in headers.split(|byte| *byte == b'\n') {
            dropping = match line {
                [b' ', ..] => dropping,
                line => {
                    [&b"tree "[..], b"parent ", b"gpgsig"].iter().any(|name| line.starts_with(name))
                }
            };
            if !dropping {
                raw.extend_from_slice(line);
                raw.push(b'\n');
            }
        }
        raw.extend_from_slice(message.strip_prefix(b"\n").unwrap_or(message));
        let git = shadow.git();
        let call = git.call(&["hash-object", "-t", "commit", "-w", "--stdin"]);
        Ok(CommitId(call.stdin(raw).line()?))
    }
}

impl Shadow {
    /// Merges the change `before → theirs` into `ours`.
    pub fn merge_trees(
        &self,
        before: &TreeId,
        ours: &TreeId,
        theirs: &TreeId,
    ) -> Result<Merged, ShadowError> {
        if before == ours {
            let tree = theirs.clone();
            return Ok(Merged::Clean { tree });
        }
        // Git 2.38 takes no merge base by hand, so three throw-away commits say what it is.
        let text = CommitText { message: "merge", author: crate::repo::NOBODY, at: Millis(0) };
        let base = self.commit(before, &[], &text)?;
        let left = self.commit(ours, &[&base], &text)?;
        let right = self.commit(theirs, &[&base], &text)?;
        if left == right || right == base {
            let tree = ours.clone();
            return Ok(Merged::Clean { tree });
        }
        let git = self.git();
        let call = git
            .call(&["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages"])
            .arg(left.as_str())
            .arg(right.as_str());
        let answer = call.answer()?;
        let mut words = answer.stdout.split(|byte| *byte == 0);
        let tree = String::from_utf8_lossy(words.next().unwrap_or_default()).into_owned();
        match answer.code {
            Some(0) => Ok(Merged::Clean { tree: TreeId(tree) }),
            Some(1) => {
                let mut files: Vec<String> =
                    words.filter(|word| !word.is_empty()).map(path_text).collect();
                files.sort();
                files.dedup();
                Ok(Merged::Conflict { files })
            }
            code => Err(call.failed(code, answer.stderr).into()),
        }
    }
}
