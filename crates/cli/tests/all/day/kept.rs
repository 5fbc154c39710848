//! Nothing proven is lost, nothing is asked twice.

use crate::rows::{Desk, ONCE, QUICK, SUB_TEST, honest, with_sub};
use proctor_testkit::Scenario;
use serde_json::json;

/// The coder writes once, then leaves everything as it is.
fn stubborn() -> Scenario {
    Scenario::new()
        .tests(1, &[("tests/test_sub.py", SUB_TEST)])
        .code(1, &[("calc.py", &with_sub("return a - b"))])
        .turn(json!({"phase": "implement", "output": {
            "status": "READY_FOR_REVIEW", "fix_description": "", "notes": "It is right as it is."
        }}))
}

#[test]
fn a_rejection_that_the_coder_answers_without_a_change_never_loses_the_proven_work() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let scenario = stubborn().review_rejects(1, "the name is odd");
    let story = desk.played(&scenario, &[&["add", "sub"], QUICK]);
    let story = story.ends("MAX_ATTEMPTS_REACHED", 6);
    assert_eq!(
        story.asked()[1..],
        ["implement 1.1", "review 1.1", "implement 2.1", "implement 3.1"]
    );
    assert!(story.reason().contains("the name is odd"), "{}", story.reason());
    assert!(!story.has("green-refused"), "{}", story.ran);
    let kept = std::fs::read_to_string(story.worktree().join("calc.py")).unwrap();
    assert_eq!(kept, with_sub("return a - b"));
    let shown = desk.call(&["show", &story.run(), "--format", "json"]).run().expect_code(0);
    let shown = &shown.events()[0];
    assert!(shown["proven_tree"].is_string(), "{shown}");
    assert_eq!(shown["review_attempts"], 3);
    let told = story.prompt("implement 3.1");
    assert!(told.contains("the name is odd") && told.contains("It is right as it is."), "{told}");
}

#[test]
fn work_that_a_person_sent_back_and_nobody_changed_is_still_proven_and_counts_as_reviewed() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let call = desk.call(&["add", "sub", "--no-refactor", "--format", "json"]);
    let id = desk.told(call.mock(&stubborn().review_ok()).run()).ends("AWAITING_APPROVAL", 3).run();
    let story = desk.json(&["send-back", &id, "--why", "handle text"]);
    let story = story.ends("MAX_ATTEMPTS_REACHED", 6);
    assert_eq!(story.named("objection-stands").len(), 3);
    assert!(story.reason().contains("handle text"), "{}", story.reason());
    let text = desk.call(&["show", &id]).run().expect_code(0);
    assert!(text.stdout.contains("reviews 3/3") && !text.stdout.contains("4/3"), "{text}");
}

#[test]
fn an_approval_through_a_rebase_lands_the_same_change_on_the_moved_base() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let call = desk.call(&["add", "sub", "--no-refactor", "--format", "json"]).mock(&honest());
    let id = desk.told(call.run()).ends("AWAITING_APPROVAL", 3).run();
    desk.repo.file("README.md", "# calc\n").commit("readme");
    let moved = desk.repo.head();
    let story = desk.json(&["approve", &id, "--through-rebase"]).ends("SUCCESS", 0);
    assert_eq!(story.named("green-proven").len(), 1, "proven again: {}", story.ran);
    assert_eq!(story.named("rebased")[0]["patch"]["patch"], "same");
    assert_eq!(desk.repo.git(&["rev-parse", "HEAD^"]), moved);
}

#[test]
fn a_change_that_is_another_on_the_moved_base_is_asked_about_with_the_difference() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let call = desk.call(&["add", "sub", "--no-refactor", "--format", "json"]).mock(&honest());
    let id = desk.told(call.run()).ends("AWAITING_APPROVAL", 3).run();
    // Beside the lines that the change touches: the patch has another context there.
    let moved =
        desk.repo.read("calc.py").replace("def mul(a, b):", "def mul(a, b):\n    # product");
    desk.repo.file("calc.py", &moved).commit("a comment");
    let story = desk.json(&["approve", &id, "--through-rebase"]).ends("AWAITING_APPROVAL", 3);
    assert!(story.reason().contains("not the same"), "{}", story.reason());
    let ran = desk.call(&["approve", &id]).run().expect_code(0);
    assert!(ran.stderr.contains("NOT THE SAME") && ran.stderr.contains("# product"), "{ran}");
}

#[test]
fn the_landed_commit_speaks_as_the_project_does_and_ends_with_its_trailers() {
    let trailers =
        format!("{ONCE}[land]\ntrailers = [\"Co-authored-by: A Model <model@example.org>\"]\n");
    let Some(desk) = Desk::with(&trailers) else { return };
    let land = |task: &str| {
        desk.played(&honest(), &[&["add", task], QUICK]).ends("SUCCESS", 0);
        desk.repo.git(&["log", "-1", "--format=%s%n%b"])
    };
    let plain = land("Subtract one number from another.");
    assert!(plain.starts_with("Subtract one number from another\n"), "{plain}");
    assert!(plain.contains("Proven-By: 1 test, red before and green now"), "{plain}");
    assert!(plain.ends_with("Co-authored-by: A Model <model@example.org>"), "{plain}");
    desk.repo.git(&["checkout", "-q", "--orphan", "typed"]);
    desk.repo.git(&["rm", "-qf", "tests/test_sub.py"]);
    desk.repo.file("calc.py", crate::rows::CALC).commit("feat(calc): add and mul");
    let typed = land("Subtract one number from another.");
    assert!(typed.starts_with("feat: subtract one number from another\n"), "{typed}");
}

#[test]
fn settings_that_name_an_agent_and_are_not_committed_are_named_as_such() {
    let Some(desk) = Desk::with("") else { return };
    let toml =
        "default_agent = \"mine\"\n[agents.mine]\nkind = \"command\"\ncommand = [\"true\"]\n";
    desk.repo.file("proctor.toml", toml);
    for args in [&["fix", "it"][..], &["fix", "it", "--agent", "mine"]] {
        let ran = desk.call(args).run().expect_code(2);
        assert!(ran.stderr.contains("not committed") && ran.stderr.contains("`mine`"), "{ran}");
        assert!(ran.stderr.contains("git add proctor.toml"), "{ran}");
    }
}

#[test]
fn a_coder_that_disputes_a_test_finds_its_work_again() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_sub.py", "from calc import sub\n\n\ndef test_sub():\n    assert sub(7, 3) == 5\n")])
        .turn(json!({"phase": "implement", "attempt": 1, "write": {"calc.py": with_sub("return a - b")},
            "output": {"status": "TEST_DISPUTED", "fix_description": "", "notes": "7 - 3 is 4"}}))
        .tests(2, &[("tests/test_sub.py", SUB_TEST)])
        .turn(json!({"phase": "implement", "attempt": 2, "output": {
            "status": "READY_FOR_REVIEW", "fix_description": "", "notes": "done before"}}))
        .review_ok();
    let story = desk.played(&scenario, &[&["add", "sub"], QUICK]).ends("SUCCESS", 0);
    assert!(story.prompt("implement 2.1").contains("before you disputed a test"));
    assert_eq!(desk.repo.read("calc.py"), with_sub("return a - b"));
}
