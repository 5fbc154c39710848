//! Test runs that do not depend on each other, some of them at the same time: each in a tree, with a home and a network
//! of its own. Judges nothing.

use crate::Halt;
use crate::testrun::TestRuns;
use proctor_core::brief::Reach;
use proctor_core::report::TestReport;
use proctor_core::trial::Trial;
use proctor_tools::sources_of;
use proctor_world::sandbox::Strength;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// More would only wait for the disk, and make slow tests slower.
use tracing::Span;
const MOST_WORKERS: usize = 4;

/// How many work at the same time on this machine.
pub fn workers() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get().min(MOST_WORKERS))
}

/// Whether sources with this ending are compiled before they run.
pub fn is_built(ending: &str) -> bool {
    matches!(ending, "rs" | "go" | "java")
}

impl TestRuns<'_> {
    /// The tests of these trials, in the order of asking.
    pub fn reports(&mut self, trials: &[Trial]) -> Result<Vec<TestReport>, Halt> {
        let workers = workers().min(trials.len());
        if workers < 2 || !self.can_keep_apart()? {
            return trials.iter().map(|trial| self.report(trial)).collect();
        }
        let next = AtomicUsize::new(0);
        let found: Mutex<BTreeMap<usize, Result<TestReport, Halt>>> = Mutex::default();
        let keep = |at, report| {
            found.lock().unwrap_or_else(PoisonError::into_inner).insert(at, report);
        };
        std::thread::scope(|scope| {
            for n in 0..workers {
                let (mut runs, next, keep) = (self.apart(n), &next, &keep);
                scope.spawn(move || {
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
                let span = Span::current();
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
                    let _span = span.entered();
        let reports = found.into_values().collect::<Result<Vec<_>, Halt>>()?;
        if reports.len() == trials.len() {
            return Ok(reports);
        }
        Err(Halt::lasting("a test run was lost; this is a bug in Proctor"))
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
