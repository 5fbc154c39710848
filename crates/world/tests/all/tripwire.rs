//! Footprints of a checkout: what counts as a change, and what does not.

use proctor_testkit::RepoBuilder;
use proctor_world::tripwire::{Footprint, Ground, note_landing};
use std::path::Path;

fn take(repo: &RepoBuilder, home: &Path, earlier: &Footprint) -> Footprint {
    let git_dir = repo.path().join(".git");
    let ground = Ground { root: repo.path(), git_dir: &git_dir, home };
    Footprint::take(&ground, earlier).unwrap()
}

#[test]
fn a_touched_file_is_no_change_and_other_bytes_are() {
    let (repo, home) = (RepoBuilder::python_calc(), tempfile::tempdir().unwrap());
    let before = take(&repo, home.path(), &Footprint::default());
    let text = repo.read("calc.py");
    repo.file("calc.py", &text);
    let touched = take(&repo, home.path(), &before);
    assert_eq!(before.moved(&touched), [] as [String; 0]);
    repo.file("calc.py", &text.replace('+', "-")).file("new.txt", "n");
    std::fs::remove_file(repo.path().join("tests/test_calc.py")).unwrap();
    let after = take(&repo, home.path(), &touched);
    assert_eq!(
        before.moved(&after),
        ["calc.py changed", "tests/test_calc.py is gone", "new.txt is new"]
    );
}

#[test]
fn what_git_ignores_and_what_we_landed_ourselves_is_no_alarm_but_hooks_are() {
    let (repo, home) = (RepoBuilder::python_calc(), tempfile::tempdir().unwrap());
    repo.file(".gitignore", "*.log\nout/\n").commit("rules");
    let before = take(&repo, home.path(), &Footprint::default());
    repo.file("a.log", "x").file("out/b", "x");
    assert_eq!(before.moved(&take(&repo, home.path(), &before)), [] as [String; 0]);
    note_landing(home.path()).unwrap();
    repo.file("calc.py", "x = 1\n").commit("landed");
    std::fs::write(repo.path().join(".git/hooks/pre-commit"), "#!/bin/sh\n").unwrap();
    let after = take(&repo, home.path(), &before);
    assert_eq!(before.moved(&after), ["hooks/pre-commit is new"]);
}

#[test]
fn a_pipe_in_the_checkout_keeps_nobody_waiting() {
    let (repo, home) = (RepoBuilder::python_calc(), tempfile::tempdir().unwrap());
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    let pipe = repo.path().join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let before = take(&repo, home.path(), &Footprint::default());
    assert_eq!(before.moved(&take(&repo, home.path(), &before)), [] as [String; 0]);
}
