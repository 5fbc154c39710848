//! What the world is asked to do, and how it answers.

use crate::concern::Raised;
use crate::event::{Baseline, Ending, Patch, Turn, Usage};
use crate::examined::Examination;
use crate::proof::{GreenMeasure, Point, RedMeasure};
use crate::words::{BlobId, CommitId, Millis, Phase, TreeId};
use serde::{Deserialize, Serialize};

/// What the world must do next. Each effect ends in exactly one [`Outcome`], and each is safe to repeat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "effect", rename_all = "kebab-case")]
pub enum Effect {
    /// Shadow, worktree, set-up recipe, baseline.
    Prepare,
    /// Put the tests that a person brought into the tree.
    BringTests,
    Ask {
        phase: Phase,
        attempt: u32,
        ask: u32,
    },
    ProveRed {
        tests: Point,
    },
    /// Have a second agent write tests from the task's text alone.
    Examine,
    ProveGreen {
        code: Point,
        tests: Point,
    },
    Audit {
        code: Point,
    },
    /// Show the work as a request, for whoever is to approve it.
    Offer {
        code: Point,
    },
    /// Look whether the request was reviewed.
    HearReview {
        code: Point,
    },
    Land {
        code: Point,
    },
    Rebase {
        onto: CommitId,
    },
    /// Save what would be lost, write the failure report, put the tree back or clean it up.
    Settle {
        ending: Ending,
    },
}

impl Effect {
    /// A word for progress lines.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Prepare => "preparing",
            Self::BringTests => "taking over the tests",
            Self::Ask { phase: Phase::WriteTests, .. } => "writing tests",
            Self::Ask { phase: Phase::Implement, .. } => "implementing",
            Self::Ask { phase: Phase::Refactor, .. } => "refactoring",
            Self::Ask { phase: Phase::Review, .. } => "reviewing",
            Self::Ask { phase: Phase::Diagnose, .. } => "diagnosing",
            Self::Ask { phase: Phase::Suggest | Phase::Scout | Phase::Classify, .. } => "scouting",
            Self::ProveRed { .. } => "red gate",
            Self::Examine => "examining",
            Self::ProveGreen { .. } => "green gate",
            Self::Audit { .. } | Self::Ask { phase: Phase::Audit, .. } => "auditing",
            Self::Offer { .. } => "asking for a review",
            Self::HearReview { .. } => "looking for a review",
            Self::Land { .. } => "landing",
            Self::Rebase { .. } => "rebasing",
            Self::Settle { .. } => "cleaning up",
        }
    }
}

/// How an effect ended. It carries no claim that could make anything pass: a turn yields a tree, and the
/// arbiter's own run follows.
#[derive(Clone, Debug)]
pub enum Outcome {
    Prepared {
        tree: TreeId,
        baseline: Box<Baseline>,
        sandbox: String,
    },
    Brought {
        at: Point,
    },
    Turned {
        turn: Box<Turn>,
        usage: Usage,
    },
    TurnFailed {
        why: String,
        tree: TreeId,
        put_back: Vec<String>,
        usage: Usage,
    },
    Limited {
        until: Millis,
        why: String,
        usage: Usage,
    },
    RedMeasured {
        measure: Box<RedMeasure>,
        evidence: BlobId,
    },
    /// Tests of a second agent; or why there are none.
    Examined {
        examination: Result<Box<Examination>, String>,
        usage: Usage,
    },
    GreenMeasured {
        measure: Box<GreenMeasure>,
        evidence: BlobId,
    },
    Audited {
        findings: Vec<String>,
        notes: Vec<String>,
        raised: Vec<Raised>,
    },
    Offered {
        commit: CommitId,
        number: u64,
        note: String,
    },
    /// Who approved the request's commit, and the reason that they gave for what a person must look at.
    Reviewed {
        by: Vec<String>,
        commit: CommitId,
        accept: Option<String>,
    },
    NotReviewed {
        why: String,
    },
    Landed {
        commit: CommitId,
        branch: String,
        note: String,
    },
    BaseMoved {
        to: CommitId,
    },
    Rebased {
        base: CommitId,
        tests: Point,
        code: Point,
        baseline: Box<Baseline>,
        patch: Patch,
    },
    Conflict {
        files: Vec<String>,
    },
    Settled {
        rescue: Option<String>,
        patch: Option<String>,
    },
    /// It ended as it did, and meanwhile somebody changed the user's checkout.
    Disturbed {
        outcome: Box<Outcome>,
        /// What changed, each in words.
        moved: Vec<String>,
        sort: Disturbance,
    },
    /// The run's own time was used up while it was under way.
    TimeUp,
    Failed(Trouble),
}

impl Outcome {
    /// What an agent's turn cost; nothing where no agent was asked.
    pub fn usage(&self) -> Usage {
        match self {
            Self::Turned { usage, .. }
            | Self::TurnFailed { usage, .. }
            | Self::Examined { usage, .. }
            | Self::Limited { usage, .. } => *usage,
            Self::Disturbed { outcome, .. } => outcome.usage(),
            _ => Usage::default(),
        }
    }
}

/// What sort of change it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    /// Commits on top of branches: ordinary work, which landing knows how to meet.
    Commits,
    Other,
}

/// `Passing` trouble is tried again; `Lasting` trouble goes to a person.
#[derive(Clone, Debug)]
pub enum Trouble {
    Passing { why: String },
    Lasting { why: String },
}
