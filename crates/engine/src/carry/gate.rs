//! The gates: what is measured between phases. Repeats are made only where they decide something: a first run
//! that already fails the judgement is not repeated.

use super::policy::may_hold_tests;
use super::prepare::is_manifest;
use super::testrun::TestRuns;
use super::trees::sources;
use super::{Halt, Job};
use proctor_core::event::Outcome;
use proctor_core::item::ItemChanges;
use proctor_core::proof::{Anchor, GreenMeasure, GreenProof, GreenVerdict, Point, RedMeasure};
use proctor_core::report::TestReport;
use proctor_core::words::{TestId, TreeId};
use proctor_runners::{MemoryTree, Selection};
use proctor_world::shadow::Shadow;
use std::collections::BTreeSet;

pub(super) fn red(job: &Job, tests: &Point) -> Result<Outcome, Halt> {
    let shadow = job.shadow()?;
    let (before, after) = test_sources(job, &shadow, &tests.tree)?;
    let mut runs = TestRuns::new(job, &shadow, job.bench(&after)?);
    let items = item_changes(&runs, &before, &after);
    let base = shadow.tree_of(&job.run.base)?;
    let secrets = super::audit::new_secrets(&shadow, &base, &tests.tree)?;
    let baseline = job.baseline_report()?;
    let mut measure = RedMeasure { baseline, runs: Vec::new(), items, secrets };
    for _ in 0..job.run.brief.rules.repeats.max(1) {
        measure.runs.push(runs.run(&tests.tree, Selection::All)?);
        if Anchor::judge(&job.run.brief, &measure, tests).is_err() {
            break;
        }
    }
    let evidence = job.blobs()?.put_json(&measure)?;
    Ok(Outcome::RedMeasured { measure: Box::new(measure), evidence })
}

pub(super) fn green(job: &Job, code: &Point, tests: &Point) -> Result<Outcome, Halt> {
    let shadow = job.shadow()?;
    // The runner is the baseline's, whatever the change did to the files that name one.
    let mut runs = TestRuns::new(job, &shadow, job.bench(&MemoryTree::default())?);
    let Some(anchor) = job.run.stage.anchor() else {
        return Err(Halt::lasting("a green gate without a red proof; this is a bug in Proctor"));
    };
    let mut measure =
        GreenMeasure { baseline: job.baseline_report()?, runs: Vec::new(), replay: None };
    let mut good = true;
    for _ in 0..job.run.brief.rules.repeats.max(1) {
        measure.runs.push(runs.run(&code.tree, Selection::All)?);
        let judged = GreenProof::judge(anchor, &job.run.base, &measure, code);
        good = !matches!(judged, Err(GreenVerdict::Code(_)));
        if !good {
            break;
        }
    }
    if good && !anchor.red().is_empty() {
        let red: Vec<TestId> = anchor.red().to_vec();
        measure.replay = Some(runs.run(&tests.tree, Selection::Ids(red))?);
    }
    let evidence = job.blobs()?.put_json(&measure)?;
    Ok(Outcome::GreenMeasured { measure: Box::new(measure), evidence })
}

impl Job {
    /// The recorded baseline, by its hash: what comes back is what was measured.
    pub(super) fn baseline_report(&self) -> Result<TestReport, Halt> {
        let Some(baseline) = &self.run.baseline else {
            return Err(Halt::lasting("a gate before the baseline; this is a bug in Proctor"));
        };
        Ok(self.blobs()?.get_json(&baseline.report)?)
    }
}

/// The base's tree and the tester's, with the text of every file that differs and can hold tests.
fn test_sources(
    job: &Job,
    shadow: &Shadow,
    tests: &TreeId,
) -> Result<(MemoryTree, MemoryTree), Halt> {
    let base = shadow.tree_of(&job.run.base)?;
    let touched: Vec<String> =
        shadow.changed(&base, tests)?.into_iter().map(|(path, _)| path).collect();
    let wanted = |path: &str| {
        is_manifest(path)
            || path.ends_with("lib.rs")
            || path.ends_with("main.rs")
            || (may_hold_tests(path) && touched.iter().any(|t| t == path))
    };
    let before = sources(shadow, &*shadow.list(&base)?, wanted)?;
    let after = sources(shadow, &*shadow.list(tests)?, wanted)?;
    Ok((before, after))
}

/// Which tests the tester added, changed or removed, read from the sources.
fn item_changes(runs: &TestRuns<'_>, before: &MemoryTree, after: &MemoryTree) -> ItemChanges {
    // Most files stand on both sides; each is read once, so that none of its tests counts twice.
    let paths: BTreeSet<&String> = after.0.keys().chain(before.0.keys()).collect();
    let touched: Vec<String> = paths
        .into_iter()
        .filter(|path| may_hold_tests(path) && before.0.get(*path) != after.0.get(*path))
        .cloned()
        .collect();
    let runner = &runs.bench().runner;
    ItemChanges::between(&runner.items(before, &touched), &runner.items(after, &touched))
}
