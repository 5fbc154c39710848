//! Which lines of the base its own tests run, for somebody who wants to know where nobody looks. Nothing is recorded, nothing
//! is judged, and where it can't be measured there is simply no answer.

use proctor_core::brief::Brief;
use proctor_core::report::LineCoverage;
use proctor_lab::{Halt, Lab, Measured, Setting, Shop, TestRuns, Trial, attended};
use proctor_tools::Covered;

/// A suite that takes longer is not waited for.
const LIMIT_MS: u64 = 120_000;

/// Runs the tests of the base once, with a coverage tool where there is one. None where that is not to be had.
pub fn lines_of_base(shop: &Shop, brief: &Brief) -> Option<LineCoverage> {
    let setting = Setting::of(brief, &brief.limits);
    attended(shop, ("lines", setting, None), &mut |_| {}, measured).ok()?.ok()
}

fn measured(lab: &Lab) -> Result<LineCoverage, Halt> {
    let shadow = lab.shadow()?;
    let tree = shadow.tree_of(&lab.base)?;
    let suite = lab.suite_of(&shadow, &tree)?;
    let mut runs = TestRuns::new(lab, &shadow, suite);
    let mut found = LineCoverage::default();
    let trial = Trial::of(&tree).covering().within(LIMIT_MS);
    for Measured { covered, .. } in runs.measured(&trial)? {
        match covered {
            Some(Covered::Lines(lines)) => found.files.extend(lines.files),
            Some(Covered::ToolMissing { .. } | Covered::Unreadable { .. }) | None => {}
        }
    }
    Ok(found)
}
