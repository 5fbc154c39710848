//! The same trials inside a run: what the green gate measured already is taken over, and only what it did not try is made.

use super::{Known, Measuring, VerifyAsk};
use crate::carry::Job;
use proctor_core::branch::{BranchKind, BranchMeasure, Mutant, Unmade};
use proctor_core::item::TestItem;
use proctor_core::observation::{Asked, Varied};
use proctor_core::proof::{GreenMeasure, RedRule};
use proctor_core::run::{GreenOf, Stage};
use proctor_core::verdict::CheckName as C;
use proctor_core::words::{TaskType, TestId, TreeId};
use proctor_experiments::experiment::{self, Aim, Mutants, Questions, Refactored};
use proctor_lab::{Halt, Setting};
use proctor_world::shadow::Shadow;
use std::collections::BTreeSet;
use std::time::Duration;

/// The trees of a green gate.
#[derive(Clone, Copy)]
pub(crate) struct Sides<'a> {
    pub(crate) base: &'a TreeId,
    pub(crate) code: &'a TreeId,
}

/// Trials of work that is green already.
pub(crate) fn probe(
    job: &Job,
    shadow: &Shadow,
    sides: Sides<'_>,
    green: &GreenMeasure,
) -> Result<BranchMeasure, Halt> {
    let ask = ask_of(job);
    let mut measuring = set_up(job, shadow, (sides, green), &ask)?;
    if measuring.scene.kind != BranchKind::NothingExecutable {
        measuring.walk(experiment::beyond())?;
    }
    // A run whose time is up is proven by nothing that was left out.
    if measuring.measure.unmade.values().any(|why| *why == Unmade::NoTime) {
        return Err(Halt::TimeUp);
    }
    if let Stage::ProvingGreen { of: GreenOf::Refactoring { before }, .. } = &job.run.stage {
        let sides = Sides { base: &before.at().tree, code: sides.code };
        measuring.measure.refactored = refactored(job, shadow, sides, green)?;
    }
    crate::settled::recall(job, &job.run, &mut measuring.measure.mutants);
    Ok(measuring.measure)
}

/// What the tests see of the work before a refactoring and after it, with other inputs too.
fn refactored(
    job: &Job,
    shadow: &Shadow,
    sides: Sides<'_>,
    green: &GreenMeasure,
) -> Result<Vec<Varied>, Halt> {
    let ask = VerifyAsk { said: Some(TaskType::Refactor), ..ask_of(job) };
    let mut measuring = set_up(job, shadow, (sides, green), &ask)?;
    // Every test stood before the turn.
    measuring.measure.base = green.runs.first().unwrap_or(&green.baseline).clone();
    measuring.conduct(&Refactored::default())?;
    Ok(measuring.measure.refactored)
}

/// The mutants of the changed lines under these tests alone.
pub(crate) fn kills(
    job: &Job,
    shadow: &Shadow,
    sides: Sides<'_>,
    (green, tests): (&GreenMeasure, &[TestId]),
) -> Result<Vec<Mutant>, Halt> {
    let ask = ask_of(job);
    let mut measuring = set_up(job, shadow, (sides, green), &ask)?;
    measuring.conduct(&Mutants(Aim::Kills(tests.to_vec())))?;
    Ok(measuring.measure.mutants)
}

/// What these tests ask of the code.
pub(crate) fn asked(
    job: &Job,
    shadow: &Shadow,
    sides: Sides<'_>,
    (green, items): (&GreenMeasure, Vec<TestItem>),
) -> Result<Vec<Asked>, Halt> {
    let ask = ask_of(job);
    let mut measuring = set_up(job, shadow, (sides, green), &ask)?;
    measuring.conduct(&Questions::Of(items))?;
    Ok(measuring.measure.asked)
}

fn ask_of(job: &Job) -> VerifyAsk {
    let brief = &job.run.brief;
    let wanted = [C::RedReplay, C::Regression, C::Harness, C::Isolation, C::Mutants];
    VerifyAsk {
        head: job.run.head.clone(),
        wanted: BTreeSet::from(wanted),
        budget: None,
        said: Some(brief.kind).filter(|kind| *kind == TaskType::Refactor),
        survivors: brief.rules.survivors,
        known: Known::Anew,
        rule: RedRule::of(brief),
        changed_tests: brief.rules.changed_tests,
        accepted: brief.rules.accepted.clone(),
        setting: Setting::of(brief, &brief.limits),
    }
}

fn set_up<'a>(
    job: &'a Job,
    shadow: &'a Shadow,
    (sides, green): (Sides<'_>, &GreenMeasure),
    ask: &VerifyAsk,
) -> Result<Measuring<'a>, Halt> {
    let (mut measuring, _) = Measuring::read((job, shadow), ask, (sides.base, sides.code))?;
    let measure = &mut measuring.measure;
    measure.unmade.remove(&C::Source);
    measure.base = green.baseline.clone();
    measure.head.clone_from(&green.runs);
    measure.replay = green.replay.iter().cloned().collect();
    let suite_ms = job.run.baseline.as_ref().map_or(0, |baseline| baseline.suite_ms);
    measuring.suite_took = Duration::from_millis(suite_ms);
    Ok(measuring)
}
