//! One verification for tests of every format, with names as hostile as code under test can make them.

use proctor_core::branch::{Fate, Mutant};
use proctor_core::generality::{Answer, Observed};
use proctor_core::report::Place;
use proctor_core::verdict::{
    Change, Check, CheckName, Finding, TestRow, Verification, Weight, judge,
};
use proctor_core::words::{CommitId, TestId};
use std::collections::BTreeMap;

/// A name that tries to be markup, a mention, a cell, a colour, a quick action and the end of everything.
pub const HOSTILE: &str = "tests/a.py::test_<script>alert(1)</script>|`x`@everyone\u{1b}[31m\u{202e}]]>\"'&amp;\n/merge\u{0}\u{fffe}";

pub fn place(file: &str, line: u32) -> Place {
    Place { file: file.to_owned(), line: Some(line) }
}

fn mutants() -> Vec<Mutant> {
    let of = |line, what: &str, diff: &str, fate| Mutant {
        place: place("src/cart.py", line),
        what: what.to_owned(),
        diff: diff.to_owned(),
        fate,
        parts: Vec::new(),
        settled: None,
        by: None,
    };
    let sum = "--- a/src/cart.py\n+++ b/src/cart.py\n@@ -41,3 +41,3 @@ def total(items):\n     if items:\n-        return sum(items) + tax\n+        return sum(items) - tax\n     return 0\n";
    let gone =
        "@@ -41,3 +41,2 @@\n     if items:\n-        return sum(items) + tax\n     return 0\n";
    vec![
        of(42, "`+` becomes `-`", sum, Fate::Survived),
        of(42, "the line is left out", gone, Fate::Killed),
        of(9, "<script>", "", Fate::NotTried),
    ]
}

fn checks() -> Vec<Check> {
    let hostile = TestId::new(HOSTILE);
    let mutant = "--- a/src/cart.py\n+++ b/src/cart.py\n@@ -41,3 +41,3 @@ def total(items):\n     if items:\n-        return sum(items) + tax\n+        return sum(items) - tax\n     return 0\n";
    let closing = "-a = '</pre></details>'\n+a = '```'\n```\n/merge\n";
    vec![
        Check::of(
            CheckName::RedReplay,
            "2 of 3 new tests fail on the old code",
            vec![
                Finding::new(Weight::Note, "tests/test_cart.py::test_guard passes on both sides")
                    .of(&TestId::new("tests/test_cart.py::test_guard")),
            ],
        ),
        Check::of(CheckName::Green, "41 tests pass on head, 3 times", vec![]),
        Check::of(
            CheckName::Regression,
            "",
            vec![
                Finding::new(
                    Weight::Refutes,
                    "it passed at the base and fails at head: assert 12 == 10\nAccepted: it passes again.",
                )
                .of(&hostile)
                .at(&place("tests/a b#%.py", 12)),
            ],
        ),
        Check::of(
            CheckName::TestsIntact,
            "",
            vec![
                Finding::new(Weight::NeedsPerson, "an older test expects something else now: 10 became 12")
                    .of(&TestId::new("tests/test_cart.py::test_total[a|b]"))
                    .at(&place("tests/test_cart.py", 30))
                    .with_diff("-    assert total([5, 5]) == 10\n+    assert total([5, 5]) == 12\n"),
            ],
        ),
        Check::of(CheckName::Harness, "exit code, report, counts and canaries agree", vec![]),
        Check::of(
            CheckName::Isolation,
            "",
            vec![Finding::new(Weight::Unjudged, "[click](https://evil.example) @team </details> could not be run alone")],
        ),
        Check::of(
            CheckName::Mutants,
            "",
            vec![
                Finding::new(Weight::Warning, "a mutant survived: no test notices it")
                    .at(&place("src/cart.py", 42))
                    .with_diff(mutant),
                Finding::new(Weight::Warning, "a mutant survived: no test notices it")
                    .at(&place("src/cart.py", 9))
                    .with_diff(closing),
            ],
        ),
        Check::of(CheckName::Source, "nothing hidden in 2 files", vec![]),
        Check::skipped(CheckName::Coverage, "not asked for"),
    ]
}

fn tests() -> BTreeMap<TestId, TestRow> {
    let rows = [
        (HOSTILE, "passed", "failed", Change::Regression),
        ("tests/test_cart.py::test_tax", "failed", "passed", Change::Fixed),
        ("tests/test_cart.py::test_new", "absent", "passed", Change::New),
        ("tests/test_cart.py::test_new_and_broken", "absent", "errored", Change::New),
        ("tests/test_old.py::test_gone", "passed", "absent", Change::Vanished),
        ("tests/test_old.py::test_slow", "passed", "skipped", Change::NewlySkipped),
        ("tests/test_net.py::test_retry", "passed", "flaky", Change::Flaky),
        ("tests/test_net.py::test_proxy", "failed", "failed", Change::PreExisting),
        ("tests/test_cart.py::test_empty", "passed", "passed", Change::Unchanged),
        ("tests/test_cart.py::test_one", "passed", "passed", Change::Unchanged),
    ];
    let row = |(id, base, head, change): (&str, &str, &str, Change)| {
        let is_red = matches!(change, Change::Fixed | Change::New) && head == "passed";
        let replayed = is_red.then(|| "failed".to_owned());
        let (base, head) = (base.to_owned(), head.to_owned());
        (TestId::new(id), TestRow { base, head, replayed, change })
    };
    rows.map(row).into()
}

fn answers(assertion: i32, rows: &[[&str; 4]]) -> Vec<Answer> {
    let answer = |[input, base, head, says]: &[&str; 4]| {
        let [input, base, head, says] = [*input, *base, *head, *says].map(str::to_owned);
        Answer { input, assertion, case: 1, time: 1, base, head, says }
    };
    rows.iter().map(answer).collect()
}

fn observations() -> Vec<Observed> {
    let observed = |test: &str, judged: &str, answers| Observed {
        test: TestId::new(test),
        place: place("tests/test_cart.py", 30),
        judged: judged.to_owned(),
        answers,
    };
    let long = "{'items': [{'name': 'apple', 'price': 5}, {'name': 'pear', 'price': 7}], 'total': ";
    let (without, with) = (format!("{long}12}}"), format!("{long}13.2}}"));
    let mut tax = answers(
        1,
        &[
            ["as written", "190", "180", "red to green"],
            ["10 → 10.5", "189.5", "179.5", "differs"],
            ["all inputs", "not reached", "not reached", "nothing"],
        ],
    );
    tax.extend(answers(2, &[["as written", &without, &with, "red to green"]]));
    let suspect = answers(
        1,
        &[
            ["as written", "NameError: name 'net' is not defined", "180", "red to green"],
            ["200 → 201", "191", "191", "as on the base"],
            ["50 → 617", "</td>|`x`@everyone\u{1b}[31m", "607", "differs"],
            ["200 → 199", "189", "189", "as on the base"],
        ],
    );
    vec![
        observed("tests/test_cart.py::test_tax", "shown", tax),
        observed("tests/test_cart.py::test_total[a|b]", "suspect", suspect),
        observed("tests/test_cart.py::test_new", "only these inputs", Vec::new()),
    ]
}

fn with(checks: Vec<Check>) -> Verification {
    let (verdict, reason) = judge(&checks);
    Verification {
        verdict,
        reason,
        base: CommitId::new("1f0c3a5d7e9b2f4a6c8e0d1b3f5a7c9e1d3b5f70"),
        head: CommitId::new("9b8d7f6e5c4a3b2d1f0e9c8b7a6d5f4e3c2b1a09"),
        checks,
        tests: tests(),
        observations: observations(),
        mutants: mutants(),
        looked: Vec::new(),
        left_out: vec![
            "/approve mutants: 14 of 40 were not tried, the budget of 2m was spent".to_owned(),
            "coverage: not asked for".to_owned(),
        ],
        took_ms: 72_480,
        kept: false,
        claims: Vec::new(),
    }
}

pub fn refuted() -> Verification {
    with(checks())
}

/// As `refuted`, without what refutes.
pub fn inconclusive() -> Verification {
    let mut checks = checks();
    checks.retain(|check| check.name != CheckName::Regression);
    checks.insert(2, Check::of(CheckName::Regression, "nothing got worse", vec![]));
    let mut v = with(checks);
    v.tests.retain(|_, row| row.change != Change::Regression);
    v
}

pub fn proven() -> Verification {
    let checks = CheckName::ALL.map(|name| Check::of(name, "it holds", vec![]));
    let mut v = with(checks.into());
    v.tests.retain(|_, row| row.head == "passed");
    v.left_out.clear();
    v.observations.retain(|test| !test.is_suspect());
    v
}
