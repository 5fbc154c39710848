//! Cleaning up: caches, worktrees of runs that have ended, rescue refs; never what is saved nowhere else.

use crate::rows::{Desk, ONCE, honest};
use proctor_testkit::Scenario;
use serde_json::Value;
use std::path::PathBuf;

impl Desk {
    fn gc(&self, more: &[&str]) -> Vec<Value> {
        let call = self.call(&["gc", "--format", "json"]).args(more);
        call.run().expect_code(0).stdout.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
    }

    fn worktree(&self, id: &str) -> PathBuf {
        self.env.home().join("worktrees").join(id)
    }

    fn rescued(&self) -> String {
        let repos = std::fs::read_dir(self.env.home().join("repos")).unwrap().flatten();
        let mut dirs =
            repos.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "git"));
        let dir = dirs.next().unwrap();
        self.repo.git(&[
            &format!("--git-dir={}", dir.display()),
            "for-each-ref",
            "--format=%(refname)",
            "refs/proctor/rescue",
        ])
    }
}

fn of<'a>(told: &'a [Value], sort: &str) -> Vec<&'a Value> {
    told.iter().filter(|row| row["sort"] == sort).collect()
}

#[test]
fn what_is_old_goes_and_work_that_is_saved_nowhere_else_stays() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let nothing = Scenario::new().discards(1, "it is no bug");
    let told = desk.played(&nothing, &[&["fix", "no bug"]]).ends("DISCARDED", 5);
    let (discarded, no_bug) = (told.run(), desk.worktree(&told.run()));
    assert!(no_bug.is_dir());
    let waits = desk.played(&honest(), &[&["add", "sub", "--no-refactor"]]);
    let waits = waits.ends("AWAITING_APPROVAL", 3).run();
    let thrown = desk.played(&honest(), &[&["add", "sub", "--no-refactor", "--branch", "other"]]);
    let thrown = thrown.ends("AWAITING_APPROVAL", 3).run();
    desk.call(&["abort", &thrown]).run().expect_code(0);
    assert!(desk.rescued().contains(&thrown), "{}", desk.rescued());
    let gates = desk.env.home().join("gates").join(&discarded);
    std::fs::create_dir_all(gates.join("tree")).unwrap();
    let warm = desk.env.home().join("warm/a-key");
    std::fs::create_dir_all(&warm).unwrap();
    let trial = desk.env.home().join("trials/a-key.json");
    std::fs::create_dir_all(trial.parent().unwrap()).unwrap();
    std::fs::write(&trial, "{}").unwrap();
    let all = ["--unused", "0s", "--rescued", "0s"];

    // Looking removes nothing.
    let told = desk.gc(&[&all[..], &["--dry-run"]].concat());
    assert!(told.iter().all(|row| row["fate"].is_null() || row["fate"] == "would-go"), "{told:?}");
    assert_eq!(of(&told, "worktree")[0]["what"], format!("worktrees/{discarded}"));
    assert!(of(&told, "worktree")[0]["bytes"].as_u64().unwrap() > 0, "{told:?}");
    assert_eq!(of(&told, "rescue").len(), 1, "{told:?}");
    assert!(told.last().unwrap()["left"]["worktrees"].as_u64().unwrap() > 0, "{told:?}");
    assert!(no_bug.is_dir() && gates.is_dir() && warm.is_dir() && desk.rescued().contains(&thrown));

    // What somebody wrote there meanwhile is saved nowhere.
    std::fs::write(no_bug.join("note.py"), "idea = 1\n").unwrap();
    let told = desk.gc(&all);
    let tree = of(&told, "worktree")[0];
    assert_eq!(tree["fate"], "stays", "{tree}");
    assert!(tree["why"].as_str().unwrap().contains("saved nowhere else"), "{tree}");
    assert!(no_bug.join("note.py").is_file());
    assert!(!gates.exists() && !warm.exists() && !trial.exists(), "{told:?}");
    assert_eq!(desk.rescued(), "", "its age is over");
    let patch = desk.env.home().join("runs").join(&thrown).join("rescue.patch");
    assert!(patch.is_file(), "what was thrown away can still be read");

    std::fs::remove_file(no_bug.join("note.py")).unwrap();
    let told = desk.gc(&[]);
    assert_eq!(of(&told, "worktree")[0]["fate"], "removed", "{told:?}");
    assert!(!no_bug.exists());
    // A run that may go on is as it was.
    assert!(desk.worktree(&waits).is_dir());
    desk.json(&["approve", &waits]).ends("SUCCESS", 0);
    let text = desk.call(&["gc"]).run().expect_code(0).stdout;
    assert!(text.contains("removed") && text.contains(&waits), "what was installed for it: {text}");
    let text = desk.call(&["gc"]).run().expect_code(0).stdout;
    assert!(text.contains("0 B freed") && text.contains("free on this disk"), "{text}");
}

#[test]
fn there_may_be_nothing_to_clean_up() {
    let Some(desk) = Desk::with("") else { return };
    let empty = desk.env.user_home().join("nobody-was-here");
    let call = desk.call(&["gc"]).env("PROCTOR_HOME", &empty);
    let ran = call.run().expect_code(0);
    assert!(ran.stdout.contains("0 B freed") && !empty.exists(), "{ran}");
    let ran = desk.call(&["gc", "--unused", "soon"]).run().expect_code(2);
    assert!(ran.stderr.contains("14d"), "{ran}");
}
