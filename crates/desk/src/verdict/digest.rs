//! What every format says in the same words: groups of tests, findings by weight, what a check asks for. Nothing is
//! judged here; the verdict is read, never made.

use crate::text::harmless::one_line;
use proctor_core::claims::ClaimHeld;
use proctor_core::verdict::{
    Change, Check, CheckName, CheckStatus, Finding, TestRow, Verdict, Verification, Weight,
};
use proctor_core::words::TestId;
use std::collections::BTreeSet;

/// Tests that changed in the same way. Never empty.
pub struct Group<'a> {
    pub change: Change,
    pub rows: Vec<(&'a TestId, &'a TestRow)>,
}

/// What matters most comes first.
const ORDER: [Change; 8] = [
    Change::Regression,
    Change::Vanished,
    Change::NewlySkipped,
    Change::Flaky,
    Change::Fixed,
    Change::New,
    Change::PreExisting,
    Change::Unchanged,
];

pub fn groups(v: &Verification) -> Vec<Group<'_>> {
    let of = |change| {
        let rows = v.tests.iter().filter(|(_, row)| row.change == change).collect();
        Group { change, rows }
    };
    ORDER.into_iter().map(of).filter(|group| !group.rows.is_empty()).collect()
}

/// `1 regression, 2 fixed, 120 unchanged`, or that there are none.
pub fn counts(v: &Verification) -> String {
    let counted = |group: &Group| format!("{} {}", group.rows.len(), group.change.name());
    let parts: Vec<String> = groups(v).iter().map(counted).collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}

/// Findings that a reader has to see, the heaviest first.
pub fn mattering(v: &Verification) -> Vec<(CheckName, &Finding)> {
    let all = v.checks.iter().flat_map(|check| check.details.iter().map(|f| (check.name, f)));
    let mut found: Vec<_> = all.filter(|(_, f)| f.weight >= Weight::Warning).collect();
    found.sort_by_key(|(_, finding)| std::cmp::Reverse(finding.weight));
    found
}

/// Where a finding is, as far as its text does not say so itself: `at` a place, a `test`.
pub fn whereabouts(finding: &Finding) -> Vec<(&'static str, String)> {
    let place = finding.place.as_ref().map(|place| ("at", place.to_string()));
    let test = finding.test.as_ref().map(|test| ("test", test.to_string()));
    place
        .into_iter()
        .chain(test)
        .filter(|(_, what)| !finding.text.contains(what.as_str()))
        .collect()
}

/// Each claim beside what was measured, on a line.
pub fn claims(v: &Verification) -> Vec<String> {
    let line = |held: &ClaimHeld| {
        format!("{}: {} ({})", held.outcome.name(), one_line(&held.claim), one_line(&held.why))
    };
    v.claims.iter().map(line).collect()
}

pub fn weight(weight: Weight) -> &'static str {
    match weight {
        Weight::Note => "note",
        Weight::Warning => "warning",
        Weight::NeedsPerson => "needs a person",
        Weight::Unjudged => "not judged",
        Weight::Refutes => "refutes",
    }
}

pub fn weight_mark(weight: Weight) -> &'static str {
    match weight {
        Weight::Note => "·",
        Weight::Warning => "!",
        Weight::NeedsPerson | Weight::Unjudged => "?",
        Weight::Refutes => "✗",
    }
}

pub fn status_mark(status: CheckStatus) -> &'static str {
    match status {
        CheckStatus::Pass => "✓",
        CheckStatus::Fail => "✗",
        CheckStatus::Warn => "!",
        CheckStatus::Skip => "-",
        CheckStatus::Error => "?",
    }
}

pub fn verdict_mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Proven => "✓",
        Verdict::Unaffected => "=",
        Verdict::Refuted => "✗",
        Verdict::Inconclusive => "?",
    }
}

/// What a check looks at, in one line.
pub fn measures(name: CheckName) -> &'static str {
    match name {
        CheckName::RedReplay => "New and changed tests, run on the base's production code.",
        CheckName::Green => "Head's tests, run on head, repeatedly.",
        CheckName::Regression => "Every test, run on both sides and compared.",
        CheckName::TestsIntact => "Tests and test configuration that were there before.",
        CheckName::Harness => "Exit code, report, counts and canaries of the test runner.",
        CheckName::Isolation => "Each new test alone, shuffled and repeated.",
        CheckName::Mutants => "The changed lines, broken on purpose.",
        CheckName::Source => "Characters and calls in the change that hide or decide something.",
        CheckName::Coverage => "Which of the changed lines the tests run.",
    }
}

/// What a check asks for.
pub fn asks(name: CheckName) -> &'static str {
    match name {
        CheckName::RedReplay => {
            "a new or changed test that fails on the base's production code for a right reason and passes on head"
        }
        CheckName::Green => "every test of head passes on head, each time that it is run",
        CheckName::Regression => {
            "what passed at the base passes at head; nothing vanishes, nothing is newly skipped"
        }
        CheckName::TestsIntact => {
            "older tests and test configuration keep their force; a changed expectation needs a person who agrees (--allow-changed-tests)"
        }
        CheckName::Harness => "nothing in the change decides what the test runner reports",
        CheckName::Isolation => "each new test passes alone, in any order, and again",
        CheckName::Mutants => "tests that fail when the changed lines are broken on purpose",
        CheckName::Source => "a change without the named characters and calls",
        CheckName::Coverage => "tests that run the changed lines",
    }
}

/// What would be accepted, for each check that the verdict fell over or that left it open. Nothing where it is proven.
pub fn accepted(v: &Verification) -> Vec<(CheckName, String)> {
    let matters = |check: &&Check| match v.verdict {
        Verdict::Proven | Verdict::Unaffected => false,
        Verdict::Refuted => check.status == CheckStatus::Fail,
        Verdict::Inconclusive => match check.status {
            CheckStatus::Pass => false,
            CheckStatus::Fail => true,
            // Without a finding of its own it was not made for another one's reason.
            CheckStatus::Error => check.name.is_required() && !check.details.is_empty(),
            CheckStatus::Skip => check.name.is_required(),
            CheckStatus::Warn => check.details.iter().any(|f| f.weight == Weight::NeedsPerson),
        },
    };
    let wanted = |check: &Check| match check.status {
        CheckStatus::Skip | CheckStatus::Error => {
            format!("that it is made, and {}", asks(check.name))
        }
        CheckStatus::Pass | CheckStatus::Fail | CheckStatus::Warn => {
            own_ways(check).unwrap_or_else(|| asks(check.name).to_owned())
        }
    };
    v.checks.iter().filter(matters).map(|check| (check.name, wanted(check))).collect()
}

/// What the findings that decide a check say to be accepted, each way once; none where one of them says nothing.
fn own_ways(check: &Check) -> Option<String> {
    let weighty = |f: &&Finding| matches!(f.weight, Weight::Refutes | Weight::NeedsPerson);
    let ways = check.details.iter().filter(weighty).map(|f| f.text.split_once("accepted: "));
    let ways: BTreeSet<&str> = ways.map(|way| way.map(|(_, way)| way)).collect::<Option<_>>()?;
    (!ways.is_empty()).then(|| ways.into_iter().collect::<Vec<_>>().join("; "))
}

/// What is said of an answer that was known.
pub const KEPT: &str = "known from an earlier verification of the same trees with the same tools and rules; `--fresh` measures anew";

/// `0.8s`, `12.3s`, `1m 12s`, `2h 5m`.
pub fn took(ms: u64) -> String {
    let seconds = ms / 1000;
    match seconds {
        0..60 => format!("{seconds}.{}s", ms % 1000 / 100),
        60..3600 => format!("{}m {}s", seconds / 60, seconds % 60),
        _ => format!("{}h {}m", seconds / 3600, seconds % 3600 / 60),
    }
}

/// The first lines of a text, and how many are left.
pub fn first_lines(text: &str, most: usize) -> (Vec<&str>, usize) {
    let lines: Vec<&str> = text.lines().take(most).collect();
    let left = text.lines().count() - lines.len();
    (lines, left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_told_in_two_units_at_most() {
        let told: Vec<String> = [0, 840, 12_345, 72_000, 7_530_000].map(took).into();
        assert_eq!(told, ["0.0s", "0.8s", "12.3s", "1m 12s", "2h 5m"]);
    }

    #[test]
    fn what_findings_say_to_be_accepted_stands_in_the_place_of_the_general_words() {
        let finding = |weight, text: &str| Finding::new(weight, text.to_owned());
        let check = |found: Vec<Finding>| Check::of(CheckName::Harness, String::new(), found);
        let person = |text: &str| finding(Weight::NeedsPerson, text);
        let two = vec![
            person("a asks less; accepted: an assertion"),
            person("b asks less; accepted: an assertion"),
            finding(Weight::Warning, "c"),
        ];
        assert_eq!(own_ways(&check(two)).as_deref(), Some("an assertion"));
        let silent = vec![person("a asks less; accepted: an assertion"), person("b")];
        assert_eq!(own_ways(&check(silent)), None);
        assert_eq!(own_ways(&check(Vec::new())), None);
    }

    #[test]
    fn the_first_lines_say_how_many_are_left() {
        assert_eq!(first_lines("a\nb\nc\n", 2), (vec!["a", "b"], 1));
        assert_eq!(first_lines("a", 2), (vec!["a"], 0));
    }
}
