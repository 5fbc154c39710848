//! `proctor cycle`: code, test, audit until all pass, and one commit on a branch of its own.

use super::rows::{Desk, ONCE, coder, with_sub};
use proctor_testkit::Scenario;
use serde_json::json;

const SPEC: &str = "---\ntype: feature\n---\n# Take numbers away\n\n`sub(a, b)` is `a - b`.\n";
const TEST: &str = "from calc import sub\n\n\ndef test_sub():\n    assert sub(7, 3) == 4\n";

fn with_test(body: &str) -> serde_json::Value {
    json!({"calc.py": with_sub(body), "tests/test_sub.py": TEST})
}

// S4-0, S4-1, S4-5, S4-6, S4-10, S4-12, S4-13, S4-15, S4-17, S4-18, S4-24
#[test]
fn s4_21_a_cycle_is_fixed_until_tests_and_audit_pass_and_leaves_one_commit_on_its_branch() {
    let config =
        format!("{ONCE}[roles]\nauditor = \"careful\"\n[agents.careful]\ncommand = [\"true\"]\n");
    let Some(desk) = Desk::with(&config) else { return };
    desk.repo.file("spec.md", SPEC).commit("a spec");
    let head = desk.repo.head();
    let audit = |attempt: u32, findings: serde_json::Value| json!({"phase": "audit", "attempt": attempt, "output": {"findings": findings, "summary": "s"}});
    let slow =
        json!([{"severity": "high", "file": "calc.py", "line": 9, "message": "counts down"}]);
    let scenario = Scenario::new()
        .turn(coder(1, &with_test("return a + b"), &[]))
        .turn(coder(2, &with_test("return a - b - 0"), &[]))
        .turn(coder(3, &with_test("return a - b"), &[]))
        .turn(audit(1, slow))
        .turn(audit(2, json!([])));
    let story = desk.played(&scenario, &[&["cycle", "05", "--spec", "spec.md"]]).ends("SUCCESS", 0);
    assert_eq!(
        story.asked(),
        ["implement 1.1", "implement 2.1", "audit 1.1", "implement 3.1", "audit 2.1"],
        "{}",
        story.ran
    );
    assert!(story.prompt("implement 1.1").contains("`sub(a, b)` is `a - b`."));
    let second = story.prompt("implement 2.1");
    for part in [
        "fixing attempt 2 of 3",
        "previous attempt failed; analyse and fix",
        "`sub(a, b)` is",
        "assert 10 == 4",
    ] {
        assert!(second.contains(part), "{part}: {second}");
    }
    assert!(story.prompt("implement 3.1").contains("calc.py:9: counts down (high)"));
    desk.repo.git(&["checkout", "--quiet", "main"]);
    assert_eq!(desk.repo.head(), head, "the user's branch stays where it was");
    assert_eq!(desk.repo.git(&["status", "--porcelain"]), "");
    let log = desk.repo.git(&["log", "--format=%s", "main..feature/cycle-05"]);
    assert_eq!(log, "feat: cycle-05", "one commit with a conventional message");
    let files = desk.repo.git(&["diff", "--name-only", "main", "feature/cycle-05"]);
    assert_eq!(files, "calc.py\ntests/test_sub.py");
    assert!(desk.repo.git(&["show", "feature/cycle-05:calc.py"]).contains("return a - b"));
    // The branch is there now: a second cycle of the same id is refused and nothing is used again.
    let again = desk.call(&["cycle", "05", "--spec", "spec.md"]).mock(&scenario).run();
    assert_eq!(again.code, 2, "{again}");
    assert!(again.stderr.contains("feature/cycle-05") && again.stderr.contains("hint:"), "{again}");
}

// S4-3, S4-4, S4-16, S4-24
#[test]
fn s4_19_a_cycle_that_always_fails_asks_exactly_as_often_as_its_limit_says_and_commits_nothing() {
    let Some(desk) = Desk::with(ONCE) else { return };
    desk.repo.file("spec.md", SPEC).commit("a spec");
    let head = desk.repo.head();
    let scenario = Scenario::new().turn(json!({
        "phase": "implement",
        "append": {"calc.py": "\n\ndef sub(a, b):\n    return a + b\n"}, "write": {"tests/test_sub.py": TEST},
        "output": {"status": "READY_FOR_REVIEW", "fix_description": "d", "notes": "n"},
    }));
    let args = ["cycle", "7", "--spec", "spec.md"];
    let story = desk.played(&scenario, &[&args]).ends("FAILED", 1);
    assert_eq!(story.asked(), ["implement 1.1", "implement 2.1", "implement 3.1"], "{}", story.ran);
    assert!(
        story.reason().starts_with("Maximum iteration limit (3) reached"),
        "{}",
        story.reason()
    );
    desk.untouched(&head);
    let failed = std::fs::read_to_string(story.worktree().join("calc.py")).unwrap();
    assert!(
        failed.contains("def sub(a, b):\n    return a + b"),
        "the failed code can be looked at"
    );
    let more = ["cycle", "8", "--spec", "spec.md", "--max-iterations", "1"];
    let story = desk.played(&scenario, &[&more]).ends("FAILED", 1);
    assert_eq!(story.asked(), ["implement 1.1"]);
    assert!(
        story.reason().starts_with("Maximum iteration limit (1) reached"),
        "{}",
        story.reason()
    );
    let none = desk.call(&["cycle", "9", "--spec", "none.md"]).mock(&scenario).run();
    assert_eq!(none.code, 2, "{none}");
    assert!(none.stderr.contains("--spec none.md can't be read"), "{none}");
}
