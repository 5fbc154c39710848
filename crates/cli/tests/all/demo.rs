//! `proctor demo` as a newcomer sees it: real tests, every gate refuses once, and the fix lands.

use proctor_testkit::{Ran, TestEnv, missing, processes_left_after};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The demo makes its folder in the temp folder, which is the test's own here.
fn env() -> TestEnv {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_proctor"));
    let temp = env.user_home().to_owned();
    env.env("TMPDIR", temp)
}

fn place(env: &TestEnv) -> PathBuf {
    env.user_home().join("proctor-demo-1")
}

fn git(repo: &Path, args: &[&str]) -> String {
    let out = Command::new("git").arg("-C").arg(repo).args(args).output().unwrap();
    assert!(out.status.success(), "{out:?}");
    String::from_utf8(out.stdout).unwrap()
}

/// The story in the order in which it is told on the screen.
#[track_caller]
fn tells(ran: &Ran, story: &[&str]) {
    let mut rest = ran.stderr.as_str();
    for part in story {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => panic!("{part:?} is missing, or comes too early:\n{ran}"),
        }
    }
}

#[track_caller]
fn landed(env: &TestEnv, ran: &Ran, (code, test): (&str, &str), was: &str) {
    let place = place(env);
    let repo = place.join("repo");
    assert_eq!(git(&repo, &["rev-list", "--count", "main"]).trim(), "2");
    assert_eq!(git(&repo, &["status", "--porcelain"]), "");
    let commit = git(&repo, &["log", "-1", "--format=%h"]);
    let log = format!("  {} median of [1, 2, 3, 4] is 3, and 2.5 would be right", commit.trim());
    for said in ["red before, green now", "1 of 1 failed once more", "approved beforehand", &log] {
        assert!(ran.stdout.contains(said), "{said:?} is missing:\n{ran}");
    }
    assert!(fs::read_to_string(repo.join(test)).unwrap().contains("2.5"));
    assert!(!fs::read_to_string(repo.join(code)).unwrap().contains(was));
    assert!(!format!("{}{}", ran.stdout, ran.stderr).contains('\u{1b}'), "{ran}");
    // The user's own home was not touched, and nothing runs on.
    assert_eq!(fs::read_dir(env.home()).unwrap().count(), 0);
    let left = processes_left_after(&place.join("home"), Duration::from_secs(2));
    assert!(left.is_empty(), "{left:?}");
}

/// The commands that the last lines name.
#[track_caller]
fn can_be_looked_at(env: &TestEnv, ran: &Ran) {
    let home = place(env).join("home");
    let prefix = format!("  PROCTOR_HOME={} proctor ", home.display());
    let named: Vec<Vec<&str>> = ran
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix(&prefix))
        .map(|words| words.split_whitespace().collect())
        .collect();
    assert_eq!(named.len(), 3, "{ran}");
    for words in named {
        let call = env.call(env.user_home()).env("PROCTOR_HOME", &home);
        let shown = call.args(&words).run().expect_code(0);
        assert!(!shown.stdout.is_empty(), "{shown}");
    }
}

#[test]
fn a_demo_without_tools_says_what_to_install_and_leaves_nothing() {
    let env = env();
    let bare = env.user_home().join("bin");
    fs::create_dir(&bare).unwrap();
    for (args, hint) in [
        (["demo"].as_slice(), "`proctor doctor`"),
        (&["demo", "--lang", "rust"], "rustup.rs"),
        (&["demo", "--lang", "python"], "pip install pytest"),
        (&["demo", "--lang", "javascript"], "nodejs.org"),
    ] {
        let ran = env.call(env.user_home()).env("PATH", &bare).args(args).run().expect_code(4);
        assert!(ran.stderr.contains("hint:") && ran.stderr.contains(hint), "{ran}");
    }
    assert!(!place(&env).exists());
}

#[test]
fn a_temp_folder_that_can_not_be_written_is_named() {
    let env = env();
    let none = env.user_home().join("none");
    let ran = env.call(env.user_home()).env("TMPDIR", &none).arg("demo").run().expect_code(4);
    assert!(ran.stderr.contains(none.to_str().unwrap()) && ran.stderr.contains("TMPDIR"), "{ran}");
    assert!(!none.exists());
}

#[cfg(test)]
mod slow {
    use super::*;

    #[test]
    fn the_rust_demo_is_refused_at_every_gate_and_lands_in_the_end() {
        if missing("cargo") {
            return;
        }
        let env = env();
        let ran = env.proctor(env.user_home(), &["demo"]).expect_code(0);
        tells(
            &ran,
            &[
                "(in src/lib.rs)",
                "✗ red gate refused",
                "already pass",
                "✓ red gate: 1 new test",
                "“I'll take the lower one",
                "put back",
                "tests/median.rs: tests are sealed",
                "✗ green gate refused",
                "median_of_four",
                "✓ green gate",
                "✗ review rejected",
                "empty list",
                "✓ green gate",
                "✓ review passed",
                "✓ approved beforehand",
                "✓ landed on main",
            ],
        );
        landed(&env, &ran, ("src/lib.rs", "tests/median.rs"), "sorted.get(sorted.len() / 2)");
        can_be_looked_at(&env, &ran);
    }

    #[test]
    fn the_python_demo_is_told_as_json_too() {
        if missing("pytest") {
            return;
        }
        let env = env();
        // What the user has set for runs of their own does not count here.
        let call = env
            .call(env.user_home())
            .env("PROCTOR_MOCK", "/nowhere")
            .env("PROCTOR_CONFIG", "/nowhere");
        let ran = call.args(&["demo", "--lang", "python", "--format", "json"]).run().expect_code(0);
        let end = ran.finished();
        assert_eq!(
            (&end["status"], &end["branch"]),
            (&Value::from("SUCCESS"), &Value::from("main"))
        );
        assert_eq!(ran.events().last(), Some(&end));
        for (event, times) in
            [("red-refused", 1), ("green-refused", 1), ("review-rejected", 1), ("landed", 1)]
        {
            assert_eq!(ran.events_named(event).len(), times, "{event}:\n{ran}");
        }
        let turns = ran.events_named("turned");
        let bent = turns.iter().find(|event| event["turn"]["phase"] == "implement").unwrap();
        assert!(
            bent["turn"]["put_back"][0].as_str().unwrap().starts_with("tests/test_median.py"),
            "{bent}"
        );
    }

    #[test]
    fn the_javascript_demo_lands_with_node_alone() {
        if missing("node") {
            return;
        }
        let env = env();
        let ran = env.proctor(env.user_home(), &["demo", "--lang", "javascript"]).expect_code(0);
        let story = [
            "✗ red gate refused",
            "put back",
            "✗ green gate refused",
            "✗ review rejected",
            "✓ landed on main",
        ];
        tells(&ran, &story);
        landed(&env, &ran, ("median.js", "median.test.js"), "?? null");
    }
}
