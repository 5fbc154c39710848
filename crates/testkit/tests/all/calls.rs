use proctor_testkit::{Scenario, TestEnv, processes_left_after, processes_with_token};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

fn sh() -> TestEnv {
    TestEnv::new("/bin/sh")
}

fn message_of(failing: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(failing)).expect_err("this must fail the test");
    panic
        .downcast_ref::<String>()
        .cloned()
        .unwrap_or_else(|| (*panic.downcast_ref::<&str>().unwrap()).to_owned())
}

#[test]
fn a_call_has_its_own_homes_and_no_variable_of_the_user() {
    let env = sh().env("EXTRA", "for all");
    let ran =
        env.call(env.user_home()).args(&["-c", "env; pwd >&2; exit 3"]).env("ONE", "more").run();
    let mut names: Vec<&str> = ran
        .stdout
        .lines()
        .filter_map(|line| Some(line.split_once('=')?.0))
        // The shell sets these itself.
        .filter(|name| !["PWD", "_", "SHLVL", "OLDPWD"].contains(name))
        .filter(|name| !["CARGO_HOME", "RUSTUP_HOME"].contains(name))
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["EXTRA", "HOME", "ONE", "PATH", "PROCTOR_HOME"]);
    assert_eq!(ran.code, 3);
    assert_eq!(ran.stderr.trim(), env.user_home().to_str().unwrap());
}

#[test]
fn input_is_read_to_its_end_and_empty_without_a_text() {
    let env = sh();
    let cat = ["-c", "cat; echo end"];
    assert_eq!(env.proctor("/", &cat).stdout, "end\n");
    let ran = env.call("/").args(&cat).stdin("approve\n").run();
    assert_eq!(ran.stdout, "approve\nend\n");
}

#[test]
fn events_are_the_json_lines_of_stdout_and_the_last_finish_counts() {
    let script = r#"echo '{"event":"run-finished","status":"PAUSED"}'
        echo '{"event":"note"}'
        echo '{"event":"run-finished","status":"SUCCESS"}'"#;
    let ran = sh().proctor("/", &["-c", script]).expect_code(0);
    assert_eq!(ran.events().len(), 3);
    assert_eq!(ran.finished()["status"], "SUCCESS");
}

#[test]
fn a_line_that_is_not_json_fails_the_test_and_is_shown() {
    let ran = sh().proctor("/", &["-c", "echo oops"]);
    let message = message_of(|| {
        ran.events();
    });
    assert!(message.contains("not a JSON line") && message.contains("oops"), "{message}");
}

#[test]
fn a_wrong_exit_code_shows_all_output() {
    let ran = sh().proctor("/", &["-c", "echo out; echo err >&2; kill -9 $$"]);
    let message = message_of(|| {
        ran.expect_code(0);
    });
    for part in ["137", "--- stdout\nout\n", "--- stderr\nerr\n"] {
        assert!(message.contains(part), "{part:?} in {message}");
    }
}

#[test]
fn past_its_limit_a_call_is_killed_with_those_that_left_its_group() {
    let env = sh();
    let script = "echo begun; setsid sleep 600 & sleep 600";
    let message = message_of(|| {
        env.call("/").args(&["-c", script]).limit(Duration::from_millis(300)).run();
    });
    for part in ["was killed after 300ms", "begun", "sleep 600"] {
        assert!(message.contains(part), "{part:?} in {message}");
    }
    assert_eq!(processes_left_after(env.home(), Duration::from_secs(5)), vec![]);
}

#[test]
fn after_a_kill_the_children_are_still_there_to_be_found() {
    let env = sh();
    let script = "sleep 600 & echo child $!; wait";
    let mut running = env.call("/").args(&["-c", script]).spawn();
    running.until("the child is told", |out, _| out.ends_with('\n'));
    let child = running.stdout();
    // Told before its exec, and in the middle of that a process has no environment to be known by.
    let both = || processes_with_token(env.home());
    running.until("the child is a sleep", |_, _| both().iter().any(|p| p.command == "sleep 600"));
    assert_eq!(both().len(), 2);
    running.kill9();
    assert_eq!(running.wait().code, 137);
    let left = processes_with_token(env.home());
    assert_eq!(left.len(), 1, "{left:?}");
    assert_eq!(format!("child {}\n", left[0].pid), child);
    let home = env.home().to_owned();
    drop(env);
    assert_eq!(processes_left_after(&home, Duration::from_secs(5)), vec![]);
}

#[test]
fn a_handle_that_is_dropped_leaves_nothing_behind() {
    let env = sh();
    let running = env.call("/").args(&["-c", "sleep 600"]).spawn();
    drop(running);
    assert_eq!(processes_left_after(env.home(), Duration::from_secs(5)), vec![]);
}

#[test]
fn a_program_that_ends_too_early_is_said_to() {
    let env = sh();
    let mut running = env.call("/").args(&["-c", "echo bye"]).spawn();
    let message = message_of(|| {
        running.until("hello was said", |out, _| out.contains("hello"));
    });
    assert!(
        message.contains("ended before hello was said") && message.contains("bye"),
        "{message}"
    );
}

#[test]
fn a_scenario_reaches_the_program_as_a_file() {
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_x.py", "def test_x(): assert 0\n")])
        .code(1, &[("x.py", "X = 1\n")])
        .disputes(2, "the test is wrong")
        .refactor_nothing()
        .review_rejects(1, "too clever")
        .review_ok()
        .turn(json!({"phase": "implement", "exit": 1, "sleep_ms": 5}));
    let env = sh();
    let ran = env.call("/").args(&["-c", "cat \"$PROCTOR_MOCK\""]).mock(&scenario).run();
    let value: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(value, scenario.json());
    let turns = value["turns"].as_array().unwrap();
    assert_eq!(turns.len(), 7);
    assert_eq!(turns[0]["output"]["test_file_path"], "tests/test_x.py");
    assert_eq!(turns[1]["write"]["x.py"], "X = 1\n");
    assert_eq!(turns[4]["output"]["status"], "REJECTED");
    assert_eq!(turns[5]["attempt"], Value::Null);
}
