//! What a person's word means for a run that ended or waits: sent back, gone on with.

use super::not_now;
use crate::event::{Ending, Event, Pause, Raise, Refusal};
use crate::evolve::evolve;
use crate::offering;
use crate::run::{Run, Stage, owed};

pub(super) fn send_back(run: &Run, why: &str) -> Result<Vec<Event>, Refusal> {
    let may = match &run.stage {
        Stage::AwaitingApproval { .. } => true,
        Stage::Closed { ending, back, .. } => {
            let waits = matches!(ending, Ending::Failed | Ending::MaxAttempts | Ending::Blocked);
            waits && run.landed.is_none() && back.as_ref().is_some_and(|b| b.anchor().is_some())
        }
        _ => false,
    };
    if may {
        Ok(vec![Event::SentBack { why: why.to_owned() }])
    } else {
        Err(not_now(run, "sending back"))
    }
}

pub(super) fn resume(run: &Run, raise: Raise) -> Result<Vec<Event>, Refusal> {
    let mut events = Vec::new();
    let mut raised = run.clone();
    if raise != Raise::default() {
        let event = Event::LimitsRaised { raise };
        raised = evolve(raised, &event);
        events.push(event);
    }
    match &raised.stage {
        Stage::Paused { why: Pause::Budget { .. }, .. } => {
            let resumed = evolve(raised.clone(), &Event::Resumed);
            if let Some(what) = owed(&resumed).and_then(|effect| resumed.budget_spent(&effect)) {
                return Err(Refusal::BudgetSpent { why: what });
            }
            events.push(Event::Resumed);
        }
        Stage::Paused {
            why: Pause::UsageLimit { .. } | Pause::RedProven | Pause::Disk { .. },
            ..
        }
        | Stage::Closed { ending: Ending::Blocked | Ending::AgentError, back: Some(_), .. } => {
            events.push(Event::Resumed);
        }
        Stage::Closed { .. } => return Err(not_now(run, "resuming")),
        Stage::AwaitingApproval { .. } if offering::may_be_sought(&raised) => {
            events.extend(raised.interrupted.then_some(Event::Resumed));
            events.push(Event::ReviewSought);
        }
        _ if raised.interrupted => events.push(Event::Resumed),
        // Still open and nobody interrupted it: whoever holds the lease simply goes on.
        _ => {}
    }
    Ok(events)
}
