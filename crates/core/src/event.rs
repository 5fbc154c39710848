//! Facts, effects, outcomes, requests: what goes in and out of the machine. Events are stored for ever: add
//! variants, never change what one means.

use crate::brief::Brief;
use crate::fault::{GreenFault, RedFault};
use crate::proof::{Anchor, GreenMeasure, GreenProof, Point, RedMeasure};
use crate::report::Counts;
use crate::turn::Claim;
use crate::words::{BlobId, CommitId, Millis, Phase, Status, TestId, TreeId};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    Created {
        brief: Box<Brief>,
    },
    EffectBegan {
        no: u32,
        effect: Effect,
    },
    /// An effect came to its end: what it cost. Other events of the same transaction say what it showed.
    EffectEnded {
        no: u32,
        took_ms: u64,
        #[serde(default, skip_serializing_if = "Usage::is_none")]
        usage: Usage,
    },
    /// After a crash: begun and never ended. It is owed again.
    EffectLost {
        no: u32,
    },
    /// Trouble that may pass; tried again.
    Stumbled {
        why: String,
    },
    Prepared {
        tree: TreeId,
        baseline: Baseline,
        sandbox: String,
    },
    TestsBrought {
        tests: Point,
    },
    Turned {
        turn: Box<Turn>,
    },
    /// The agent's output could not be used; the same turn is asked again.
    AskedAgain {
        phase: Phase,
        ask: u32,
        why: String,
        tree: TreeId,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        put_back: Vec<String>,
    },
    RedProven {
        anchor: Box<Anchor>,
        evidence: BlobId,
    },
    RedRefused {
        faults: Vec<RedFault>,
        evidence: Option<BlobId>,
    },
    Appealed {
        why: String,
    },
    GreenProven {
        proof: GreenProof,
        evidence: BlobId,
    },
    GreenRefused {
        faults: Vec<GreenFault>,
        evidence: Option<BlobId>,
    },
    RefactoringUndone {
        faults: Vec<GreenFault>,
        evidence: Option<BlobId>,
    },
    Audited {
        findings: Vec<String>,
    },
    ReviewRejected {
        why: String,
    },
    ApprovalAsked {
        tree: TreeId,
        changed_tests: Vec<TestId>,
    },
    Approved {
        tree: TreeId,
        by: Approver,
        when: Millis,
    },
    SentBack {
        why: String,
    },
    BaseMoved {
        to: CommitId,
    },
    Rebased {
        base: CommitId,
        tests: Point,
        code: Point,
        baseline: Baseline,
    },
    Landed {
        commit: CommitId,
        branch: String,
        note: String,
    },
    Saved {
        rescue: Option<String>,
        patch: Option<String>,
    },
    Paused {
        why: Pause,
    },
    Resumed,
    LimitsRaised {
        raise: Raise,
    },
    Interrupted,
    /// The end is settled; what must be saved or cleaned up comes first.
    Closing {
        ending: Ending,
        reason: String,
    },
    Closed {
        ending: Ending,
        reason: String,
    },
}

/// A turn that an agent took and that could be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    pub phase: Phase,
    pub attempt: u32,
    pub claim: Claim,
    /// The tree after the turn, with what was not allowed put back, and the commit that holds it.
    pub at: Point,
    pub changed: Vec<String>,
    pub put_back: Vec<String>,
}

/// The suite on the base commit: the report is a blob, the fact holds what people ask for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseline {
    pub report: BlobId,
    pub runner: String,
    pub counts: Counts,
    pub failing: crate::fault::Names,
}

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
    ProveGreen {
        code: Point,
        tests: Point,
    },
    Audit {
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
            Self::ProveRed { .. } => "red gate",
            Self::ProveGreen { .. } => "green gate",
            Self::Audit { .. } => "auditing",
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
        baseline: Baseline,
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
    GreenMeasured {
        measure: Box<GreenMeasure>,
        evidence: BlobId,
    },
    Audited {
        findings: Vec<String>,
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
        baseline: Baseline,
    },
    Conflict {
        files: Vec<String>,
    },
    Settled {
        rescue: Option<String>,
        patch: Option<String>,
    },
    /// The run's own time was used up while it was under way.
    TimeUp,
    Failed(Trouble),
}

/// `Passing` trouble is tried again; `Lasting` trouble goes to a person.
#[derive(Clone, Debug)]
pub enum Trouble {
    Passing { why: String },
    Lasting { why: String },
}

/// What reaches a run from outside.
#[derive(Clone, Debug)]
pub enum Input {
    Request(Request, Millis),
    /// The engine is about to carry out what is owed.
    Begin,
    Done {
        no: u32,
        outcome: Outcome,
        took_ms: u64,
        at: Millis,
    },
    /// After a crash: this effect was begun and never ended.
    Lost {
        no: u32,
    },
    /// The clock says that a pause may be over.
    Tick(Millis),
    /// ctrl-c: stop, keep everything, go on later.
    Interrupt,
}

/// What a person asks for. `Approve` names the tree that the person looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "request", rename_all = "kebab-case")]
pub enum Request {
    Approve { shown: TreeId },
    Abort,
    SendBack { why: String },
    Cancel,
    Resume { raise: Raise },
}

/// Why an input does not apply. Shown to whoever sent it; never an engine failure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("{what} does not apply now: the run is {now}")]
    NotNow { what: &'static str, now: String },
    #[error("that effect is not under way any more")]
    StaleEffect,
    #[error("the tree that was shown ({}) is not the one that is proven now ({})\nhint: look again with `proctor show` and `proctor diff`, then approve", .shown.short(), .now.short())]
    StaleTree { shown: TreeId, now: TreeId },
    #[error(
        "the budget is spent: {why}\nhint: go on with `proctor resume RUN --budget …` (30m, 5usd, 20calls, 100000tokens)"
    )]
    BudgetSpent { why: String },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub tokens: u64,
    pub micro_usd: u64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

impl Usage {
    pub fn is_none(&self) -> bool {
        self.tokens == 0 && self.micro_usd == 0
    }
}

/// More of each budget, as a person granted it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Raise {
    #[serde(default)]
    pub calls: u32,
    #[serde(default)]
    pub wall_ms: u64,
    #[serde(default)]
    pub tokens: u64,
    #[serde(default)]
    pub micro_usd: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Approver {
    Person,
    /// `--yes`.
    Beforehand,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "pause", rename_all = "kebab-case")]
pub enum Pause {
    Budget { what: String },
    UsageLimit { until: Millis, why: String },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    Success,
    Failed,
    Blocked,
    Discarded,
    MaxAttempts,
    Aborted,
    AgentError,
}

impl Ending {
    pub fn status(self) -> Status {
        match self {
            Self::Success => Status::Success,
            Self::Failed => Status::Failed,
            Self::Blocked => Status::Blocked,
            Self::Discarded => Status::Discarded,
            Self::MaxAttempts => Status::MaxAttemptsReached,
            Self::Aborted => Status::Aborted,
            Self::AgentError => Status::AgentError,
        }
    }
}
