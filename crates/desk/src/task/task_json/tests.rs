use super::*;
use proctor_core::brief::Percent;
use serde_json::json;
use std::fmt::Write;

/// A task with everything in it.
fn good() -> Value {
    json!({
        "id": "TDD-1",
        "title": "Subtract two numbers",
        "description": "sub(a, b) is a minus b.",
        "type": "feature",
        "meta": {
            "tdd_workflow": true,
            "max_iterations": 2,
            "tdd_cycles": [
                {"test_count": 2, "test_cases": ["test_sub", "test_sub_negative"],
                 "implementation_scope": "calc.py: sub", "expected_coverage": ">=85%"},
                {"test_count": 1, "test_cases": ["test_sub_zero"], "expected_coverage": "70%"}
            ],
            "execution_config": {"method": "agent"}
        },
        "cli_execution": {"id": "WFS-1-TDD-1", "strategy": "new", "resume_from": null},
        "focus_paths": ["calc.py", "tests"],
        "files_to_read": ["README.md"],
        "pre_analysis": ["Read calc.py", {"step": "patterns", "action": "Look at the tests", "commands": ["ls tests"]}],
        "implementation": [
            "Keep it small",
            {"step": 1, "tdd_phase": "red", "description": "Write the tests", "actions": ["two tests"]},
            {"step": 2, "tdd_phase": "green", "description": "Write sub", "actions": ["add sub to calc.py"],
             "modification_points": [{"file": "calc.py", "change": "new function sub"}],
             "logic_flow": ["take a", "take b away"], "test_fix_cycle": {"max_iterations": 5}},
            {"step": 3, "tdd_phase": "refactor", "description": "Tidy up"}
        ],
        "convergence": {"criteria": ["All tests pass: `pytest tests`", "coverage >= 85%"]},
        "context": {
            "shared_context": {"tech_stack": ["Python", "pytest"], "conventions": "snake_case"},
            "exploration_results": {"critical_files": ["calc.py"], "integration_points": ["the command line"]}
        },
        "todo_list": "TODO_LIST.md"
    })
}

fn parse(value: &Value) -> Result<TaskJson, Vec<TaskFault>> {
    TaskJson::parse(&value.to_string(), Shell::Refused)
}

fn ok(value: &Value) -> TaskJson {
    match parse(value) {
        Ok(task) => task,
        Err(faults) => panic!("{}", in_lines(&faults)),
    }
}

fn in_lines(faults: &[TaskFault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// The good task with one place changed.
fn with(pointer: &str, value: Value) -> Value {
    let mut task = good();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = if parent.is_empty() { &mut task } else { task.pointer_mut(parent).unwrap() };
    match parent {
        Value::Array(items) => items[key.parse::<usize>().unwrap()] = value,
        Value::Object(object) => {
            object.insert(key.to_owned(), value);
        }
        other => panic!("{other}"),
    }
    task
}

#[test]
fn s3_1_tdd_mode_is_where_tdd_workflow_is_true_and_nowhere_else() {
    assert_eq!(ok(&good()).route, Route::Tdd);
    assert_eq!(ok(&with("/meta/tdd_workflow", json!(false))).route, Route::Plain);
    assert_eq!(ok(&json!({"description": "Do it"})).route, Route::Plain);
}

#[test]
fn s3_2_max_iterations_is_read_and_left_to_the_default_of_three_where_it_is_not_said() {
    assert_eq!(ok(&good()).max_iterations, Some(2));
    assert_eq!(
        ok(&with("/meta/max_iterations", json!(null))).max_iterations,
        Some(5),
        "of the green phase"
    );
    assert_eq!(ok(&json!({"description": "Do it"})).max_iterations, None);
    assert_eq!(proctor_core::brief::Limits::default().green, 3);
}

#[test]
fn s3_3_cycles_give_counts_cases_scope_and_coverage() {
    let task = ok(&good());
    assert_eq!(task.test_count(), Some(3));
    assert_eq!(task.test_cases(), ["test_sub", "test_sub_negative", "test_sub_zero"]);
    assert_eq!(task.scopes(), ["calc.py: sub"]);
    assert_eq!(task.coverage().map(|least| least.0), Some(Percent(8500)), "the highest counts");
    let some = with("/meta/tdd_cycles/1", json!({"test_cases": ["test_sub_zero"]}));
    assert_eq!(ok(&some).test_count(), None, "a cycle that says no count leaves the sum open");
}

#[test]
fn s3_4_cli_execution_has_an_id_a_strategy_and_what_it_goes_on_from() {
    let cli = |value: Value| ok(&with("/cli_execution", value)).cli;
    let fork = cli(json!({"id": "W-2", "strategy": "fork", "resume_from": "W-1"}));
    assert_eq!((fork.id.as_deref(), fork.strategy), (Some("W-2"), Some(SessionPolicy::Fork)));
    assert_eq!(fork.resume_from, ["W-1"]);
    let merged = cli(json!({"id": "W-3", "strategy": "merge_fork", "resume_from": ["W-1", "W-2"]}));
    assert_eq!((merged.strategy, merged.resume_from.len()), (Some(SessionPolicy::MergeFork), 2));
}

#[test]
fn s3_5_and_s3_12_description_paths_steps_and_criteria_are_read() {
    let task = ok(&good());
    assert_eq!((task.id.as_deref(), task.title.as_str()), (Some("TDD-1"), "Subtract two numbers"));
    assert_eq!(task.focus_paths, ["calc.py", "tests", "calc.py"]);
    assert_eq!(task.files_to_read, ["README.md"]);
    assert!(task.details().contains("It is done when:\n- All tests pass: `pytest tests`"));
    let red = task.orders(Phase::WriteTests);
    assert!(red.contains("1. Read calc.py\n2. action: Look at the tests"), "{red}");
    assert!(red.contains("Write exactly 3 tests."), "{red}");
    assert!(red.contains("- test_sub_negative"), "{red}");
}

#[test]
fn s3_6_implementation_holds_texts_and_objects_and_only_those_with_a_phase_are_phases() {
    let task = ok(&good());
    let phases: Vec<Phase> = task.pieces.iter().filter_map(|piece| piece.phase).collect();
    assert_eq!(phases, [Phase::WriteTests, Phase::Implement, Phase::Refactor]);
    let green = task.orders(Phase::Implement);
    assert!(green.contains("Keep it small"), "{green}");
    assert!(
        green.contains("### Step 2: green\n\nWrite sub\n\nActions:\n1. add sub to calc.py"),
        "{green}"
    );
    assert!(!green.contains("Tidy up"), "{green}");
    assert!(task.orders(Phase::Refactor).contains("Tidy up"));
}

#[test]
fn s3_7_the_method_is_agent_unless_cli_is_said_for_the_task_or_for_a_phase() {
    assert_eq!(ok(&good()).method, Method::Agent);
    let whole = ok(&with("/meta/execution_config", json!({"method": "cli", "tool": "codex"})));
    assert_eq!(whole.method, Method::Cli);
    assert_eq!(whole.tools.len(), 2);
    let one = ok(&with(
        "/implementation/2/execution_config",
        json!({"method": "cli", "cli_tool": "gemini"}),
    ));
    assert_eq!(one.method, Method::Cli);
    assert_eq!(
        one.tools,
        [(
            Phase::Implement,
            "gemini".to_owned(),
            "$.implementation[2].execution_config".to_owned()
        )]
    );
}

#[test]
fn s3_11_the_background_of_the_project_is_told_and_names_the_test_tool() {
    let task = ok(&good());
    assert_eq!(task.runner.as_deref(), Some("pytest"));
    let details = task.details();
    for told in [
        "Tech stack:\n- Python\n- pytest",
        "Conventions of this project, to be followed:\n- snake_case",
        "Critical files:\n- calc.py",
        "Integration points:\n- the command line",
    ] {
        assert!(details.contains(told), "{told}: {details}");
    }
}

#[test]
fn s3_43_modification_points_and_the_logic_flow_reach_the_coder_and_the_reviewer() {
    let task = ok(&good());
    let coder = task.orders(Phase::Implement);
    assert!(coder.contains("Modification points, address every one of them:\n1. change: new function sub; file: calc.py")
        || coder.contains("1. file: calc.py; change: new function sub"), "{coder}");
    assert!(coder.contains("Logic flow, in this order:\n1. take a\n2. take b away"), "{coder}");
    let reviewer = task.orders(Phase::Review);
    assert!(reviewer.contains("Check that every modification point is addressed:"), "{reviewer}");
    assert!(
        reviewer.contains("Check that the logic flow is followed in this order:\n- take a"),
        "{reviewer}"
    );
}

#[test]
fn a_test_command_is_found_among_the_criteria_and_split_into_words() {
    let of = |criteria: Value| ok(&with("/convergence/criteria", criteria)).test_command;
    let words = |text: &str| Some(TestCommand::Words(text.split(' ').map(str::to_owned).collect()));
    assert_eq!(of(json!(["`pytest tests -q` passes"])), words("pytest tests -q"));
    assert_eq!(of(json!(["Everything works", "cargo test"])), words("cargo test"));
    assert_eq!(
        of(json!(["Tests: pytest --cov=src --cov-report term tests"])),
        words("pytest tests")
    );
    assert_eq!(of(json!(["pytest tests passes with 85% coverage"])), words("pytest tests"));
    assert_eq!(of(json!(["go test ./... succeeds"])), words("go test ./..."));
    assert_eq!(of(json!(["npm test"])), Some(TestCommand::Script("npm test".to_owned())));
    assert_eq!(of(json!(["pytest tests", "pytest other"])), words("pytest tests"));
}

#[test]
fn a_command_for_a_shell_is_refused_unless_the_base_commit_allows_it() {
    let task = with("/convergence/criteria", json!(["cd sub && pytest | tee log"]));
    let refused = in_lines(&parse(&task).unwrap_err());
    assert!(refused.contains("needs a shell (`&`)"), "{refused}");
    let allowed = TaskJson::parse(&task.to_string(), Shell::Allowed).unwrap();
    assert_eq!(
        allowed.test_command,
        Some(TestCommand::Shell("cd sub && pytest | tee log".to_owned()))
    );
}

#[test]
fn what_nobody_reads_is_said_and_does_no_harm() {
    let task = ok(&with("/convergance", json!({})));
    assert_eq!(
        task.remarks,
        ["$.convergance is not known and ignored; did you mean `convergence`?"]
    );
}

/// What is wrong, and the good task with that one thing changed.
fn bad() -> Vec<(&'static str, Value)> {
    let mut no_description = good();
    no_description.as_object_mut().unwrap().remove("description");
    let mut no_criteria = good();
    no_criteria.as_object_mut().unwrap().remove("convergence");
    let red = json!({"tdd_phase": "red", "description": "x"});
    let green = json!({"tdd_phase": "green", "description": "x"});
    let refactor = json!({"tdd_phase": "refactor", "description": "x"});
    vec![
        ("a list", json!([])),
        ("no description", no_description),
        ("an empty description", with("/description", json!("  "))),
        ("a description that is a number", with("/description", json!(3))),
        ("an id that is no text", with("/id", json!(7))),
        ("meta that is a text", with("/meta", json!("tdd"))),
        ("tdd_workflow as a text", with("/meta/tdd_workflow", json!("true"))),
        ("no iterations", with("/meta/max_iterations", json!(0))),
        ("iterations as a text", with("/meta/max_iterations", json!("three"))),
        ("half an iteration", with("/meta/max_iterations", json!(2.5))),
        ("too many iterations", with("/meta/max_iterations", json!(1000))),
        ("cycles that are an object", with("/meta/tdd_cycles", json!({}))),
        ("a cycle that is a text", with("/meta/tdd_cycles/0", json!("one"))),
        ("a negative count", with("/meta/tdd_cycles/0/test_count", json!(-1))),
        ("more cases than tests", with("/meta/tdd_cycles/0/test_count", json!(1))),
        ("cases that are a text", with("/meta/tdd_cycles/0/test_cases", json!("test_sub"))),
        ("a case that is a number", with("/meta/tdd_cycles/0/test_cases/0", json!(1))),
        ("a case twice", with("/meta/tdd_cycles/0/test_cases/0", json!("test_sub_negative"))),
        ("coverage in words", with("/meta/tdd_cycles/0/expected_coverage", json!("most of it"))),
        ("coverage over all", with("/meta/tdd_cycles/0/expected_coverage", json!(">=120%"))),
        ("a scope that is a list", with("/meta/tdd_cycles/0/implementation_scope", json!(["a"]))),
        ("an unknown method", with("/meta/execution_config/method", json!("robot"))),
        ("a configuration that is a text", with("/meta/execution_config", json!("agent"))),
        ("an unknown strategy", with("/cli_execution/strategy", json!("again"))),
        ("nothing to resume from", with("/cli_execution/strategy", json!("resume"))),
        (
            "a list to resume from",
            with("/cli_execution", json!({"strategy": "resume", "resume_from": ["a"]})),
        ),
        (
            "one text to merge from",
            with("/cli_execution", json!({"strategy": "merge_fork", "resume_from": "a"})),
        ),
        (
            "nothing to merge from",
            with("/cli_execution", json!({"strategy": "merge_fork", "resume_from": []})),
        ),
        ("paths that are a text", with("/focus_paths", json!("src"))),
        ("a path that climbs", with("/focus_paths/0", json!("../other"))),
        ("an empty path", with("/files_to_read/0", json!(""))),
        ("a step that is a number", with("/pre_analysis/0", json!(1))),
        ("an implementation that is a text", with("/implementation", json!("do it"))),
        ("an item that is null", with("/implementation/0", json!(null))),
        ("no phases", with("/implementation", json!(["do it"]))),
        ("two phases", with("/implementation", json!([red, green]))),
        ("four phases", with("/implementation", json!([red, green, green, refactor]))),
        ("another order", with("/implementation", json!([green, red, refactor]))),
        ("an unknown phase", with("/implementation/3/tdd_phase", json!("blue"))),
        (
            "a green phase that says nothing",
            with("/implementation/2", json!({"tdd_phase": "green"})),
        ),
        (
            "two tools for one coder",
            with(
                "/implementation",
                json!([red,
            {"tdd_phase": "green", "description": "x", "execution_config": {"tool": "codex"}},
            {"tdd_phase": "refactor", "description": "x", "execution_config": {"tool": "claude"}}]),
            ),
        ),
        ("actions that are a text", with("/implementation/1/actions", json!("write"))),
        ("a test_fix_cycle that is a number", with("/implementation/2/test_fix_cycle", json!(3))),
        (
            "a modification point that is empty",
            with("/implementation/2/modification_points/0", json!({})),
        ),
        ("no criteria", no_criteria),
        ("criteria that are a text", with("/convergence/criteria", json!("pytest"))),
        ("criteria without a test command", with("/convergence/criteria", json!(["It works."]))),
        ("a pipe", with("/convergence/criteria/0", json!("pytest tests | tail -1"))),
        ("a variable", with("/convergence/criteria/0", json!("`CI=1 pytest tests`"))),
        (
            "an argument that leaves tests out",
            with("/convergence/criteria/0", json!("cargo test --no-run")),
        ),
        ("a context that is a list", with("/context", json!([]))),
        ("a list of things to do that is a list", with("/todo_list", json!(["TODO.md"]))),
    ]
}

#[test]
fn s3_9_every_kind_of_bad_task_is_refused_with_its_place_and_what_is_expected() {
    let mut told = String::new();
    let bad = bad();
    assert!(bad.len() >= 30);
    for (what, task) in bad {
        let Err(faults) = parse(&task) else { panic!("{what} is taken for a task") };
        writeln!(told, "## {what}\n{}", in_lines(&faults)).unwrap();
    }
    insta::assert_snapshot!("bad_tasks", told);
}

#[test]
fn s3_10_all_faults_are_named_at_once_and_text_that_is_no_json_with_its_line() {
    let mut task = with("/meta/max_iterations", json!("x"));
    task["focus_paths"] = json!(3);
    task["implementation"] = json!([]);
    let faults = parse(&task).unwrap_err();
    assert_eq!(faults.len(), 6, "{}", in_lines(&faults));
    let broken = TaskJson::parse("{\n \"a\": ,\n}", Shell::Refused).unwrap_err();
    assert!(
        broken[0].to_string().contains("$: this is not JSON: expected value at line 2"),
        "{}",
        broken[0]
    );
}

#[test]
fn the_schema_is_json_and_knows_every_key() {
    let value: Value = serde_json::from_str(schema()).unwrap();
    for key in good().as_object().unwrap().keys() {
        assert!(value["properties"].get(key).is_some(), "{key}");
    }
}
