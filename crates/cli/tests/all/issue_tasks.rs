//! `proctor implement`: an issue and its design, from outside.

use super::rows::{Desk, ONCE, honest};

const LLD: &str = "# Subtraction\n\nsub(a, b) is a minus b.\n";

fn desk() -> Option<Desk> {
    let desk = Desk::with(ONCE)?;
    desk.repo.file("lld.md", LLD).commit("design");
    Some(desk)
}

const IMPLEMENT: [&str; 7] =
    ["implement", "--issue", "87", "--lld", "lld.md", "--context", "calc.py"];

#[test]
fn s1_36_and_s1_37_an_issue_is_worked_on_elsewhere_on_its_own_branch_until_somebody_approves() {
    let Some(desk) = desk() else { return };
    let head = desk.repo.head();
    desk.repo.file("notes.txt", "mine, not committed\n");
    let call = desk.call(&IMPLEMENT).args(&["--no-refactor"]).mock(&honest());
    let ran = call.stdin("abort\n").run().expect_code(7);
    assert!(ran.stderr.contains("Data policy: this run talks to mock."), "S1-44: {}", ran.stderr);
    let policy = ran.stderr.find("Data policy").unwrap();
    assert!(ran.stderr.find("writing tests").is_none_or(|turn| policy < turn), "at startup");
    assert!(ran.stdout.contains("Aborted by user."), "S1-39: {}", ran.stdout);
    assert_eq!(desk.repo.head(), head);
    assert_eq!(desk.repo.read("notes.txt"), "mine, not committed\n");
    assert_eq!(desk.repo.git(&["branch", "--list", "feat/issue-87"]), "");
    let worktrees = std::fs::read_dir(desk.env.home().join("worktrees"));
    assert_eq!(worktrees.map_or(0, Iterator::count), 0, "S1-41: the worktree is gone");
}

#[test]
fn s1_40_the_typed_word_approve_merges_it_and_says_so() {
    let Some(desk) = desk() else { return };
    let call = desk.call(&IMPLEMENT).args(&["--no-refactor"]).mock(&honest());
    let ran = call.stdin("approve\n").run().expect_code(0);
    assert!(ran.stdout.contains("Success: Feature merged."), "{}", ran.stdout);
    assert!(
        desk.repo.git(&["log", "-1", "--format=%B"]).contains("Implement issue 87: Subtraction")
    );
    let runs = desk.env.home().join("runs");
    let run = std::fs::read_dir(runs).unwrap().next().unwrap().unwrap().path();
    let process = run.join(".process");
    assert!(process.join("summary.md").is_file() && process.join("result.json").is_file(), "S3-33");
    let logs = std::fs::read_dir(run.join("logs")).unwrap().count();
    assert!(logs > 3, "S1-25, S1-27: what each child printed is kept");
}

#[test]
fn s1_39_and_s1_24_a_design_that_can_not_be_read_or_a_secret_as_context_creates_nothing() {
    let Some(desk) = desk() else { return };
    for args in [
        &["implement", "--issue", "87", "--lld", "none.md"][..],
        &["implement", "--issue", "87", "--lld", "lld.md", "--context", ".env"],
        &["implement", "--issue", "87", "--lld", "lld.md", "--context", "../x"],
    ] {
        let ran = desk.call(args).mock(&honest()).run().expect_code(2);
        assert!(ran.stderr.contains("hint:"), "{}", ran.stderr);
    }
    assert!(!desk.env.home().join("journal.db").exists());
}
