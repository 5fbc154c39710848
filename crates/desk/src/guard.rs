//! The guard: the discipline of a run over an interactive agent, in the checkout itself. Opens a guarded task, has red and
//! green proven, answers the agent's hooks, and records all of it.

mod hooks;
mod once;

pub use hooks::{Installed, Reply, event, install, uninstall};

use crate::config::settings;
use crate::intake::throwaway::brief_of;
use crate::surroundings::Surroundings;
use crate::text::clock;
use crate::told::{UNFIT, told, usage};
use crate::verdict::digest::mattering;
use crate::verify::{BranchAsk, ask};
use anyhow::{Result, anyhow};
use proctor_core::brief::Repo;
use proctor_core::guard::{Guard, GuardEvent, GuardStage, Guarded, TurnedOff};
use proctor_core::proof::Point;
use proctor_core::verdict::{Verdict, Verification};
use proctor_core::words::{TaskType, TestId};
use proctor_engine::guard::{GuardLedger, Tampered, Watcher};
use proctor_engine::{RedEnd, Shop, VerifyEnd, prove_red};
use proctor_journal::Journal;
use proctor_world::repo::UserRepo;
use std::path::{Path, PathBuf};

const NONE_OPEN: &str =
    "no task is guarded in this checkout\nhint: `proctor guard begin \"what is wanted\"` opens one";

/// What is to be guarded.
#[derive(Clone, Debug)]
pub struct GuardAsk {
    pub text: String,
    pub kind: TaskType,
    pub targets: Vec<String>,
}

/// How a proof ended.
#[derive(Debug)]
pub enum Proof {
    Red { red: Vec<TestId>, guards: Vec<TestId>, sealed: usize },
    Green { reason: String },
    Refused { why: Vec<String> },
    Interrupted,
}

/// One checkout and what is guarded in it.
pub struct Post {
    pub root: PathBuf,
    ledger: GuardLedger,
}

impl Post {
    /// The checkout that a folder is in, found without asking git: hooks run often.
    pub fn find(around: &Surroundings, folder: &Path) -> Option<Self> {
        let folder = folder.canonicalize().ok()?;
        let root = folder.ancestors().find(|above| above.join(".git").exists())?.to_owned();
        Some(Self { ledger: GuardLedger::of(&around.home, &root), root })
    }

    pub fn here(around: &Surroundings) -> Result<Self> {
        Self::find(around, &around.cwd).ok_or_else(|| {
            usage("this folder is in no git checkout\nhint: go to one, or name it with -C")
        })
    }

    pub fn read(&self) -> Result<Guard> {
        Ok(self.ledger.read()?)
    }

    /// The facts so far, the oldest first, each with its time in words.
    pub fn history(&self) -> Result<Vec<(String, GuardEvent)>> {
        let all = self.ledger.history()?;
        Ok(all.into_iter().map(|recorded| (clock::show(recorded.at), recorded.body)).collect())
    }

    fn open(&self) -> Result<Guarded> {
        self.read()?.open.ok_or_else(|| usage(NONE_OPEN))
    }

    fn record(&self, event: &GuardEvent) -> Result<Guard> {
        Ok(self.ledger.record(event, clock::now())?)
    }

    fn repo(&self, open: &Guarded) -> Repo {
        Repo {
            root: self.root.to_string_lossy().into_owned(),
            git_dir: open.git_dir.clone(),
            base: open.base.clone(),
            subdir: String::new(),
        }
    }

    /// Puts back what is sealed and changed, and records it.
    fn put_back(&self, open: &Guarded) -> Result<Vec<Tampered>> {
        let Some(seal) = open.stage.seal() else { return Ok(Vec::new()) };
        let repo = self.repo(open);
        let back = Watcher { ledger: &self.ledger, repo: &repo, seal }.put_back()?;
        for one in &back {
            let (path, saved) = (one.path.clone(), one.saved.clone());
            self.record(&GuardEvent::PutBack { path, saved })?;
        }
        Ok(back)
    }

    /// Opens a guarded task on the commit that is checked out.
    pub fn begin(&self, around: &Surroundings, ask: &GuardAsk) -> Result<Guarded> {
        if ask.text.trim().is_empty() {
            return Err(usage("the task has no text\nhint: say in a sentence what is wanted"));
        }
        // The journal makes the home private before anything is put there.
        Journal::open(around.home.root())?;
        if let Some(open) = self.read()?.open {
            return Err(usage(format!(
                "a task is guarded here already: {}\nhint: `proctor guard status` shows how it stands, `proctor guard off` ends it",
                open.text
            )));
        }
        let repo = UserRepo::find(&self.root).map_err(usage)?;
        let base = repo.resolve("HEAD").map_err(usage)?;
        let begun = GuardEvent::Begun {
            text: ask.text.clone(),
            kind: ask.kind,
            targets: ask.targets.clone(),
            base,
            git_dir: repo.git_dir.to_string_lossy().into_owned(),
            hooks: hooks::installed(&self.root),
        };
        self.record(&begun)?.open.ok_or_else(|| anyhow!("this is a bug in Proctor"))
    }

    /// Closes the guarded task, whatever was proven.
    pub fn off(&self, why: &str, by: TurnedOff) -> Result<Guarded> {
        let open = self.open()?;
        self.record(&GuardEvent::Off { why: why.to_owned(), by })?;
        Ok(open)
    }

    /// Red where nothing is sealed yet.
    pub fn prove_red(&self, around: &Surroundings, tell: &mut dyn FnMut(&str)) -> Result<Proof> {
        let open = self.open()?;
        if open.stage.seal().is_some() {
            return Err(usage(
                "red is proven already, and the tests are sealed\nhint: `proctor guard green` proves the work",
            ));
        }
        let seen = self.photograph(&open)?;
        self.red(around, &open, &seen, tell)
    }

    /// Green, once red is proven.
    pub fn prove_green(&self, around: &Surroundings, tell: &mut dyn FnMut(&str)) -> Result<Proof> {
        let open = self.open()?;
        if open.stage.seal().is_none() {
            return Err(usage(
                "nothing is sealed yet: red must be proven first\nhint: write tests that fail without the change, then `proctor guard red`",
            ));
        }
        self.put_back(&open)?;
        let seen = self.photograph(&open)?;
        self.green(around, &open, &seen, tell)
    }

    fn photograph(&self, open: &Guarded) -> Result<Point> {
        Ok(self.ledger.photograph(&self.repo(open), &open.hooks)?)
    }

    fn red(
        &self,
        around: &Surroundings,
        open: &Guarded,
        seen: &Point,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Proof> {
        let repo = UserRepo::find(&self.root).map_err(usage)?;
        let config = settings::read(around, &repo, &open.base)?;
        let mut brief = brief_of(around, (&repo, open.base.clone()), &config, &open.text)?;
        (brief.kind, brief.targets) = (open.kind, open.targets.clone());
        brief.rules.strict_red = config.gates.strict_red.unwrap_or(brief.rules.strict_red);
        brief.rules.repeats = config.gates.repeats.unwrap_or(brief.rules.repeats);
        let end = prove_red(&around.shop()?, &brief, seen, tell).map_err(|why| told(UNFIT, why))?;
        match end {
            RedEnd::Interrupted => Ok(Proof::Interrupted),
            RedEnd::Refused(why) => {
                let (tree, told) = (seen.tree.clone(), why.clone());
                self.record(&GuardEvent::Refused { tree, why: told })?;
                Ok(Proof::Refused { why })
            }
            RedEnd::Proven(shown) => {
                self.ledger.keep(&self.repo(open), &shown.tests)?;
                let (red, guards, sealed) =
                    (shown.red.clone(), shown.guards.clone(), shown.seal.len());
                self.record(&GuardEvent::RedProven {
                    tests: shown.tests.tree,
                    red: shown.red,
                    guards: shown.guards,
                    seal: shown.seal,
                })?;
                Ok(Proof::Red { red, guards, sealed })
            }
        }
    }

    fn green(
        &self,
        around: &Surroundings,
        open: &Guarded,
        seen: &Point,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Proof> {
        let repo = UserRepo::find(&self.root).map_err(usage)?;
        let wish = BranchAsk {
            kind: Some(open.kind),
            targets: open.targets.clone(),
            ..BranchAsk::default()
        };
        let why = if seen.commit == open.base {
            vec!["nothing has changed since the task began".to_owned()]
        } else {
            let ask = ask(around, &repo, &wish, (&open.base, &seen.commit))?;
            let shop: Shop = around.shop()?;
            match proctor_engine::verify(&shop, &ask, tell) {
                VerifyEnd::Interrupted(_) => return Ok(Proof::Interrupted),
                VerifyEnd::Judged(answer) if answer.verdict == Verdict::Proven => {
                    let (tree, reason) = (seen.tree.clone(), answer.reason.clone());
                    self.record(&GuardEvent::GreenProven { tree, reason })?;
                    return Ok(Proof::Green { reason: answer.reason });
                }
                VerifyEnd::Judged(answer) => reasons(&answer),
            }
        };
        self.record(&GuardEvent::Refused { tree: seen.tree.clone(), why: why.clone() })?;
        Ok(Proof::Refused { why })
    }

    /// What an agent lacks that wants to stop; none where it may.
    fn wanting(
        &self,
        around: &Surroundings,
        open: &Guarded,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Option<Vec<String>>> {
        let seen = self.photograph(open)?;
        match (&open.stage, &open.wanting) {
            (GuardStage::Green { tree, .. }, _) if *tree == seen.tree => return Ok(None),
            (_, Some((tree, why))) if *tree == seen.tree => return Ok(Some(why.clone())),
            _ => {}
        }
        let mut open = open.clone();
        if open.stage.seal().is_none() {
            let proof = self.red(around, &open, &seen, tell)?;
            if let Proof::Refused { why } = proof {
                return Ok(Some(why));
            }
            open = self.open()?;
        }
        match self.green(around, &open, &seen, tell)? {
            Proof::Green { .. } => Ok(None),
            Proof::Refused { why } => Ok(Some(why)),
            Proof::Red { .. } | Proof::Interrupted => {
                Ok(Some(vec!["the proof was interrupted".to_owned()]))
            }
        }
    }
}

/// Why a branch is not proven, the heaviest reasons first.
fn reasons(answer: &Verification) -> Vec<String> {
    let mut why = vec![format!("{}: {}", answer.verdict.name(), answer.reason)];
    let found = mattering(answer);
    why.extend(found.iter().take(12).map(|(name, finding)| format!("{name}: {}", finding.text)));
    why
}
