//! The state of one run: nothing but a fold over its events, and what follows from it without looking outside.

use crate::agent::{SessionMark, Told};
use crate::brief::{Brief, Limits};
use crate::concern::{Concern, Raised};
use crate::event::{Approver, Baseline, Effect, Event, OnRebase, Patch, Pause, Usage};
use crate::examined::Examination;
use crate::fault::ThinFault;
use crate::offering;
pub use crate::offering::Offered;
pub use crate::stage::{CodeFeedback, GreenOf, Stage, Talk, TestFeedback};
use crate::words::{BlobId, CommitId, Millis, Phase, Role, Status, TestId, TreeId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the machine: `decide`, `evolve` and `owed`. One more whenever any of them answers otherwise to what it
/// was asked before, so that a history is gone on with by the machine that began it.
pub const MACHINE: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    pub brief: Brief,
    pub stage: Stage,
    /// The commit that the work is held against; moves when the work is rebased.
    pub base: CommitId,
    /// What the worktree holds, as far as it was recorded.
    pub tree: Option<TreeId>,
    /// The last commit on the run's branch that counts: the parent of the next one.
    pub head: CommitId,
    pub baseline: Option<Baseline>,
    pub limits: Limits,
    pub counters: Counters,
    pub spent: Spent,
    pub rejections: Vec<String>,
    /// What was put back after the last turn of each phase: told to the one who did it, and to nobody else.
    pub put_back: BTreeMap<Phase, Vec<String>>,
    pub test_file_path: Option<String>,
    pub notes: String,
    /// The latest session of each role, in the order in which they were last used.
    pub sessions: Vec<(Role, SessionMark)>,
    /// What every turn came to, in order.
    pub told: Vec<Told>,
    pub in_flight: Option<InFlight>,
    pub effects_begun: u32,
    pub interrupted: bool,
    pub landed: Option<Landed>,
    pub rescue: Option<String>,
    /// What the last green gate that proved something measured.
    pub measured: Option<BlobId>,
    /// How children are kept apart, as it was found when the run was prepared.
    pub sandbox: String,
    /// What a person must look at before the work lands.
    #[serde(default)]
    pub raised: RaisedBy,
    /// The tree that went back to the coder because it is doubtful and no more than that. It does so once.
    #[serde(default)]
    pub doubted: Option<TreeId>,
    /// What the coder said each time that it left proven work as it is, since the last objection.
    #[serde(default)]
    pub stood: Vec<String>,
    /// The approval that the work was to land on, for as long as the work is the same.
    #[serde(default)]
    pub approved: Option<Approval>,
    /// What the last rebase made of the change.
    #[serde(default)]
    pub patch: Patch,
    /// What the tests leave open of work that is green, as the last gate that looked said.
    #[serde(default)]
    pub open: Vec<ThinFault>,
    /// What that gate measured.
    #[serde(default)]
    pub open_evidence: Option<BlobId>,
    /// Why the tester says that nothing is to be added to them.
    #[serde(default)]
    pub nothing_to_add: Option<String>,
    /// How the sealed tests fail on the old code.
    #[serde(default)]
    pub red_evidence: Option<BlobId>,
    /// What the coder had done when it disputed a test: it finds it again.
    #[serde(default)]
    pub kept: Option<Kept>,
    /// Tests of a second agent, which the coder is not shown.
    #[serde(default)]
    pub examination: Option<Examination>,
    /// The request that shows the work before it is approved.
    #[serde(default)]
    pub offered: Option<Offered>,
}

/// An approval, and what it says about a base that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    pub by: Approver,
    pub when: Millis,
    pub rebase: OnRebase,
}

/// Work that waits for tests to be settled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    pub code: TreeId,
    /// The sealed tests on the old production code, as they were then.
    pub tests: TreeId,
}

/// What a person must look at, by who found it, and what was accepted of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaisedBy {
    pub gate: Vec<Raised>,
    pub audit: Vec<Raised>,
    pub accepted: Vec<Raised>,
}

impl RaisedBy {
    /// What nobody has accepted yet.
    pub fn open(&self) -> Vec<Raised> {
        let all = self.gate.iter().chain(&self.audit);
        all.filter(|raised| !self.accepted.contains(raised)).cloned().collect()
    }
}

/// Separate, never nested; limits are in [`Limits`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    pub red_refusals: u32,
    pub fixes: u32,
    pub reviews: u32,
    pub appeals: u32,
    /// Times that the tests ran too little of the work, or that what was added could not be used.
    #[serde(default)]
    pub thin: u32,
    pub stumbles: u32,
    pub turns: [u32; Phase::ALL.len()],
}

impl Counters {
    /// As a person reads them: the last refusal of all grants no further try, so it is none of so many.
    #[must_use]
    pub fn shown(&self, limits: &Limits) -> Self {
        Self {
            red_refusals: self.red_refusals.min(limits.red),
            fixes: self.fixes.min(limits.green),
            reviews: self.reviews.min(limits.review),
            thin: self.thin.min(limits.tests),
            ..self.clone()
        }
    }

    /// Finished turns of a phase.
    pub fn turns(&self, phase: Phase) -> u32 {
        self.turns.get(phase as usize).copied().unwrap_or(0)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    pub calls: u32,
    pub wall_ms: u64,
    pub usage: Usage,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InFlight {
    pub no: u32,
    pub effect: Effect,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Landed {
    pub commit: CommitId,
    pub branch: String,
    pub note: String,
}

impl Run {
    pub fn new(brief: Brief) -> Self {
        Self {
            stage: Stage::Preparing,
            base: brief.repo.base.clone(),
            tree: None,
            head: brief.repo.base.clone(),
            baseline: None,
            limits: brief.limits.clone(),
            counters: Counters::default(),
            spent: Spent::default(),
            rejections: Vec::new(),
            put_back: BTreeMap::new(),
            test_file_path: None,
            notes: String::new(),
            sessions: Vec::new(),
            told: Vec::new(),
            in_flight: None,
            effects_begun: 0,
            interrupted: false,
            landed: None,
            rescue: None,
            measured: None,
            sandbox: "none".to_owned(),
            raised: RaisedBy::default(),
            doubted: None,
            stood: Vec::new(),
            approved: None,
            patch: Patch::Unknown,
            open: Vec::new(),
            open_evidence: None,
            nothing_to_add: None,
            red_evidence: None,
            kept: None,
            examination: None,
            offered: None,
            brief,
        }
    }

    /// Rebuilds a run from its history: resume is this and nothing more. None when the history does not begin
    /// with a brief.
    pub fn replay<'a>(history: impl IntoIterator<Item = &'a Event>) -> Option<Self> {
        let mut events = history.into_iter();
        let Some(Event::Created { brief }) = events.next() else {
            return None;
        };
        Some(events.fold(Self::new((**brief).clone()), crate::evolve::evolve))
    }

    pub fn status(&self) -> Status {
        if self.interrupted && !matches!(self.stage, Stage::Closed { .. }) {
            return Status::Interrupted;
        }
        match &self.stage {
            Stage::Closed { ending, .. } => ending.status(),
            Stage::Paused { .. } => Status::Paused,
            Stage::AwaitingApproval { .. } => Status::AwaitingApproval,
            Stage::Preparing
            | Stage::BringingTests
            | Stage::WritingTests { .. }
            | Stage::ProvingRed { .. }
            | Stage::Examining { .. }
            | Stage::Implementing { .. }
            | Stage::ProvingGreen { .. }
            | Stage::Diagnosing { .. }
            | Stage::AddingTests { .. }
            | Stage::Refactoring { .. }
            | Stage::Auditing { .. }
            | Stage::HearingAuditor { .. }
            | Stage::Reviewing { .. }
            | Stage::Landing { .. }
            | Stage::Rebasing { .. }
            | Stage::Settling { .. } => Status::Running,
        }
    }

    /// Why it stands where it stands, for people; empty while it simply goes on.
    pub fn reason(&self) -> String {
        match &self.stage {
            Stage::Closed { reason, .. } | Stage::Settling { reason, .. } => reason.clone(),
            Stage::Paused { why: Pause::Budget { what } | Pause::Disk { what }, .. } => what.clone(),
            Stage::Paused { why: Pause::UsageLimit { why, .. }, .. } => why.clone(),
            Stage::Paused { why: Pause::RedProven, .. } => {
                "the bug is proven by a failing test; nothing was fixed yet".to_owned()
            }
            Stage::AwaitingApproval { .. } if let Some(offered) = self.shown_for_review() => {
                offering::reason(self, offered)
            }
            Stage::AwaitingApproval { .. } if !self.raised.open().is_empty() => {
                let open = self.raised.open();
                let kinds: Vec<&str> =
                    Raised::kinds(&open).into_iter().map(Concern::name).collect();
                let findings: Vec<String> = open.iter().map(ToString::to_string).collect();
                format!("a person must look at it: {}\n{}", kinds.join(", "), findings.join("\n"))
            }
            Stage::AwaitingApproval { anchor, .. } if !anchor.changed().is_empty() => {
                let names: Vec<&str> = anchor.changed().iter().map(TestId::as_str).collect();
                format!("older tests were changed and need a person: {}", names.join(", "))
            }
            Stage::AwaitingApproval { .. } if self.patch.differs() => {
                "the base moved and the change is not the same on the new one: proven again, and a person must approve it again".to_owned()
            }
            Stage::AwaitingApproval { .. } => "proven; a person must approve the tree".to_owned(),
            _ if self.interrupted => "interrupted; resumable".to_owned(),
            _ => String::new(),
        }
    }

    /// Whether the tests leave nothing open but mutants, under a rule that nobody wrote down.
    pub fn only_mutants_are_open(&self) -> bool {
        let mutants = |fault: &ThinFault| matches!(fault, ThinFault::Mutants { .. });
        self.brief.rules.survivors.is_none()
            && !self.open.is_empty()
            && self.open.iter().all(mutants)
    }

    /// Time that is left of the run's own budget.
    pub fn time_left_ms(&self) -> Option<u64> {
        self.limits.wall_ms.map(|limit| limit.saturating_sub(self.spent.wall_ms))
    }

    /// The budget that stands in the way of this effect, in words.
    pub fn budget_spent(&self, effect: &Effect) -> Option<String> {
        if matches!(
            effect,
            Effect::Settle { .. }
                | Effect::Land { .. }
                | Effect::Offer { .. }
                | Effect::HearReview { .. }
        ) {
            return None;
        }
        if self.time_left_ms() == Some(0) {
            return Some(format!(
                "the run's time is used up ({} spent)",
                crate::duration::show_duration(self.spent.wall_ms)
            ));
        }
        if !matches!(effect, Effect::Ask { .. } | Effect::Examine) {
            return None;
        }
        let Limits { agent_calls, tokens, micro_usd, .. } = &self.limits;
        if self.spent.calls >= *agent_calls {
            return Some(format!("{} of {agent_calls} agent calls are spent", self.spent.calls));
        }
        if let Some(limit) = tokens.filter(|limit| self.spent.usage.tokens >= *limit) {
            return Some(format!("{} of {limit} tokens are spent", self.spent.usage.tokens));
        }
        if let Some(limit) = micro_usd.filter(|limit| self.spent.usage.micro_usd >= *limit) {
            let usd =
                |micro: u64| format!("${}.{:02}", micro / 1_000_000, micro % 1_000_000 / 10_000);
            return Some(format!(
                "{} of {} are spent",
                usd(self.spent.usage.micro_usd),
                usd(limit)
            ));
        }
        None
    }
}

/// What the world owes this run now. Derived from the state, so there is no outbox to lose.
pub fn owed(run: &Run) -> Option<Effect> {
    if run.in_flight.is_some() || run.interrupted {
        return None;
    }
    if let Some((phase, talk)) = run.stage.talk() {
        let attempt = run.counters.turns(phase) + 1;
        return Some(Effect::Ask { phase, attempt, ask: talk.ask });
    }
    match &run.stage {
        Stage::Preparing => Some(Effect::Prepare),
        Stage::BringingTests => Some(Effect::BringTests),
        Stage::Examining { .. } => Some(Effect::Examine),
        Stage::ProvingRed { tests } => Some(Effect::ProveRed { tests: tests.clone() }),
        Stage::ProvingGreen { anchor, code, .. } => {
            Some(Effect::ProveGreen { code: code.clone(), tests: anchor.at().clone() })
        }
        Stage::Auditing { green, .. } => Some(Effect::Audit { code: green.at().clone() }),
        Stage::Landing { green, .. } => Some(Effect::Land { code: green.at().clone() }),
        Stage::Rebasing { onto, .. } => Some(Effect::Rebase { onto: onto.clone() }),
        Stage::AwaitingApproval { green, .. } => offering::owed(run, green),
        Stage::Settling { ending, .. } => Some(Effect::Settle { ending: *ending }),
        Stage::WritingTests { .. }
        | Stage::AddingTests { .. }
        | Stage::Diagnosing { .. }
        | Stage::Implementing { .. }
        | Stage::Refactoring { .. }
        | Stage::HearingAuditor { .. }
        | Stage::Reviewing { .. }
        | Stage::Paused { .. }
        | Stage::Closed { .. } => None,
    }
}
