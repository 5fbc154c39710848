//! The pre-push hook in a real `git push`: once with Proctor itself, and with a stand-in that only says how it was called
//! and ends with the code that it is given: the hook knows nothing else of it.

use proctor_testkit::{RepoBuilder, TestEnv, missing};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const STAND_IN: &str = "#!/bin/sh\necho \"asked: $*\"\nexit \"${CODE:-0}\"\n";

fn hook() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/pre-push")
}

/// A clone whose branch `main` the remote has, with the hook in place.
fn clone() -> RepoBuilder {
    let repo = RepoBuilder::new();
    repo.commit("one");
    hooked(repo)
}

fn hooked(repo: RepoBuilder) -> RepoBuilder {
    repo.git(&["init", "--quiet", "--bare", "../remote.git"]);
    repo.git(&["remote", "add", "origin", "../remote.git"]);
    repo.git(&["push", "--quiet", "origin", "main"]);
    let text = std::fs::read_to_string(hook()).unwrap();
    repo.exec(".git/hooks/pre-push", &text).exec(".git/stand-in", STAND_IN);
    repo
}

fn push(repo: &RepoBuilder, refs: &[&str], vars: &[(&str, &str)]) -> Output {
    let env = TestEnv::new("git");
    Command::new("git")
        .args(["push", "--quiet", "origin"])
        .args(refs)
        .current_dir(repo.path())
        .env_clear()
        .envs(env.vars().iter().cloned())
        .env("PROCTOR", repo.path().join(".git/stand-in"))
        .envs(vars.iter().copied())
        .output()
        .unwrap()
}

fn said(out: &Output) -> String {
    String::from_utf8_lossy(&out.stderr).into_owned()
}

fn has(repo: &RepoBuilder, branch: &str) -> bool {
    !repo.git(&["ls-remote", "--heads", "origin", branch]).is_empty()
}

#[test]
fn a_refuted_branch_is_not_pushed_and_the_way_around_is_named() {
    let repo = clone();
    repo.git(&["checkout", "--quiet", "-b", "topic/a"]);
    repo.commit("two");
    let out = push(&repo, &["topic/a"], &[("CODE", "1")]);
    assert!(!out.status.success() && !has(&repo, "topic/a"), "{}", said(&out));
    let call = format!("asked: verify --base refs/remotes/origin/main --head {}\n", repo.head());
    assert!(said(&out).contains(&call), "{}", said(&out));
    assert!(said(&out).contains("git push --no-verify"), "{}", said(&out));
    let out = push(&repo, &["topic/a"], &[]);
    assert!(out.status.success() && has(&repo, "topic/a"), "{}", said(&out));
}

#[test]
fn what_is_not_judged_is_refused_only_where_that_is_asked_for() {
    let repo = clone();
    repo.git(&["checkout", "--quiet", "-b", "topic"]);
    repo.commit("two");
    let out = push(&repo, &["topic"], &[("CODE", "4"), ("PROCTOR_STRICT", "1")]);
    assert!(!out.status.success() && !has(&repo, "topic"), "{}", said(&out));
    let out = push(&repo, &["topic"], &[("CODE", "4")]);
    assert!(out.status.success() && has(&repo, "topic"), "{}", said(&out));
    assert!(said(&out).contains("not judged: topic"), "{}", said(&out));
}

#[test]
fn the_default_branch_is_compared_with_what_the_remote_has() {
    let repo = clone();
    let before = repo.head();
    repo.commit("two");
    let out = push(&repo, &["main"], &[("PROCTOR_ARGS", "--budget 2m")]);
    let call = format!("asked: verify --base {before} --head {} --budget 2m\n", repo.head());
    assert!(said(&out).contains(&call), "{}", said(&out));
}

#[test]
fn what_brings_no_commits_is_not_verified() {
    let repo = clone();
    repo.git(&["push", "--quiet", "--no-verify", "origin", "main:old"]);
    repo.git(&["tag", "v1"]);
    let out = push(&repo, &[":old", "v1", "main:same"], &[("CODE", "1")]);
    assert!(out.status.success() && !said(&out).contains("asked:"), "{}", said(&out));
    assert!(!has(&repo, "old") && has(&repo, "same"));
}

#[test]
fn a_push_that_breaks_an_old_test_is_refused_by_proctor_itself() {
    if missing("pytest") {
        return;
    }
    let repo = hooked(RepoBuilder::python_calc());
    let broken = repo.read("calc.py").replace("a + b", "a - b");
    repo.git(&["checkout", "--quiet", "-b", "topic"]);
    repo.file("calc.py", &broken).commit("broken");
    let binary = env!("CARGO_BIN_EXE_proctor");
    let vars = [("PROCTOR", binary), ("PROCTOR_ARGS", "--only regression")];
    let out = push(&repo, &["topic"], &vars);
    assert!(!out.status.success() && !has(&repo, "topic"), "{}", said(&out));
    assert!(said(&out).contains("✗ refuted: regression"), "{}", said(&out));
}
