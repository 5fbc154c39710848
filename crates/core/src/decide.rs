//! What an input means, as facts to record. Pure: the same run and input give the same answer.

mod gates;
mod people;

use crate::brief::{ApprovalPolicy, ChangedTests, RefactorPolicy};
use crate::concern::{Concern, Raised};
use crate::event::{
    Accept, Approver, Disturbance, Effect, Ending, Event, Input, OnRebase, Outcome, Pause, Refusal,
    Request, Trouble, Turn,
};
use crate::fault::GreenFault;
use crate::offering;
use crate::proof::{Anchor, GreenProof};
use crate::run::{Run, Stage, owed};
use crate::turn::{AuditFinding, Claim};
use crate::words::{Millis, TaskType};
use gates::{fixes_used_up, green_refused, objection_stands, on_green, on_red};
use people::{resume, send_back};

/// How often trouble that may pass is tried again before a person is asked.
const STUMBLES: u32 = 3;
const APPEALS: u32 = 1;

pub fn decide(run: &Run, input: &Input) -> Result<Vec<Event>, Refusal> {
    match input {
        Input::Request(request, at) => on_request(run, request, *at),
        Input::Begin => begin(run),
        Input::NoRoom { what } => begin_without_room(run, what),
        Input::Done { no, .. } | Input::Session { no, .. } | Input::Lost { no }
            if run.in_flight.as_ref().map(|f| f.no) != Some(*no) =>
        {
            Err(Refusal::StaleEffect)
        }
        Input::Session { mark, .. } => Ok(vec![Event::SessionMarked { mark: mark.clone() }]),
        Input::Lost { no } => Ok(vec![Event::EffectLost { no: *no }]),
        Input::Done { no, outcome, took_ms, at } => {
            let usage = outcome.usage();
            let mut events = vec![Event::EffectEnded { no: *no, took_ms: *took_ms, usage }];
            events.extend(on_outcome(run, outcome, *at));
            Ok(events)
        }
        Input::Tick(now) => on_tick(run, *now),
        Input::Interrupt if closed(run) || run.interrupted => Err(not_now(run, "an interrupt")),
        Input::Interrupt => Ok(vec![Event::Interrupted]),
    }
}

fn closed(run: &Run) -> bool {
    matches!(run.stage, Stage::Closed { .. })
}

fn not_now(run: &Run, what: &'static str) -> Refusal {
    Refusal::NotNow { what, now: format!("{} ({})", run.status(), run.stage.name()) }
}

fn begin(run: &Run) -> Result<Vec<Event>, Refusal> {
    let Some(effect) = owed(run) else {
        return Err(not_now(run, "an effect"));
    };
    Ok(vec![match run.budget_spent(&effect) {
        Some(what) => Event::Paused { why: Pause::Budget { what } },
        None => Event::EffectBegan { no: run.effects_begun + 1, effect },
    }])
}

/// What ends a run writes little, and keeps what would be lost.
fn begin_without_room(run: &Run, what: &str) -> Result<Vec<Event>, Refusal> {
    match owed(run) {
        Some(
            Effect::Settle { .. }
            | Effect::Land { .. }
            | Effect::Offer { .. }
            | Effect::HearReview { .. },
        ) => begin(run),
        Some(_) => Ok(vec![Event::Paused { why: Pause::Disk { what: what.to_owned() } }]),
        None => Err(not_now(run, "an effect")),
    }
}

fn on_tick(run: &Run, now: Millis) -> Result<Vec<Event>, Refusal> {
    match &run.stage {
        Stage::Paused { why: Pause::UsageLimit { until, .. }, .. } if *until <= now => {
            Ok(vec![Event::Resumed])
        }
        _ => Err(not_now(run, "a tick")),
    }
}

fn on_request(run: &Run, request: &Request, at: Millis) -> Result<Vec<Event>, Refusal> {
    let waits = matches!(run.stage, Stage::AwaitingApproval { .. });
    match request {
        // What stands on the host is settled first; it is short.
        Request::Approve { .. } | Request::Waive { .. } | Request::SendBack { .. }
            if waits && run.in_flight.is_some() =>
        {
            Err(not_now(run, "a decision while the host is asked"))
        }
        Request::Approve { shown, rebase, accept } => match &run.stage {
            Stage::AwaitingApproval { .. } if offering::is_by_review(run) => {
                Err(offering::elsewhere(run))
            }
            Stage::AwaitingApproval { green, .. } if shown == &green.at().tree => {
                let mut events = accepted(run, accept.as_ref(), at)?;
                events.push(Event::Approved {
                    tree: shown.clone(),
                    by: Approver::Person,
                    when: at,
                    rebase: *rebase,
                });
                if run.interrupted {
                    events.insert(0, Event::Resumed);
                }
                Ok(events)
            }
            Stage::AwaitingApproval { green, .. } => {
                Err(Refusal::StaleTree { shown: shown.clone(), now: green.at().tree.clone() })
            }
            _ => Err(not_now(run, "an approval")),
        },
        Request::Waive { shown, finding, why } => match &run.stage {
            Stage::AwaitingApproval { green, .. } if shown == &green.at().tree => {
                let raised = run.raised.open();
                if !raised.contains(finding) {
                    return Err(Refusal::NothingToAccept { kind: finding.kind, raised });
                }
                let (raised, why) = (vec![finding.clone()], why.clone());
                Ok(vec![Event::Accepted { raised, why, when: at }])
            }
            Stage::AwaitingApproval { green, .. } => {
                Err(Refusal::StaleTree { shown: shown.clone(), now: green.at().tree.clone() })
            }
            _ => Err(not_now(run, "a waiver")),
        },
        Request::Abort => match &run.stage {
            Stage::Closed { ending: Ending::Success | Ending::Aborted, .. }
            | Stage::Settling { .. } => Err(not_now(run, "an abort")),
            Stage::Landing { .. } if run.in_flight.is_some() => Err(not_now(run, "an abort")),
            _ if run.landed.is_some() => Err(not_now(run, "an abort")),
            _ => Ok(vec![Event::Closing {
                ending: Ending::Aborted,
                reason: "Aborted by user.".to_owned(),
            }]),
        },
        Request::SendBack { why } => send_back(run, why),
        Request::Cancel => match &run.stage {
            Stage::Closed { .. } | Stage::Settling { .. } => Err(not_now(run, "a cancel")),
            Stage::Landing { .. } if run.in_flight.is_some() => Err(not_now(run, "a cancel")),
            _ if run.interrupted => Err(not_now(run, "a cancel")),
            _ => Ok(vec![Event::Interrupted]),
        },
        Request::Resume { raise } => resume(run, *raise),
    }
}

/// What a person takes of what only a person can say. An approval is none before all of it is taken.
fn accepted(run: &Run, accept: Option<&Accept>, at: Millis) -> Result<Vec<Event>, Refusal> {
    let raised = run.raised.open();
    let kinds = accept.map(|accept| accept.kinds.as_slice()).unwrap_or_default();
    let is_found = |kind: &&Concern| raised.iter().any(|one| one.kind == **kind);
    if let Some(kind) = kinds.iter().find(|kind| !is_found(kind)) {
        return Err(Refusal::NothingToAccept { kind: *kind, raised });
    }
    let (taken, open): (Vec<_>, Vec<_>) =
        raised.into_iter().partition(|one| kinds.contains(&one.kind));
    if !open.is_empty() {
        return Err(Refusal::Unaccepted { raised: open });
    }
    let accepted = accept.filter(|_| !taken.is_empty());
    let event =
        accepted.map(|accept| Event::Accepted { raised: taken, why: accept.why.clone(), when: at });
    Ok(event.into_iter().collect())
}

fn on_outcome(run: &Run, outcome: &Outcome, at: Millis) -> Vec<Event> {
    if let (Outcome::Examined { examination: Ok(found), .. }, Stage::Examining { .. }) =
        (outcome, &run.stage)
    {
        return vec![Event::Examined { examination: Some(found.clone()), why: String::new() }];
    }
    if let Some(events) = offering::on_outcome(run, outcome, at) {
        return events;
    }
    match (&run.stage, no_opinion(outcome)) {
        (Stage::Diagnosing { .. }, Some(why)) => vec![Event::DiagnosisSkipped { why }],
        (Stage::Examining { .. }, Some(why)) => vec![Event::Examined { examination: None, why }],
        _ => on_own_outcome(run, outcome, at),
    }
}

fn on_own_outcome(run: &Run, outcome: &Outcome, at: Millis) -> Vec<Event> {
    match (outcome, &run.stage) {
        (Outcome::Failed(Trouble::Passing { why }), _) if run.counters.stumbles < STUMBLES => {
            vec![Event::Stumbled { why: why.clone() }]
        }
        (Outcome::Failed(Trouble::Passing { why } | Trouble::Lasting { why }), _) => blocked(why),
        (Outcome::Disturbed { outcome, moved, sort }, _) => {
            disturbed(run, outcome, (moved, *sort), at)
        }
        (Outcome::TimeUp, _) => {
            vec![Event::Paused {
                why: Pause::Budget { what: "the run's time is used up".to_owned() },
            }]
        }
        (Outcome::Limited { until, why, .. }, _) => {
            vec![Event::Paused { why: Pause::UsageLimit { until: *until, why: why.clone() } }]
        }
        (Outcome::Prepared { tree, baseline, sandbox }, Stage::Preparing) => {
            vec![Event::Prepared {
                tree: tree.clone(),
                baseline: (**baseline).clone(),
                sandbox: sandbox.clone(),
            }]
        }
        (Outcome::Brought { at }, Stage::BringingTests) => {
            vec![Event::TestsBrought { tests: at.clone() }]
        }
        (Outcome::Turned { turn, .. }, stage) => on_turn(run, stage, turn, at),
        (Outcome::TurnFailed { why, tree, put_back, .. }, stage) => match stage.talk() {
            Some((phase, talk)) if talk.ask < run.limits.asks => vec![Event::AskedAgain {
                phase,
                ask: talk.ask + 1,
                why: why.clone(),
                tree: tree.clone(),
                put_back: put_back.clone(),
            }],
            _ => vec![Event::Closed { ending: Ending::AgentError, reason: why.clone() }],
        },
        (Outcome::RedMeasured { measure, evidence }, Stage::ProvingRed { tests }) => {
            on_red(run, measure, tests, evidence)
        }
        (
            Outcome::GreenMeasured { measure, evidence },
            Stage::ProvingGreen { anchor, code, of },
        ) => on_green(run, measure, (anchor, code, of), evidence, at),
        (Outcome::Audited { findings, notes, raised }, Stage::Auditing { .. }) => {
            let (raised, accepted) = Raised::sorted(raised.clone(), &run.brief.rules.accepted);
            let notes = notes.iter().cloned().chain(accepted).collect();
            let event = Event::Audited { findings: findings.clone(), notes, raised };
            audited(run, event, findings, at)
        }
        (Outcome::Landed { commit, branch, note }, Stage::Landing { .. }) => vec![
            Event::Landed { commit: commit.clone(), branch: branch.clone(), note: note.clone() },
            Event::Closing { ending: Ending::Success, reason: "proven and landed".to_owned() },
        ],
        (Outcome::BaseMoved { to }, Stage::Landing { .. }) => {
            vec![Event::BaseMoved { to: to.clone() }]
        }
        (Outcome::Rebased { base, tests, code, baseline, patch }, Stage::Rebasing { .. }) => {
            vec![Event::Rebased {
                base: base.clone(),
                tests: tests.clone(),
                code: code.clone(),
                baseline: (**baseline).clone(),
                patch: patch.clone(),
            }]
        }
        (Outcome::Conflict { files }, Stage::Rebasing { .. }) => blocked(&format!(
            "the base moved and the work conflicts with it in {}\nhint: the work is kept; bring the branch up to date by hand, or abort and start again on the new base",
            files.join(", ")
        )),
        (Outcome::Settled { rescue, patch }, Stage::Settling { ending, reason, .. }) => vec![
            Event::Saved { rescue: rescue.clone(), patch: patch.clone() },
            Event::Closed { ending: *ending, reason: reason.clone() },
        ],
        (outcome, _) => blocked(&unasked(outcome)),
    }
}

/// What an audit came to. Findings count as a fix, and end the run where none is left. A cycle ends with it.
fn audited(run: &Run, event: Event, findings: &[String], at: Millis) -> Vec<Event> {
    let after = crate::evolve::evolve(run.clone(), &event);
    let mut events = vec![event];
    if !findings.is_empty() && run.counters.fixes >= run.limits.green {
        events.push(fixes_used_up(run, &findings.join("; ")));
    }
    match &after.stage {
        Stage::Reviewing { anchor, green, .. } if !run.brief.assignment.route.is_reviewed() => {
            events.extend(ask_approval(&after, anchor, green, at));
        }
        _ => {}
    }
    events
}

/// Why a diagnosis or an examination came to nothing. A second opinion that can't be had is no reason to stop.
fn no_opinion(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::TurnFailed { why, .. }
        | Outcome::Limited { why, .. }
        | Outcome::Examined { examination: Err(why), .. }
        | Outcome::Failed(Trouble::Passing { why } | Trouble::Lasting { why }) => Some(why.clone()),
        Outcome::Turned { turn, .. } if turn.claim.diagnosis().is_none() => {
            Some("what came back was no diagnosis".to_owned())
        }
        _ => None,
    }
}

/// The user's checkout moved meanwhile. What was done is kept. Where a child could have been the one, the run stops
/// and a person looks; where a sandbox kept it out, it was the person.
fn disturbed(
    run: &Run,
    outcome: &Outcome,
    (moved, sort): (&[String], Disturbance),
    at: Millis,
) -> Vec<Event> {
    let mut events = on_outcome(run, outcome, at);
    events.push(Event::CheckoutMoved { moved: moved.to_vec() });
    let sandbox = match outcome {
        Outcome::Prepared { sandbox, .. } => sandbox,
        _ => &run.sandbox,
    };
    let ends = |event: &Event| matches!(event, Event::Closed { .. } | Event::Closing { .. });
    let alarming = match sort {
        Disturbance::Commits => false,
        Disturbance::Other => sandbox.starts_with("none"),
    };
    if alarming && !events.iter().any(ends) {
        events.extend(blocked(&format!(
            "your checkout changed while Proctor was at work, and Proctor did not do it: {}\nhint: look at it; nothing was undone, and the work so far is kept. If the change is yours or harmless, `proctor resume` goes on",
            moved.join(", ")
        )));
    }
    events
}

/// An answer to a question that nobody asked: a bug of ours, and no reason to go on.
fn unasked(outcome: &Outcome) -> String {
    let shown = format!("{outcome:?}");
    let name = shown.split([' ', '(', '{']).next().unwrap_or_default();
    format!("the world answered with {name} when nobody asked; this is a bug in Proctor")
}

fn blocked(why: &str) -> Vec<Event> {
    vec![Event::Closed { ending: Ending::Blocked, reason: why.to_owned() }]
}

fn on_turn(run: &Run, stage: &Stage, turn: &Turn, at: Millis) -> Vec<Event> {
    let mut events = vec![Event::Turned { turn: Box::new(turn.clone()) }];
    let end = |ending, reason: &str| Event::Closed { ending, reason: reason.to_owned() };
    match (&turn.claim, stage) {
        (Claim::TestsWritten { .. }, Stage::WritingTests { .. } | Stage::AddingTests { .. })
        | (Claim::Diagnosed { .. }, Stage::Diagnosing { .. })
        | (Claim::Refactored { .. }, Stage::Refactoring { .. }) => {}
        (
            Claim::Implemented { .. } | Claim::Discarded { .. },
            Stage::Implementing { proven: Some(proven), feedback, .. },
        ) if feedback.is_objection() && turn.at.tree == proven.at().tree => {
            events.extend(objection_stands(run, feedback, turn.claim.notes()));
        }
        (Claim::Discarded { why }, Stage::WritingTests { .. } | Stage::Implementing { .. }) => {
            events.push(end(Ending::Discarded, why));
        }
        // Beyond what somebody asked for, the tester's word is enough: a person is shown it.
        (Claim::Discarded { .. }, Stage::AddingTests { .. }) if run.only_mutants_are_open() => {}
        (Claim::Discarded { why }, Stage::AddingTests { .. }) => {
            let reason = format!(
                "the tester says that no test can be added: {why}\nhint: ask for less with --coverage, or add the tests yourself"
            );
            events.push(end(Ending::Blocked, &reason));
        }
        (Claim::Implemented { .. }, Stage::Implementing { anchor, from, .. }) => {
            // Who was told of no more than a doubt may leave the work as it is.
            let stands = run.doubted.as_ref() == Some(from) && &turn.at.tree == from;
            if !stands && (&turn.at.tree == from || turn.at.tree == anchor.at().tree) {
                events.extend(green_refused(
                    run,
                    (vec![GreenFault::NothingChanged], Vec::new()),
                    None,
                ));
            }
        }
        (Claim::TestDisputed { why }, Stage::Implementing { anchor, .. }) => {
            if anchor.is_open() {
                let reason = format!(
                    "the coder says that a test which was there before is wrong: {why}\nhint: change the test yourself and start again, or insist with `proctor send-back RUN --why …`"
                );
                events.push(end(Ending::Blocked, &reason));
            } else if !run.brief.brought_tests.is_empty() {
                events.push(end(
                    Ending::Blocked,
                    &format!("the coder says that the tests which you brought are wrong: {why}\nhint: change them and start again, or insist with `proctor send-back RUN --why …`"),
                ));
            } else if run.counters.appeals < APPEALS {
                events.push(Event::Appealed { why: why.clone() });
            } else {
                let fault = GreenFault::AppealSpent { why: why.clone() };
                events.extend(green_refused(run, (vec![fault], Vec::new()), None));
            }
        }
        (Claim::AuditReported { findings, .. }, Stage::HearingAuditor { .. }) => {
            let (asking, rest): (Vec<_>, Vec<_>) =
                findings.iter().partition(|finding| finding.asks_for_a_change());
            let words = |all: Vec<&AuditFinding>| all.iter().map(ToString::to_string).collect();
            let findings: Vec<String> = words(asking);
            let event = Event::AuditorHeard { findings: findings.clone(), notes: words(rest) };
            events.extend(audited(run, event, &findings, at));
        }
        (Claim::ReviewPassed { .. }, Stage::Reviewing { anchor, green, .. }) => {
            events.extend(ask_approval(run, anchor, green, at));
        }
        (Claim::ReviewRejected { why }, Stage::Reviewing { .. }) => {
            events.push(Event::ReviewRejected { why: why.clone() });
            if run.counters.reviews + 1 >= run.limits.review {
                let reason = format!("{} reviews, none agreed; the last: {why}", run.limits.review);
                events.push(end(Ending::MaxAttempts, &reason));
            }
        }
        (claim, _) => {
            let why = format!("a claim ({claim:?}) came back from another phase's turn");
            events.extend(blocked(&why));
        }
    }
    events
}

/// `--yes` stands for a person, but not for tests of the base that were changed, nor for what only a person can say.
fn ask_approval(run: &Run, anchor: &Anchor, green: &GreenProof, at: Millis) -> Vec<Event> {
    let tree = green.at().tree.clone();
    let changed_tests = anchor.changed().to_vec();
    let rules = &run.brief.rules;
    let allowed = rules.changed_tests == ChangedTests::Allowed
        || rules.accepted.contains(&Concern::ChangedTests);
    let raised = run.raised.open();
    let cleared = (changed_tests.is_empty() || allowed) && raised.is_empty();
    let mut events = vec![Event::ApprovalAsked { tree: tree.clone(), changed_tests, raised }];
    if run.brief.landing.approval == ApprovalPolicy::Beforehand && cleared {
        let rebase = OnRebase::Through;
        events.push(Event::Approved { tree, by: Approver::Beforehand, when: at, rebase });
    }
    events
}

/// Whether the refactoring turn is part of this run.
pub(crate) fn wants_refactoring(run: &Run) -> bool {
    if !run.brief.assignment.route.has_red_gate() {
        return false;
    }
    match run.brief.kind {
        TaskType::Refactor => false,
        TaskType::BugFix | TaskType::Feature => run.brief.rules.refactor == RefactorPolicy::Wanted,
    }
}
