//! Footprints of a checkout: what counts as a change, and what does not.

use proctor_testkit::RepoBuilder;
use proctor_world::tripwire::{Footprint, Ground, Moved, Sort, note_landing};
use std::path::Path;

fn take(repo: &RepoBuilder, home: &Path, earlier: &Footprint) -> Footprint {
    let git_dir = repo.path().join(".git");
    let ground = Ground { root: repo.path(), git_dir: &git_dir, home };
    Footprint::take(&ground, earlier).unwrap()
}

fn moved(repo: &RepoBuilder, home: &Path, before: &Footprint, after: &Footprint) -> Moved {
    let git_dir = repo.path().join(".git");
    before.moved(after, &Ground { root: repo.path(), git_dir: &git_dir, home })
}

#[test]
fn a_commit_on_top_is_ordinary_work_and_anything_beside_it_is_not() {
    let (repo, home) = (RepoBuilder::python_calc(), tempfile::tempdir().unwrap());
    let before = take(&repo, home.path(), &Footprint::default());
    repo.file("other.txt", "mine\n").commit("mine");
    let after = take(&repo, home.path(), &before);
    let found = moved(&repo, home.path(), &before, &after);
    assert_eq!(found.what, ["index changed", "refs/heads/main changed", "other.txt is new"]);
    assert_eq!(found.sort, Sort::Commits);
    repo.file("calc.py", "x = 1\n");
    let after = take(&repo, home.path(), &before);
    assert_eq!(moved(&repo, home.path(), &before, &after).sort, Sort::Other);
    repo.git(&["checkout", "-q", "calc.py"]);
    repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
    let back = take(&repo, home.path(), &after);
    assert_eq!(moved(&repo, home.path(), &before, &back).what, [] as [String; 0]);
}

#[test]
fn a_touched_file_is_no_change_and_other_bytes_are() {
    let (repo, home) = (RepoBuilder::python_calc(), tempfile::tempdir().unwrap());
    let before = take(&repo, home.path(), &Footprint::default());
    let text = repo.read("calc.py");
    repo.file("calc.py", &text);
    let touched = take(&repo, home.path(), &before);
    assert_eq!(moved(&repo, home.path(), &before, &touched).what, [] as [String; 0]);
    repo.file("calc.py", &text.replace('+', "-")).file("new.txt", "n");
    std::fs::remove_file(repo.path().join("tests/test_calc.py")).unwrap();
    let after = take(&repo, home.path(), &touched);
    assert_eq!(
        moved(&repo, home.path(), &before, &after).what,
        ["calc.py changed", "tests/test_calc.py is gone", "new.txt is new"]
    );
}

#[test]
fn what_git_ignores_and_what_we_landed_ourselves_is_no_alarm_but_hooks_are() {
    let (repo, home) = (RepoBuilder::python_calc(), tempfile::tempdir().unwrap());
    repo.file(".gitignore", "*.log\nout/\n").commit("rules");
    let before = take(&repo, home.path(), &Footprint::default());
    repo.file("a.log", "x").file("out/b", "x");
    assert_eq!(
        moved(&repo, home.path(), &before, &take(&repo, home.path(), &before)).what,
        [] as [String; 0]
    );
    note_landing(home.path()).unwrap();
    repo.file("calc.py", "x = 1\n").commit("landed");
    std::fs::write(repo.path().join(".git/hooks/pre-commit"), "#!/bin/sh\n").unwrap();
    let after = take(&repo, home.path(), &before);
    assert_eq!(moved(&repo, home.path(), &before, &after).what, ["hooks/pre-commit is new"]);
}

#[test]
fn a_file_that_only_other_programs_ignore_is_watched() {
    let (repo, home) = (RepoBuilder::python_calc(), tempfile::tempdir().unwrap());
    repo.file(".ignore", "calc.py\n").commit("for a search program");
    let before = take(&repo, home.path(), &Footprint::default());
    repo.file("calc.py", "x = 1\n");
    let after = take(&repo, home.path(), &before);
    assert_eq!(moved(&repo, home.path(), &before, &after).what, ["calc.py changed"]);
}

#[test]
fn a_pipe_in_the_checkout_keeps_nobody_waiting() {
    let (repo, home) = (RepoBuilder::python_calc(), tempfile::tempdir().unwrap());
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    let pipe = repo.path().join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let before = take(&repo, home.path(), &Footprint::default());
    assert_eq!(
        moved(&repo, home.path(), &before, &take(&repo, home.path(), &before)).what,
        [] as [String; 0]
    );
}
