//! Mutants: small changes of the changed lines that the tests should notice.

use crate::branch::{BranchKind, BranchMeasure, Fate, Mutant};
use crate::brief::Percent;
use crate::verdict::{Check, CheckName, Finding, Weight};

const NAME: CheckName = CheckName::Mutants;

pub(super) fn check(measure: &BranchMeasure) -> Check {
    let of = |fate: Fate| measure.mutants.iter().filter(|m| m.fate == fate).collect::<Vec<_>>();
    let (killed, survived) = (of(Fate::Killed), of(Fate::Survived));
    let tried = killed.len() + survived.len();
    let not_viable = of(Fate::NotViable).len();
    let left = of(Fate::NotTried).len();
    if tried == 0 {
        return none_tried(measure);
    }
    let share = Percent::of(survived.len(), tried);
    let mut found = Vec::new();
    if measure.kind == BranchKind::TestsOnly {
        if killed.is_empty() {
            let text = "no change of the code that these tests reach makes one of them fail: they check nothing that could be shown; accepted: a test that notices a change of the code";
            found.push(Finding::new(Weight::NeedsPerson, text));
        }
        found.extend(survived.iter().map(|mutant| told(mutant, Weight::Note)));
    } else if share > measure.survivors {
        let text = format!(
            "{} of {tried} small changes of the changed lines go unnoticed ({share}, and {} may); accepted: tests that notice them, or a higher `mutants` under [gates]",
            survived.len(),
            measure.survivors
        );
        found.push(Finding::new(Weight::NeedsPerson, text));
        found.extend(survived.iter().map(|mutant| told(mutant, Weight::Warning)));
    } else {
        found.extend(survived.iter().map(|mutant| told(mutant, Weight::Warning)));
    }
    let mut fine = format!("{} of {tried} killed", killed.len());
    if not_viable > 0 {
        fine = format!("{fine}, {not_viable} not viable");
    }
    if left > 0 {
        fine = format!("{fine}, {left} not tried");
    }
    let mut check = Check::of(NAME, fine.clone(), found);
    if !survived.is_empty() && measure.kind != BranchKind::TestsOnly {
        check.summary = format!("{fine}; {} survived", survived.len());
    }
    check
}

fn none_tried(measure: &BranchMeasure) -> Check {
    match measure.kind {
        BranchKind::TestsOnly
            if measure.items.new.is_empty() && measure.items.changed.is_empty() =>
        {
            Check::skipped(NAME, "no new test")
        }
        BranchKind::TestsOnly => {
            let text = "no mutant of what these tests reach could be tried, so it is not shown that they check anything";
            Check::of(NAME, "", vec![Finding::new(Weight::NeedsPerson, text)])
        }
        BranchKind::CodeOnly if measure.is_refactoring() => {
            let text = "no mutant of the changed lines could be tried, so it is not shown that the old tests look at them";
            Check::of(NAME, "", vec![Finding::new(Weight::NeedsPerson, text)])
        }
        BranchKind::Both if measure.bare => {
            let text = "no line of production code changed, and the new tests turn green all the same: what they depend on is no code; a person must look";
            Check::of(NAME, "", vec![Finding::new(Weight::NeedsPerson, text)])
        }
        BranchKind::Both if is_unreached(measure) => {
            let text = "no mutant of the changed lines could be tried, and some of them are run by no test: it is not shown that the tests look at the change; accepted: a test that runs them";
            Check::of(NAME, "", vec![Finding::new(Weight::NeedsPerson, text)])
        }
        BranchKind::NothingExecutable | BranchKind::CodeOnly | BranchKind::Both => {
            Check::skipped(NAME, "there is nothing to mutate in the changed lines")
        }
    }
}

/// Whether a changed line is run by no test, as far as it was measured.
fn is_unreached(measure: &BranchMeasure) -> bool {
    let Some(coverage) = &measure.coverage else { return false };
    coverage.changed.iter().any(|(file, lines)| {
        let known = coverage.lines.files.get(file);
        known.is_some_and(|known| lines.intersection(&known.missed).next().is_some())
    })
}

fn told(mutant: &Mutant, weight: Weight) -> Finding {
    let text = format!("survived: {}", mutant.what);
    Finding::new(weight, text).at(&mutant.place).with_diff(mutant.diff.clone())
}
