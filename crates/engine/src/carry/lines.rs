//! Which lines of the base its own tests run, for somebody who wants to know where nobody looks. Nothing is recorded, nothing
//! is judged, and where it can't be measured there is simply no answer.

use super::testrun::{Measured, TestRuns};
use super::trial::Trial;
use super::{Halt, Job};
use crate::context::Shop;
use proctor_core::brief::Brief;
use proctor_core::report::LineCoverage;
use proctor_core::run::Run;
use proctor_core::words::RunId;
use proctor_tools::Covered;
use proctor_world::child::Cancel;
use proctor_world::tree::remove_tree;
use std::sync::mpsc;
use std::time::Duration;

/// A suite that takes longer is not waited for.
const LIMIT_MS: u64 = 120_000;

/// Runs the tests of the base once, with a coverage tool where there is one. None where that is not to be had.
pub fn lines_of_base(shop: &Shop, brief: &Brief) -> Option<LineCoverage> {
    let (sender, lines) = mpsc::channel();
    let cancel = Cancel::new();
    let id = RunId::new(format!("lines-{}-{}", shop.now().0, std::process::id()));
    let job = Job {
        shop: shop.clone(),
        id: id.clone(),
        run: Run::new(brief.clone()),
        no: 1,
        cancel: cancel.clone(),
        sender,
    };
    let worker = std::thread::spawn(move || job.lines_of_base());
    while !matches!(
        lines.recv_timeout(Duration::from_millis(100)),
        Err(mpsc::RecvTimeoutError::Disconnected)
    ) {
        if shop.signals.asked_to_stop() {
            cancel.cancel();
        }
    }
    let found = worker.join();
    for folder in [shop.home.gate(&id), shop.home.run(&id)] {
        // What can't be removed now is no harm: its name is used once.
        let _ = remove_tree(&folder);
    }
    found.ok()?.ok()
}

impl Job {
    fn lines_of_base(&self) -> Result<LineCoverage, Halt> {
        let shadow = self.shadow()?;
        let tree = shadow.tree_of(&self.run.base)?;
        let suite = self.suite_of(&shadow, &tree)?;
        let mut runs = TestRuns::new(self, &shadow, suite);
        let mut found = LineCoverage::default();
        for Measured { covered, .. } in
            runs.measured(&Trial::of(&tree).covering().within(LIMIT_MS))?
        {
            match covered {
                Some(Covered::Lines(lines)) => found.files.extend(lines.files),
                Some(Covered::ToolMissing { .. } | Covered::Unreadable { .. }) | None => {}
            }
        }
        Ok(found)
    }
}
