//! The coder's turn, the green gate, refactoring, audit and review: what goes back, what stops, what is kept.

use super::rows::{CALC, Desk, ONCE, QUICK, SUB_TEST, Story, coder, honest, tester, with_sub};
use proctor_testkit::Scenario;
use serde_json::{Value, json};

/// Twelve cases, so that a result that is a matter of luck does not repeat.
const MANY: &str = "import pytest\nimport calc\n\n\n@pytest.mark.parametrize('n', range(12))\ndef test_sub(n):\n    assert calc.sub(n, 3) == n - 3\n";

// S1-1, S1-14, S1-27, S1-34
#[test]
fn every_kind_of_bad_code_is_sent_back_with_what_was_measured_and_the_next_prompt_says_it() {
    let config = "[limits]\ngreen = 40\ntest_time = \"8s\"\n";
    let Some(desk) = Desk::with(config) else { return };
    let calc = |text: &str| json!({"calc.py": text});
    let head = |line: &str| format!("{line}\n{}", with_sub("return a - b"));
    let bad: Vec<(&str, Value)> = vec![
        ("nothing-changed", json!({})),
        // Rewritten and deleted tests and new configuration are put back, so that nothing is left of this turn.
        (
            "nothing-changed",
            json!({
                "tests/test_new.py": "def test_sub():\n    assert True\n",
                "tests/conftest.py": "collect_ignore = ['test_new.py']\n",
                "conftest.py": "collect_ignore = ['tests']\n",
                "pytest.ini": "[pytest]\naddopts = --co\n",
            }),
        ),
        ("still-red", calc(&with_sub("return a + b"))),
        ("broke-others", calc(&with_sub("return a - b").replace("return a + b", "return a"))),
        ("unusable", calc("def add(:\n")),
        ("still-red", calc(&with_sub("raise RuntimeError('told whole: line of the log')"))),
        ("vanished", calc(&head("import pytest\npytest.skip('no', allow_module_level=True)"))),
        ("newly-skipped", calc(&format!("import pytest\n{}", with_sub("pytest.skip('no')")))),
        // Luck: twelve cases that pass one time in two.
        (
            "still-red",
            calc(&format!(
                "import random\n{}",
                with_sub("return a - b if random.random() < 0.5 else None")
            )),
        ),
        ("did-not-run", calc(&head("import os\nprint('14 passed in 0.01s')\nos._exit(0)"))),
        ("did-not-run", calc(&with_sub("while True:\n        pass"))),
    ];
    let mut scenario = Scenario::new().turn(tester(1, &json!({"tests/test_new.py": MANY}), &[]));
    for ((_, write), attempt) in bad.iter().zip(1..) {
        let delete: &[&str] = if attempt == 2 { &["tests/test_calc.py"] } else { &[] };
        scenario = scenario.turn(coder(attempt, write, delete));
    }
    let next = u32::try_from(bad.len()).unwrap() + 1;
    let key = format!("{}\nKEY = 'AKIA{}'\n", with_sub("return a - b"), "Q3EGRIWJ7ZTLXNPM");
    let scenario = scenario
        .turn(coder(next, &calc(&key), &[]))
        .turn(coder(next + 1, &calc(&with_sub("return a - b")), &[]))
        .review_ok();
    let story = desk.played(&scenario, &[&["add", "sub"], QUICK]).ends("SUCCESS", 0);

    let wanted: Vec<&str> = bad.iter().map(|(fault, _)| *fault).collect();
    assert_eq!(story.faults("green-refused"), wanted);
    let prompt = |attempt: usize| story.prompt(&format!("implement {attempt}.1"));
    let told = |attempt: usize, words: &[&str]| {
        for word in words {
            assert!(prompt(attempt).contains(word), "{attempt}: no {word:?}:\n{}", prompt(attempt));
        }
    };
    told(2, &["Nothing changed in the production code", "fixing attempt 1 of 40"]);
    told(
        3,
        &[
            "- conftest.py: ",
            "- pytest.ini: ",
            "- tests/conftest.py: ",
            "- tests/test_new.py: ",
            "- tests/test_calc.py: ",
        ],
    );
    told(4, &["tests/test_new.py::test_sub[0]", "calc.sub(n, 3) == n - 3", "assert 3 == (0 - 3)"]);
    told(5, &["tests/test_calc.py::test_add_sums_two_numbers", "passed before and fail now"]);
    told(6, &["calc.py", "invalid syntax"]);
    told(7, &["told whole: line of the log"]);
    told(8, &["were there before and are gone", "test_add_sums_two_numbers"]);
    told(9, &["skipped now"]);
    told(11, &["did not run to their end"]);
    told(12, &["time limit"]);
    // The sealed tests go with every turn.
    for attempt in 1..=bad.len() {
        told(attempt, &["def test_sub(n):", "calc.sub(n, 3) == n - 3"]);
    }
    // A secret is green, and still it goes back.
    let audits = story.named("audited");
    assert_eq!(audits.len(), 2);
    assert!(audits[0]["findings"][0].as_str().unwrap().starts_with("calc.py:"), "{audits:?}");
    told(13, &["The audit found faults", "calc.py:", "fixing attempt 12 of 40"]);
    assert!(!prompt(13).contains("AKIAQ3EGRIWJ7ZTLXNPM"), "a secret goes into no prompt");
    assert!(!desk.repo.read("calc.py").contains("AKIA"));
}

#[test]
fn fixes_used_up_saves_the_work_goes_back_to_red_and_a_person_can_send_it_on() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let head = desk.repo.head();
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_sub.py", SUB_TEST)])
        .code(1, &[("calc.py", &with_sub("return 1"))])
        .code(2, &[("calc.py", &with_sub("return 2"))])
        .code(3, &[("calc.py", &with_sub("return 3"))])
        .turn(json!({
            "phase": "implement", "attempt": 4,
            "write": {"calc.py": with_sub("return 44"), "extra.py": "X = 1\n"},
            "output": {"status": "READY_FOR_REVIEW", "fix_description": "", "notes": ""},
        }))
        .code(5, &[("calc.py", &with_sub("return a - b"))])
        .review_ok();
    let story = desk.played(&scenario, &[&["add", "sub"], QUICK]).ends("FAILED", 1);
    let sentence = "Green phase failed after 3 iterations. All changes reverted. See diagnostics in green-phase-failure.md";
    assert_eq!(story.faults("green-refused").len(), 4, "one try and three fixes");
    assert!(story.reason().starts_with(sentence), "{}", story.reason());
    desk.untouched(&head);
    // The failed work is saved, whole.
    let saved = &story.named("saved")[0];
    assert!(saved["rescue"].as_str().unwrap().contains("rescue"), "{saved}");
    let patch = std::fs::read_to_string(saved["patch"].as_str().unwrap()).unwrap();
    assert!(patch.contains("+    return 44") && patch.contains("+X = 1"), "{patch}");
    let report =
        std::fs::read_to_string(story.folder().join(".process/green-phase-failure.md")).unwrap();
    assert!(report.contains(sentence) && report.contains("test_sub"), "{report}");
    // The tree is at the red checkpoint: the tests, and the old code.
    let tree = story.worktree();
    assert_eq!(std::fs::read_to_string(tree.join("calc.py")).unwrap(), CALC);
    assert_eq!(std::fs::read_to_string(tree.join("tests/test_sub.py")).unwrap(), SUB_TEST);
    assert!(!tree.join("extra.py").exists());
    // It is over: only a person's word sends it on.
    desk.call(&["resume", &story.run()]).run().expect_code(2);
    let args = ["send-back", &story.run(), "--why", "subtract, do not guess"];
    let story = desk.played(&scenario, &[&args]).ends("SUCCESS", 0);
    assert!(story.prompt("implement 5.1").contains("subtract, do not guess"));
    assert_eq!(desk.repo.read("calc.py"), with_sub("return a - b"));
}

#[test]
fn an_appeal_unseals_the_tests_once_and_a_second_one_counts_as_a_fix() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let wrong = SUB_TEST.replace("== 4", "== 5");
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_sub.py", &wrong)])
        .turn(json!({
            "phase": "implement", "attempt": 1, "write": {"calc.py": with_sub("return 9")},
            "output": {"status": "TEST_DISPUTED", "fix_description": "", "notes": "7 - 3 is 4, not 5"},
        }))
        .tests(2, &[("tests/test_sub.py", SUB_TEST)])
        .disputes(2, "I still do not like it")
        .code(3, &[("calc.py", &with_sub("return a - b"))])
        .review_ok();
    let story = desk.played(&scenario, &[&["add", "sub"], QUICK]).ends("SUCCESS", 0);
    assert_eq!(story.named("appealed").len(), 1);
    let tester = story.prompt("write_tests 2.1");
    assert!(tester.contains("7 - 3 is 4, not 5") && tester.contains("== 5"), "{tester}");
    assert_eq!(story.named("red-proven").len(), 2, "what is unsealed is proven again");
    // The code of the turn that appealed is not there when the new tests are judged.
    assert_eq!(story.faults("green-refused"), ["appeal-spent"]);
    assert!(story.prompt("implement 3.1").contains("I still do not like it"));
    assert_eq!(desk.repo.read("tests/test_sub.py"), SUB_TEST);
}

fn regression(desk: &Desk) -> (Scenario, Story) {
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_sub.py", SUB_TEST)])
        .code(1, &[("calc.py", &with_sub("return a - b"))])
        .refactor(1, &[("calc.py", &with_sub("return b - a")), ("spare.py", "X = 1\n")])
        .review_ok();
    let story = desk.played(&scenario, &[&["add", "sub", "--yes"]]);
    (scenario, story)
}

#[test]
fn a_refactoring_that_breaks_a_test_is_undone_and_halts_with_the_green_work_kept() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let head = desk.repo.head();
    let (scenario, story) = regression(&desk);
    let story = story.ends("BLOCKED", 4);
    assert_eq!(story.faults("refactoring-undone"), ["still-red"]);
    assert!(story.turns("review").is_empty());
    assert!(story.reason().contains("the green work is kept"), "{}", story.reason());
    desk.untouched(&head);
    let id = story.run();
    let story = desk.played(&scenario, &[&["resume", &id]]).ends("SUCCESS", 0);
    assert_eq!(story.asked(), ["review 1.1"]);
    assert_eq!(desk.repo.read("calc.py"), with_sub("return a - b"));
    assert!(!desk.repo.path().join("spare.py").exists());
}

#[test]
fn keep_green_goes_on_without_the_refactoring_and_a_good_refactoring_lands() {
    let Some(desk) = Desk::with("[gates]\nrepeats = 1\non_regression = \"keep-green\"\n") else {
        return;
    };
    let (_, story) = regression(&desk);
    let story = story.ends("SUCCESS", 0);
    assert_eq!(story.asked(), ["write_tests 1.1", "implement 1.1", "refactor 1.1", "review 1.1"]);
    assert_eq!(desk.repo.read("calc.py"), with_sub("return a - b"));
    assert!(!story.prompt("review 1.1").contains("spare.py"));

    let Some(desk) = Desk::with(ONCE) else { return };
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_sub.py", SUB_TEST)])
        .code(1, &[("calc.py", &with_sub("return a - b"))])
        .refactor(1, &[("calc.py", &with_sub("return -(b - a)"))])
        .review_ok();
    let story = desk.played(&scenario, &[&["add", "sub", "--yes"]]).ends("SUCCESS", 0);
    assert_eq!(story.named("green-proven").len(), 2, "the green gate again");
    assert!(story.prompt("review 1.1").contains("-(b - a)"));
    assert_eq!(desk.repo.read("calc.py"), with_sub("return -(b - a)"));
}

#[test]
fn a_rejected_review_goes_back_with_every_reason_and_a_review_that_edits_is_put_back() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_sub.py", SUB_TEST)])
        .code(1, &[("calc.py", &with_sub("return a - b"))])
        .code(2, &[("calc.py", &with_sub("return a - b  # by hand"))])
        .code(3, &[("calc.py", &with_sub("\"\"\"a less b.\"\"\"\n    return a - b"))])
        .review_rejects(1, "say how it is done")
        .review_rejects(2, "a docstring, not a comment")
        .turn(json!({
            "phase": "review",
            "write": {"calc.py": "mine\n", "tests/test_sub.py": "", "review.txt": "hello\n"},
            "output": {"status": "SUCCESS", "reason": null, "notes": "fine"},
        }));
    let story = desk.played(&scenario, &[&["add", "sub"], QUICK]).ends("SUCCESS", 0);
    let third = story.prompt("implement 3.1");
    for reason in ["say how it is done", "a docstring, not a comment"] {
        assert!(third.contains(reason), "every reason so far:\n{third}");
    }
    // The reviewer gets the diff, the task and the measured results.
    let review = story.prompt("review 3.1");
    for word in [
        "+    return a - b",
        "+def test_sub():",
        "sub",
        "tests/test_sub.py::test_sub",
        "a docstring",
    ] {
        assert!(review.contains(word), "{word:?} is not in:\n{review}");
    }
    let put_back = story.turns("review")[2]["put_back"].to_string();
    for path in ["calc.py", "tests/test_sub.py", "review.txt"] {
        assert!(put_back.contains(path), "{put_back}");
    }
    assert!(desk.repo.read("calc.py").contains("a less b."));
    assert_eq!(desk.repo.read("tests/test_sub.py"), SUB_TEST);
    assert!(!desk.repo.path().join("review.txt").exists());
}

// S0-4, S0-15, S0-16
#[test]
fn three_rejected_reviews_end_the_run() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let head = desk.repo.head();
    let mut scenario = Scenario::new().tests(1, &[("tests/test_sub.py", SUB_TEST)]);
    for n in 1..=4 {
        scenario = scenario
            .code(n, &[("calc.py", &with_sub(&format!("return a - b  # {n}")))])
            .review_rejects(n, &format!("not the {n}th time"));
    }
    let story = desk.played(&scenario, &[&["add", "sub"], QUICK]).ends("MAX_ATTEMPTS_REACHED", 6);
    assert_eq!(story.turns("review").len(), 3);
    assert!(story.reason().contains("not the 3th time"), "{}", story.reason());
    desk.untouched(&head);
    assert!(story.worktree().join("calc.py").is_file());
    // Reviews and fixes are counted apart: three rejections are not three fixes.
    assert!(!story.has("green-refused"));
    // A person can still throw it away; its work is saved first.
    let aborted = desk.json(&["abort", &story.run()]);
    assert_eq!((aborted.ran.code, &aborted.ran.finished()["status"]), (0, &json!("ABORTED")));
    assert!(aborted.named("saved")[0]["rescue"].is_string());
    assert!(!story.worktree().exists());
    desk.call(&["abort", &story.run()]).run().expect_code(2);
    desk.untouched(&head);
}

#[test]
fn a_coder_who_finds_nothing_to_do_discards_and_an_unchanged_tree_is_not_green() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let scenario = Scenario::new().tests(1, &[("tests/test_sub.py", SUB_TEST)]).turn(json!({
        "phase": "implement",
        "output": {"status": "DISCARDED", "fix_description": "", "notes": "works as meant"},
    }));
    let story = desk.played(&scenario, &[&["fix", "sub", "--target", "sub"], QUICK]);
    let story = story.ends("DISCARDED", 5);
    assert_eq!(story.reason(), "works as meant");
    assert!(!story.has("green-proven"));
}

// S0-50, S1-8, S1-33
#[test]
fn the_whole_loop_with_every_turn_repeats_its_gates_and_lands_one_commit() {
    let Some(desk) = Desk::with("") else { return };
    let base = desk.repo.head();
    let story = desk.played(&honest(), &[&["add", "sub", "--id", "sub-1", "--yes"]]);
    let story = story.ends("SUCCESS", 0);
    assert_eq!(story.asked(), ["write_tests 1.1", "implement 1.1", "refactor 1.1", "review 1.1"]);
    assert_eq!(desk.repo.git(&["rev-parse", "HEAD^"]), base);
    assert_eq!(desk.repo.git(&["status", "--porcelain"]), "");
    assert_eq!(desk.repo.git(&["branch", "--format=%(refname:short)"]), "main");
    assert_eq!(story.named("approved")[0]["by"], "beforehand");
    assert!(!story.worktree().exists(), "gone after landing");
    // Twice red, twice green, and red once more on the old code.
    let logs = |effect: &str| {
        let begun = story.named("effect-began");
        let no = begun.iter().find(|e| e["effect"]["effect"] == effect).unwrap()["no"].as_u64();
        let folder = story.folder().join(format!("logs/{:04}", no.unwrap()));
        let files = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().file_name());
        files.filter(|f| f.to_string_lossy().ends_with("pytest.stdout")).count()
    };
    assert_eq!((logs("prepare"), logs("prove-red"), logs("prove-green")), (1, 2, 3));
    // The last line holds exactly these fields, and every line before it is an event of this run.
    let events = story.ran.events();
    let mut fields: Vec<&String> = events.last().unwrap().as_object().unwrap().keys().collect();
    fields.sort();
    assert_eq!(fields, ["branch", "commit", "event", "exit_code", "reason", "run", "status"]);
    let end = story.ran.finished();
    assert_eq!(end, *events.last().unwrap());
    assert_eq!((&end["branch"], &end["commit"]), (&json!("main"), &json!(desk.repo.head())));
    assert!(events.iter().all(|event| event["event"].is_string() && event["run"] == end["run"]));
    assert!(story.ran.stderr.contains("Data policy"), "stderr is talk:\n{}", story.ran);
}
