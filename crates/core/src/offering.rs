//! Work that is shown on a code host before anybody approved it: what is owed for that, and what a review there means. A review
//! counts for the very commit that was proven, and says yes to what a person must look at only where it gives a reason.

use crate::brief::ApprovalPolicy;
use crate::concern::{Concern, Raised};
use crate::event::{Approver, Effect, Event, OnRebase, Outcome, Refusal};
use crate::proof::GreenProof;
use crate::run::{Run, Stage};
use crate::words::{CommitId, Millis, TestId};
use serde::{Deserialize, Serialize};

/// What a reviewer writes who takes what a person must look at.
pub const ACCEPT: &str = "/proctor accept";

/// The request that shows the work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offered {
    /// What was proven.
    pub code: CommitId,
    /// What the request is of: the same tree as one commit on the base.
    pub commit: CommitId,
    pub number: u64,
    pub note: String,
    pub heard: Heard,
}

/// Whether the host was asked for a review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Heard {
    NotYet,
    Sought,
    /// There is none that counts.
    Nothing {
        why: String,
    },
}

impl Run {
    /// The request for what is proven now, where a review of it is the approval.
    pub(crate) fn shown_for_review(&self) -> Option<&Offered> {
        is_by_review(self).then(|| current(self)).flatten()
    }
}

pub(crate) fn is_by_review(run: &Run) -> bool {
    run.brief.landing.approval == ApprovalPolicy::Review
}

/// The request, where it is of what is proven now.
fn current(run: &Run) -> Option<&Offered> {
    let code = &run.stage.green()?.at().commit;
    run.offered.as_ref().filter(|offered| &offered.code == code)
}

pub(crate) fn owed(run: &Run, green: &GreenProof) -> Option<Effect> {
    if !run.brief.landing.is_offered() {
        return None;
    }
    let code = green.at().clone();
    match current(run) {
        None => Some(Effect::Offer { code }),
        Some(Offered { heard: Heard::Sought, .. }) => Some(Effect::HearReview { code }),
        Some(_) => None,
    }
}

pub(crate) fn may_be_sought(run: &Run) -> bool {
    run.shown_for_review().is_some_and(|offered| offered.heard != Heard::Sought)
}

/// Why a person's word here is none.
pub(crate) fn elsewhere(run: &Run) -> Refusal {
    let at = run.offered.as_ref().map(|offered| format!(": {}", offered.note));
    Refusal::ByReview { at: at.unwrap_or_default() }
}

pub(crate) fn fold(run: &mut Run, event: &Event) {
    match event {
        Event::Offered { code, commit, number, note } => {
            run.offered = Some(Offered {
                code: code.clone(),
                commit: commit.clone(),
                number: *number,
                note: note.clone(),
                heard: Heard::NotYet,
            });
        }
        Event::ReviewSought => hear(run, Heard::Sought),
        Event::ReviewAwaited { why } => hear(run, Heard::Nothing { why: why.clone() }),
        _ => {}
    }
}

fn hear(run: &mut Run, heard: Heard) {
    if let Some(offered) = &mut run.offered {
        offered.heard = heard;
    }
}

/// What the host answered; none where nothing was asked of it, or something else was answered.
pub(crate) fn on_outcome(run: &Run, outcome: &Outcome, at: Millis) -> Option<Vec<Event>> {
    let Stage::AwaitingApproval { green, .. } = &run.stage else { return None };
    if !run.brief.landing.is_offered() {
        return None;
    }
    Some(match outcome {
        Outcome::Offered { commit, number, note } => vec![Event::Offered {
            code: green.at().commit.clone(),
            commit: commit.clone(),
            number: *number,
            note: note.clone(),
        }],
        Outcome::Reviewed { by, commit, accept } => {
            let raised = run.raised.open();
            if current(run).is_none_or(|offered| &offered.commit != commit) {
                return Some(vec![awaited("the review is of another commit than the proven one")]);
            }
            let who = by.join(", ");
            match (raised.is_empty(), accept) {
                (true, _) => approved(green, by, commit, at),
                (false, Some(why)) => {
                    let accepted =
                        Event::Accepted { raised, why: format!("{who}: {why}"), when: at };
                    [vec![accepted], approved(green, by, commit, at)].concat()
                }
                (false, None) => vec![awaited(&format!(
                    "{who} approved it and gave no reason for what a person must look at ({}); accepted: `{ACCEPT} REASON` in the review",
                    kinds(&raised)
                ))],
            }
        }
        Outcome::NotReviewed { why } => vec![awaited(why)],
        Outcome::BaseMoved { to } => vec![Event::BaseMoved { to: to.clone() }],
        _ => return None,
    })
}

fn approved(green: &GreenProof, by: &[String], commit: &CommitId, when: Millis) -> Vec<Event> {
    vec![
        Event::Reviewed { by: by.to_vec(), commit: commit.clone() },
        Event::Approved {
            tree: green.at().tree.clone(),
            by: Approver::Review,
            when,
            rebase: OnRebase::Ask,
        },
    ]
}

fn awaited(why: &str) -> Event {
    Event::ReviewAwaited { why: why.to_owned() }
}

fn kinds(raised: &[Raised]) -> String {
    let names: Vec<&str> = Raised::kinds(raised).into_iter().map(Concern::name).collect();
    names.join(", ")
}

/// Why it waits, for people.
pub(crate) fn reason(run: &Run, offered: &Offered) -> String {
    let mut text = format!("proven; a person must approve {}", offered.note);
    if let Heard::Nothing { why } = &offered.heard {
        text.push_str("\nnot yet: ");
        text.push_str(why);
    }
    for line in open(run) {
        text.push('\n');
        text.push_str(&line);
    }
    text
}

/// What whoever approves must look at, a line each.
pub fn open(run: &Run) -> Vec<String> {
    let mut lines: Vec<String> = run.raised.open().iter().map(ToString::to_string).collect();
    let changed = run.stage.anchor().map(|anchor| anchor.changed().to_vec()).unwrap_or_default();
    if !changed.is_empty() {
        let names: Vec<&str> = changed.iter().map(TestId::as_str).collect();
        lines.push(format!("older tests were changed: {}", names.join(", ")));
    }
    lines
}

/// The commit that a request already shows of this work; what lands is the same.
pub fn shown(run: &Run) -> Option<&CommitId> {
    match run.stage {
        Stage::AwaitingApproval { .. } | Stage::Landing { .. } => {
            current(run).map(|offered| &offered.commit)
        }
        _ => None,
    }
}
