//! What happens when something is off, with each program.

use crate::agents::bench::{Bench, closing, code, honest, prepared, tests};
use proctor_testkit::{Script, processes_left_after};
use serde_json::{Value, json};
use std::time::Duration;

/// The same test for each program.
macro_rules! for_each {
    ($($kind:ident),*; $what:ident) => {
        mod $what {
            $(#[test]
            fn $kind() {
                super::$what(stringify!($kind));
            })*
        }
    };
}

for_each!(claude, codex, gemini, opencode, goose, acp_claude, acp_codex, acp_gemini, acp_opencode, acp_goose; a_wrong_answer_is_asked_again);
for_each!(claude, codex, gemini, opencode, goose, acp_claude, acp_codex, acp_gemini, acp_opencode, acp_goose; an_error_of_the_provider_is_told);
for_each!(claude, codex, gemini, opencode, goose, acp_claude, acp_codex, acp_gemini, acp_opencode, acp_goose; a_rate_limit_pauses);
for_each!(claude, codex, gemini, opencode, goose, acp_claude, acp_codex, acp_gemini, acp_opencode, acp_goose; a_key_that_is_not_known_blocks);
for_each!(claude, codex, gemini, opencode, goose, acp_claude, acp_codex, acp_gemini, acp_opencode, acp_goose; a_model_that_hangs_is_ended_and_asked_again);
for_each!(claude, codex, gemini, opencode, goose, acp_claude, acp_codex, acp_gemini, acp_opencode, acp_goose; nothing_is_left_of_a_command_when_proctor_is_killed);

fn a_wrong_answer_is_asked_again(kind: &str) {
    let wrong = json!({"status": "MAYBE", "test_file_path": 3, "notes": "n"});
    // A program that checks by itself asks its model again at once, and may do so several times.
    let script =
        Script::new().write("tests/test_slug.py", crate::agents::bench::TEST).answer(wrong);
    let script = script.answer(prepared()).then(code()).then(closing());
    let Some(bench) = Bench::of(kind, script, "") else { return };
    let ran = bench.run().expect_code(0);
    let asked = ran.events_named("asked-again");
    match kind {
        "claude" | "goose" => assert!(asked.is_empty(), "{ran}"),
        _ => {
            assert_eq!(asked.len(), 1, "{ran}");
            let why = asked[0]["why"].as_str().unwrap();
            assert!(why.contains("`status` must be PREPARED_FOR_FIX"), "{why}");
        }
    }
}

fn an_error_of_the_provider_is_told(kind: &str) {
    let Some(bench) = Bench::of(kind, Script::new().fails(400), "") else { return };
    let ran = bench.run().expect_code(8);
    let end = ran.finished();
    assert_eq!(end["status"], "AGENT_ERROR", "{ran}");
    let reason = end["reason"].as_str().unwrap();
    assert!(reason.contains("an error of the played model"), "{reason}");
    assert_eq!(ran.events_named("asked-again").len(), 2, "{ran}");
}

fn a_rate_limit_pauses(kind: &str) {
    // goose says nothing while it waits, so it is given little to wait for.
    let seconds = if kind.ends_with("goose") { 1 } else { 40 };
    let Some(bench) = Bench::of(kind, Script::new().limited(seconds), "") else { return };
    let mut running = bench.call().spawn();
    running.until("the pause", |out, _| out.contains("\"event\":\"paused\""));
    running.interrupt();
    let ran = running.wait();
    let paused = &ran.events_named("paused")[0];
    let wait = paused["why"]["until"].as_u64().unwrap() - paused["at"].as_u64().unwrap();
    let wanted = match kind {
        // It says how long it would wait; the others do not.
        "claude" => 30_000..41_000,
        _ => 5_000..61_000,
    };
    assert!(wanted.contains(&wait), "{wait} ms\n{ran}");
}

fn a_key_that_is_not_known_blocks(kind: &str) {
    let Some(bench) = Bench::of(kind, Script::new().fails(401), "") else { return };
    let ran = bench.run().expect_code(4);
    let end = ran.finished();
    assert_eq!(end["status"], "BLOCKED", "{ran}");
    let reason = end["reason"].as_str().unwrap();
    assert!(reason.contains("login") && reason.contains("hint: run `"), "{reason}");
}

fn a_model_that_hangs_is_ended_and_asked_again(kind: &str) {
    // Some need long to begin.
    let slow = matches!(kind, "opencode" | "acp_claude" | "acp_gemini" | "acp_opencode");
    let more = format!("[limits]\nturn_time = \"{}s\"", if slow { 60 } else { 20 });
    let Some(bench) = Bench::of(kind, Script::new().hangs(), &more) else { return };
    let mut running = bench.call().spawn();
    running.until("the second ask", |out, _| out.contains("\"event\":\"asked-again\""));
    bench.model.play(honest());
    let ran = running.wait();
    let why = ran.events_named("asked-again")[0]["why"].clone();
    assert!(why.as_str().unwrap().contains("time limit"), "{why}");
    let last = bench.model.asked().len();
    assert!(last > 1, "{ran}");
}

fn nothing_is_left_of_a_command_when_proctor_is_killed(kind: &str) {
    let long = "python3 -c \"import time; open('began', 'w'); time.sleep(300)\"";
    let Some(bench) = Bench::of(kind, Script::new().shell(long), "") else { return };
    let mut running = bench.call().spawn();
    let worktrees = bench.env.home().join("worktrees");
    running.until("the command", |_, _| {
        let trees = std::fs::read_dir(&worktrees).into_iter().flatten().flatten();
        trees.into_iter().any(|tree| tree.path().join("began").exists())
    });
    running.kill9();
    let left = processes_left_after(bench.env.home(), Duration::from_secs(10));
    assert!(left.is_empty(), "{left:?}");
    // The turn goes on in the session that was cut off, where the program kept one.
    bench.model.play(tests().then(code()).then(closing()));
    let ran = bench.env.proctor(bench.repo.path(), &["resume", "slug", "--format", "json"]);
    let marks: Vec<Value> = ran.events_named("session-marked");
    assert!(!marks.is_empty(), "{ran}");
    assert_eq!(ran.finished()["status"], "SUCCESS", "{ran}");
}
