//! What the measurements of a gate mean: the proof, or who goes back to what.

use super::ask_approval;
use crate::assignment::Route;
use crate::brief::{AfterRed, OnRegression};
use crate::event::{Ending, Event, OnRebase, Patch, Pause};
use crate::fault::{GreenFault, RedFault, advice_of_green, advice_of_red, advice_of_thin};
use crate::proof::{
    Anchor, GreenMeasure, GreenProof, GreenVerdict, Point, RedMeasure, Tidied, told,
};
use crate::run::{CodeFeedback, GreenOf, Run};
use crate::words::{BlobId, Millis, TaskType};

pub(super) fn on_red(
    run: &Run,
    measure: &RedMeasure,
    tests: &Point,
    evidence: &BlobId,
) -> Vec<Event> {
    match Anchor::judge(&run.brief, measure, tests) {
        Ok(anchor) => {
            let proven = Event::RedProven { anchor: Box::new(anchor), evidence: evidence.clone() };
            match run.brief.rules.after_red {
                AfterRed::GoOn => vec![proven],
                AfterRed::Hold => vec![proven, Event::Paused { why: Pause::RedProven }],
            }
        }
        Err(faults) => red_refused(run, faults, Some(evidence)),
    }
}

pub(super) fn red_refused(
    run: &Run,
    faults: Vec<RedFault>,
    evidence: Option<&BlobId>,
) -> Vec<Event> {
    let brought = !run.brief.brought_tests.is_empty();
    let reason = advice_of_red(&faults).join(" ");
    let mut events = vec![Event::RedRefused { faults, evidence: evidence.cloned() }];
    if brought || run.counters.red_refusals >= run.limits.red {
        let ending = match run.brief.kind {
            TaskType::BugFix => Ending::Discarded,
            TaskType::Feature | TaskType::Refactor => Ending::Blocked,
        };
        events.push(Event::Closed { ending, reason });
    }
    events
}

pub(super) fn on_green(
    run: &Run,
    measure: &GreenMeasure,
    (anchor, mut code, of): (&Anchor, &Point, &GreenOf),
    evidence: &BlobId,
    at: Millis,
) -> Vec<Event> {
    let mut events = Vec::new();
    let added = match (of, anchor.with_added(measure)) {
        (GreenOf::Added { .. }, Ok(anchor)) => {
            events.push(Event::TestsAdded { anchor: Box::new(anchor.clone()) });
            Some(anchor)
        }
        // Nothing more could be added: what mutants showed is then told to the person who approves.
        (GreenOf::Added { .. }, Err(faults))
            if faults == [RedFault::NothingNew] && is_thin_by_mutants(run, measure) =>
        {
            None
        }
        (GreenOf::Added { .. }, Err(faults)) => {
            let reason = advice_of_red(&faults).join(" ");
            events.push(Event::AddedRefused { faults, evidence: evidence.clone() });
            events.extend(too_thin_for_good(run, &reason));
            return events;
        }
        (GreenOf::Implementation | GreenOf::Refactoring { .. } | GreenOf::Rebase, _) => None,
    };
    if let (GreenOf::Refactoring { .. }, Some(tidied)) = (of, &measure.tidied) {
        match tidied_green(run, (anchor, code), tidied, evidence) {
            Ok(proven) => {
                events.extend(proven);
                return events;
            }
            Err(why) => {
                events.push(Event::TidyingUndone { why, to: tidied.originals.clone() });
                code = &tidied.originals;
            }
        }
    }
    let anchor = added.as_ref().unwrap_or(anchor);
    let used_up = matches!(of, GreenOf::Added { .. })
        && (added.is_none() || run.counters.thin >= run.limits.tests)
        && is_thin_by_mutants(run, measure);
    let judge = if used_up { GreenProof::judge_with_survivors } else { GreenProof::judge };
    let judged = judge(&run.brief, anchor, &run.base, measure, code);
    if matches!(judged, Ok(_) | Err(GreenVerdict::Thin(_)))
        && let Some(faults) = doubts(run, measure, of)
    {
        let told = told(anchor, measure, &faults);
        return [events, green_refused(run, (faults, told), Some(evidence))].concat();
    }
    match judged {
        Ok(proof) => {
            let (warnings, raised) = (measure.warnings(), measure.raised());
            let evidence = evidence.clone();
            events.push(Event::GreenProven { proof: proof.clone(), evidence, warnings, raised });
            if matches!(of.work(), GreenOf::Rebase) {
                let after = events.iter().fold(run.clone(), crate::evolve::evolve);
                events.extend(ask_approval(&after, anchor, &proof, at));
                events.extend(still_approved(&after, &proof, &events));
            }
        }
        Err(GreenVerdict::Thin(faults)) => {
            let reason = advice_of_thin(&faults).join(" ");
            events.push(Event::TestsTooThin { faults, evidence: evidence.clone() });
            events.extend(too_thin_for_good(run, &reason));
        }
        Err(GreenVerdict::Tests(fault)) => {
            events.extend(red_refused(run, vec![fault], Some(evidence)));
        }
        Err(GreenVerdict::Code(faults)) => events.extend(match of {
            GreenOf::Implementation | GreenOf::Rebase | GreenOf::Added { .. } => {
                let told = told(anchor, measure, &faults);
                green_refused(run, (faults, told), Some(evidence))
            }
            GreenOf::Refactoring { .. } => refactoring_undone(run, faults, evidence),
        }),
    }
    events
}

/// The approval of the same change before the base moved, where the person who gave it allowed that.
fn still_approved(run: &Run, proof: &GreenProof, so_far: &[Event]) -> Option<Event> {
    let approval = run.approved.filter(|approval| approval.rebase == OnRebase::Through)?;
    let is_new = !so_far.iter().any(|event| matches!(event, Event::Approved { .. }));
    let holds = is_new && run.patch == Patch::Same && run.raised.open().is_empty();
    holds.then(|| Event::Approved {
        tree: proof.at().tree.clone(),
        by: approval.by,
        when: approval.when,
        rebase: approval.rebase,
    })
}

/// The coder has nothing to change in proven work that somebody objects to. That is no failed fix: the proof stands, and
/// so does the objection, as often as there may be reviews.
pub(super) fn objection_stands(run: &Run, feedback: &CodeFeedback, why: &str) -> Vec<Event> {
    let mut events = vec![Event::ObjectionStands { why: why.to_owned() }];
    match feedback {
        CodeFeedback::Audit { findings } => {
            if run.counters.fixes >= run.limits.green {
                events.push(fixes_used_up(run, &findings.join("; ")));
            }
        }
        CodeFeedback::SentBack { .. }
        | CodeFeedback::Review
        | CodeFeedback::Fresh
        | CodeFeedback::Refused { .. } => {
            if run.counters.reviews + 1 >= run.limits.review {
                let objection = match feedback {
                    CodeFeedback::SentBack { why } => why.as_str(),
                    _ => run.rejections.last().map_or("", String::as_str),
                };
                let reason = format!(
                    "{} reviews, none agreed; the coder left the work as it is, proven and kept. The objection that stands: {objection}",
                    run.limits.review
                );
                events.push(Event::Closed { ending: Ending::MaxAttempts, reason });
            }
        }
    }
    events
}

/// The tidied tests take the place of the originals where they ask as much; else those come back.
fn tidied_green(
    run: &Run,
    (anchor, code): (&Anchor, &Point),
    tidied: &Tidied,
    evidence: &BlobId,
) -> Result<[Event; 2], Vec<String>> {
    let (anchor, proof) = anchor.with_tidied(&run.brief, &run.base, tidied, code)?;
    let (warnings, raised) = (tidied.green.warnings(), tidied.green.raised());
    let proven = Event::GreenProven { proof, evidence: evidence.clone(), warnings, raised };
    Ok([Event::TestsTidied { anchor: Box::new(anchor) }, proven])
}

/// What only leaves a doubt goes back to the coder once, while a fix is left. After that a person is asked.
fn doubts(run: &Run, measure: &GreenMeasure, of: &GreenOf) -> Option<Vec<GreenFault>> {
    let first = run.doubted.is_none() && run.counters.fixes < run.limits.green;
    if !first || !matches!(of.work(), GreenOf::Implementation) {
        return None;
    }
    Some(measure.doubts()).filter(|faults| !faults.is_empty())
}

/// Whether mutants that survive are all that the tests leave open, under a rule that nobody wrote down.
fn is_thin_by_mutants(run: &Run, measure: &GreenMeasure) -> bool {
    run.brief.rules.survivors.is_none()
        && measure.probe.as_ref().is_some_and(|probe| !probe.mutants.is_empty())
}

pub(super) fn refactoring_undone(
    run: &Run,
    faults: Vec<GreenFault>,
    evidence: &BlobId,
) -> Vec<Event> {
    let reason = format!(
        "the refactoring broke tests and was undone; the green work is kept: {}\nhint: `proctor resume RUN` goes on to the review without the refactoring",
        advice_of_green(&faults).join(" ")
    );
    let mut events = vec![Event::RefactoringUndone { faults, evidence: Some(evidence.clone()) }];
    if run.brief.rules.on_regression == OnRegression::Halt {
        events.push(Event::Closed { ending: Ending::Blocked, reason });
    }
    events
}

/// Turns that only add tests are counted by themselves; when none is left, the work is not proven.
pub(super) fn too_thin_for_good(run: &Run, last: &str) -> Option<Event> {
    (run.counters.thin >= run.limits.tests).then(|| Event::Closing {
        ending: Ending::Failed,
        reason: format!(
            "The tests still run too little of the work after {} turns that added tests. Last: {last}",
            run.limits.tests
        ),
    })
}

pub(super) fn green_refused(
    run: &Run,
    (faults, told): (Vec<GreenFault>, Vec<GreenFault>),
    evidence: Option<&BlobId>,
) -> Vec<Event> {
    let reason = advice_of_green(&faults).join(" ");
    let mut events = vec![Event::GreenRefused { faults, evidence: evidence.cloned(), told }];
    if run.counters.fixes >= run.limits.green {
        events.push(fixes_used_up(run, &reason));
    }
    events
}

pub(super) fn fixes_used_up(run: &Run, last: &str) -> Event {
    let reason = match run.brief.assignment.route {
        Route::Tdd | Route::Plain => format!(
            "Green phase failed after {} iterations. All changes reverted. See diagnostics in green-phase-failure.md. Last: {last}",
            run.limits.green
        ),
        Route::Cycle => format!(
            "Maximum iteration limit ({}) reached. Nothing was committed; the failed code is in the worktree. Last: {last}",
            run.limits.green + 1
        ),
    };
    Event::Closing { ending: Ending::Failed, reason }
}
