//! Red replay: head's new tests on the base's production code.

use super::{count, ordered, refactored, watched};
use crate::branch::{BranchKind, BranchMeasure, Hunk};
use crate::concern::Concern;
use crate::generality::{Doubt, Doubtful, Generality, generalities};
use crate::item::{Shape, TestItem};
use crate::observation::{Alike, Varied};
use crate::proof::{Sorted, first_line, ran};
use crate::report::{CaseEnd, Place, Reason, RunEnd, TestReport};
use crate::verdict::{Check, CheckName, Finding, Weight};
use crate::words::TestId;

const NAME: CheckName = CheckName::RedReplay;

pub(super) fn check(measure: &BranchMeasure) -> Check {
    match measure.kind {
        BranchKind::NothingExecutable | BranchKind::TestsOnly => {
            let fine = "only tests changed: there is no production change to show";
            Check::of(NAME, fine, hollow(measure))
        }
        BranchKind::CodeOnly if measure.is_refactoring() => {
            let fine = "a refactoring: the old tests are held against both sides";
            Check::of(NAME, fine, refactored::finding(measure).into_iter().collect())
        }
        BranchKind::CodeOnly => {
            let text = "no test shows this change; add one that fails on the base, or say `--type refactor` where behaviour stays the same";
            Check::of(NAME, "", vec![Finding::new(Weight::Unjudged, text)])
        }
        BranchKind::Both => replayed(measure),
    }
}

fn replayed(measure: &BranchMeasure) -> Check {
    if let Some(why) = measure.replay.iter().find_map(|run| ran(run).err()) {
        let text = format!("the new tests could not be judged on the base's code: {why}");
        return Check::of(NAME, "", vec![Finding::new(Weight::Unjudged, text)]);
    }
    if measure.replay.is_empty() {
        let text = "no test of head is new or says something else than on the base, so none was run on the base's code; accepted: a test that fails without the production change, or `--type refactor` where behaviour stays the same";
        return Check::of(NAME, "", vec![Finding::new(Weight::Unjudged, text)]);
    }
    let sorted = measure.sorted();
    let mut findings = if measure.is_refactoring() {
        refactoring(measure, &sorted)
    } else {
        showing(measure, &sorted)
    };
    if !measure.is_refactoring() {
        findings.extend(never_green(measure, &sorted.red));
        findings.extend(watched::name_alone(measure, &sorted.red));
    }
    findings.extend(hollow(measure));
    let judged = generalities(&measure.varied, &measure.older);
    findings.extend(
        measure
            .varied
            .iter()
            .zip(judged)
            .filter(|(v, _)| v.red)
            .filter_map(|(v, judged)| general(v, judged, measure.unwritten.contains(&v.test))),
    );
    findings.extend(measure.varied.iter().filter_map(ordered::finding));
    findings.extend(measure.older.iter().filter_map(alike));
    findings.extend(refactored::finding(measure));
    findings.extend(measure.unshown.iter().map(unshown));
    let fine = if measure.is_refactoring() {
        "a refactoring: its new tests pass on the old code".to_owned()
    } else {
        let red = count(sorted.red.len(), "new test fails", "new tests fail");
        let guards = match sorted.guards.len() {
            0 => String::new(),
            n => format!("; {} on both sides", count(n, "guard passes", "guards pass")),
        };
        format!("{red} on the base's code for a right reason{guards}")
    };
    Check::of(NAME, fine, findings)
}

/// What other inputs say about a test. What feeds it from elsewhere may not have been another.
fn general(varied: &Varied, judged: Generality, fed: bool) -> Option<Finding> {
    let (weight, text) = match judged {
        Generality::Shown => return None,
        Generality::Only { why } if fed => (
            Weight::NeedsPerson,
            format!(
                "its own text is as it was, and what feeds it was not seen with other inputs: {why}; accepted: a test that holds its inputs itself"
            ),
        ),
        Generality::Only { why } => (Weight::Note, format!("shown for these inputs only: {why}")),
        Generality::Suspect { doubt, weight: Doubtful::Refutes } => (Weight::Refutes, told(&doubt)),
        Generality::Suspect { doubt, weight: Doubtful::ForAPerson } => {
            (Weight::NeedsPerson, told(&doubt))
        }
    };
    Some(Finding::new(weight, text).of(&varied.test).at(&varied.place))
}

/// An older test that passes as before, and would with everything else.
fn alike(older: &Varied) -> Option<Finding> {
    let Alike { variation, base, head } = older.alike()?;
    let text = format!(
        "where {} gives `{}` in the place of `{}` the base's code says {} and head's {}, as with every other input that was tried: head tells nothing apart any more; accepted: a test in which it says something else",
        older.test,
        variation.now,
        variation.was,
        base.join(", "),
        head.join(", ")
    );
    Some(Finding::new(Weight::NeedsPerson, text).of(&older.test).at(&older.place))
}

/// A doubt in words, with what would be accepted.
fn told(doubt: &Doubt) -> String {
    let general = "accepted: code that does the same for other inputs, or a test that says what happens with inputs that the change does not hold";
    match doubt {
        Doubt::NothingSurvives { tried, inputs } if inputs.is_empty() => format!(
            "with {tried} other inputs head does what the base does: the work is not shown; {general}"
        ),
        Doubt::NothingSurvives { inputs, .. } => format!(
            "the change repeats the test's inputs ({}), and no other input makes a difference between head and base: the work is not shown; {general}",
            listed(inputs)
        ),
        Doubt::Keyed { words } => format!(
            "head does what the base does as soon as {} is another, and the change holds it: the work is not shown; {general}",
            listed(words)
        ),
        Doubt::Unseen { words } => format!(
            "its assertions could not be observed with other inputs, and the change holds what it gives ({}): the work is not shown; {general}",
            listed(words)
        ),
        Doubt::Named { names } => format!(
            "the change holds a name of the test ({}): it may know that it is tested; accepted: code that knows no name of its tests",
            listed(names)
        ),
        Doubt::Shaped { tried, sizes } if sizes.is_empty() => format!(
            "head differs from the base for inputs that are as long as the test's, and not with {tried} that are longer or shorter: the work is not shown; {general}"
        ),
        Doubt::Shaped { sizes, .. } => format!(
            "the change holds how long the test's inputs are ({}): it may know them by that; {general}",
            listed(&sizes.iter().map(ToString::to_string).collect::<Vec<_>>())
        ),
        Doubt::Once { answer } => format!(
            "asked the same a second time, head does not answer {answer} but what the base answers: it may count how often it is asked; accepted: code whose answer does not depend on that, or a test that does not leave anything behind"
        ),
        Doubt::Learnt { answer } => format!(
            "to other inputs head answers what the test expects ({answer}), or what the base answers: it is not shown that its answer follows the input; {general}"
        ),
    }
}

fn listed(words: &[String]) -> String {
    words.iter().take(8).map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// A bug fix or a feature: at least one test must be red.
fn showing(measure: &BranchMeasure, sorted: &Sorted) -> Vec<Finding> {
    let Sorted { red, guards, wrong, others, skipped, flaky } = sorted;
    // Beside a test that is red the others are told; where none is, they say why.
    let weight = if red.is_empty() { Weight::Refutes } else { Weight::Warning };
    let told = |id: &TestId, weight: Weight, text: String| {
        let finding = Finding::new(weight, text).of(id);
        match measure.item_of(id) {
            Some(item) => finding.at(&item.place),
            None => finding,
        }
    };
    let mut found = Vec::new();
    // An error in the test's own code may be the base's fault: that is for a person to say.
    let odd = weight.min(Weight::NeedsPerson);
    let named = wrong.iter().map(|n| (n, weight)).chain(others.iter().map(|n| (n, odd)));
    for (named, weight) in named {
        let text = format!(
            "{} fails on the base's code for a reason that proves nothing: {}; accepted: a failed assertion, a crash in the code under test, or a name that head's production code adds",
            named.test,
            first_line(&named.why)
        );
        found.push(told(&named.test, weight, text));
    }
    for id in flaky {
        let text = format!("{id} does not behave the same twice on the base's code");
        found.push(told(id, weight, text));
    }
    for id in skipped {
        let text = format!("{id} is skipped on the base's code, so it shows nothing");
        found.push(told(id, weight, text));
    }
    for id in guards {
        let weight = if red.is_empty() { Weight::Refutes } else { Weight::Note };
        let text = match weight {
            Weight::Refutes => format!(
                "{id} already passes on the base's code, so it does not show the change; accepted: a test that fails without the production change (or `--type refactor`)"
            ),
            _ => format!("{id} is a guard: it passes on both sides"),
        };
        found.push(told(id, weight, text));
    }
    if red.is_empty() && found.is_empty() && !measure.unreadable.is_empty() {
        let text = format!(
            "the tests that show this change can't be told, since {} can't be read; accepted: UTF-8",
            measure.unreadable.join(", ")
        );
        found.push(Finding::new(Weight::Unjudged, text));
    } else if red.is_empty() && found.is_empty() {
        let text = "head changes tests, but no new or changed test was collected; accepted: a test that fails without the production change";
        found.push(Finding::new(Weight::Refutes, text));
    }
    found
}

/// A test that fails on the base proves something only where it passes on head. One whose file loads on neither side is
/// red for ever, and says nothing.
fn never_green(measure: &BranchMeasure, red: &[TestId]) -> Option<Finding> {
    let passes = |id: &TestId| {
        let mut runs = measure.head.iter().flat_map(|run| &run.cases);
        runs.any(|(case, row)| (case == id || id.covers(case)) && row.end == CaseEnd::Passed)
    };
    let ran = |id: &TestId| {
        let mut runs = measure.head.iter().flat_map(|run| run.cases.keys());
        runs.any(|case| case == id || id.covers(case))
    };
    // Where one was run and fails, the check of green says so.
    if red.is_empty() || measure.head.is_empty() || red.iter().any(|id| passes(id) || ran(id)) {
        return None;
    }
    let why = measure.head.iter().find_map(|run| match &run.end {
        RunEnd::CollectFailed { errors } => errors.first(),
        _ => None,
    });
    let why = why.map_or(String::new(), |error| {
        format!(" ({}: {})", error.place, first_line(error.reason.message()))
    });
    let text = format!(
        "no test that fails on the base's code was run on head{why}, so nothing shows that the change mends it; accepted: a new or changed test that fails on the base and passes on head"
    );
    Some(Finding::new(Weight::Unjudged, text))
}

/// A part of the change that no test needs. It is told, since it may be lawful: a version, a message, a comment in data.
fn unshown(hunk: &Hunk) -> Finding {
    let Hunk { file, from, to, diff } = hunk;
    let lines = if from == to { format!("{from}") } else { format!("{from}-{to}") };
    let text = format!(
        "no test shows {file}:{lines}: with the base's lines there every test passes too; accepted: a test that fails without them"
    );
    let place = Place { file: file.clone(), line: Some(*from) };
    Finding::new(Weight::Warning, text).at(&place).with_diff(diff.clone())
}

/// A new test of a refactoring that does not pass on the base. What is only not there yet (a function that was taken out of
/// another, say) is told; where the old code gives something else, a person has to know that behaviour changed.
fn refactoring(measure: &BranchMeasure, sorted: &Sorted) -> Vec<Finding> {
    let Sorted { red, guards: _, wrong, others, skipped: _, flaky } = sorted;
    let named = wrong.iter().chain(others).map(|named| &named.test);
    let differs = |id: &TestId| {
        let rows = measure.replay.iter().filter_map(|run| run.cases.get(id));
        rows.into_iter().any(|row| {
            matches!(
                &row.end,
                CaseEnd::Failed { reason: Reason::Assertion { .. } | Reason::Panic { .. } }
            )
        })
    };
    red.iter()
        .chain(flaky)
        .chain(named)
        .map(|id| {
            let (weight, why) = if differs(id) {
                (Weight::NeedsPerson, "fails on the base's code, so behaviour changed; accepted for a refactoring: tests that pass on both sides. Without `--type refactor` the test may show a fix or a feature")
            } else {
                (Weight::Warning, "can't pass on the base's code, which lacks what it needs; the old tests pin this refactoring, not this one")
            };
            let mut finding = Finding::new(weight, format!("{id} {why}")).of(id);
            finding.kind = differs(id).then_some(Concern::ChangedBehaviour);
            measure.item_of(id).map_or(finding.clone(), |item| finding.at(&item.place))
        })
        .collect()
}

/// Tests that check nothing, as far as reading them tells. One that was seen to fail and to pass does.
fn hollow(measure: &BranchMeasure) -> Vec<Finding> {
    let ends = |runs: &[TestReport], item: &TestItem, is: &dyn Fn(&CaseEnd) -> bool| {
        let mut cases = runs.iter().flat_map(|run| &run.cases).filter(|(id, _)| item.covers(id));
        cases.any(|(_, case)| is(&case.end))
    };
    let asserts =
        |end: &CaseEnd| matches!(end, CaseEnd::Failed { reason: Reason::Assertion { .. } });
    let spoken = |item: &&TestItem| {
        ends(&measure.replay, item, &asserts)
            && ends(&measure.head, item, &|end| *end == CaseEnd::Passed)
    };
    let written = measure.items.new.iter().chain(&measure.items.changed);
    written
        .filter(|item| !spoken(item))
        .filter_map(|item| {
            let why = match item.shape {
                Shape::NoAssertion => "has no assertion",
                Shape::ConstantFailure => "fails whatever the code does",
                Shape::Skipped => "is marked as skipped",
                Shape::Sound => return None,
            };
            let text = format!("{} {why}", item.id);
            Some(Finding::new(Weight::Warning, text).of(&item.id).at(&item.place))
        })
        .collect()
}
