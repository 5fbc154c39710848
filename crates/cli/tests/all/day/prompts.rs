//! Prompts carry what decides, and nothing twice.

use crate::rows::{CALC, Desk, ONCE, QUICK, SUB_TEST, with_sub};
use proctor_testkit::Scenario;

#[test]
fn a_prompt_says_how_tests_are_run_what_failed_before_and_what_the_repository_says() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let old = (0..200).map(|n| format!("def test_{n}():\n    assert add({n}, 1) == {n} + 1\n\n\n"));
    let old = format!("from calc import add\n\n\n{}", old.collect::<Vec<_>>().concat());
    desk.repo
        .file("tests/test_many.py", &old)
        .file("tests/test_broken.py", "def test_was_broken():\n    assert 1 == 2\n\n\ndef test_uses_mul():\n    import calc\n    assert calc.sub_all([3, 2]) == 1\n")
        .file("calc.py", &format!("{CALC}\n\ndef sub_all(n):\n    return n[0] - n[1]\n"))
        .file("AGENTS.md", "Write British English in comments, always and everywhere.\n")
        .commit("more");
    let new = format!(
        "{old}def test_sub():\n    from calc import sub, sub_all\n    assert sub(7, 3) == 4 == sub_all([7, 3])\n"
    );
    let code = format!("{}\n\ndef sub_all(n):\n    return n[0] - n[1]\n", with_sub("return a - b"));
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_many.py", &new)])
        .code(1, &[("calc.py", &code)])
        .refactor_nothing()
        .review_ok();
    let story = desk.played(&scenario, &[&["add", "sub"], QUICK]).ends("SUCCESS", 0);
    for label in ["write_tests 1.1", "implement 1.1"] {
        let prompt = story.prompt(label);
        for text in ["-m pytest`", "test_was_broken", "British English", "AGENTS.md"] {
            assert!(prompt.contains(text), "{label}: {text:?} is missing in\n{prompt}");
        }
    }
    let prompt = story.prompt("implement 1.1");
    for text in ["+def test_sub():", "cannot import name 'sub'", "test_uses_mul"] {
        assert!(prompt.contains(text), "{text:?} is missing in\n{prompt}");
    }
    assert!(!prompt.contains("def test_7():"), "the diff, and not the whole file:\n{prompt}");
    let review = story.prompt("review 1.1");
    assert_eq!(review.matches("def test_sub():").count(), 1, "{review}");
    assert!(!review.contains("British English"));
    let run = story.run();
    let shown = desk.call(&["show", &run, "--prompts"]).run().expect_code(0);
    for text in ["write_tests 1.1", "implement 1.1", "review 1.1", "tokens", "in all"] {
        assert!(shown.stdout.contains(text), "{shown}");
    }
}

#[test]
fn a_refactorings_review_shows_what_was_pinned_and_an_expected_failure_is_none() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let odd = "import pytest\n\n\n@pytest.mark.xfail\ndef test_not_yet():\n    assert 1 == 2\n\n\n@pytest.mark.skip\ndef test_not_here():\n    assert 1 == 2\n";
    desk.repo.file("tests/test_odd.py", odd).commit("odd");
    let pin = "from calc import mul\n\n\ndef test_pinned_product():\n    assert mul(3, 4) == 12\n";
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_pin.py", pin)])
        .code(1, &[("calc.py", &CALC.replace("a * b", "b * a"))])
        .review_ok();
    let story = desk.played(&scenario, &[&["tidy", "mul"], QUICK]).ends("SUCCESS", 0);
    let failing = &story.named("prepared")[0]["baseline"]["failing"];
    assert!(!failing.to_string().contains("test_not"), "{failing}");
    let told = story.prompt("write_tests 1.1");
    assert!(!told.contains("test_not_yet") && !told.contains("failed before"), "{told}");
    let review = story.prompt("review 1.1");
    assert!(review.contains("test_pinned_product"), "{review}");
}

#[test]
fn an_examiner_that_never_saw_the_change_can_only_leave_a_doubt() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let base = desk.repo.head();
    desk.repo
        .file("calc.py", &with_sub("return a - b if a < 100 else 0"))
        .file("tests/test_sub.py", SUB_TEST)
        .commit("sub");
    let test =
        |asked: &str| format!("from calc import sub\n\n\ndef test_asked():\n    assert {asked}\n");
    let examine = |asked: &str| {
        let scenario = Scenario::new().tests(1, &[("tests/test_examiner.py", &test(asked))]);
        let args = ["verify", "--base", &base, "--examine", "mock", "--task", "sub() subtracts"];
        desk.call(&args).args(&["--skip", "mutants", "--format", "json"]).mock(&scenario).run()
    };
    let ran = examine("sub(500, 1) == 499").expect_code(4);
    let told = &ran.stdout;
    assert!(told.contains("test_examiner.py::test_asked") && told.contains("text alone"), "{ran}");
    let fine = examine("sub(50, 1) == 49");
    assert!(!fine.stdout.contains("fails on head"), "{fine}");
}

#[cfg(test)]
mod slow {
    use super::*;

    #[test]
    fn what_a_tester_has_nothing_to_add_to_is_shown_at_approval_and_asked_of_nobody_again() {
        let Some(desk) = Desk::with("[gates]\nrepeats = 1\nprobe = \"full\"\n") else { return };
        let base = desk.repo.head();
        // Nothing asks for what large numbers do, and all of it does the same.
        let code = with_sub(
            "if a > 1000:\n        return a - b - 0\n    if a > 2000:\n        return a - b + 0\n    return a - b",
        );
        let scenario = Scenario::new()
            .tests(1, &[("tests/test_sub.py", SUB_TEST)])
            .code(1, &[("calc.py", &code)])
            .turn(serde_json::json!({"phase": "write_tests", "attempt": 2, "output": {
                "status": "PREPARED_FOR_FIX", "test_file_path": null, "notes": "the branches do the same"}}))
            .review_ok();
        let run = || {
            let call = desk.call(&["add", "sub", "--no-refactor", "--format", "json"]);
            desk.told(call.mock(&scenario).run()).ends("AWAITING_APPROVAL", 3)
        };
        let story = run();
        assert!(story.has("tests-too-thin"), "{}", story.ran);
        assert!(story.prompt("write_tests 2.1").contains("nothing to add"));
        let id = story.run();
        // Where a person must look at the survivors, too, they say so once.
        let kinds: Vec<String> = ["weak-tests"]
            .iter()
            .filter(|kind| story.reason().contains(*kind))
            .flat_map(|kind| ["--accept".to_owned(), (*kind).to_owned()])
            .collect();
        let mut words = vec!["approve", &id];
        words.extend(kinds.iter().map(String::as_str));
        if !kinds.is_empty() {
            words.extend(["--why", "they are the same"]);
        }
        let ran = desk.call(&words).run().expect_code(0);
        assert!(ran.stderr.contains("the branches do the same"), "{ran}");
        // The same work on the same base: the tester is not asked again, and a person is told why.
        desk.repo.git(&["reset", "-q", "--hard", &base]);
        let again = run();
        assert!(!again.has("tests-too-thin"), "{}", again.ran);
        assert_eq!(again.turns("write_tests").len(), 1);
        let warnings = again.named("green-proven")[0]["warnings"].to_string();
        assert!(
            warnings.contains("let pass before") && warnings.contains("do the same"),
            "{warnings}"
        );
    }
}
