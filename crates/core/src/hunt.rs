//! The nouns of a hunt: entry points, bugs, fixes, and the facts that they are folded from. Facts are kept for ever: add
//! variants, never change what one means. Agents bring texts; ids, statuses and places are given here.

mod alike;
mod bug;
mod notebook;
mod page;

pub use alike::{same_assertion, same_text};
pub use notebook::{Notebook, Outlook};
pub use page::{bug_json, bugs_json, entrypoints_json, fixes_json, page};

use crate::event::Usage;
use crate::turn::{Approach, Chance, Suspect};
use crate::words::{CommitId, Millis, Phase, RunId, Status};
use serde::{Deserialize, Serialize};

/// How a bug stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum BugStatus {
    /// A scout named it; nobody looked yet.
    Suspected,
    /// It was said how it could be shown.
    InAnalysis,
    /// A failing test shows it on the clean base.
    PreparedForFix,
    Solved,
    /// It could not be reproduced.
    Discarded,
    NeedsManualReview,
    /// A person says that it is none.
    Rejected,
    /// The same as another one.
    Duplicate,
}

impl BugStatus {
    /// The wire value.
    pub fn name(self) -> &'static str {
        match self {
            Self::Suspected => "SUSPECTED",
            Self::InAnalysis => "IN_ANALYSIS",
            Self::PreparedForFix => "PREPARED_FOR_FIX",
            Self::Solved => "SOLVED",
            Self::Discarded => "DISCARDED",
            Self::NeedsManualReview => "NEEDS_MANUAL_REVIEW",
            Self::Rejected => "REJECTED",
            Self::Duplicate => "DUPLICATE",
        }
    }

    /// What the end of a run makes of a bug; none where it stays open with its reason.
    pub fn after(status: Status) -> Option<Self> {
        match status {
            Status::Success => Some(Self::Solved),
            Status::Discarded => Some(Self::Discarded),
            Status::MaxAttemptsReached => Some(Self::NeedsManualReview),
            Status::Running
            | Status::Failed
            | Status::AwaitingApproval
            | Status::Paused
            | Status::Blocked
            | Status::Aborted
            | Status::AgentError
            | Status::Interrupted => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bug {
    pub id: String,
    pub short_description: String,
    pub details: String,
    pub severity: String,
    pub relevant_files: Vec<String>,
    pub status: BugStatus,
    pub reproducibility_approach: Option<Approach>,
    pub reproducibility_chance: Option<Chance>,
    pub created_at: Millis,
    /// Where the scout began.
    pub entrypoint: String,
    /// Why it stands as it stands, where that is not plain.
    pub reason: String,
    pub duplicate_of: Option<String>,
    /// The run that shows and fixes it; the latest where there were several.
    pub run: Option<RunId>,
    /// How that run ended, where it did.
    pub run_status: Option<Status>,
    pub proof: Option<Sighting>,
    /// A person wants it looked at, whatever else speaks against it.
    pub wanted: bool,
    /// What its runs cost so far.
    pub micro_usd: u64,
    #[serde(skip)]
    pub sections: Vec<Section>,
}

/// A part of a bug's page. Only ever added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub title: &'static str,
    pub text: String,
}

/// What Proctor measured: the failing tests on the clean base.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sighting {
    pub tests: Vec<String>,
    /// Where the production code broke, as `path:line`; none where an assertion failed.
    pub place: Option<String>,
    /// The lines of the test that failed, with what they said.
    pub assertion: String,
    /// What the test tool said about the first failing test, word for word.
    pub output: String,
    /// The command that ran it.
    pub command: String,
    /// The base commit, in full.
    pub base: String,
    /// The new test files.
    pub files: Vec<TestFile>,
    pub notes: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestFile {
    pub path: String,
    pub text: String,
}

/// What a run did about a bug.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fix {
    pub id: String,
    pub bug_id: String,
    pub run: RunId,
    /// `READY_FOR_REVIEW`, `SOLVED`, or how the run ended.
    pub status: String,
    pub fix_description: String,
    pub notes: String,
    pub review: String,
    pub rejection_reasons: Vec<String>,
    pub branch: String,
    pub commit: Option<CommitId>,
    pub created_at: Millis,
}

/// A run of the loop as its parent sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TddResult {
    pub task_id: String,
    pub status: Status,
    pub test_file_path: Option<String>,
    pub notes: String,
    pub rejection_history: Vec<String>,
}

/// What the turns of a run said, for the bug's page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunNotes {
    /// Of the tester.
    pub reproduction: String,
    /// Of the coder: what was done, and its notes. Empty where no code was written.
    pub fix_description: String,
    pub fix: String,
    /// Of the reviewer.
    pub review: String,
    pub branch: String,
    pub commit: Option<CommitId>,
    /// What the run cost in all.
    pub micro_usd: u64,
}

/// Who proposed an entry point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FoundBy {
    Person,
    Scout,
    /// The structure of the sources.
    Structure,
}

impl FoundBy {
    pub fn name(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Scout => "scout",
            Self::Structure => "structure",
        }
    }
}

/// How a suspect begins its life in the notebook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "standing", rename_all = "kebab-case")]
pub enum Standing {
    Fresh,
    /// Not severe enough to be pursued.
    SetAside {
        why: String,
    },
    Duplicate {
        of: String,
        why: String,
    },
}

/// What happened in a hunt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum HuntEvent {
    HuntBegan {
        hunt: u32,
    },
    EntrypointsAdded {
        entrypoints: Vec<String>,
        by: FoundBy,
        reasoning: String,
    },
    /// A turn of the scout came to its end: what it cost, and what was wrong where it could not be used.
    ErrandEnded {
        phase: Phase,
        usage: Usage,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fault: Option<String>,
    },
    EntrypointScouted {
        entrypoint: String,
        summary: String,
    },
    /// Nothing usable came back: it goes to the end of the queue.
    EntrypointFailed {
        entrypoint: String,
        why: String,
    },
    BugFound {
        id: String,
        entrypoint: String,
        suspect: Suspect,
        #[serde(flatten)]
        standing: Standing,
    },
    BugClassified {
        id: String,
        approach: Approach,
        chance: Chance,
        reasoning: String,
    },
    BugNotClassified {
        id: String,
        why: String,
    },
    BugRunBegan {
        id: String,
        run: RunId,
    },
    BugProven {
        id: String,
        sighting: Box<Sighting>,
    },
    BugDuplicate {
        id: String,
        of: String,
        why: String,
    },
    BugRunEnded {
        id: String,
        run: RunId,
        result: TddResult,
        reason: String,
        notes: Box<RunNotes>,
        message: String,
    },
    /// What its run cost so far, where that is held.
    BugCost {
        id: String,
        micro_usd: u64,
    },
    /// It can't even be made a task.
    BugBlocked {
        id: String,
        why: String,
    },
    BugRejected {
        id: String,
        why: String,
    },
    BugRetried {
        id: String,
    },
    HuntEnded {
        hunt: u32,
        why: String,
    },
}

impl HuntEvent {
    /// The message that the end of a bug's run is told with.
    pub fn complete(id: &str, status: Status) -> String {
        format!("{id} TDD complete: {status}")
    }
}
