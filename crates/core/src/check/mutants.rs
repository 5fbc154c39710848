//! Mutants: small changes of the changed lines that the tests should notice.

use super::count;
use crate::branch::{BranchKind, BranchMeasure, Fate, Mutant, Part};
use crate::brief::Percent;
use crate::report::Place;
use crate::verdict::{Check, CheckName, Finding, Weight};
use std::collections::BTreeMap;

const NAME: CheckName = CheckName::Mutants;

pub(super) fn check(measure: &BranchMeasure) -> Check {
    let of = |fate: Fate| measure.mutants.iter().filter(|m| m.fate == fate).collect::<Vec<_>>();
    let (killed, survived) = (of(Fate::Killed), of(Fate::Survived));
    let tried = killed.len() + survived.len();
    let not_viable = of(Fate::NotViable).len();
    let left = of(Fate::NotTried).len();
    if tried == 0 && (left == 0 || measure.kind == BranchKind::TestsOnly) {
        return none_tried(measure);
    }
    let mut found = Vec::new();
    if measure.kind == BranchKind::TestsOnly {
        if killed.is_empty() {
            let text = "no change of the code that these tests reach makes one of them fail: they check nothing that could be shown; accepted: a test that notices a change of the code";
            found.push(Finding::new(Weight::NeedsPerson, text));
        }
        found.extend(survived.iter().map(|mutant| told(mutant, Weight::Note)));
    } else {
        found.extend(unnoticed(measure));
        found.extend(too_many(measure, survived.len(), tried));
        found.extend(survived.iter().map(|mutant| told(mutant, Weight::Warning)));
    }
    let mut fine = format!("{} of {tried} killed", killed.len());
    if not_viable > 0 {
        fine = format!("{fine}, {not_viable} not viable");
    }
    if left > 0 {
        fine = format!("{fine}, {left} not tried");
    }
    let told_only = found.iter().all(|finding| finding.weight < Weight::NeedsPerson);
    let mut check = Check::of(NAME, fine.clone(), found);
    if told_only && !survived.is_empty() && measure.kind != BranchKind::TestsOnly {
        check.summary = format!("{fine}; {} survived", survived.len());
    }
    check
}

/// Changed functions in which no test notices anything, or nothing in more than half of their new branches.
fn unnoticed(measure: &BranchMeasure) -> Vec<Finding> {
    type Parts<'a> = BTreeMap<&'a Part, Vec<&'a Mutant>>;
    let mut functions: BTreeMap<(&str, &Part), (Vec<&Mutant>, Parts<'_>)> = BTreeMap::new();
    let whole = Part { line: 1, what: "the file".to_owned() };
    for mutant in &measure.mutants {
        let (function, branches) = mutant.parts.split_first().unwrap_or((&whole, &[]));
        let own = functions.entry((mutant.place.file.as_str(), function)).or_default();
        own.0.push(mutant);
        for branch in branches {
            own.1.entry(branch).or_default().push(mutant);
        }
    }
    let mut found = Vec::new();
    for ((file, function), (mutants, mut branches)) in functions {
        let what = &function.what;
        branches.retain(|_, mutants| mutants.iter().any(|m| m.fate != Fate::NotViable));
        let unseen = branches.iter().filter(|(_, mutants)| is_unseen(mutants));
        let unseen: Vec<String> = unseen.map(|(branch, _)| branch.line.to_string()).collect();
        let text = if is_unseen(&mutants) && !has(&mutants, Fate::Survived) {
            format!(
                "no small change of {what} could be tried against every test, so it is not shown that one looks at it; accepted: a larger `--budget`"
            )
        } else if is_unseen(&mutants) {
            format!(
                "no test notices any small change of {what}: it is not shown that one looks at it; accepted: a test that notices one"
            )
        } else if unseen.len() * 2 > branches.len() {
            format!(
                "no test notices any small change of {} of the {} in {what} that the change brought (line {}): it is not shown that one looks there; accepted: a test that notices one",
                unseen.len(),
                count(branches.len(), "branch", "branches"),
                unseen.join(", ")
            )
        } else {
            continue;
        };
        let place = Place { file: file.to_owned(), line: Some(function.line) };
        found.push(Finding::new(Weight::NeedsPerson, text).at(&place));
    }
    found
}

fn has(mutants: &[&Mutant], fate: Fate) -> bool {
    mutants.iter().any(|mutant| mutant.fate == fate)
}

/// Whether nothing of it was noticed, and something could be.
fn is_unseen(mutants: &[&Mutant]) -> bool {
    let open = has(mutants, Fate::Survived) || has(mutants, Fate::NotTried);
    open && !has(mutants, Fate::Killed)
}

/// More survivors than a person allowed.
fn too_many(measure: &BranchMeasure, survived: usize, tried: usize) -> Option<Finding> {
    let allowed = measure.survivors?;
    let share = Percent::of(survived, tried);
    let text = format!(
        "{survived} of {tried} small changes of the changed lines go unnoticed ({share}, and {allowed} may); accepted: tests that notice them, or a higher `mutants` under [gates]"
    );
    (share > allowed).then(|| Finding::new(Weight::NeedsPerson, text))
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
    let text = match &mutant.settled {
        Some(why) => format!("survived, and was let pass before: {} ({why})", mutant.what),
        None => format!("survived: {}", mutant.what),
    };
    Finding::new(weight, text).at(&mutant.place).with_diff(mutant.diff.clone())
}
