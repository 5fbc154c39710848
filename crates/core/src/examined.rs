//! Tests that a second agent wrote from the task's text alone, without sight of the tests or of the work. They can only leave
//! a doubt, never prove: the coder learns how many fail, a person sees which.

use crate::concern::{Concern, Raised};
use crate::fault::GreenFault;
use crate::words::{TestId, TreeId};
use serde::{Deserialize, Serialize};

/// What an examiner left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Examination {
    /// The agent.
    pub by: String,
    /// The tree that it saw, and the same with its tests.
    pub base: TreeId,
    pub tree: TreeId,
    pub tests: Vec<TestId>,
    /// Those of them that the old code passes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passing: Vec<TestId>,
}

/// What the work says to an examiner's tests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Examined {
    /// The agent.
    #[serde(default)]
    pub by: String,
    /// How many could be asked.
    pub asked: usize,
    pub doubts: Vec<Doubt>,
    /// Those that could not be asked of the work, each with why.
    pub unasked: Vec<String>,
}

/// A test that the work does not pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    pub test: TestId,
    /// What the work said.
    pub said: String,
    /// Whether the base passes it.
    pub on_base: bool,
    /// The file that it stands in.
    pub source: String,
}

impl Doubt {
    /// What is so, and what would be accepted.
    pub fn in_words(&self, agent: &str) -> String {
        let base = if self.on_base { "passes" } else { "fails" };
        let said = self.said.lines().take(6).collect::<Vec<_>>().join("\n");
        format!(
            "a test that {agent} wrote from the task's text alone, {}, fails on head and {base} on the base: {said}; accepted: work that passes it, or a person who says that the task does not ask for it",
            self.test
        )
    }
}

impl Examined {
    /// What the coder is told: how many fail, and nothing of them.
    pub(crate) fn fault(&self) -> Option<GreenFault> {
        let (failed, of) = (self.doubts.len(), self.asked);
        (failed > 0).then_some(GreenFault::Examined { failed, of })
    }

    pub(crate) fn raised(&self) -> impl Iterator<Item = Raised> {
        let raised = |doubt: &Doubt| Raised::new(Concern::SpecialCased, doubt.in_words(&self.by));
        self.doubts.iter().map(raised)
    }
}
