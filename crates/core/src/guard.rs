//! A guarded task: the discipline of a run for a person who works with an interactive agent in the checkout itself. The facts,
//! what they add up to, and what follows when the agent wants to stop. Facts are kept for ever: add variants, never change
//! what one means.

use crate::words::{CommitId, Millis, TaskType, TestId, TreeId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How often in a row an agent is told that it is not done yet.
pub const MOST_REFUSALS: u8 = 3;

/// How much of a file is sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Extent {
    Whole,
    /// The tests that stand in a production file, or the tables of a manifest that decide how tests run.
    Part,
}

/// A file as it was when red was proven.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sealed {
    pub oid: String,
    /// As git writes it.
    pub mode: String,
    pub extent: Extent,
}

/// The tests, and what decides how they run, by path.
pub type Seal = BTreeMap<String, Sealed>;

/// What was proven, and what is kept of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum GuardEvent {
    Begun {
        text: String,
        kind: TaskType,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        targets: Vec<String>,
        base: CommitId,
        /// Of the repository.
        git_dir: String,
        /// Files that are none of the work: the hooks themselves.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        hooks: Vec<String>,
    },
    RedProven {
        /// The sealed tests on the base's code.
        tests: TreeId,
        red: Vec<TestId>,
        guards: Vec<TestId>,
        seal: Seal,
    },
    /// The checkout as it was did not prove what it had to prove.
    Refused {
        tree: TreeId,
        why: Vec<String>,
    },
    GreenProven {
        tree: TreeId,
        reason: String,
    },
    /// An edit was not let through.
    EditRefused {
        path: String,
    },
    /// A sealed file had changed, and is as it was again. What stood there is kept at `saved`.
    PutBack {
        path: String,
        saved: Option<String>,
    },
    StopRefused {
        why: Vec<String>,
    },
    /// The agent was let go although nothing was proven.
    LetGo {
        why: Vec<String>,
    },
    /// The guard was turned off.
    Off {
        why: String,
        by: TurnedOff,
    },
}

/// Who turned the guard off, as far as that can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TurnedOff {
    /// Somebody at a terminal.
    Terminal,
    /// A program: it may have been the agent.
    Program,
}

/// A task that is guarded now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guarded {
    pub text: String,
    pub kind: TaskType,
    pub targets: Vec<String>,
    pub base: CommitId,
    pub git_dir: String,
    pub hooks: Vec<String>,
    pub since: Millis,
    pub stage: GuardStage,
    /// What the checkout lacked when it was last looked at.
    pub wanting: Option<(TreeId, Vec<String>)>,
    /// How often in a row the agent was told that it is not done.
    pub refusals: u8,
    pub put_back: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GuardStage {
    /// Tests are being written; nothing is proven.
    Tests,
    /// Red is proven and the tests are sealed.
    Code { red: Vec<TestId>, seal: Seal },
    /// Green is proven of this tree.
    Green { red: Vec<TestId>, seal: Seal, tree: TreeId },
}

impl GuardStage {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Tests => "tests",
            Self::Code { .. } => "code",
            Self::Green { .. } => "green",
        }
    }

    pub fn seal(&self) -> Option<&Seal> {
        match self {
            Self::Tests => None,
            Self::Code { seal, .. } | Self::Green { seal, .. } => Some(seal),
        }
    }
}

/// Whose a file is, as it is told by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    Test,
    Deciding,
    /// Production code in which tests may stand too.
    Mixed,
    Production,
}

impl Guarded {
    /// Whether an agent may edit a file now; the reason where it may not.
    pub fn may_edit(&self, path: &str, whose: Whose) -> Result<(), String> {
        if self.hooks.iter().any(|hook| hook == path) {
            return Err(format!(
                "{path} holds Proctor's hooks, and a task is guarded; a person turns that off with `proctor guard off`"
            ));
        }
        if let Some(seal) = self.stage.seal() {
            return match seal.get(path) {
                Some(sealed) if sealed.extent == Extent::Whole => Err(format!(
                    "{path} is sealed: red was proven with it as it is. Change the code so that the tests pass. Where a test is wrong, say why to the person you work for; `proctor guard off` and a new `proctor guard begin` are theirs to decide"
                )),
                _ => Ok(()),
            };
        }
        match whose {
            Whose::Test | Whose::Mixed => Ok(()),
            Whose::Deciding => Err(format!(
                "{path} decides how tests run; it stays as it is while a task is guarded"
            )),
            Whose::Production => Err(format!(
                "tests come first, and {path} is no test: write tests that fail without the change, then run `proctor guard red`; once red is proven the code may change"
            )),
        }
    }
}

/// All that is known of a checkout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guard {
    pub open: Option<Guarded>,
}

impl Guard {
    pub fn replay<'a>(facts: impl IntoIterator<Item = (&'a GuardEvent, Millis)>) -> Self {
        let mut guard = Self::default();
        for (event, at) in facts {
            guard.fold(event, at);
        }
        guard
    }

    /// Total: a fact that does not fit changes nothing.
    pub fn fold(&mut self, event: &GuardEvent, at: Millis) {
        if let GuardEvent::Begun { text, kind, targets, base, git_dir, hooks } = event {
            self.open = Some(Guarded {
                text: text.clone(),
                kind: *kind,
                targets: targets.clone(),
                base: base.clone(),
                git_dir: git_dir.clone(),
                hooks: hooks.clone(),
                since: at,
                stage: GuardStage::Tests,
                wanting: None,
                refusals: 0,
                put_back: 0,
            });
            return;
        }
        let Some(open) = &mut self.open else { return };
        match event {
            GuardEvent::Begun { .. } | GuardEvent::EditRefused { .. } => {}
            GuardEvent::RedProven { red, seal, .. } => {
                open.stage = GuardStage::Code { red: red.clone(), seal: seal.clone() };
                (open.wanting, open.refusals) = (None, 0);
            }
            GuardEvent::Refused { tree, why } => {
                open.wanting = Some((tree.clone(), why.clone()));
                if let GuardStage::Green { red, seal, .. } = &open.stage {
                    open.stage = GuardStage::Code { red: red.clone(), seal: seal.clone() };
                }
            }
            GuardEvent::GreenProven { tree, .. } => {
                if let GuardStage::Code { red, seal } | GuardStage::Green { red, seal, .. } =
                    &open.stage
                {
                    let (red, seal, tree) = (red.clone(), seal.clone(), tree.clone());
                    open.stage = GuardStage::Green { red, seal, tree };
                }
                (open.wanting, open.refusals) = (None, 0);
            }
            GuardEvent::PutBack { .. } => open.put_back += 1,
            GuardEvent::StopRefused { .. } => open.refusals = open.refusals.saturating_add(1),
            GuardEvent::LetGo { .. } => open.refusals = 0,
            GuardEvent::Off { .. } => self.open = None,
        }
    }

    /// What becomes of an agent that wants to stop, where this is what it lacks.
    pub fn stopping(open: &Guarded, why: Vec<String>) -> GuardEvent {
        if open.refusals < MOST_REFUSALS {
            GuardEvent::StopRefused { why }
        } else {
            GuardEvent::LetGo { why }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun() -> GuardEvent {
        GuardEvent::Begun {
            text: "a sub function".to_owned(),
            kind: TaskType::Feature,
            targets: Vec::new(),
            base: CommitId("b".repeat(40)),
            git_dir: "/r/.git".to_owned(),
            hooks: vec![".claude/settings.local.json".to_owned()],
        }
    }

    fn red() -> GuardEvent {
        let whole =
            Sealed { oid: "1".to_owned(), mode: "100644".to_owned(), extent: Extent::Whole };
        let part = Sealed { extent: Extent::Part, ..whole.clone() };
        GuardEvent::RedProven {
            tests: TreeId("t".to_owned()),
            red: vec![TestId::new("tests/test_a.py::test_sub")],
            guards: Vec::new(),
            seal: [("tests/test_a.py".to_owned(), whole), ("src/lib.rs".to_owned(), part)].into(),
        }
    }

    fn guard(events: &[GuardEvent]) -> Guard {
        Guard::replay(events.iter().map(|event| (event, Millis(1))))
    }

    #[test]
    fn tests_come_first_and_are_sealed_afterwards() {
        let open = guard(&[begun()]).open.unwrap();
        assert!(open.may_edit("tests/test_a.py", Whose::Test).is_ok());
        assert!(open.may_edit("src/lib.rs", Whose::Mixed).is_ok());
        let why = open.may_edit("calc.py", Whose::Production).unwrap_err();
        assert!(why.contains("proctor guard red"), "{why}");
        assert!(open.may_edit("conftest.py", Whose::Deciding).is_err());
        assert!(open.may_edit(".claude/settings.local.json", Whose::Production).is_err());
        let open = guard(&[begun(), red()]).open.unwrap();
        assert!(open.may_edit("tests/test_a.py", Whose::Test).unwrap_err().contains("sealed"));
        assert!(open.may_edit("calc.py", Whose::Production).is_ok());
        assert!(open.may_edit("src/lib.rs", Whose::Mixed).is_ok());
    }

    #[test]
    fn an_agent_is_held_back_three_times_in_a_row_and_then_let_go() {
        let mut guard = guard(&[begun(), red()]);
        for held in [true, true, true, false, true] {
            let event = Guard::stopping(guard.open.as_ref().unwrap(), Vec::new());
            assert_eq!(matches!(event, GuardEvent::StopRefused { .. }), held, "{event:?}");
            guard.fold(&event, Millis(2));
        }
    }

    #[test]
    fn a_proof_is_of_one_tree_and_gone_with_a_refusal() {
        let tree = TreeId("g".to_owned());
        let green = GuardEvent::GreenProven { tree: tree.clone(), reason: String::new() };
        let book = guard(&[begun(), green.clone()]);
        assert_eq!(book.open.unwrap().stage, GuardStage::Tests, "green without red is none");
        let mut book = guard(&[begun(), red(), green]);
        assert_eq!(book.open.as_ref().unwrap().stage.name(), "green");
        book.fold(&GuardEvent::Refused { tree, why: Vec::new() }, Millis(3));
        assert_eq!(book.open.as_ref().unwrap().stage.name(), "code");
        let by = TurnedOff::Terminal;
        book.fold(&GuardEvent::Off { why: String::new(), by }, Millis(4));
        assert_eq!(book.open, None);
    }
}
