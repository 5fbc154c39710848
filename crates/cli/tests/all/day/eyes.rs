//! What is said: less with --quiet, more with --verbose, plain for pipes.

use crate::rows::{Desk, ONCE, SUB_TEST, honest, with_sub};
use serde_json::json;

fn speaking() -> proctor_testkit::Scenario {
    proctor_testkit::Scenario::new()
        .tests(1, &[("tests/test_sub.py", SUB_TEST)])
        .turn(json!({"phase": "implement", "say": ["thinking of numbers"],
            "write": {"calc.py": with_sub("return a - b")},
            "output": {"status": "READY_FOR_REVIEW", "fix_description": "", "notes": ""}}))
        .review_ok()
}

#[test]
fn quiet_says_how_it_ended_and_usual_says_each_step_with_counts() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let run = |flag: &[&str], id: &str| {
        let call = desk.call(flag).args(&["add", "sub", "--yes", "--no-refactor", "--id", id]);
        call.args(&["--land", "branch"]).mock(&speaking()).run().expect_code(0)
    };
    let quiet = run(&["--quiet"], "one");
    assert!(quiet.stdout.contains("Success"), "{quiet}");
    for text in ["→", "✓", "thinking of numbers", "the tests, run"] {
        assert!(!quiet.stderr.contains(text), "{text}: {quiet}");
    }
    let usual = run(&[], "two");
    for text in ["→ implement", "✓ red gate", "thinking of numbers", "the tests, run 1 of 1"] {
        assert!(usual.stderr.contains(text), "{text} is missing: {usual}");
    }
    assert!(!usual.stderr.contains('\u{1b}'), "no colour for pipes: {usual}");
}

#[test]
fn a_quiet_verification_says_its_answer_and_nothing_else() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let base = desk.repo.head();
    desk.played(&honest(), &[&["add", "sub"], crate::rows::QUICK]).ends("SUCCESS", 0);
    let args = ["verify", "--base", &base, "--only", "green"];
    let quiet = desk.call(&["-q"]).args(&args).run();
    assert_eq!(quiet.stderr, "", "{quiet}");
    let usual = desk.call(&args).arg("--fresh").run();
    assert!(usual.stderr.lines().count() > 1, "{usual}");
}
