//! Test runs that do not depend on each other, some of them at the same time: each in a tree, with a home and a network
//! of its own; those that are compiled in turn, built once for all that differ in nothing but the tests. Judges nothing.

use crate::Halt;
use crate::switching::is_one;
use crate::testrun::{Begun, TestRuns, Upon};
use proctor_core::brief::Reach;
use proctor_core::report::{RunEnd, TestReport};
use proctor_core::trial::{Coverage, Selection, Trial};
use proctor_core::words::TestId;
use proctor_tools::sources_of;
use proctor_world::sandbox::Strength;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use tracing::Span;

/// More would only wait for the disk, and make slow tests slower.
const MOST_WORKERS: usize = 4;

/// How many work at the same time on this machine.
pub fn workers() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get().min(MOST_WORKERS))
}

/// Whether sources with this ending are compiled before they run.
pub fn is_built(ending: &str) -> bool {
    matches!(ending, "rs" | "go" | "java")
}

/// Whether the same is built for two trials: they differ in nothing but the tests that are chosen.
fn is_built_alike(one: &Trial, other: &Trial) -> bool {
    let bare = |trial: &Trial| Trial { only: Selection::All, ..trial.clone() };
    let plain = one.coverage == Coverage::Off && one.elsewhere.is_empty() && one.channel.is_none();
    plain && bare(one) == bare(other)
}

/// How each test ended, and the run.
fn ends(report: &TestReport) -> (bool, Vec<(&TestId, &'static str)>) {
    let cases = report.cases.iter().map(|(id, case)| (id, case.end.word())).collect();
    (matches!(report.end, RunEnd::Finished), cases)
}

impl TestRuns<'_> {
    /// The tests of these trials, in the order of asking.
    pub fn reports(&mut self, trials: &[Trial]) -> Result<Vec<TestReport>, Halt> {
        let workers = workers().min(trials.len());
        if workers < 2 || !self.can_keep_apart()? {
            return self.in_turn(trials);
        }
        let next = AtomicUsize::new(0);
        let found: Mutex<BTreeMap<usize, Result<TestReport, Halt>>> = Mutex::default();
        let keep = |at, report| {
            found.lock().unwrap_or_else(PoisonError::into_inner).insert(at, report);
        };
        std::thread::scope(|scope| {
            for n in 0..workers {
                let (mut runs, next, keep) = (self.apart(n), &next, &keep);
                let span = Span::current();
                scope.spawn(move || {
                    let _span = span.entered();
                    loop {
                        let at = next.fetch_add(1, Ordering::SeqCst);
                        let Some(trial) = trials.get(at) else { break };
                        let report = runs.report(trial);
                        let halted = report.is_err();
                        keep(at, report);
                        if halted {
                            // Nobody begins another one.
                            next.store(trials.len(), Ordering::SeqCst);
                        }
                    }
                });
            }
        });
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let reports = found.into_values().collect::<Result<Vec<_>, Halt>>()?;
        if reports.len() == trials.len() {
            return Ok(reports);
        }
        Err(Halt::lasting("a test run was lost; this is a bug in Proctor"))
    }

    /// One after the other, each in a pristine tree; what they share is built once. Where tests share processes then that
    /// they would not share else, only what can't come from that is believed.
    fn in_turn(&mut self, trials: &[Trial]) -> Result<Vec<TestReport>, Halt> {
        let [_, _, ..] = trials else {
            return trials.iter().map(|trial| self.report(trial)).collect();
        };
        let mut reports: Vec<TestReport> = Vec::new();
        let mut built: Option<(&Trial, Begun)> = None;
        for trial in trials {
            let same = built.as_ref().filter(|(first, _)| is_built_alike(first, trial));
            if let Some((_, begun)) = same {
                let stage = self.stand(trial)?;
                let before = trials.iter().zip(&reports).find(|(other, _)| *other == trial);
                let fits = |upon: &Upon| {
                    let ends = before.is_some_and(|(_, report)| ends(report) == ends(&upon.report));
                    upon.is_alike || is_one(&trial.only) || ends
                };
                if let Some(upon) = self.report_upon(&stage, trial, begun)?.filter(fits) {
                    reports.push(upon.report);
                    continue;
                }
            }
            let stage = self.stand(trial)?;
            let (report, begun) = self.begun_on(&stage, trial)?;
            reports.push(report);
            built = Some((trial, begun));
        }
        Ok(reports)
    }

    /// Whether two runs at the same time can't meet: each has its own network and its own temp folders, and no build
    /// waits for the other's.
    pub fn can_keep_apart(&self) -> Result<bool, Halt> {
        let lab = self.lab();
        let apart = lab.level()?.strength() >= Strength::Strong
            && lab.setting.sandbox.network == Reach::Loopback;
        let mut endings =
            self.suite().benches.iter().flat_map(|bench| sources_of(&bench.project.runner));
        Ok(apart && !endings.any(|ending| is_built(ending)))
    }
}
