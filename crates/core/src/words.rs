//! The nouns that every room shares: ids, task types, phases, roles, statuses. No rules live here.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Declares a string newtype that shows itself as its text.
macro_rules! text_id {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}

text_id! {
    /// One attempt to carry out a task.
    RunId,
    /// What is wanted; several runs may share it.
    TaskId,
    /// A git commit, in full.
    CommitId,
    /// A git tree, in full. What is proven, approved and landed is always a tree.
    TreeId,
    /// A test, in the words of its own tool (`tests/test_a.py::test_b`, `pkg::bin mod::name`).
    TestId,
    /// A stored blob: the hash of its bytes.
    BlobId,
}

impl TestId {
    /// Whether a reported id is this test or one of its cases: `id[case]` (parametrised), `id/case` (a subtest). An id
    /// that ends in `…` stands for every id that begins with what is before it.
    pub fn covers(&self, id: &Self) -> bool {
        if let Some(stem) = self.0.strip_suffix('…') {
            return id.0.starts_with(stem);
        }
        id.0.strip_prefix(self.0.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '/']))
    }

    /// What it is called by itself, without its file, package or group.
    pub fn name(&self) -> &str {
        let mut parts = self.0.rsplit([':', ' ', '>', '/']).map(str::trim);
        parts.find(|part| !part.is_empty()).unwrap_or(&self.0)
    }
}

impl CommitId {
    /// The first twelve characters, for people.
    pub fn short(&self) -> &str {
        self.0.get(..12).unwrap_or(&self.0)
    }
}

impl TreeId {
    pub fn short(&self) -> &str {
        self.0.get(..12).unwrap_or(&self.0)
    }
}

/// Milliseconds since the epoch. `core` never reads a clock: times come in with inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(pub u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskType {
    BugFix,
    Feature,
    Refactor,
}

impl TaskType {
    pub const ALL: [Self; 3] = [Self::BugFix, Self::Feature, Self::Refactor];

    /// The wire value.
    pub fn name(self) -> &'static str {
        match self {
            Self::BugFix => "bug_fix",
            Self::Feature => "feature",
            Self::Refactor => "refactor",
        }
    }
}

impl fmt::Display for TaskType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A turn of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    WriteTests,
    Implement,
    Refactor,
    Review,
    /// After a green gate that refused: why, and what to do.
    Diagnose,
    Audit,
    /// Of a hunt: where to look.
    Suggest,
    /// Of a hunt: what may be wrong there.
    Scout,
    /// Of a hunt: how it could be shown.
    Classify,
}

impl Phase {
    pub const ALL: [Self; 9] = [
        Self::WriteTests,
        Self::Implement,
        Self::Refactor,
        Self::Review,
        Self::Diagnose,
        Self::Audit,
        Self::Suggest,
        Self::Scout,
        Self::Classify,
    ];

    /// Those of every run. The others are errands: a run or a hunt may do without them.
    pub const LOOP: [Self; 4] = [Self::WriteTests, Self::Implement, Self::Refactor, Self::Review];

    /// The wire value, as in `PROCTOR_PHASE`.
    pub fn name(self) -> &'static str {
        match self {
            Self::WriteTests => "write_tests",
            Self::Implement => "implement",
            Self::Refactor => "refactor",
            Self::Review => "review",
            Self::Diagnose => "diagnose",
            Self::Audit => "audit",
            Self::Suggest => "suggest",
            Self::Scout => "scout",
            Self::Classify => "classify",
        }
    }

    /// Who takes the turn.
    pub fn role(self) -> Role {
        match self {
            Self::WriteTests => Role::Tester,
            Self::Implement | Self::Refactor => Role::Coder,
            Self::Review => Role::Reviewer,
            Self::Diagnose => Role::Diagnostician,
            Self::Audit => Role::Auditor,
            Self::Suggest | Self::Scout | Self::Classify => Role::Scout,
        }
    }

    /// Whether the turn may change files.
    pub fn hands(self) -> Hands {
        match self {
            Self::WriteTests | Self::Implement | Self::Refactor => Hands::Free,
            Self::Review
            | Self::Diagnose
            | Self::Audit
            | Self::Suggest
            | Self::Scout
            | Self::Classify => Hands::Tied,
        }
    }
}

/// Whether a turn may change files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hands {
    /// Reads only.
    Tied,
    Free,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Tester,
    Coder,
    Diagnostician,
    Auditor,
    Reviewer,
    Scout,
    /// Writes tests from the task's text alone, which nobody else is shown before the work is done.
    Examiner,
}

impl Role {
    pub const ALL: [Self; 7] = [
        Self::Tester,
        Self::Coder,
        Self::Diagnostician,
        Self::Auditor,
        Self::Reviewer,
        Self::Scout,
        Self::Examiner,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Tester => "tester",
            Self::Coder => "coder",
            Self::Diagnostician => "diagnostician",
            Self::Auditor => "auditor",
            Self::Reviewer => "reviewer",
            Self::Scout => "scout",
            Self::Examiner => "examiner",
        }
    }
}

/// How a run stands for people and programs outside, with its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    /// Under way: no exit code of its own.
    Running,
    Success,
    Failed,
    AwaitingApproval,
    Paused,
    Blocked,
    Discarded,
    MaxAttemptsReached,
    Aborted,
    AgentError,
    Interrupted,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "RUNNING",
            Self::Success => "SUCCESS",
            Self::Failed => "FAILED",
            Self::AwaitingApproval => "AWAITING_APPROVAL",
            Self::Paused => "PAUSED",
            Self::Blocked => "BLOCKED",
            Self::Discarded => "DISCARDED",
            Self::MaxAttemptsReached => "MAX_ATTEMPTS_REACHED",
            Self::Aborted => "ABORTED",
            Self::AgentError => "AGENT_ERROR",
            Self::Interrupted => "INTERRUPTED",
        }
    }

    pub fn exit_code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Failed => 1,
            Self::AwaitingApproval | Self::Paused => 3,
            Self::Blocked => 4,
            Self::Discarded => 5,
            Self::MaxAttemptsReached => 6,
            Self::Aborted => 7,
            Self::AgentError => 8,
            Self::Running | Self::Interrupted => 130,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
