//! The tester's turn and the red gate: what may be written, what is a proof, what is sent back, and how it ends.

use super::rows::{CALC, Desk, ONCE, QUICK, SUB_TEST, coder, honest, tester, with_sub};
use proctor_testkit::{RepoBuilder, Scenario};
use serde_json::{Value, json};

/// A tester who tries these files one after the other, each in the place of the last.
fn tries(tests: &[(&str, &str)]) -> Scenario {
    tests.iter().zip(1..).fold(Scenario::new(), |scenario, ((_, text), attempt)| {
        scenario.turn(tester(attempt, &json!({"tests/test_new.py": text}), &[]))
    })
}

// S1-6, S1-30
#[test]
fn every_kind_of_bad_test_is_sent_back_with_its_reason_and_never_becomes_a_proof() {
    let config = "[limits]\nred = 40\ntest_time = \"8s\"\n";
    let Some(desk) = Desk::with(config) else { return };
    let bad = [
        ("nothing-new", "# nothing\n"),
        (
            "passed-too-early",
            "from calc import add\n\n\ndef test_a():\n    assert add(1, 1) == 2\n",
        ),
        ("hollow+passed-too-early", "from calc import add\n\n\ndef test_a():\n    add(1, 1)\n"),
        ("hollow", "def test_a():\n    assert False\n"),
        ("hollow", "import pytest\n\n\ndef test_a():\n    pytest.fail('not yet')\n"),
        (
            "skipped",
            "import pytest\nfrom calc import add\n\n\n@pytest.mark.skip\ndef test_a():\n    assert add(1, 1) == 3\n",
        ),
        (
            "skipped",
            "import pytest\nfrom calc import add\n\n\ndef test_a():\n    pytest.skip('later')\n    assert add(1, 1) == 3\n",
        ),
        (
            "skipped",
            "import pytest\nfrom calc import add\n\n\n@pytest.mark.xfail\ndef test_a():\n    assert add(1, 1) == 3\n",
        ),
        ("wrong-reason", "import pywintypes\n\n\ndef test_a():\n    assert pywintypes.f() == 1\n"),
        (
            "wrong-reason",
            "from calc import add\n\n\ndef test_a(no_such_fixture):\n    assert add(1, 1) == 3\n",
        ),
        ("wrong-reason", "from calc import add\n\n\ndef test_a():\n    assert add(1, one) == 3\n"),
        (
            "wrong-reason",
            "from calc import add\n\n\ndef test_a():\n    assert add(1, int('x')) == 3\n",
        ),
        ("wrong-reason", "from calc import add\n\n\ndef test_a(:\n    assert add(1, 1) == 3\n"),
        (
            "flaky",
            "import random\nimport pytest\nfrom calc import add\n\n\n@pytest.mark.parametrize('n', range(30))\ndef test_a(n):\n    assert add(random.random(), 0) < 0.5\n",
        ),
        (
            "did-not-run",
            "import os\nfrom calc import add\n\n\ndef test_a():\n    print('5 passed')\n    os._exit(0)\n    assert add(1, 1) == 3\n",
        ),
        (
            "did-not-run",
            "import os\nprint('1 failed')\nos._exit(1)\n\n\ndef test_a():\n    assert 1 == 2\n",
        ),
        (
            "did-not-run",
            "import time\nfrom calc import add\n\n\ndef test_a():\n    time.sleep(60)\n    assert add(1, 1) == 3\n",
        ),
    ];
    let last = u32::try_from(bad.len()).unwrap() + 1;
    let scenario = tries(&bad)
        .turn(tester(last, &json!({"tests/test_new.py": SUB_TEST}), &[]))
        .turn(coder(1, &json!({"calc.py": with_sub("return a - b")}), &[]))
        .review_ok();
    let story = desk.played(&scenario, &[&["add", "sub", "--id", "t1"], QUICK]).ends("SUCCESS", 0);

    let wanted: Vec<&str> = bad.iter().map(|(fault, _)| *fault).collect();
    assert_eq!(story.faults("red-refused"), wanted);
    // Counted per phase from 1, whatever was refused in between.
    assert_eq!(story.turns("write_tests").len(), bad.len() + 1);
    assert_eq!(story.turns("write_tests").last().unwrap()["attempt"], last);
    assert!(story.asked().contains(&format!("write_tests {last}.1")));
    assert!(story.asked().contains(&"implement 1.1".to_owned()));
    // The next turn is told the reason, and what the test tool said.
    let told = |attempt: usize, words: &[&str]| {
        let prompt = story.prompt(&format!("write_tests {attempt}.1"));
        for word in words {
            assert!(prompt.contains(word), "attempt {attempt} is not told {word:?}:\n{prompt}");
        }
    };
    told(3, &["Tests passed prematurely. Write failing tests first.", "tests/test_new.py::test_a"]);
    told(4, &["hollow", "no assertion"]);
    told(7, &["skipped"]);
    told(10, &["pywintypes", "not the project's own"]);
    told(11, &["set-up broke", "no_such_fixture"]);
    told(13, &["test_a (ValueError: invalid literal for int()"]);
    told(14, &["tests/test_new.py", "invalid syntax"]);
    told(15, &["different results"]);
    told(18, &["time limit"]);
}

#[test]
fn what_the_tester_may_not_touch_is_put_back_and_the_next_prompt_says_so() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let meddled = json!({
        "tests/test_new.py": "from calc import add\n\n\ndef test_a():\n    assert add(1, 1) == 2\n",
        "calc.py": "def add(a, b):\n    return 0\n",
        "notes.txt": "mine\n",
        "pytest.ini": "[pytest]\naddopts = -k nothing\n",
        "proctor.toml": "[gates]\nrepeats = 2\n",
    });
    let right = json!({
        "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef three():\n    return 3\n",
        "tests/data/seven.txt": "7\n",
        "tests/test_new.py": "import pathlib\nfrom calc import sub\n\n\ndef test_sub(three):\n    seven = int((pathlib.Path(__file__).parent / 'data/seven.txt').read_text())\n    assert sub(seven, three) == 4\n",
    });
    let scenario = Scenario::new()
        .turn(tester(1, &meddled, &["pyproject.toml"]))
        .turn(tester(2, &right, &[]))
        .turn(coder(1, &json!({"calc.py": with_sub("return a - b")}), &[]))
        .review_ok();
    let story = desk.played(&scenario, &[&["add", "sub"], QUICK]).ends("SUCCESS", 0);

    let turns = story.turns("write_tests");
    let paths = |value: &Value| -> Vec<String> {
        let list = value.as_array().unwrap().iter();
        list.map(|p| p.as_str().unwrap().split(':').next().unwrap().to_owned()).collect()
    };
    assert_eq!(
        paths(&turns[0]["put_back"]),
        ["calc.py", "notes.txt", "proctor.toml", "pyproject.toml", "pytest.ini"]
    );
    assert_eq!(paths(&turns[0]["changed"]), ["tests/test_new.py"]);
    let prompt = story.prompt("write_tests 2.1");
    for path in ["calc.py", "notes.txt", "proctor.toml", "pyproject.toml", "pytest.ini"] {
        assert!(prompt.contains(&format!("- {path}: ")), "{path} is not told:\n{prompt}");
    }
    // It concerns the tester alone: the coder is not told to leave calc.py as it is.
    assert!(!story.prompt("implement 1.1").contains("Put back"));
    // A fixture and a data file are the tester's own.
    assert_eq!(
        paths(&turns[1]["changed"]),
        ["tests/conftest.py", "tests/data/seven.txt", "tests/test_new.py"]
    );
    assert_eq!(turns[1]["put_back"], json!([]));
    let landed = desk.repo.git(&["ls-tree", "-r", "--name-only", "main"]);
    assert!(landed.contains("tests/data/seven.txt") && !landed.contains("notes.txt"), "{landed}");
}

#[test]
fn a_new_test_that_passes_beside_a_red_one_is_a_named_guard_unless_red_is_strict() {
    let both = format!(
        "{SUB_TEST}\n\ndef test_add_stays():\n    from calc import add\n    assert add(1, 2) == 3\n"
    );
    let scenario = |desk: &Desk, flags: &[&str]| {
        let scenario = Scenario::new()
            .turn(tester(1, &json!({"tests/test_new.py": both.replace("from calc import sub", "import calc").replace("sub(7", "calc.sub(7")}), &[]))
            .turn(tester(2, &json!({"tests/test_new.py": SUB_TEST}), &[]))
            .turn(coder(1, &json!({"calc.py": with_sub("return a - b")}), &[]))
            .review_ok();
        desk.played(&scenario, &[&["add", "sub"], QUICK, flags])
    };
    let Some(desk) = Desk::with(ONCE) else { return };
    let story = scenario(&desk, &[]).ends("SUCCESS", 0);
    let anchor = &story.named("red-proven")[0]["anchor"];
    assert_eq!(anchor["red"], json!(["tests/test_new.py::test_sub"]));
    assert_eq!(anchor["guards"], json!(["tests/test_new.py::test_add_stays"]));

    let Some(desk) = Desk::with("[gates]\nrepeats = 1\nstrict_red = true\n") else { return };
    let story = scenario(&desk, &[]).ends("SUCCESS", 0);
    assert_eq!(story.faults("red-refused"), ["guards-refused"]);
    assert!(story.prompt("write_tests 2.1").contains("test_add_stays"));
}

#[test]
fn a_missing_name_is_red_for_a_feature_or_as_a_declared_target_and_else_it_is_not() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_sub.py", SUB_TEST)])
        .tests(
            2,
            &[(
                "tests/test_sub.py",
                "from calc import add\n\n\ndef test_sub():\n    assert add(7, -3) == 5\n",
            )],
        )
        .discards(3, "it is right already")
        .code(1, &[("calc.py", &with_sub("return a - b"))])
        .review_ok();
    // A bug has a name already: what is missing is the wrong reason, until it is declared.
    let story = desk.played(&scenario, &[&["fix", "sub", "--max-calls", "2"], QUICK]);
    assert_eq!(story.faults("red-refused")[0], "wrong-reason");
    assert!(story.prompt("write_tests 2.1").contains("`calc.sub` is missing"));
    assert!(story.prompt("write_tests 2.1").contains("not a declared target"));

    let story = desk.played(&scenario, &[&["fix", "sub", "--target", "calc.sub"], QUICK]);
    let story = story.ends("SUCCESS", 0);
    assert!(!story.has("red-refused"));
    assert!(story.prompt("write_tests 1.1").contains("calc.sub"));
}

#[test]
fn a_feature_with_declared_targets_may_miss_no_other_name() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_sub.py", SUB_TEST)])
        .tests(
            2,
            &[(
                "tests/test_sub.py",
                "from shapes import area\n\n\ndef test_area():\n    assert area(2) == 4\n",
            )],
        )
        .code(1, &[("shapes.py", "def area(side):\n    return side * side\n")])
        .review_ok();
    let story = desk.played(&scenario, &[&["add", "area", "--target", "shapes.py"], QUICK]);
    let story = story.ends("SUCCESS", 0);
    assert_eq!(story.faults("red-refused"), ["wrong-reason"]);
    assert_eq!(
        story.named("red-proven")[0]["anchor"]["red"],
        json!(["tests/test_sub.py::test_area"])
    );
}

const ONE_MORE: &str =
    "\n\ndef test_sub_of_equals():\n    import calc\n    assert calc.sub(1, 1) == 0\n";

#[test]
fn the_count_of_tests_is_met_and_old_tests_stay() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let two = "import calc\n\n\ndef test_one():\n    assert calc.sub(7, 3) == 4\n\n\ndef test_two():\n    assert calc.sub(1, 1) == 0\n";
    let old = desk.repo.read("tests/test_calc.py");
    let (halved, _) = old.rsplit_once("def test_").unwrap();
    let scenario = Scenario::new()
        .turn(tester(1, &json!({"tests/test_new.py": SUB_TEST}), &[]))
        .turn(tester(2, &json!({"tests/test_new.py": two, "tests/test_calc.py": halved}), &[]))
        .turn(tester(
            3,
            &json!({
                "tests/test_new.py": two, "tests/test_calc.py": old,
                "tests/conftest.py": "import calc\n\ncalc.add = lambda a, b: 0\n",
            }),
            &[],
        ))
        // One test in a new file, one in an old one: each counts once.
        .turn(tester(
            4,
            &json!({"tests/test_new.py": SUB_TEST, "tests/test_calc.py": format!("{old}{ONE_MORE}")}),
            &["tests/conftest.py"],
        ))
        .turn(coder(1, &json!({"calc.py": with_sub("return a - b")}), &[]))
        .review_ok();
    let story = desk.played(&scenario, &[&["add", "sub", "--test-count", "2"], QUICK]);
    let story = story.ends("SUCCESS", 0);
    assert_eq!(story.faults("red-refused"), ["wrong-count", "old-tests-gone", "broke-others"]);
    let prompt = story.prompt("write_tests 3.1");
    assert!(
        prompt.contains("are gone: tests/test_calc.py::test_mul_multiplies_two_numbers"),
        "{prompt}"
    );
    assert_eq!(story.named("red-proven")[0]["anchor"]["red"].as_array().unwrap().len(), 2);
}

// S0-1
#[test]
fn a_tester_who_cannot_reproduce_a_bug_discards_it_and_only_a_bug() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let head = desk.repo.head();
    let scenario = Scenario::new().discards(1, "add() is right for every int");
    let story = desk.played(&scenario, &[&["fix", "add is wrong"], QUICK]).ends("DISCARDED", 5);
    assert_eq!(story.reason(), "add() is right for every int");
    desk.untouched(&head);

    // A feature can't be discarded: that is no usable output, and three of those end the run.
    let story = desk.played(&scenario, &[&["add", "sub"], QUICK]).ends("AGENT_ERROR", 8);
    assert_eq!(story.asked(), ["write_tests 1.1", "write_tests 1.2", "write_tests 1.3"]);
    assert!(story.prompt("write_tests 1.2").contains("DISCARDED is for bug_fix tasks only"));
    desk.untouched(&head);
}

#[test]
fn a_red_gate_that_refuses_four_times_discards_a_bug_and_blocks_anything_else() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let passes = "from calc import add\n\n\ndef test_a():\n    assert add(1, 1) == 2\n";
    let fails = "from calc import add\n\n\ndef test_a():\n    assert add(1, 1) == 3\n";
    let always = |text: &str| {
        Scenario::new().turn(json!({
            "phase": "write_tests", "write": {"tests/test_new.py": text},
            "output": {"status": "PREPARED_FOR_FIX", "test_file_path": null, "notes": ""},
        }))
    };
    for (verb, text, status, code, fault) in [
        ("fix", passes, "DISCARDED", 5, "passed-too-early"),
        ("add", passes, "BLOCKED", 4, "passed-too-early"),
        ("tidy", fails, "BLOCKED", 4, "not-pinned"),
    ] {
        let story = desk.played(&always(text), &[&[verb, "it"], QUICK]).ends(status, code);
        assert_eq!(story.faults("red-refused"), [fault; 4], "{verb}");
        assert_eq!(story.asked().len(), 4, "one try and three more");
        assert!(story.reason().contains("tests/test_new.py::test_a"), "{}", story.reason());
        assert!(!story.has("red-proven"));
    }
}

// S0-12
#[test]
fn a_refactoring_is_pinned_by_tests_that_pass_and_has_no_refactoring_turn() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let pins = "import calc\n\n\ndef test_pin():\n    assert calc.mul(4, 5) == 20\n";
    let scenario = Scenario::new()
        .turn(tester(1, &json!({"tests/test_new.py": SUB_TEST}), &[]))
        .turn(tester(2, &json!({"tests/test_new.py": pins}), &[]))
        .turn(coder(1, &json!({"calc.py": CALC.replace("a * b", "b * a")}), &[]))
        .review_ok();
    let story = desk.played(&scenario, &[&["tidy", "mul", "--yes"]]).ends("SUCCESS", 0);
    assert_eq!(story.faults("red-refused"), ["not-pinned"]);
    let anchor = &story.named("red-proven")[0]["anchor"];
    assert_eq!(anchor["anchor"], "pinned");
    assert!(story.turns("refactor").is_empty());
    assert_eq!(desk.repo.git(&["log", "-1", "--format=%s"]), "mul");
}

#[test]
fn an_old_test_whose_expectation_changed_needs_a_person_or_the_flag() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let head = desk.repo.head();
    let changed = desk.repo.read("tests/test_calc.py").replace("add(2, 3) == 5", "add(2, 3) == 6");
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_calc.py", &changed)])
        .code(1, &[("calc.py", &CALC.replace("a + b", "a + b + 1"))])
        .review_ok();
    let name = "tests/test_calc.py::test_add_sums_two_numbers";
    let story = desk.played(&scenario, &[&["fix", "add is one short"], QUICK]);
    let story = story.ends("AWAITING_APPROVAL", 3);
    assert!(story.reason().contains(name), "{}", story.reason());
    assert_eq!(story.named("approval-asked")[0]["changed_tests"], json!([name]));
    assert!(!story.has("approved"));
    desk.untouched(&head);
    // A person can look at it and say yes.
    let shown = desk.call(&["show", &story.run()]).run().expect_code(0);
    assert!(shown.stdout.contains(name), "{shown}");

    let allowed = ["--allow-changed-tests", "--land", "branch"];
    desk.played(&scenario, &[&["fix", "add is one short"], QUICK, &allowed]).ends("SUCCESS", 0);
    desk.json(&["approve", &story.run()]).ends("SUCCESS", 0);
    assert!(desk.repo.read("calc.py").contains("a + b + 1"));
}

#[test]
fn a_crash_of_the_code_under_test_shows_a_bug() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let test =
        "from calc import mul\n\n\ndef test_mul_of_nothing():\n    assert mul(None, 3) == 0\n";
    let fixed = CALC.replace("return a * b", "return (a or 0) * (b or 0)");
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_new.py", test)])
        .code(1, &[("calc.py", &fixed)])
        .review_ok();
    let story = desk.played(&scenario, &[&["fix", "mul crashes"], QUICK]).ends("SUCCESS", 0);
    assert!(!story.has("red-refused"));
}

#[test]
fn a_test_that_was_seen_to_fail_in_an_assertion_of_another_file_is_not_hollow() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let helper = "def holds(got, wanted):\n    assert got == wanted\n";
    let test = "from calc import mul\nfrom costs import holds\n\n\ndef test_nothing():\n    holds(mul(0, 3), 1)\n";
    let fixed = CALC.replace("return a * b", "return a * b or 1");
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_new.py", test), ("tests/costs.py", helper)])
        .code(1, &[("calc.py", &fixed)])
        .review_ok();
    let story = desk.played(&scenario, &[&["fix", "nothing counts as one"], QUICK]);
    let story = story.ends("SUCCESS", 0);
    assert!(!story.has("red-refused"), "{}", story.ran);
}

#[test]
fn tests_that_a_person_brings_are_judged_like_any_other() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let head = desk.repo.head();
    let green = "from calc import add\n\n\ndef test_new():\n    assert add(1, 1) == 2\n";
    desk.repo.file("tests/test_new.py", green);
    let brought = ["--tests", "tests/test_new.py"];
    for (verb, status, code) in [("fix", "DISCARDED", 5), ("add", "BLOCKED", 4)] {
        let story = desk.played(&honest(), &[&[verb, "sub"], QUICK, &brought]).ends(status, code);
        assert_eq!(story.faults("red-refused"), ["passed-too-early"]);
        assert!(story.asked().is_empty(), "nobody can be asked for better tests");
    }
    assert_eq!(desk.repo.head(), head);

    desk.repo.file("tests/test_new.py", SUB_TEST);
    // A person's tests are not an agent's to change: an appeal against them goes to the person.
    let disputes = Scenario::new().disputes(1, "7 less 3 is not 4 here");
    let story = desk.played(&disputes, &[&["add", "sub"], QUICK, &brought]).ends("BLOCKED", 4);
    assert!(story.reason().contains("7 less 3 is not 4 here"), "{}", story.reason());
    let story = desk.played(&honest(), &[&["add", "sub"], QUICK, &brought]).ends("SUCCESS", 0);
    assert_eq!(story.asked(), ["implement 1.1", "review 1.1"]);
    assert!(story.prompt("implement 1.1").contains("assert sub(7, 3) == 4"));
    assert_eq!(desk.repo.git(&["show", "main:tests/test_new.py"]), SUB_TEST.trim_end());
}

#[test]
fn failures_that_were_there_before_are_recorded_and_never_blamed() {
    let repo = RepoBuilder::python_calc();
    repo.file("proctor.toml", ONCE)
        .file(
            "tests/test_old.py",
            "from calc import mul\n\n\ndef test_broken():\n    assert mul(2, 2) == 5\n",
        )
        .file(
            "tests/test_gone.py",
            "import nobody_wrote_this\n\n\ndef test_lost():\n    assert nobody_wrote_this\n",
        )
        .commit("two failures");
    let Some(desk) = Desk::over(repo) else { return };
    let story = desk.played(&honest(), &[&["add", "sub"], QUICK]).ends("SUCCESS", 0);
    let baseline = &story.named("prepared")[0]["baseline"];
    assert!(
        baseline["failing"].to_string().contains("tests/test_old.py::test_broken"),
        "{baseline}"
    );
    assert!(!story.has("red-refused") && !story.has("green-refused"));
    let prompt = story.prompt("implement 1.1");
    let named: Vec<&str> = prompt.lines().filter(|line| line.contains("test_broken")).collect();
    assert!(named.len() == 1 && named[0].contains("nobody has to mend them"), "{named:?}");
}

// S1-31
#[test]
fn surroundings_that_can_not_run_a_test_block_with_the_remedy_before_anyone_is_asked() {
    let stuck = |repo: RepoBuilder, words: &[&str]| {
        let Some(desk) = Desk::over(repo) else { return };
        let head = desk.repo.head();
        let story = desk.played(&honest(), &[&["add", "sub"], QUICK]).ends("BLOCKED", 4);
        assert!(story.asked().is_empty());
        let reason = story.reason();
        for word in words {
            assert!(reason.contains(word), "{word:?} is not in:\n{reason}");
        }
        desk.untouched(&head);
    };
    // Every test file breaks at collection.
    let repo = RepoBuilder::python_calc();
    repo.file("calc.py", "def add(:\n").commit("broken");
    stuck(repo, &["the baseline can't run", "hint:"]);
    // The tool itself breaks.
    let repo = RepoBuilder::python_calc();
    repo.file("tests/conftest.py", "import os\nos._exit(3)\n").commit("broken");
    stuck(repo, &["the baseline can't run", "hint:"]);
    // Nothing says how to test.
    let repo = RepoBuilder::new();
    repo.file("README.md", "# nothing to run\n").commit("only words");
    stuck(repo, &["hint:", "runner"]);
    // The set-up recipe fails.
    let repo = RepoBuilder::python_calc();
    repo.file("proctor.toml", "[setup]\nrun = [\"false\"]\n").commit("recipe");
    stuck(repo, &["the set-up command `false`", "hint:"]);
}
