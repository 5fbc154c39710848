//! Tasks from files, from outside: `proctor run` with a Markdown spec and with task JSON.

use super::rows::{Desk, ONCE, QUICK, honest};

#[test]
fn a_markdown_spec_is_carried_out_and_lands() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let spec =
        "---\nid: sub-1\ntargets: [sub]\n---\n# Subtract two numbers\n\nsub(a, b) is a minus b.\n";
    let file = desk.env.user_home().join("SPEC.md");
    std::fs::write(&file, spec).unwrap();
    let file = file.to_string_lossy();
    let story = desk.played(&honest(), &[&["run", &file], QUICK]).ends("SUCCESS", 0);
    let brief = story.ran.events()[0]["brief"].clone();
    assert_eq!(brief["task"], "sub-1");
    assert_eq!(brief["kind"], "feature");
    assert_eq!(brief["description"], "Subtract two numbers");
    assert!(brief["details"].as_str().unwrap().contains("a minus b"));
}

#[test]
fn a_bad_spec_creates_nothing_and_a_good_one_is_only_checked_where_that_is_asked() {
    let Some(desk) = Desk::with("") else { return };
    let head = desk.repo.head();
    let file = desk.env.user_home().join("SPEC.md");
    std::fs::write(&file, "---\ntype: chore\n---\n# T\n").unwrap();
    let name = file.to_string_lossy().into_owned();
    let ran = desk.call(&["run", &name]).run();
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("line 2: `type` can't be \"chore\""), "{}", ran.stderr);
    assert!(!desk.env.home().join("journal.db").exists());
    std::fs::write(&file, "# T\n").unwrap();
    let ran = desk.call(&["run", "--check", &name]).run();
    assert_eq!(
        (ran.code, ran.stdout.lines().next().unwrap_or_default().contains("is a task: t")),
        (0, true),
        "{}",
        ran.stdout
    );
    assert!(!desk.env.home().join("journal.db").exists());
    desk.untouched(&head);
}
