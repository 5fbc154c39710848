//! Coverage: which of the changed lines the tests run.

use crate::branch::BranchMeasure;
use crate::brief::Percent;
use crate::proof::CoverageMeasure;
use crate::report::Place;
use crate::verdict::{Check, CheckName, CheckStatus, Finding, Weight};

const NAME: CheckName = CheckName::Coverage;
/// How many lines are named.
const MOST: usize = 20;

pub(super) fn check(measure: &BranchMeasure) -> Check {
    let Some(coverage) = &measure.coverage else {
        return Check::skipped(NAME, "not measured");
    };
    let Some(share) = coverage.of_changed() else {
        let why = coverage.warnings.first().cloned();
        return Check::skipped(NAME, why.unwrap_or_else(|| "no changed line could run".to_owned()));
    };
    let found = missed(coverage);
    let mut check = Check::of(NAME, format!("{share} of the changed lines run"), found);
    if check.status == CheckStatus::Warn {
        check.summary = format!("{share} of the changed lines run");
    }
    check
}

fn missed(coverage: &CoverageMeasure) -> Vec<Finding> {
    if coverage.of_changed() == Some(Percent(10_000)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (file, lines) in &coverage.changed {
        let Some(known) = coverage.lines.files.get(file) else { continue };
        for line in lines.intersection(&known.missed) {
            let place = Place { file: file.clone(), line: Some(*line) };
            let text = format!("{place} is run by no test");
            found.push(Finding::new(Weight::Warning, text).at(&place));
        }
    }
    found.truncate(MOST);
    found
}
