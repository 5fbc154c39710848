//! The checks of a branch: what each measurement means. One file a check; nothing here measures.

mod coverage;
mod golden;
mod green;
mod harness;
mod intact;
mod isolation;
mod mutants;
mod ordered;
mod red;
mod regression;
mod source;
mod twice;
mod watched;

use crate::branch::{BranchKind, BranchMeasure, Unmade};
use crate::concern::Concern;
use crate::verdict::{Check, CheckName, Finding, TestRow, Weight, told_once};
use crate::words::TestId;
use std::collections::{BTreeMap, BTreeSet};

/// All checks of a branch, in the order in which they are told.
pub fn checks(measure: &BranchMeasure) -> Vec<Check> {
    let accepted = &measure.accepted;
    let all = CheckName::ALL.iter().map(|name| under(check(measure, *name), accepted));
    told_once(all.collect())
}

/// The same check where the base accepts some kinds of findings beforehand.
fn under(check: Check, accepted: &BTreeSet<Concern>) -> Check {
    if check.raised().all(|raised| !accepted.contains(&raised.kind)) {
        return check;
    }
    let details = check.details.into_iter().map(|finding| finding.under(accepted)).collect();
    Check::of(check.name, check.summary, details)
}

/// What each test was on both sides.
pub fn rows(measure: &BranchMeasure) -> BTreeMap<TestId, TestRow> {
    regression::rows(measure)
}

fn check(measure: &BranchMeasure, name: CheckName) -> Check {
    if measure.kind == BranchKind::NothingExecutable && name != CheckName::Source {
        let fine = "nothing to prove: no code changed, nothing that code names, and nothing that tests open";
        return Check::of(name, fine, Vec::new());
    }
    match measure.unmade.get(&name) {
        Some(why @ (Unmade::NotWanted | Unmade::NoTime | Unmade::Decided)) => {
            Check::skipped(name, why.to_string())
        }
        Some(Unmade::Hindered { what }) => {
            Check::of(name, "", vec![Finding::new(Weight::Unjudged, what.clone())])
        }
        None => match name {
            CheckName::RedReplay => red::check(measure),
            CheckName::Green => green::check(measure),
            CheckName::Regression => regression::check(measure),
            CheckName::TestsIntact => intact::check(measure),
            CheckName::Harness => harness::check(measure),
            CheckName::Isolation => isolation::check(measure),
            CheckName::Mutants => mutants::check(measure),
            CheckName::Source => source::check(measure),
            CheckName::Coverage => coverage::check(measure),
        },
    }
}

fn count(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

#[cfg(test)]
mod tests;
