//! The same trials inside a run: what the green gate measured already is taken over, and only what it did not try is made.

use super::mutation::Aim;
use super::scene::{Scene, take_renamed};
use super::{Measuring, VerifyAsk, mutation, reading};
use crate::carry::testrun::TestRuns;
use crate::carry::{Halt, Job};
use proctor_core::branch::{BranchKind, BranchMeasure, Mutant, Unmade};
use proctor_core::brief::Rules;
use proctor_core::proof::GreenMeasure;
use proctor_core::verdict::CheckName;
use proctor_core::words::{TaskType, TestId, TreeId};
use proctor_lang::MemoryTree;
use proctor_tools::Selection;
use proctor_world::shadow::Shadow;
use std::collections::BTreeSet;
use std::time::Duration;

/// The trees of a green gate.
#[derive(Clone, Copy)]
pub(in crate::carry) struct Sides<'a> {
    pub(in crate::carry) base: &'a TreeId,
    pub(in crate::carry) code: &'a TreeId,
}

/// Trials of work that is green already.
pub(in crate::carry) fn probe(
    job: &Job,
    shadow: &Shadow,
    sides: Sides<'_>,
    green: &GreenMeasure,
) -> Result<BranchMeasure, Halt> {
    let ask = ask_of(job);
    let mut measuring = set_up(job, shadow, (sides, green), &ask)?;
    if measuring.scene.kind != BranchKind::NothingExecutable {
        measuring.trials()?;
    }
    Ok(measuring.measure)
}

/// The mutants of the changed lines under these tests alone.
pub(in crate::carry) fn kills(
    job: &Job,
    shadow: &Shadow,
    sides: Sides<'_>,
    (green, tests): (&GreenMeasure, &[TestId]),
) -> Result<Vec<Mutant>, Halt> {
    let ask = ask_of(job);
    let mut measuring = set_up(job, shadow, (sides, green), &ask)?;
    measuring.aim = Aim::Kills;
    measuring.mutants_under(&Selection::Ids(tests.to_vec()))?;
    Ok(measuring.measure.mutants)
}

fn ask_of(job: &Job) -> VerifyAsk {
    let brief = job.run.brief.clone();
    let wanted =
        [CheckName::RedReplay, CheckName::Harness, CheckName::Isolation, CheckName::Mutants];
    VerifyAsk {
        head: job.run.head.clone(),
        wanted: BTreeSet::from(wanted),
        budget: None,
        said: Some(brief.kind).filter(|kind| *kind == TaskType::Refactor),
        survivors: brief.rules.survivors.unwrap_or(Rules::A_FIFTH),
        brief,
    }
}

fn set_up<'a>(
    job: &'a Job,
    shadow: &'a Shadow,
    (sides, green): (Sides<'_>, &GreenMeasure),
    ask: &'a VerifyAsk,
) -> Result<Measuring<'a>, Halt> {
    let mut scene = Scene::read(shadow, sides.base, sides.code)?;
    let suite = job.suite(shadow, &MemoryTree::default())?;
    let mut measure = BranchMeasure::new(scene.kind);
    measure.said = ask.said;
    measure.survivors = ask.survivors;
    measure.source = reading::source(&scene);
    for name in CheckName::ALL.iter().filter(|name| !ask.wanted.contains(name)) {
        measure.unmade.insert(*name, Unmade::NotWanted);
    }
    measure.unmade.remove(&CheckName::Source);
    if scene.kind != BranchKind::NothingExecutable {
        measure.detections = reading::detections(&scene);
        measure.equalities = reading::equalities(&scene);
        measure.idle = reading::idle(&scene);
        scene.keep_surroundings(&suite);
        measure.items = scene.items(&suite);
        measure.renamed = take_renamed(&mut measure.items);
        measure.hollow = reading::hollow(&scene, &measure.items);
        measure.bare = !scene.lines.keys().any(|path| mutation::is_source(path, &suite));
        measure.base = green.baseline.clone();
        measure.head.clone_from(&green.runs);
        measure.replay = green.replay.iter().cloned().collect();
    }
    let suite_took = job.run.baseline.as_ref().map_or(0, |baseline| baseline.suite_ms);
    Ok(Measuring {
        job,
        shadow,
        ask,
        scene,
        runs: TestRuns::new(job, shadow, suite),
        measure,
        brief: ask.brief.clone(),
        suite_took: Duration::from_millis(suite_took),
        aim: Aim::Survivors,
        left_out: Vec::new(),
    })
}
