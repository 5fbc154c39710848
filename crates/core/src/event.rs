//! Facts, effects, outcomes, requests: what goes in and out of the machine. Events are stored for ever: add
//! variants, never change what one means.

use crate::agent::SessionMark;
use crate::brief::Brief;
use crate::concern::{Concern, Raised};
pub use crate::effect::{Disturbance, Effect, Outcome, Trouble};
use crate::examined::Examination;
use crate::fault::{GreenFault, Names, RedFault, ThinFault};
use crate::proof::{Anchor, GreenProof, Point};
pub use crate::refusal::Refusal;
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
    /// An agent's session: when it is opened, and again with what it had used when the turn ended.
    SessionMarked {
        mark: SessionMark,
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
    /// The user's checkout changed while an effect was under way, and Proctor did not do it.
    CheckoutMoved {
        moved: Vec<String>,
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
    /// A second agent wrote tests from the task's text alone, or `why` it did not.
    Examined {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        examination: Option<Box<Examination>>,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        why: String,
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
        /// What could not be measured and was not insisted on.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<String>,
        /// What a person must look at before it lands.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        raised: Vec<Raised>,
    },
    /// The work is green, but the tests run too little of it: a turn that only adds tests follows.
    TestsTooThin {
        faults: Vec<ThinFault>,
        evidence: BlobId,
    },
    /// What that turn added can't be sealed.
    AddedRefused {
        faults: Vec<RedFault>,
        evidence: BlobId,
    },
    /// What that turn added is sealed with the rest.
    TestsAdded {
        anchor: Box<Anchor>,
    },
    GreenRefused {
        faults: Vec<GreenFault>,
        evidence: Option<BlobId>,
        /// What the coder is told, where it is not shown every test; empty where it is told all of it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        told: Vec<GreenFault>,
    },
    /// The diagnosis came to nothing; the coder mends without one.
    DiagnosisSkipped {
        why: String,
    },
    RefactoringUndone {
        faults: Vec<GreenFault>,
        evidence: Option<BlobId>,
    },
    /// Tests that the refactoring tidied ask for no less than the sealed originals, and take their place.
    TestsTidied {
        anchor: Box<Anchor>,
    },
    /// That was not shown: the originals are back, and the rest of the refactoring is judged with them.
    TidyingUndone {
        why: Vec<String>,
        to: Point,
    },
    Audited {
        findings: Vec<String>,
        /// What could not be looked at, or is not the coder's to change.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<String>,
        /// What a person must look at before it lands.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        raised: Vec<Raised>,
    },
    /// What an auditor's turn came to; the turn itself is recorded too.
    AuditorHeard {
        findings: Vec<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<String>,
    },
    ReviewRejected {
        why: String,
    },
    ApprovalAsked {
        tree: TreeId,
        changed_tests: Vec<TestId>,
        /// What nobody has accepted yet.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        raised: Vec<Raised>,
    },
    /// A person looked at these and takes them, for a reason.
    Accepted {
        raised: Vec<Raised>,
        why: String,
        when: Millis,
    },
    /// The work stands on the host as a request, before anybody approved it.
    Offered {
        /// What was proven.
        code: CommitId,
        /// What the request is of.
        commit: CommitId,
        number: u64,
        note: String,
    },
    /// Somebody asked whether it was reviewed there.
    ReviewSought,
    /// It was not, or not as it must be.
    ReviewAwaited {
        why: String,
    },
    /// Who approved that commit on the host.
    Reviewed {
        by: Vec<String>,
        commit: CommitId,
    },
    Approved {
        tree: TreeId,
        by: Approver,
        when: Millis,
        #[serde(default, skip_serializing_if = "OnRebase::is_usual")]
        rebase: OnRebase,
    },
    SentBack {
        why: String,
    },
    /// Somebody objected to proven work, and the coder left it as it is. Proof and objection stand.
    ObjectionStands {
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
        #[serde(default, skip_serializing_if = "Patch::is_unknown")]
        patch: Patch,
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
    pub failing: Names,
    /// Gave different results on the same tree.
    #[serde(default, skip_serializing_if = "Names::is_empty")]
    pub flaky: Names,
    /// Which folders were tested, and with what; the same in every gate that follows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub projects: Vec<Project>,
    /// How long one run of the whole suite took.
    #[serde(default)]
    pub suite_ms: u64,
}

/// A folder with its test tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    /// Relative to the repository's root; empty for the root itself.
    pub dir: String,
    pub runner: String,
    /// By what it was found.
    pub why: String,
}

/// What reaches a run from outside.
#[derive(Clone, Debug)]
pub enum Input {
    Request(Request, Millis),
    /// The engine is about to carry out what is owed.
    Begin,
    /// The same, with too little room on the disk for it.
    NoRoom {
        what: String,
    },
    Done {
        no: u32,
        outcome: Outcome,
        took_ms: u64,
        at: Millis,
    },
    /// The agent that is at work has a session.
    Session {
        no: u32,
        mark: SessionMark,
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
    Approve {
        shown: TreeId,
        /// What becomes of the approval where the base moves before it landed.
        #[serde(default, skip_serializing_if = "OnRebase::is_usual")]
        rebase: OnRebase,
        /// What the person looked at and takes, and why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        accept: Option<Accept>,
    },
    /// One finding that a person looked at, and why it is right all the same. The rest still waits.
    Waive {
        shown: TreeId,
        finding: Raised,
        why: String,
    },
    Abort,
    SendBack {
        why: String,
    },
    Cancel,
    Resume {
        raise: Raise,
    },
}

/// Findings that a person takes, by kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accept {
    pub kinds: Vec<Concern>,
    pub why: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub tokens: u64,
    pub micro_usd: u64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

impl Usage {
    /// One guess makes the sum a guess.
    pub fn add(&mut self, more: Self) {
        self.tokens = self.tokens.saturating_add(more.tokens);
        self.micro_usd = self.micro_usd.saturating_add(more.micro_usd);
        self.estimated |= more.estimated;
    }

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
    /// A person's review on the code host; the fact before says whose.
    Review,
}

/// Whether an approval still holds on a base that moved. Only for the same change, proven again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnRebase {
    #[default]
    Ask,
    Through,
}

impl OnRebase {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_usual(&self) -> bool {
        *self == Self::Ask
    }
}

/// What a rebase made of the change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "patch", rename_all = "kebab-case")]
pub enum Patch {
    /// Nobody looked, or there was none.
    #[default]
    Unknown,
    Same,
    /// How it differs, for people.
    Other {
        shown: BlobId,
    },
}

impl Patch {
    fn is_unknown(&self) -> bool {
        *self == Self::Unknown
    }

    pub fn differs(&self) -> bool {
        matches!(self, Self::Other { .. })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "pause", rename_all = "kebab-case")]
pub enum Pause {
    Budget {
        what: String,
    },
    UsageLimit {
        until: Millis,
        why: String,
    },
    /// The tests are proven red, and whoever began the run wants to look before it goes on.
    RedProven,
    /// The disk is almost full.
    Disk {
        what: String,
    },
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
