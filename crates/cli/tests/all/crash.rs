//! kill -9 at every point of a run with a retry in every phase. After each cut `proctor resume` goes on: the same
//! ending, the same landed tree, one landing, no process left, no lock left.

use proctor_testkit::{RepoBuilder, Scenario, TestEnv, missing, processes_left_after};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const KILLED: i32 = 137;

/// A refused red, a failed green, a put-back, an output that must be asked again, a rejected review.
fn scenario() -> Scenario {
    let test =
        "from calc import slugify\n\n\ndef test_slug():\n    assert slugify('A B') == 'a-b'\n";
    let early = "from calc import add\n\n\ndef test_again():\n    assert add(1, 1) == 2\n";
    let calc = |rest: &str| {
        format!(
            "def add(a, b):\n    return a + b\n\n\ndef mul(a, b):\n    return a * b\n\n\n{rest}"
        )
    };
    let wrong = calc("def slugify(text):\n    return text\n");
    let right = calc("def slugify(text):\n    return text.lower().replace(' ', '-')\n");
    let tidy = format!("\"\"\"Small sums.\"\"\"\n\n{right}");
    let done = format!("{tidy}\n\n# reviewed\n");
    let ready = json!({"status": "READY_FOR_REVIEW", "fix_description": "x", "notes": "n"});
    Scenario::new()
        .tests(1, &[("tests/test_slug.py", early)])
        .tests(2, &[("tests/test_slug.py", test), ("calc.py", "broken on purpose")])
        .turn(json!({"phase": "implement", "attempt": 1, "ask": 1, "say": ["no answer yet"], "write": {"calc.py": wrong}, "sleep_ms": 120}))
        .turn(json!({"phase": "implement", "attempt": 1, "write": {"calc.py": wrong}, "output": ready}))
        .turn(json!({"phase": "implement", "attempt": 2, "write": {"calc.py": right, "tests/test_slug.py": "cheat"}, "output": ready}))
        .code(3, &[("calc.py", &done)])
        .refactor(1, &[("calc.py", &tidy)])
        .refactor_nothing()
        .review_rejects(1, "say that it was reviewed")
        .review_ok()
}

fn repo() -> RepoBuilder {
    RepoBuilder::python_calc()
}

fn landed_tree(repo: &RepoBuilder) -> String {
    repo.git(&["rev-parse", "main^{tree}"]).trim().to_owned()
}

fn commits(repo: &RepoBuilder) -> usize {
    repo.git(&["rev-list", "--count", "main"]).trim().parse().unwrap()
}

fn env() -> TestEnv {
    TestEnv::new(env!("CARGO_BIN_EXE_proctor")).limit(Duration::from_mins(3))
}

/// Starts the run, or goes on with it: what a person would type.
fn go(
    env: &TestEnv,
    repo: &RepoBuilder,
    scenario: &Scenario,
    first: bool,
    crash: (&str, &Path),
) -> proctor_testkit::Ran {
    let call = env.call(repo.path()).mock(scenario).env(crash.0, crash.1);
    let call = if first {
        call.args(&[
            "add",
            "a slugify function",
            "--id",
            "slug",
            "--yes",
            "--max-calls",
            "500",
            "--format",
            "json",
        ])
    } else {
        call.args(&["resume", "--format", "json"])
    };
    call.run()
}

fn nothing_is_left(env: &TestEnv, repo: &RepoBuilder) {
    let left = processes_left_after(env.home(), Duration::from_secs(10));
    assert!(left.is_empty(), "processes left: {left:?}");
    let locks = Command::new("find")
        .args([repo.path(), env.home()])
        .args([
            "(",
            "-name",
            "index.lock",
            "-o",
            "-name",
            "HEAD.lock",
            "-o",
            "-name",
            "*.ref.lock",
            ")",
        ])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&locks.stdout), "", "locks left");
    let worktrees = env.home().join("worktrees");
    let left: Vec<_> = std::fs::read_dir(worktrees).unwrap().map(|e| e.unwrap().path()).collect();
    assert!(left.is_empty(), "worktrees left: {left:?}");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

fn events(env: &TestEnv, repo: &RepoBuilder) -> Vec<Value> {
    let list = env.proctor(repo.path(), &["list", "--all", "--format", "json"]).expect_code(0);
    let run = list.events()[0]["run"].as_str().unwrap().to_owned();
    env.proctor(repo.path(), &["log", &run, "--format", "json"]).expect_code(0).events()
}

#[test]
fn a_run_cut_at_every_point_once_ends_as_if_nothing_had_happened() {
    if missing("pytest") {
        return;
    }
    let scenario = scenario();
    let (whole, whole_repo) = (env(), repo());
    let points = whole.home().join("points");
    let ran =
        go(&whole, &whole_repo, &scenario, true, ("PROCTOR_CRASH_LOG", &points)).expect_code(0);
    assert_eq!(ran.finished()["status"], "SUCCESS");
    nothing_is_left(&whole, &whole_repo);

    let (cut, cut_repo) = (env(), repo());
    let seen = cut.home().join("seen");
    let mut cuts = 0;
    let last = loop {
        let started = cut.home().join("journal.db").exists()
            && !cut
                .proctor(cut_repo.path(), &["list", "--all", "--format", "json"])
                .stdout
                .trim()
                .is_empty();
        let ran = go(&cut, &cut_repo, &scenario, !started, ("PROCTOR_CRASH_ONCE", &seen));
        if ran.code != KILLED {
            break ran;
        }
        cuts += 1;
        assert!(cuts < 600, "it never ends: {ran}");
    };
    let points = std::fs::read_to_string(&points).unwrap().lines().count();
    println!("{cuts} cuts; an undisturbed run passes {points} points");
    assert!(cuts >= 60, "{cuts} cuts");
    // The last process may have found everything done already.
    assert_eq!(last.code, 0, "{last}");
    assert_eq!(landed_tree(&cut_repo), landed_tree(&whole_repo));
    assert_eq!(commits(&cut_repo), 2, "one landing");
    let (whole, cut_events) = (events(&whole, &whole_repo), events(&cut, &cut_repo));
    assert_eq!(story(&cut_events), story(&whole), "the same facts in the same order");
    nothing_is_left(&cut, &cut_repo);
}

/// What the history says, without how often work was begun, lost and done again.
fn story(events: &[Value]) -> Vec<String> {
    events
        .iter()
        .map(|e| e["event"].as_str().unwrap().to_owned())
        .filter(|name| !name.starts_with("effect-"))
        .collect()
}

#[cfg(test)]
mod slow {
    use super::*;

    #[test]
    fn one_cut_in_the_middle_of_each_kind_of_work_leaves_nothing_behind() {
        if missing("pytest") {
            return;
        }
        let scenario = scenario();
        for label in [
            "1 worktree made",
            "1 tests at work",
            "6 agent at work",
            "3 carried out red gate",
            "8 tests at work",
        ] {
            let (env, repo) = (env(), repo());
            let first = go(&env, &repo, &scenario, true, ("PROCTOR_CRASH_AT", Path::new(label)));
            assert_eq!(first.code, KILLED, "{label}: {first}");
            let left = processes_left_after(env.home(), Duration::from_secs(5));
            assert!(
                left.is_empty(),
                "{label}: the keeper ends every child when Proctor is gone: {left:?}"
            );
            let second =
                env.call(repo.path()).mock(&scenario).args(&["resume", "--format", "json"]).run();
            assert_eq!(second.expect_code(0).finished()["status"], "SUCCESS", "{label}");
            assert_eq!(commits(&repo), 2, "{label}");
            nothing_is_left(&env, &repo);
        }
    }
}
