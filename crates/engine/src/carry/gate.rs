//! The gates: what is measured between phases. The tests that matter come first where the suite is long, the whole suite
//! before any proof. Repeats are made only where they decide something: a first run that already fails the judgement is
//! not repeated.

use super::policy::{may_hold_tests, with_tests_of};
use super::tidy::TidyGate;
use super::{Halt, Job};
use crate::coverage::coverage;
use crate::store::Store;
use crate::verify::{Sides, probe};
use proctor_core::brief::{Brief, Probe};
use proctor_core::event::Outcome;
use proctor_core::item::ItemChanges;
use proctor_core::proof::{
    Added, Again, Anchor, GreenMeasure, GreenProof, GreenVerdict, Point, RedMeasure,
};
use proctor_core::report::{CaseEnd, TestReport};
use proctor_core::run::{GreenOf, Stage};
use proctor_core::words::{Phase, TestId, TreeId};
use proctor_lab::{Lab, Suite, TestRuns, Trial, sources};
use proctor_lang::{MemoryTree, Zone, zone};
use proctor_tools::{Selection, is_manifest};
use proctor_world::shadow::Shadow;
use std::collections::BTreeSet;

/// A suite that takes longer than this is not run as a whole before the tests that matter have passed.
pub(super) const LONG_SUITE_MS: u64 = 10_000;
/// How many old tests may fail at once and still be looked at again: more than that is no accident.
const FEW: usize = 20;
/// How often a test that may be unsteady is run again, on the base and on the new tree.
const AGAIN: usize = 4;
/// With more test files than this only those beside a changed one are read.
const MANY_TEST_FILES: usize = 1000;

pub(super) fn red(job: &Job, tests: &Point) -> Result<Outcome, Halt> {
    let shadow = job.shadow()?;
    let base = shadow.tree_of(&job.run.base)?;
    let (brief, is_long) = (&job.run.brief, job.suite_is_long());
    let exam = RedExam { lab: job, shadow: &shadow, brief, base: &base, tests, is_long };
    let (mut measure, mut runs) = exam.sit(job.baseline_report()?)?;
    if let Ok(anchor) = Anchor::judge(brief, &measure, tests) {
        let red = Red { job, shadow: &shadow, base: &base, tests, measure: &measure };
        measure.held_out = red.hold_out(&mut runs, &anchor)?;
    }
    let evidence = Store::of(job)?.put_json(&measure)?;
    Ok(Outcome::RedMeasured { measure: Box::new(measure), evidence })
}

/// New tests on the base's production code.
pub(super) struct RedExam<'a> {
    pub(super) lab: &'a Lab,
    pub(super) shadow: &'a Shadow,
    pub(super) brief: &'a Brief,
    pub(super) base: &'a TreeId,
    pub(super) tests: &'a Point,
    pub(super) is_long: bool,
}

impl<'a> RedExam<'a> {
    pub(super) fn sit(&self, baseline: TestReport) -> Result<(RedMeasure, TestRuns<'a>), Halt> {
        let Self { lab, shadow, brief, base, tests, is_long } = *self;
        let (before, after) = test_sources(shadow, base, &tests.tree)?;
        let suite = lab.suite(shadow, &after)?;
        let items = item_changes(&suite, &before, &after);
        let mut runs = TestRuns::new(lab, shadow, suite);
        let allowed = &brief.allowed_secrets;
        let secrets = super::audit::new_secrets(shadow, allowed, (base, &tests.tree))?;
        let again = Again::default();
        let mut measure =
            RedMeasure { baseline, runs: Vec::new(), items, secrets, again, held_out: None };
        for n in 0..brief.rules.repeats.max(1) {
            let only = if n > 0 && is_long {
                Selection::Ids(measure.candidates())
            } else {
                Selection::All
            };
            lab.say(format!("the tests, run {} of {}", n + 1, brief.rules.repeats.max(1)));
            measure.runs.push(runs.run(&tests.tree, &only)?);
            if n == 0 {
                let unsettled = measure.unsettled();
                measure.again = again_of(&mut runs, &unsettled, (base, &tests.tree))?;
            }
            if Anchor::judge(brief, &measure, tests).is_err() {
                break;
            }
        }
        Ok((measure, runs))
    }
}

/// Tests that are red, and what they were held against.
pub(super) struct Red<'a> {
    pub(super) job: &'a Job,
    pub(super) shadow: &'a Shadow,
    pub(super) base: &'a TreeId,
    pub(super) tests: &'a Point,
    pub(super) measure: &'a RedMeasure,
}

pub(super) fn green(job: &Job, code: &Point, tests: &Point) -> Result<Outcome, Halt> {
    let shadow = job.shadow()?;
    let Stage::ProvingGreen { anchor, of, .. } = &job.run.stage else {
        return Err(Halt::lasting("a green gate without a red proof; this is a bug in Proctor"));
    };
    let base = shadow.tree_of(&job.run.base)?;
    // The tools are the baseline's, whatever the change did to the files that name one.
    let suite = job.suite(&shadow, &MemoryTree::default())?;
    let added = match of {
        GreenOf::Added { to, .. } => Some(job.added(&shadow, &suite, tests, (to, code))?),
        GreenOf::Implementation | GreenOf::Refactoring { .. } | GreenOf::Rebase => None,
    };
    if let Some(measure) = job.nothing_added(of, code, added.as_ref())? {
        let evidence = Store::of(job)?.put_json(&measure)?;
        return Ok(Outcome::GreenMeasured { measure: Box::new(measure), evidence });
    }
    let mut runs = TestRuns::new(job, &shadow, suite);
    let mut measure = GreenMeasure { added, ..GreenMeasure::over(job.baseline_report()?) };
    // Where a refactoring tidied tests, the originals judge it first.
    let tidied = code;
    let originals = job.with_originals(&shadow, of, code)?;
    let code = originals.as_ref().unwrap_or(code);
    if job.suite_is_long() {
        let first = tests_that_come_first(&shadow, anchor, &measure.baseline, code)?;
        measure.early = Some(runs.run(&code.tree, &Selection::Ids(first))?);
    }
    let judge = |measure: &GreenMeasure| {
        let anchor = match of {
            GreenOf::Added { .. } => anchor.with_added(measure).map_err(|_| Wanting)?,
            GreenOf::Implementation | GreenOf::Refactoring { .. } | GreenOf::Rebase => {
                anchor.clone()
            }
        };
        match GreenProof::judge(&job.run.brief, &anchor, &job.run.base, measure, code) {
            Err(GreenVerdict::Code(_)) => Err(Wanting),
            Ok(_) | Err(GreenVerdict::Tests(_) | GreenVerdict::Thin(_)) => Ok(()),
        }
    };
    let mut good = measure.early.is_none() || !measure.fails_early(anchor);
    for n in 0..job.run.brief.rules.repeats.max(1) {
        if !good {
            break;
        }
        job.tell_run((n + 1, job.run.brief.rules.repeats.max(1)));
        measure.runs.push(runs.run(&code.tree, &Selection::All)?);
        good = judge(&measure).is_ok();
        if !good && measure.again == Again::default() {
            let unsettled = measure.unsettled(anchor);
            measure.again = again_of(&mut runs, &unsettled, (&base, &code.tree))?;
            good = judge(&measure).is_ok();
        }
    }
    if !good && !anchor.unseen().is_empty() {
        measure.seen = Some(job.seen(&shadow, &mut runs, (anchor, code), &measure)?);
    }
    if let Some(originals) = originals.as_ref().filter(|_| good) {
        let (job, shadow, base) = (job, &shadow, &base);
        let gate = TidyGate { job, shadow, anchor, base, sealed: tests, originals, code: tidied };
        let found = gate.measure(&mut runs, &measure)?;
        let stands = anchor.with_tidied(&job.run.brief, &job.run.base, &found, tidied).is_ok();
        measure.tidied = Some(Box::new(found));
        if stands {
            let evidence = Store::of(job)?.put_json(&measure)?;
            return Ok(Outcome::GreenMeasured { measure: Box::new(measure), evidence });
        }
    }
    if good {
        let green = Green { job, shadow: &shadow, base: &base, anchor, tests, code };
        green.further(&mut runs, &mut measure, &|measure: &GreenMeasure| judge(measure).is_ok())?;
    }
    let evidence = Store::of(job)?.put_json(&measure)?;
    Ok(Outcome::GreenMeasured { measure: Box::new(measure), evidence })
}

/// Work that passes its tests.
struct Green<'a> {
    job: &'a Job,
    shadow: &'a Shadow,
    base: &'a TreeId,
    anchor: &'a Anchor,
    tests: &'a Point,
    code: &'a Point,
}

impl Green<'_> {
    /// What is measured beyond plain runs, for as long as it may still be green.
    fn further(
        &self,
        runs: &mut TestRuns<'_>,
        measure: &mut GreenMeasure,
        may_be_green: &dyn Fn(&GreenMeasure) -> bool,
    ) -> Result<(), Halt> {
        let (job, shadow, base, code) = (self.job, self.shadow, self.base, &self.code.tree);
        if !self.anchor.red().is_empty() {
            let sealed = &self.tests.tree;
            let tree = measure.added.as_ref().map_or(sealed, |added| &added.tests.tree).clone();
            let red: Vec<TestId> = self.anchor.red().to_vec();
            job.say("the new tests on the old code once more");
            measure.replay = Some(runs.run(&tree, &Selection::Ids(red))?);
        }
        let rules = &job.run.brief.rules;
        if rules.coverage.is_some() {
            job.say("which lines the tests run");
            measure.coverage = Some(coverage(shadow, runs, base, code)?);
        }
        if rules.probe == Probe::Full && may_be_green(measure) {
            let sides = Sides { base, code };
            measure.probe = Some(Box::new(probe(job, shadow, sides, measure)?));
        }
        if let Some(examination) = &job.run.examination
            && may_be_green(measure)
        {
            job.say(format!("tests of {} from the task's text alone", examination.by));
            measure.examined = Some(job.asked(shadow, code, examination)?);
        }
        Ok(())
    }
}

/// What was measured so far can't become green any more.
struct Wanting;

/// Old tests that failed, some more times on the base, and on the new tree where the base shows that they are unsteady.
pub(crate) fn again_of(
    runs: &mut TestRuns<'_>,
    ids: &[TestId],
    (base, head): (&TreeId, &TreeId),
) -> Result<Again, Halt> {
    let mut again = Again::default();
    if ids.is_empty() || ids.len() > FEW {
        return Ok(again);
    }
    let some = |tree| vec![Trial::of(tree).only(Selection::Ids(ids.to_vec())); AGAIN];
    again.base = runs.reports(&some(base))?;
    let steady = |id: &TestId| again.base.iter().all(|run| run.passed(id));
    if !ids.iter().all(steady) {
        again.head = runs.reports(&some(head))?;
    }
    Ok(again)
}

impl Job {
    /// The recorded baseline, by its hash: what comes back is what was measured.
    pub(super) fn baseline_report(&self) -> Result<TestReport, Halt> {
        let Some(baseline) = &self.run.baseline else {
            return Err(Halt::lasting("a gate before the baseline; this is a bug in Proctor"));
        };
        Store::of(self)?.get_json(&baseline.report)
    }

    /// The work that was refused, with the tests that the coder knows.
    fn seen(
        &self,
        shadow: &Shadow,
        runs: &mut TestRuns<'_>,
        (anchor, code): (&Anchor, &Point),
        measure: &GreenMeasure,
    ) -> Result<TestReport, Halt> {
        let view = self.view(shadow, Phase::Implement, &code.tree)?;
        let mut only = Selection::All;
        if measure.runs.is_empty() {
            let mut first = tests_that_come_first(shadow, anchor, &measure.baseline, code)?;
            first.retain(|id| !anchor.held_out().is_some_and(|held| held.covers(id)));
            only = Selection::Ids(first);
        }
        runs.run(&view.tree, &only)
    }

    /// The work with the sealed tests, where a refactoring changed those.
    fn with_originals(
        &self,
        shadow: &Shadow,
        of: &GreenOf,
        code: &Point,
    ) -> Result<Option<Point>, Halt> {
        let GreenOf::Refactoring { before } = of else { return Ok(None) };
        let tree = with_tests_of(shadow, &code.tree, (&code.tree, &before.at().tree))?;
        if tree == code.tree {
            return Ok(None);
        }
        self.set_aside(shadow, tree).map(Some)
    }

    /// The suite is run once more, and how long that took at the base.
    fn tell_run(&self, (now, of): (u8, u8)) {
        let usual = self.run.baseline.as_ref().map_or(0, |b| b.suite_ms);
        let about =
            if usual >= 1000 { format!(", about {} s", usual / 1000) } else { String::new() };
        self.say(format!("the tests, run {now} of {of}{about}"));
    }

    fn suite_is_long(&self) -> bool {
        self.run.baseline.as_ref().is_some_and(|b| b.suite_ms > LONG_SUITE_MS)
    }

    /// Where the tester left everything as it is, what was measured of it before still is so.
    fn nothing_added(
        &self,
        of: &GreenOf,
        code: &Point,
        added: Option<&Added>,
    ) -> Result<Option<GreenMeasure>, Halt> {
        let GreenOf::Added { to, .. } = of else { return Ok(None) };
        let known = self.run.open_evidence.as_ref().filter(|_| self.run.only_mutants_are_open());
        match known.filter(|_| to.tree == code.tree) {
            Some(known) => {
                let before: GreenMeasure = Store::of(self)?.get_json(known)?;
                Ok(Some(GreenMeasure { added: added.cloned(), ..before }))
            }
            None => Ok(None),
        }
    }

    /// What a turn that only adds tests did to them, and all tests on the old production code.
    fn added(
        &self,
        shadow: &Shadow,
        suite: &Suite,
        tests: &Point,
        (before, after): (&Point, &Point),
    ) -> Result<Added, Halt> {
        let (old, new) = test_sources(shadow, &before.tree, &after.tree)?;
        let items = item_changes(suite, &old, &new);
        let tree = with_tests_of(shadow, &tests.tree, (&before.tree, &after.tree))?;
        Ok(Added { items, tests: self.sealed_anew(shadow, tests, tree)? })
    }
}

/// The sealed tests, and old ones whose name speaks of a file that changed.
fn tests_that_come_first(
    shadow: &Shadow,
    anchor: &Anchor,
    baseline: &TestReport,
    code: &Point,
) -> Result<Vec<TestId>, Halt> {
    let changed = shadow.changed(&anchor.at().tree, &code.tree)?;
    let stems: Vec<String> = changed.iter().filter_map(|(path, _)| stem(path)).collect();
    let near = |id: &&TestId| {
        let id = id.as_str().to_lowercase();
        stems.iter().any(|stem| id.contains(stem.as_str()))
    };
    let old = baseline.cases.iter().filter(|(_, case)| case.end == CaseEnd::Passed);
    let ids: BTreeSet<TestId> =
        anchor.sealed().chain(old.map(|(id, _)| id).filter(near)).cloned().collect();
    Ok(ids.into_iter().collect())
}

/// `Cart` of `src/shop/Cart.java`, in small letters; none where it is too short to mean anything.
fn stem(path: &str) -> Option<String> {
    let name = path.rsplit('/').next()?;
    let stem = name.split('.').next()?.trim_start_matches("test_").to_lowercase();
    let plain = ["mod", "lib", "main", "index", "__init__", "init", "utils", "util"];
    (stem.len() > 2 && !plain.contains(&stem.as_str())).then_some(stem)
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Two trees with the text of every file that differs and can hold tests.
pub(super) fn test_sources(
    shadow: &Shadow,
    before: &TreeId,
    after: &TreeId,
) -> Result<(MemoryTree, MemoryTree), Halt> {
    let touched: BTreeSet<String> =
        shadow.changed(before, after)?.into_iter().map(|(path, _)| path).collect();
    // A test may call what another test file defines: those beside it are read as well, all of them where they are few.
    let count = shadow.list(after)?.keys().filter(|path| zone(path) == Zone::Test).count();
    let folders: BTreeSet<&str> = touched.iter().map(|path| folder(path)).collect();
    let near = |path: &str| count <= MANY_TEST_FILES || folders.contains(folder(path));
    let wanted = |path: &str| {
        is_manifest(path)
            || (may_hold_tests(path) && touched.contains(path))
            || (zone(path) == Zone::Test && near(path))
    };
    let before = sources(shadow, &*shadow.list(before)?, wanted)?;
    let after = sources(shadow, &*shadow.list(after)?, wanted)?;
    Ok((before, after))
}

/// Which tests were added, changed or removed, read from the sources.
pub(super) fn item_changes(suite: &Suite, before: &MemoryTree, after: &MemoryTree) -> ItemChanges {
    // Most files stand on both sides; each is read once, so that none of its tests counts twice.
    let paths: BTreeSet<&String> = after.0.keys().chain(before.0.keys()).collect();
    let touched: Vec<String> = paths
        .into_iter()
        .filter(|path| may_hold_tests(path) && before.0.get(*path) != after.0.get(*path))
        .cloned()
        .collect();
    ItemChanges::between(&suite.items(before, &touched), &suite.items(after, &touched))
}
