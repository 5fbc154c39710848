//! What is written for whoever looks at trouble: the log of steps, trials and children, the bundle; and a run on as little as
//! every system has.

use crate::rows::{Desk, ONCE, honest};
use serde_json::Value;
use std::process::Command;

const SECRET: &str = concat!("ghp_", "x7Kq2mV9tR4bN8wL1cZ5yH3jD6fG0sAePuXo");

#[test]
fn a_run_with_process_groups_alone_lands_and_its_log_has_every_step_trial_and_child() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let log = desk.env.user_home().join("log.jsonl");
    let file = log.to_string_lossy().into_owned();
    let call = desk.call(&["add", "sub", "--no-refactor", "--yes", "--format", "json"]);
    let call = call.arg("--log").arg(&file).env("GH_TOKEN", SECRET);
    let ran = call.env("PROCTOR_SANDBOX", "portable").mock(&honest()).run();
    let story = desk.told(ran).ends("SUCCESS", 0);
    assert_eq!(story.named("prepared")[0]["sandbox"], "none (portable)");
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(!text.contains(SECRET), "{text}");
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |name: &str| rows.iter().filter(|row| row["span"] == name).collect::<Vec<_>>();
    for what in ["preparing", "writing tests", "red gate", "green gate", "landing"] {
        let effects = of("effect");
        let found = effects.iter().any(|row| row["what"].as_str().unwrap().contains(what));
        assert!(found, "{what} is not in {text}");
    }
    let trials = of("trial");
    assert!(!trials.is_empty() && trials.iter().all(|row| row["wall_ms"].is_u64()), "{text}");
    let ids: Vec<&Value> = rows.iter().map(|row| &row["id"]).collect();
    let children: Vec<&Value> = rows.iter().filter(|row| row["child"].is_string()).collect();
    let known = children.iter().filter(|row| ids.contains(&&row["in"])).count();
    assert!(known > 0 && known == children.len(), "{text}");
    // A second process adds to it.
    desk.call(&["list"]).arg("--log").arg(&file).run().expect_code(0);
    assert!(std::fs::read_to_string(&log).unwrap().starts_with(&text));
}

#[test]
fn the_bundle_holds_what_a_maintainer_needs_and_nothing_of_the_work() {
    let Some(desk) = Desk::with(&format!("{ONCE}# {SECRET}\n")) else { return };
    let call = desk.call(&["add", "sub", "--no-refactor", "--yes", "--format", "json"]);
    desk.told(call.mock(&honest()).run()).ends("SUCCESS", 0);
    let tar = desk.env.user_home().join("bundle.tar");
    let call = desk.call(&["doctor", "--bundle"]).arg(&tar);
    let ran = call.env("A_TOKEN", "a value that nobody may know").run().expect_code(0);
    assert!(ran.stderr.contains("README.txt") && ran.stderr.contains("runs.jsonl"), "{ran}");
    let folder = desk.env.user_home().join("unpacked");
    std::fs::create_dir(&folder).unwrap();
    let unpacked = Command::new("tar").arg("-xf").arg(&tar).arg("-C").arg(&folder).status();
    assert!(unpacked.unwrap().success());
    let mut all = String::new();
    for entry in std::fs::read_dir(&folder).unwrap().flatten() {
        let text = std::fs::read_to_string(entry.path()).unwrap();
        all.extend(["--- ", &entry.file_name().to_string_lossy(), "\n", &text]);
    }
    for word in ["\"kernel\"", "green-proven", "\"SUCCESS\""] {
        assert!(all.contains(word), "{word} is not in {all}");
    }
    let home = desk.env.user_home().to_string_lossy().into_owned();
    for word in [SECRET, "a value that nobody may know", home.as_str(), "def sub", "test_sub"] {
        assert!(!all.contains(word), "{word} is in {all}");
    }
}
