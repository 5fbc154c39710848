//! The ways back: to the coder, to the tester, to a point that counted. Part of the fold, and as total as it.

use crate::event::Event;
use crate::fault::{GreenFault, advice_of_green};
use crate::proof::{Anchor, Point};
use crate::run::{CodeFeedback, GreenOf, Kept, Run, Stage, Talk};
use crate::words::{Role, TaskType};

/// The green gate refused: the coder mends it, after a diagnosis where there is one to be had.
pub(super) fn refused(run: &mut Run, event: &Event, stage: Stage) -> Stage {
    let Event::GreenRefused { faults, evidence, told } = event else { return stage };
    run.counters.fixes += 1;
    if let Stage::ProvingGreen { code, .. } = &stage
        && faults.iter().all(GreenFault::is_a_doubt)
    {
        run.doubted = Some(code.tree.clone());
    }
    let reasons = advice_of_green(if told.is_empty() { faults } else { told });
    let evidence = evidence.clone();
    let feedback = CodeFeedback::Refused { reasons, evidence, diagnosis: None };
    let stage = back_to_implement(run, stage, feedback);
    diagnosing(run, stage)
}

/// Red is proven: a second agent writes tests first, where there is one that has not done so.
pub(super) fn examining(run: &mut Run, anchor: Anchor) -> Stage {
    let wanted = run.brief.agents.contains_key(&Role::Examiner) && run.examination.is_none();
    if wanted && run.brief.kind != TaskType::Refactor {
        return Stage::Examining { anchor };
    }
    implementing(run, anchor, CodeFeedback::Fresh)
}

/// Where there is a diagnostician and a fix is left, it is asked before the coder is.
fn diagnosing(run: &Run, stage: Stage) -> Stage {
    let asked = run.brief.agents.contains_key(&Role::Diagnostician)
        && run.counters.fixes <= run.limits.green;
    match stage {
        Stage::Implementing {
            anchor,
            feedback: CodeFeedback::Refused { reasons, evidence: Some(evidence), .. },
            from,
            ..
        } if asked => Stage::Diagnosing { anchor, talk: Talk::first(), reasons, evidence, from },
        other => other,
    }
}

/// The coder's turn after the diagnosis, or without one.
pub(super) fn mending(stage: Stage, diagnosis: Option<String>) -> Stage {
    match stage {
        Stage::Diagnosing { anchor, reasons, evidence, from, .. } => {
            let feedback = CodeFeedback::Refused { reasons, evidence: Some(evidence), diagnosis };
            let talk = Talk::first();
            Stage::Implementing { anchor, talk, feedback, from, proven: None }
        }
        other => other,
    }
}

/// A turn that may only add tests, on top of work that counts as far as it goes.
pub(super) fn adding(
    run: &mut Run,
    anchor: Anchor,
    code: Point,
    of: GreenOf,
    reasons: Vec<String>,
) -> Stage {
    run.counters.thin += 1;
    rewind(run, &code);
    Stage::AddingTests { anchor, code, of, talk: Talk::first(), reasons }
}

pub(super) fn implementing(run: &mut Run, anchor: Anchor, feedback: CodeFeedback) -> Stage {
    let from = run.tree.clone().unwrap_or_else(|| anchor.at().tree.clone());
    Stage::Implementing { anchor, talk: Talk::first(), feedback, from, proven: None }
}

pub(super) fn back_to_implement(run: &mut Run, stage: Stage, feedback: CodeFeedback) -> Stage {
    let Some(anchor) = stage.anchor().cloned() else { return stage };
    let objection = feedback.is_objection();
    let next = implementing(run, anchor, feedback);
    let green = stage.green().filter(|_| objection).cloned();
    match next {
        Stage::Implementing { anchor, talk, feedback, from, .. } => {
            let proven = green.filter(|green| green.at().tree == from);
            Stage::Implementing { anchor, talk, feedback, from, proven }
        }
        other => other,
    }
}

/// The same turn again: the objection stands, and counts as what it was.
pub(super) fn objected(run: &mut Run, stage: Stage) -> Stage {
    match stage {
        Stage::Implementing { anchor, feedback, from, proven, .. } => {
            match &feedback {
                CodeFeedback::Audit { .. } => run.counters.fixes += 1,
                _ => run.counters.reviews += 1,
            }
            Stage::Implementing { anchor, talk: Talk::first(), feedback, from, proven }
        }
        other => other,
    }
}

/// What the coder had done when it disputed a test, if it had done anything.
pub(super) fn kept(run: &Run, stage: &Stage) -> Option<Kept> {
    let (code, tests) = (run.tree.clone()?, stage.anchor()?.at().tree.clone());
    (code != tests).then_some(Kept { code, tests })
}

/// Back to the tester: the tests as they are on the old production code, and no commit that counts.
pub(super) fn unseal(run: &mut Run, stage: &Stage) {
    run.head = run.base.clone();
    if let Some(anchor) = stage.anchor() {
        run.tree = Some(anchor.at().tree.clone());
    }
}

/// The worktree is to hold this point again.
pub(super) fn rewind(run: &mut Run, to: &Point) {
    run.tree = Some(to.tree.clone());
    run.head = to.commit.clone();
}
