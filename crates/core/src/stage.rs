//! Where a run stands, with the evidence that it stands on.

use crate::event::{Approver, Ending, Pause};
use crate::proof::{Anchor, GreenProof, Point};
use crate::words::{BlobId, CommitId, Millis, Phase, TreeId};
use serde::{Deserialize, Serialize};

/// Where a run stands. A stage carries exactly the evidence it needs, so "implementing without a red proof" or
/// "landing without green" can't be written down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    Preparing,
    BringingTests,
    WritingTests {
        talk: Talk,
        feedback: TestFeedback,
    },
    ProvingRed {
        tests: Point,
    },
    /// Red is proven: a second agent writes tests of its own before the coder begins.
    Examining {
        anchor: Anchor,
    },
    Implementing {
        anchor: Anchor,
        talk: Talk,
        feedback: CodeFeedback,
        from: TreeId,
        /// The proof of the work that somebody objects to. It stands for as long as the coder leaves the work as it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        proven: Option<GreenProof>,
    },
    ProvingGreen {
        anchor: Anchor,
        code: Point,
        of: GreenOf,
    },
    /// The green gate refused: a second agent says why, before the coder mends it. Whatever comes of that, the coder is next.
    Diagnosing {
        anchor: Anchor,
        talk: Talk,
        reasons: Vec<String>,
        evidence: BlobId,
        from: TreeId,
    },
    /// The work is green, but the tests run too little of it: a turn that may only add tests. `of` is the green gate
    /// that found this, and that is gone through again.
    AddingTests {
        anchor: Anchor,
        code: Point,
        of: GreenOf,
        talk: Talk,
        reasons: Vec<String>,
    },
    Refactoring {
        anchor: Anchor,
        green: GreenProof,
        talk: Talk,
    },
    Auditing {
        anchor: Anchor,
        green: GreenProof,
    },
    /// Proctor's own audit found nothing; an auditor looks as well, where one is configured.
    HearingAuditor {
        anchor: Anchor,
        green: GreenProof,
        talk: Talk,
    },
    Reviewing {
        anchor: Anchor,
        green: GreenProof,
        talk: Talk,
    },
    AwaitingApproval {
        anchor: Anchor,
        green: GreenProof,
    },
    Landing {
        anchor: Anchor,
        green: GreenProof,
        by: Approver,
        at: Millis,
    },
    Rebasing {
        anchor: Anchor,
        green: GreenProof,
        onto: CommitId,
    },
    /// The end is settled; saving and cleaning up comes first. `back` is where a person could go on from.
    Settling {
        ending: Ending,
        reason: String,
        back: Option<Box<Stage>>,
    },
    Paused {
        why: Pause,
        back: Box<Stage>,
    },
    Closed {
        ending: Ending,
        reason: String,
        back: Option<Box<Stage>>,
    },
}

/// How often this same turn was asked, and what was wrong with the last answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Talk {
    pub ask: u32,
    pub complaint: Option<String>,
}

impl Talk {
    pub fn first() -> Self {
        Self { ask: 1, complaint: None }
    }
}

/// What the tester is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TestFeedback {
    Fresh,
    Refused { reasons: Vec<String>, evidence: Option<BlobId> },
    Appeal { why: String },
}

/// What the coder is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CodeFeedback {
    Fresh,
    Refused {
        reasons: Vec<String>,
        evidence: Option<BlobId>,
        /// What the diagnostician thinks, where there is one.
        #[serde(default)]
        diagnosis: Option<String>,
    },
    Audit {
        findings: Vec<String>,
    },
    Review,
    SentBack {
        why: String,
    },
}

impl CodeFeedback {
    /// Whether somebody objects to work that may be proven all the same.
    pub fn is_objection(&self) -> bool {
        match self {
            Self::Review | Self::SentBack { .. } | Self::Audit { .. } => true,
            Self::Fresh | Self::Refused { .. } => false,
        }
    }
}

/// What a green gate is judging.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GreenOf {
    Implementation,
    /// The proven tree before the refactoring: it comes back on a regression.
    Refactoring {
        before: GreenProof,
    },
    Rebase,
    /// Tests were added to green work. `then` is what the green gate was judging before.
    Added {
        then: Box<GreenOf>,
        /// The work as it was before.
        to: Point,
    },
}

impl GreenOf {
    /// What is judged in the end, whether tests were added on the way or not.
    pub fn work(&self) -> &Self {
        match self {
            Self::Added { then, .. } => then.work(),
            Self::Implementation | Self::Refactoring { .. } | Self::Rebase => self,
        }
    }
}

impl Stage {
    /// The stage in the words of a person.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Preparing => "preparing",
            Self::BringingTests => "taking over the tests",
            Self::WritingTests { .. } => "writing tests",
            Self::ProvingRed { .. } => "at the red gate",
            Self::Examining { .. } => "examining",
            Self::Implementing { .. } => "implementing",
            Self::ProvingGreen { .. } => "at the green gate",
            Self::Diagnosing { .. } => "diagnosing",
            Self::AddingTests { .. } => "adding tests",
            Self::Refactoring { .. } => "refactoring",
            Self::Auditing { .. } | Self::HearingAuditor { .. } => "auditing",
            Self::Reviewing { .. } => "reviewing",
            Self::AwaitingApproval { .. } => "awaiting approval",
            Self::Landing { .. } => "landing",
            Self::Rebasing { .. } => "rebasing",
            Self::Settling { .. } => "cleaning up",
            Self::Paused { .. } => "paused",
            Self::Closed { .. } => "closed",
        }
    }

    /// Whether a bug is proven here and whoever began the run has to say what becomes of it.
    pub fn is_held(&self) -> bool {
        matches!(self, Self::Paused { why: Pause::RedProven, .. })
    }

    /// The anchor that this stage stands on, if it has one.
    pub fn anchor(&self) -> Option<&Anchor> {
        match self {
            Self::Examining { anchor }
            | Self::Implementing { anchor, .. }
            | Self::ProvingGreen { anchor, .. }
            | Self::Diagnosing { anchor, .. }
            | Self::AddingTests { anchor, .. }
            | Self::Refactoring { anchor, .. }
            | Self::Auditing { anchor, .. }
            | Self::HearingAuditor { anchor, .. }
            | Self::Reviewing { anchor, .. }
            | Self::AwaitingApproval { anchor, .. }
            | Self::Landing { anchor, .. }
            | Self::Rebasing { anchor, .. } => Some(anchor),
            Self::Paused { back, .. } => back.anchor(),
            Self::Settling { back, .. } | Self::Closed { back, .. } => {
                back.as_ref().and_then(|b| b.anchor())
            }
            Self::Preparing
            | Self::BringingTests
            | Self::WritingTests { .. }
            | Self::ProvingRed { .. } => None,
        }
    }

    /// The green proof that this stage stands on, if it has one.
    pub fn green(&self) -> Option<&GreenProof> {
        match self {
            Self::Refactoring { green, .. }
            | Self::Auditing { green, .. }
            | Self::HearingAuditor { green, .. }
            | Self::Reviewing { green, .. }
            | Self::AwaitingApproval { green, .. }
            | Self::Landing { green, .. }
            | Self::Rebasing { green, .. } => Some(green),
            Self::ProvingGreen { of, .. } | Self::AddingTests { of, .. } => match of.work() {
                GreenOf::Refactoring { before } => Some(before),
                GreenOf::Implementation | GreenOf::Rebase | GreenOf::Added { .. } => None,
            },
            Self::Implementing { proven, .. } => proven.as_ref(),
            Self::Paused { back, .. } => back.green(),
            Self::Settling { back, .. } | Self::Closed { back, .. } => {
                back.as_ref().and_then(|b| b.green())
            }
            Self::Preparing
            | Self::BringingTests
            | Self::WritingTests { .. }
            | Self::ProvingRed { .. }
            | Self::Examining { .. }
            | Self::Diagnosing { .. } => None,
        }
    }

    /// The agent's turn that is owed here, if it is one.
    pub fn talk(&self) -> Option<(Phase, &Talk)> {
        match self {
            Self::WritingTests { talk, .. } | Self::AddingTests { talk, .. } => {
                Some((Phase::WriteTests, talk))
            }
            Self::Implementing { talk, .. } => Some((Phase::Implement, talk)),
            Self::Diagnosing { talk, .. } => Some((Phase::Diagnose, talk)),
            Self::Refactoring { talk, .. } => Some((Phase::Refactor, talk)),
            Self::HearingAuditor { talk, .. } => Some((Phase::Audit, talk)),
            Self::Reviewing { talk, .. } => Some((Phase::Review, talk)),
            _ => None,
        }
    }
}
