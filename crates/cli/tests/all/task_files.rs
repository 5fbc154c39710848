//! Tasks from files, from outside: `proctor run` with a Markdown spec and with task JSON.

use super::rows::{CALC, Desk, ONCE, QUICK, SUB_TEST, coder, honest, with_sub};
use proctor_testkit::Scenario;
use serde_json::{Value, json};

#[test]
fn a_markdown_spec_is_carried_out_and_lands() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let spec =
        "---\nid: sub-1\ntargets: [sub]\n---\n# Subtract two numbers\n\nsub(a, b) is a minus b.\n";
    let file = desk.env.user_home().join("SPEC.md");
    std::fs::write(&file, spec).unwrap();
    let file = file.to_string_lossy();
    let story = desk.played(&honest(), &[&["run", &file], QUICK]).ends("SUCCESS", 0);
    let brief = story.ran.events()[0]["brief"].clone();
    assert_eq!(brief["task"], "sub-1");
    assert_eq!(brief["kind"], "feature");
    assert_eq!(brief["description"], "Subtract two numbers");
    assert!(brief["details"].as_str().unwrap().contains("a minus b"));
}

#[test]
fn a_bad_spec_creates_nothing_and_a_good_one_is_only_checked_where_that_is_asked() {
    let Some(desk) = Desk::with("") else { return };
    let head = desk.repo.head();
    let file = desk.env.user_home().join("SPEC.md");
    std::fs::write(&file, "---\ntype: chore\n---\n# T\n").unwrap();
    let name = file.to_string_lossy().into_owned();
    let ran = desk.call(&["run", &name]).run();
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("line 2: `type` can't be \"chore\""), "{}", ran.stderr);
    assert!(!desk.env.home().join("journal.db").exists());
    std::fs::write(&file, "# T\n").unwrap();
    let ran = desk.call(&["run", "--check", &name]).run();
    assert_eq!(
        (ran.code, ran.stdout.lines().next().unwrap_or_default().contains("is a task: t")),
        (0, true),
        "{}",
        ran.stdout
    );
    assert!(!desk.env.home().join("journal.db").exists());
    desk.untouched(&head);
}

/// Task JSON for `sub`, written beside the repository; gives its path.
fn task(desk: &Desk, change: impl Fn(&mut Value)) -> String {
    let mut task = json!({
        "id": "TDD-1",
        "title": "Subtract two numbers",
        "description": "sub(a, b) is a minus b.",
        "meta": {
            "tdd_workflow": true,
            "max_iterations": 2,
            "tdd_cycles": [{"test_count": 1, "test_cases": ["test_sub"], "implementation_scope": "calc.py: sub"}]
        },
        "cli_execution": {"id": "WFS-1-TDD-1", "strategy": "new"},
        "focus_paths": ["calc.py"],
        "implementation": [
            {"step": 1, "tdd_phase": "red", "description": "One test of sub"},
            {"step": 2, "tdd_phase": "green", "actions": ["add sub to calc.py"],
             "modification_points": ["calc.py: a new function"]},
            {"step": 3, "tdd_phase": "refactor", "description": "Tidy up"}
        ],
        "convergence": {"criteria": ["pytest tests/test_calc.py tests/test_sub.py"]}
    });
    change(&mut task);
    let file = desk.env.user_home().join("TASK.json");
    std::fs::write(&file, task.to_string()).unwrap();
    file.to_string_lossy().into_owned()
}

#[test]
fn s3_13_s3_15_and_s3_18_a_task_in_json_goes_through_red_green_and_refactor() {
    let Some(desk) = Desk::with(ONCE) else { return };
    desk.repo.file("NOTES.md", "Numbers are plain integers.\n").commit("notes");
    let file = task(&desk, |task| task["files_to_read"] = json!(["NOTES.md"]));
    let story = desk.played(&honest(), &[&["run", &file, "--yes"]]).ends("SUCCESS", 0);
    let brief = story.ran.events()[0]["brief"].clone();
    assert_eq!(brief["limits"]["green"], 2, "S3-2");
    assert_eq!(brief["test_count"], 1, "S3-12");
    assert_eq!(brief["relevant_files"], json!(["calc.py"]));
    assert_eq!(brief["runner"]["command"], json!(["pytest"]), "what is not there yet is left out");
    for phase in ["write_tests", "implement", "refactor", "review"] {
        let prompt = story.prompt(&format!("{phase} 1.1"));
        assert!(prompt.starts_with("<files_to_read>\n"), "S3-8: {phase}: {prompt}");
        assert!(prompt.contains("Numbers are plain integers."), "{phase}");
    }
    assert!(story.prompt("write_tests 1.1").contains("- test_sub"));
    assert!(story.prompt("implement 1.1").contains("1. add sub to calc.py"));
    assert!(story.prompt("review 1.1").contains("every modification point is addressed"));
}

#[test]
fn s3_16_tests_that_are_not_named_after_the_cases_or_too_few_are_sent_back() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let file = task(&desk, |task| {
        task["meta"]["tdd_cycles"] =
            json!([{"test_count": 2, "test_cases": ["test_sub", "test_sub_negative"]}]);
    });
    let more = format!("{SUB_TEST}\n\ndef test_sub_negative():\n    assert sub(3, 7) == -4\n");
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_sub.py", SUB_TEST)])
        .tests(2, &[("tests/test_sub.py", &more)])
        .code(1, &[("calc.py", &with_sub("return a - b"))])
        .review_ok();
    let story = desk.played(&scenario, &[&["run", &file], QUICK, &["--test-cmd", "pytest"]]);
    let story = story.ends("SUCCESS", 0);
    let refused = story.ran.events_named("red-refused");
    let faults = refused[0]["faults"].as_array().unwrap().clone();
    assert!(
        faults.contains(&json!({"fault": "wrong-count", "wanted": 2, "found": 1})),
        "{faults:?}"
    );
    assert!(
        faults.contains(&json!({"fault": "cases-missing", "cases": ["test_sub_negative"]})),
        "{faults:?}"
    );
}

#[test]
fn s3_10_a_bad_task_names_every_fault_and_runs_nothing() {
    let Some(desk) = Desk::with("") else { return };
    let head = desk.repo.head();
    let file = task(&desk, |task| {
        task["meta"]["max_iterations"] = json!("three");
        task["implementation"][1] = json!({"tdd_phase": "green"});
        task["convergence"] = json!({"criteria": ["cd tests && pytest"]});
    });
    for check in [&["run", &file][..], &["run", "--check", &file]] {
        let ran = desk.call(check).run();
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        for told in [
            "$.meta.max_iterations: must not be \"three\"; expected a whole number",
            "$.implementation[1]: the green phase says nothing; expected actions or a description",
            "$.convergence.criteria[0]: \"cd tests && pytest\" needs a shell",
            "generate it again",
        ] {
            assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
        }
    }
    assert!(!desk.env.home().join("journal.db").exists());
    desk.untouched(&head);
}

#[test]
fn s3_44_a_task_without_tdd_workflow_goes_the_plain_way() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let file = task(&desk, |task| task["meta"] = json!({}));
    let broken = CALC.replace("return a + b", "return a - b");
    let scenario = Scenario::new()
        .turn(coder(1, &json!({"calc.py": broken, "tests/test_calc.py": ""}), &[]))
        .turn(coder(
            2,
            &json!({"calc.py": with_sub("return a - b"), "tests/test_new.py": SUB_TEST}),
            &[],
        ))
        .review_ok();
    let story = desk
        .played(&scenario, &[&["run", &file, "--yes", "--test-cmd", "pytest"]])
        .ends("SUCCESS", 0);
    let phases: Vec<String> = story
        .ran
        .events_named("turned")
        .iter()
        .map(|event| event["turn"]["phase"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(phases, ["implement", "implement", "review"]);
    let first = &story.ran.events_named("turned")[0]["turn"];
    assert!(first["put_back"].to_string().contains("tests that were there before stay"), "{first}");
    assert_eq!(story.ran.events_named("green-refused").len(), 1);
    assert!(story.ran.events_named("red-proven").is_empty());
    assert!(desk.repo.git(&["show", "--stat", "main"]).contains("tests/test_new.py"));
}

#[test]
fn s3_21_a_diagnostician_is_asked_before_the_fix_and_its_failure_changes_nothing() {
    let config = format!("{ONCE}[roles]\ndiagnostician = \"claude\"\n");
    let Some(desk) = Desk::with(&config) else { return };
    let file = task(&desk, |_| {});
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_sub.py", SUB_TEST)])
        .code(1, &[("calc.py", &with_sub("return a + b"))])
        .turn(json!({"phase": "diagnose", "attempt": 1, "write": {"calc.py": "broken"}, "output": {
            "root_cause": "the sign", "strategy": "take b away instead", "notes": "looked"}}))
        .code(2, &[("calc.py", &with_sub("return b - a"))])
        .turn(json!({"phase": "diagnose", "attempt": 2, "output": {"strategy": 3}}))
        .code(3, &[("calc.py", &with_sub("return a - b"))])
        .review_ok();
    let story = desk.played(&scenario, &[&["run", &file], QUICK, &["--test-cmd", "pytest"]]);
    let story = story.ends("SUCCESS", 0);
    let asked: Vec<String> =
        story.asked().into_iter().filter(|ask| ask.starts_with("diagnose")).collect();
    assert_eq!(asked, ["diagnose 1.1", "diagnose 2.1"], "each is asked once");
    let asked = [story.prompt("diagnose 1.1")];
    for told in ["PURPOSE:", "MODE: analysis", "assert 10 == 4", "+    return a + b"] {
        assert!(asked[0].contains(told), "{told}: {}", asked[0]);
    }
    let fixes = ["1", "2", "3"].map(|n| story.prompt(&format!("implement {n}.1")));
    assert!(fixes[1].contains("Strategy: take b away instead"), "{}", fixes[1]);
    assert!(!fixes[2].contains("### Diagnosis"), "{}", fixes[2]);
    assert_eq!(story.ran.events_named("diagnosis-skipped").len(), 1);
    let turned = story.ran.events_named("turned");
    let diagnosis = turned.iter().find(|event| event["turn"]["phase"] == "diagnose").unwrap();
    assert!(diagnosis["turn"]["put_back"].to_string().contains("only reads"), "{diagnosis}");
}

/// The lines of the last section, and how many markers there are in all.
fn last_section(stdout: &str) -> (Vec<&str>, usize) {
    let lines: Vec<&str> = stdout.lines().collect();
    let at = lines.iter().rposition(|line| line.starts_with("## ")).unwrap();
    (lines[at..].to_vec(), lines.iter().filter(|line| line.starts_with("## TASK")).count())
}

// S3-33
#[test]
fn s3_38_a_landed_task_ends_with_the_complete_marker_and_leaves_its_files() {
    let Some(desk) = Desk::with(ONCE) else { return };
    desk.repo.file("TODO_LIST.md", "- [ ] TDD-1: subtract\n- [ ] TDD-2: more\n").commit("to do");
    let file = task(&desk, |task| task["todo_list"] = json!("TODO_LIST.md"));
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_sub.py", SUB_TEST)])
        .code(1, &[("calc.py", &with_sub("return a + b"))])
        .code(2, &[("calc.py", &with_sub("return a - b"))])
        .refactor_nothing()
        .review_ok();
    let call = desk.call(&["run", &file, "--yes", "--test-cmd", "pytest"]);
    let ran = call.mock(&scenario).run();
    assert_eq!(ran.code, 0, "{ran}");
    let (last, markers) = last_section(&ran.stdout);
    assert_eq!((last[0], markers), ("## TASK COMPLETE", 1), "{}", ran.stdout);
    for (line, told) in last[2..].iter().zip([
        "**Cycle:** red → green → refactor",
        "**Tests:** 3/3 passing (100%)",
        "**Coverage:** not measured (no target)",
        "**Iterations:** 1/2 (fixes after the first try)",
        "**Files:** calc.py, tests/test_sub.py",
    ]) {
        assert_eq!(*line, told, "{}", ran.stdout);
    }
    assert!(ran.stdout.starts_with("# TDD summary: TDD-1\n"), "S3-36: {}", ran.stdout);
    assert!(ran.stdout.contains("\nStatus: Complete (TDD Compliant)\n"), "{}", ran.stdout);
    assert!(ran.stderr.contains("Success: Feature merged."), "talk is on stderr: {}", ran.stderr);
    let process = process_of(&desk);
    let read = |name: &str| std::fs::read_to_string(process.join(name)).unwrap();
    assert!(ran.stdout.starts_with(&read("summary.md")), "S3-33");
    let fix = read("green-fix-iteration-1.md");
    assert!(fix.contains("assert 10 == 4") && fix.contains("- Result: green"), "S3-22: {fix}");
    assert!(!process.join("green-fix-iteration-2.md").exists());
    let result: Value = serde_json::from_str(&read("result.json")).unwrap();
    assert_eq!(
        (&result["status"], &result["green"]["iterations"]),
        (&json!("SUCCESS"), &json!(1)),
        "S3-44"
    );
    let todo = read("TODO_LIST.md");
    assert!(todo.contains("- [x] TDD-1: subtract → [summary](summary.md)"), "S3-35: {todo}");
    assert!(todo.contains("Progress: 1/2 (50%)"), "{todo}");
    assert_eq!(desk.repo.read("TODO_LIST.md"), "- [ ] TDD-1: subtract\n- [ ] TDD-2: more\n");
}

fn process_of(desk: &Desk) -> std::path::PathBuf {
    let runs = desk.env.home().join("runs");
    let run = std::fs::read_dir(&runs).unwrap().next().unwrap().unwrap();
    run.path().join(".process")
}

#[test]
fn s3_23_s3_24_and_s3_40_a_task_whose_fixes_are_used_up_is_reverted_and_ends_with_the_failed_marker()
 {
    let Some(desk) = Desk::with(ONCE) else { return };
    let head = desk.repo.head();
    let file = task(&desk, |task| task["meta"]["max_iterations"] = json!(1));
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_sub.py", SUB_TEST)])
        .code(1, &[("calc.py", &with_sub("return a + b"))])
        .code(2, &[("calc.py", &with_sub("return b - a"))]);
    let ran = desk.call(&["run", &file, "--yes"]).mock(&scenario).run();
    assert_eq!(ran.code, 1, "{ran}");
    let (last, markers) = last_section(&ran.stdout);
    assert_eq!((last[0], markers), ("## TASK FAILED", 1), "{}", ran.stdout);
    assert_eq!(last[2], "**Phase:** Green");
    let sentence = "Green phase failed after 1 iterations. All changes reverted. See diagnostics in green-phase-failure.md";
    assert!(last[3].starts_with(&format!("**Reason:** {sentence}")), "{}", ran.stdout);
    assert_eq!(last[4], "**Action:** All changes auto-reverted");
    let process = process_of(&desk);
    assert_eq!(last[5], format!("**Diagnostics:** {}/green-phase-failure.md", process.display()));
    let report = std::fs::read_to_string(process.join("green-phase-failure.md")).unwrap();
    assert!(report.contains(sentence), "{report}");
    assert!(process.join("green-fix-iteration-1.md").exists(), "S3-25");
    assert!(!ran.stdout.contains("refactor 1"), "S3-41: no refactoring while tests fail");
    desk.untouched(&head);
}

#[test]
fn s3_39_a_task_that_waits_for_a_person_or_can_not_begin_ends_with_the_blocked_marker() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let file = task(&desk, |_| {});
    let ran = desk.call(&["run", &file]).mock(&honest()).run();
    assert_eq!(ran.code, 3, "{ran}");
    let (last, markers) = last_section(&ran.stdout);
    assert_eq!((last[0], markers), ("## TASK BLOCKED", 1), "{}", ran.stdout);
    for (line, field) in last[2..].iter().zip(["Blocker", "Need", "Attempted", "Phase"]) {
        assert!(line.starts_with(&format!("**{field}:** ")), "{}", ran.stdout);
    }
    assert!(last[3].contains("proctor approve"), "{}", last[3]);
    assert_eq!(last[5], "**Phase:** Approval");
    let bad = task(&desk, |task| task["description"] = json!(""));
    let ran = desk.call(&["run", &bad]).mock(&honest()).run();
    assert_eq!(ran.code, 2, "{ran}");
    let (last, markers) = last_section(&ran.stdout);
    assert_eq!((last[0], markers), ("## TASK BLOCKED", 1), "{}", ran.stdout);
    assert!(last[2].contains("$.description: is empty"), "{}", ran.stdout);
}

#[test]
fn s3_32_and_s3_42_a_task_that_is_handed_off_gets_an_hour_and_goes_on_from_an_earlier_one() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let first = task(&desk, |_| {});
    desk.played(&honest(), &[&["run", &first], QUICK]).ends("SUCCESS", 0);
    let second = task(&desk, |task| {
        task["id"] = json!("TDD-2");
        task["meta"] = json!({"execution_config": {"method": "cli", "tool": "codex"}});
        task["cli_execution"] = json!({"id": "WFS-1-TDD-2", "strategy": "merge_fork", "resume_from": ["WFS-1-TDD-1", "WFS-1-TDD-0"]});
    });
    let scenario = Scenario::new()
        .code(
            1,
            &[(
                "calc.py",
                &format!("{}\n\ndef div(a, b):\n    return a / b\n", with_sub("return a - b")),
            )],
        )
        .review_ok();
    let story = desk
        .played(&scenario, &[&["run", &second], QUICK, &["--test-cmd", "pytest"]])
        .ends("SUCCESS", 0);
    let brief = story.ran.events()[0]["brief"].clone();
    assert_eq!(brief["limits"]["turn_ms"], 3_600_000);
    assert!(
        story.ran.stderr.contains("No run of this repository is known as WFS-1-TDD-0"),
        "{}",
        story.ran.stderr
    );
    let prompt = story.prompt("implement 1.1");
    assert!(
        prompt
            .contains("What an earlier task came to (WFS-1-TDD-1: Subtract two numbers, SUCCESS)"),
        "{prompt}"
    );
    assert!(prompt.contains("- implement: Code written."), "{prompt}");
}
