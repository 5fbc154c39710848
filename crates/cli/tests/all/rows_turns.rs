//! The contract with agents: what a program is given, what counts as its answer, what happens when it gives none,
//! and the budgets and limits that turns use up.

use super::rows::{CALC, Desk, ONCE, QUICK, SUB_TEST, honest, with_sub};
use proctor_testkit::{Scenario, processes_left_after};
use serde_json::{Value, json};
use std::time::Duration;

/// An agent that does the work, and says in its notes what it was given. It answers in a file, on stdout as its
/// last object, or on stdout in several lines, by phase.
const WITNESS: &str = r#"
import hashlib, json, os, pathlib, sys

given = sys.stdin.buffer.read()
env = {k: v for k, v in os.environ.items() if k.startswith("PROCTOR_")}
saw = {
    "env": env,
    "names": sorted(os.environ),
    "args": sys.argv[1:],
    "cwd": os.getcwd(),
    "same": given == pathlib.Path(env["PROCTOR_PROMPT"]).read_bytes(),
    "length": len(given),
    "schema": sorted(json.loads(pathlib.Path(env["PROCTOR_SCHEMA"]).read_text())["required"]),
    "files": sorted(os.listdir(".")),
}
phase, notes = env["PROCTOR_PHASE"], json.dumps(saw)
print("chatter {\"status\": \"REJECTED\"} before the answer")
print("talk on stderr", file=sys.stderr)
if phase == "write_tests":
    pathlib.Path("tests/test_sub.py").write_text("from calc import sub\n\n\ndef test_sub():\n    assert sub(7, 3) == 4\n")
    answer = {"status": "PREPARED_FOR_FIX", "test_file_path": "tests/test_sub.py", "notes": notes, "more": [1]}
    pathlib.Path(env["PROCTOR_OUTPUT"]).write_text(json.dumps(answer))
elif phase == "implement":
    body = "a - b" if env["PROCTOR_ATTEMPT"] == "2" else "a + b"
    with open("calc.py", "a") as f:
        f.write(f"\n\ndef sub(a, b):\n    return {body}\n")
    print(json.dumps({"status": "READY_FOR_REVIEW", "fix_description": "", "notes": notes}))
elif phase == "refactor":
    print(json.dumps({"refactored": False, "notes": notes}, indent=2))
else:
    pathlib.Path(env["PROCTOR_OUTPUT"]).write_text(json.dumps({"status": "SUCCESS", "reason": None, "notes": notes}))
"#;

// S0-5, S2-5
#[test]
fn a_command_agent_is_given_what_the_contract_promises_in_every_phase() {
    let Some(desk) = Desk::with(ONCE) else { return };
    desk.repo.file("docs/design.md", "The order is minuend, subtrahend.\n").commit("design");
    let words = format!("{} --model 'two words'", desk.agent(WITNESS));
    let call = desk.call(&["add", "a difference", "--id", "diff-7", "--yes", "--format", "json"]);
    let call = call.args(&["--agent-cmd", &words, "--details", "sub(a, b)", "--file", "calc.py"]);
    let call = call.args(&["--context", "docs/design.md"]).env("SECRET_OF_MINE", "s3cret");
    let story = desk.told(call.run()).ends("SUCCESS", 0);

    let saw: Vec<Value> = story
        .named("turned")
        .iter()
        .map(|event| {
            serde_json::from_str(event["turn"]["claim"]["notes"].as_str().unwrap()).unwrap()
        })
        .collect();
    let turns: Vec<(&str, &str)> = saw
        .iter()
        .map(|s| {
            let env = &s["env"];
            (env["PROCTOR_PHASE"].as_str().unwrap(), env["PROCTOR_ATTEMPT"].as_str().unwrap())
        })
        .collect();
    let wanted = [
        ("write_tests", "1"),
        ("implement", "1"),
        ("implement", "2"),
        ("refactor", "1"),
        ("review", "1"),
    ];
    assert_eq!(turns, wanted);
    let worktree = story.worktree();
    for (saw, schema) in saw.iter().zip([
        json!(["notes", "status", "test_file_path"]),
        json!(["fix_description", "notes", "status"]),
        json!(["fix_description", "notes", "status"]),
        json!(["notes", "refactored"]),
        json!(["notes", "reason", "status"]),
    ]) {
        let env = &saw["env"];
        assert_eq!(env["PROCTOR_RUN"], story.run());
        assert_eq!(env["PROCTOR_TASK"], "diff-7");
        assert_eq!(env["PROCTOR_ASK"], "1");
        assert_eq!(saw["cwd"], worktree.to_str().unwrap());
        assert_eq!(saw["same"], true, "stdin is the prompt file");
        assert_eq!(saw["args"], json!(["--model", "two words"]));
        assert_eq!(saw["schema"], schema);
        assert!(saw["length"].as_u64().unwrap() > 200);
        for name in ["PROCTOR_PROMPT", "PROCTOR_SCHEMA", "PROCTOR_OUTPUT"] {
            let path = env[name].as_str().unwrap();
            assert!(
                path.starts_with('/') && !path.starts_with(worktree.to_str().unwrap()),
                "{path}"
            );
        }
        let names = saw["names"].to_string();
        assert!(names.contains("\"PATH\"") && names.contains("\"HOME\""), "{names}");
        assert!(!names.contains("SECRET_OF_MINE"), "only what is listed: {names}");
    }
    // What every prompt carries.
    for label in ["write_tests 1.1", "implement 1.1", "implement 2.1", "refactor 1.1", "review 1.1"]
    {
        let prompt = story.prompt(label);
        for word in [
            "diff-7",
            "a difference",
            "sub(a, b)",
            "The order is minuend, subtrahend.",
            "docs/design.md",
        ] {
            assert!(prompt.contains(word), "{label}: no {word:?}:\n{prompt}");
        }
    }
    assert!(story.prompt("implement 1.1").contains("calc.py"));
    assert!(story.prompt("implement 1.1").contains("assert sub(7, 3) == 4"));
    // The failure of the first try, as the test tool said it.
    let second = story.prompt("implement 2.1");
    assert!(
        second.contains("assert 10 == 4") && second.contains("tests/test_sub.py::test_sub"),
        "{second}"
    );
}

#[test]
fn unusable_output_is_asked_for_again_twice_and_what_was_written_stays() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let scenario = Scenario::new()
        .turn(json!({
            "phase": "write_tests", "ask": 1,
            "write": {"tests/test_sub.py": SUB_TEST, "calc.py": "mine\n"},
            "stdout": "I have written the tests, as you asked.\n",
        }))
        .turn(json!({"phase": "write_tests", "ask": 2, "output": {"status": "DONE", "notes": 7}}))
        .turn(json!({
            "phase": "write_tests", "ask": 3,
            "output": {"status": "PREPARED_FOR_FIX", "test_file_path": null, "notes": ""},
        }))
        .turn(json!({
            "phase": "implement", "ask": 1, "say": ["boom"], "exit": 9,
            "output": {"status": "READY_FOR_REVIEW", "fix_description": "", "notes": ""},
        }))
        .code(1, &[("calc.py", &with_sub("return a - b"))])
        .turn(json!({"phase": "review", "ask": 1, "output": {"status": "REJECTED", "reason": null, "notes": ""}}))
        .turn(json!({"phase": "review", "ask": 2, "stdout": "{\"status\": \"SUCCESS\", \"reason\": nul"}))
        .review_ok();
    let story = desk.played(&scenario, &[&["add", "sub"], QUICK]).ends("SUCCESS", 0);
    let wanted = [
        "write_tests 1.1",
        "write_tests 1.2",
        "write_tests 1.3",
        "implement 1.1",
        "implement 1.2",
        "review 1.1",
        "review 1.2",
        "review 1.3",
    ];
    assert_eq!(story.asked(), wanted);
    assert!(story.prompt("write_tests 1.2").contains("no JSON object"));
    assert!(story.prompt("write_tests 1.2").contains("- calc.py: only test files"));
    let third = story.prompt("write_tests 1.3");
    assert!(third.contains("`test_file_path` is missing") && third.contains("DONE"), "{third}");
    assert!(story.prompt("implement 1.2").contains("exited with code 9"));
    assert!(story.prompt("review 1.2").contains("`reason` must say why"));
    assert!(!story.has("review-rejected"));
}

#[test]
fn three_unusable_answers_are_an_agent_error_and_never_a_success_or_a_discard() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let head = desk.repo.head();
    let silent = Scenario::new().tests(1, &[("tests/test_sub.py", SUB_TEST)]).turn(json!({
        "phase": "implement", "write": {"calc.py": with_sub("return a - b")}, "exit": 1,
        "output": {"status": "DISCARDED", "fix_description": "", "notes": "I give up"},
    }));
    let story = desk.played(&silent, &[&["add", "sub"], QUICK]).ends("AGENT_ERROR", 8);
    assert_eq!(story.asked()[1..], ["implement 1.1", "implement 1.2", "implement 1.3"]);
    assert!(story.reason().contains("exited with code 1"), "{}", story.reason());
    desk.untouched(&head);
    // The agent was mended: the same turn is asked afresh.
    let id = story.run();
    let ran = desk.call(&["resume", &id, "--format", "json"]).run();
    let again = desk.told(ran).ends("AGENT_ERROR", 8);
    assert_eq!(again.asked(), ["implement 1.1", "implement 1.2", "implement 1.3"]);

    // A program that is not there is found out before anything is made.
    let ran = desk.call(&["add", "sub", "--yes", "--agent-cmd", "/no/such/agent"]).run();
    let ran = ran.expect_code(2);
    assert!(ran.stderr.contains("/no/such/agent") && ran.stderr.contains("hint:"), "{ran}");
}

#[test]
fn a_turn_past_its_time_is_ended_with_all_its_children_and_asked_again() {
    let Some(desk) = Desk::with("[limits]\nturn_time = \"3s\"\n[gates]\nrepeats = 1\n") else {
        return;
    };
    let words = desk.agent(
        r#"
import json, os, subprocess, time
if os.environ["PROCTOR_ASK"] == "3":
    print(json.dumps({"status": "DISCARDED", "test_file_path": None, "notes": "third time"}))
else:
    subprocess.Popen(["sleep", "300"], start_new_session=True)
    time.sleep(300)
"#,
    );
    let story = desk.json(&["fix", "it", "--yes", "--agent-cmd", &words]).ends("DISCARDED", 5);
    assert_eq!(story.asked(), ["write_tests 1.1", "write_tests 1.2", "write_tests 1.3"]);
    assert!(story.prompt("write_tests 1.2").contains("time limit"));
    let left = processes_left_after(desk.env.home(), Duration::from_secs(3));
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_rate_limit_pauses_until_its_time_goes_on_by_itself_and_is_no_try() {
    let Some(desk) = Desk::with(ONCE) else { return };
    // Each ask has a folder of its own; the agent is limited in the first one and needs no memory.
    let words = desk.agent(
        r#"
import json, os, pathlib, sys
if pathlib.Path(os.environ["PROCTOR_PROMPT"]).parent.name == "0002":
    used = {"input_tokens": 40, "output_tokens": 2}
    print(json.dumps({"rate_limited": True, "retry_after": "1s", "message": "five-hour limit reached", "usage": used}))
    sys.exit(1)
print(json.dumps({"status": "DISCARDED", "test_file_path": None, "notes": "after the rest"}))
"#,
    );
    let story = desk.json(&["fix", "it", "--yes", "--agent-cmd", &words]).ends("DISCARDED", 5);
    let paused = story.named("paused");
    assert_eq!(paused.len(), 1, "{}", story.ran);
    assert!(paused[0].to_string().contains("five-hour limit reached"), "{paused:?}");
    assert_eq!(story.asked(), ["write_tests 1.1", "write_tests 1.1"]);
    assert!(story.has("resumed") && !story.has("asked-again"));
    let ended = story.named("effect-ended");
    assert!(ended.iter().any(|event| event["usage"]["tokens"] == 42), "what it used counts");
    assert_eq!(story.reason(), "after the rest");
}

#[test]
fn a_budget_that_is_spent_pauses_and_more_of_it_goes_on() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let used = json!({"input_tokens": 900, "output_tokens": 100, "cost_usd": 0.25});
    let scenario = Scenario::new()
        .turn(json!({
            "phase": "write_tests", "write": {"tests/test_sub.py": SUB_TEST},
            "output": {"status": "PREPARED_FOR_FIX", "test_file_path": null, "notes": "", "usage": used},
        }))
        .turn(json!({
            "phase": "implement", "write": {"calc.py": with_sub("return a - b")},
            "output": {"status": "READY_FOR_REVIEW", "fix_description": "", "notes": "", "usage": used},
        }))
        .review_ok();
    let head = desk.repo.head();
    for (flag, amount, spent, too_little, enough) in [
        ("--max-calls", "1", "1 of 1 agent calls", None, "5calls"),
        ("--max-tokens", "1000", "1000 of 1000 tokens", None, "9000tokens"),
        ("--max-cost", "0.20", "$0.25 of $0.20", Some("0.05usd"), "$5"),
    ] {
        let args = [&["add", "sub", flag, amount], QUICK, &["--land", "branch"]];
        let story = desk.played(&scenario, &args).ends("PAUSED", 3);
        assert!(story.reason().contains(spent), "{}", story.reason());
        assert_eq!(story.asked(), ["write_tests 1.1"]);
        assert!(story.has("red-proven"), "what needs no agent goes on");
        let id = story.run();
        // Nothing, or too little, is not enough.
        desk.call(&["resume", &id]).run().expect_code(3);
        if let Some(amount) = too_little {
            let ran = desk.call(&["resume", &id, "--budget", amount]).run().expect_code(3);
            assert!(ran.stderr.contains("hint:"), "{ran}");
        }
        let resumed = ["resume", &id, "--budget", enough];
        let story = desk.played(&scenario, &[&resumed]).ends("SUCCESS", 0);
        assert_eq!(story.asked(), ["implement 1.1", "review 1.1"]);
    }
    assert_eq!(desk.repo.head(), head, "landed on branches of their own");
}

#[test]
fn time_that_is_spent_ends_a_turn_under_way_and_pauses() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let scenario = Scenario::new().turn(json!({
        "phase": "write_tests", "sleep_ms": 60_000,
        "output": {"status": "DISCARDED", "test_file_path": null, "notes": "late"},
    }));
    let story = desk.played(&scenario, &[&["fix", "it", "--max-time", "8s"], QUICK]);
    let story = story.ends("PAUSED", 3);
    assert!(story.ran.took < Duration::from_secs(20), "{}", story.ran);
    assert!(story.reason().contains("time"), "{}", story.reason());
    assert_eq!(story.asked(), ["write_tests 1.1"]);
    desk.call(&["resume", &story.run()]).run().expect_code(3);
    let left = processes_left_after(desk.env.home(), Duration::from_secs(3));
    assert!(left.is_empty(), "{left:?}");
    let quick = Scenario::new().discards(1, "in time");
    // The scenario is the run's own file: what it says is read again at each turn.
    quick.save(story.ran.events()[0]["brief"]["agents"]["tester"]["file"].as_str().unwrap());
    let story = desk.json(&["resume", &story.run(), "--budget", "30s"]).ends("DISCARDED", 5);
    assert_eq!(story.reason(), "in time");
}

#[test]
fn each_role_can_have_its_own_agent_from_the_base_commit() {
    let config = format!(
        "{ONCE}\n[agents.good]\nkind = \"script\"\nfile = \"good.json\"\n\n[agents.strict]\nkind = \"script\"\nfile = \"strict.json\"\n\n[roles]\ntester = \"good\"\ncoder = \"good\"\nreviewer = \"strict\"\n"
    );
    let Some(desk) = Desk::with(&config) else { return };
    honest().save(desk.repo.path().join("good.json"));
    let strict = Scenario::new().turn(json!({
        "phase": "review", "output": {"status": "REJECTED", "reason": "no", "notes": ""},
    }));
    strict.save(desk.repo.path().join("strict.json"));
    desk.repo.commit("agents");
    let story = desk.json(&["add", "sub", "--yes", "--no-refactor", "--max-calls", "4"]);
    let story = story.ends("PAUSED", 3);
    assert_eq!(story.named("review-rejected")[0]["why"], "no");
    let story = desk.json(&["add", "sub", "--yes", "--no-refactor", "--role", "reviewer=good"]);
    story.ends("SUCCESS", 0);
    assert_ne!(desk.repo.read("calc.py"), CALC);
}
