//! Many tasks side by side, and many coders at one task, from outside.

use super::repos::place::Place;
use proctor_testkit::Ran;
use std::path::PathBuf;

/// A command agent whose work depends on nothing but the task's id: a module and its test of that name. `slow` is a shell test: where it
/// holds, the coder never comes to an end.
fn agent(place: &Place, name: &str, slow: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let program = place.env.user_home().join(name);
    let script = format!(
        r#"#!/bin/sh
t=$PROCTOR_TASK
# Two tasks that want the same file: whoever comes second meets what the first made of it.
f=$t
[ "$t" = clash ] && f=one
case $PROCTOR_PHASE in
write_tests)
    printf 'from %s import value\n\n\ndef test_value():\n    assert value(2) == 4\n    assert value(5) == 10\n' "$f" >tests/test_$t.py
    out='{{"status": "PREPARED_FOR_FIX", "test_file_path": null, "notes": ""}}' ;;
implement)
    while {slow}; do sleep 0.1; done
    printf 'def value(n):\n    return n + n  # %s %s\n' {name} "$t" >$f.py
    out='{{"status": "READY_FOR_REVIEW", "fix_description": "doubled", "notes": ""}}' ;;
refactor)
    out='{{"refactored": false, "notes": ""}}' ;;
review)
    out='{{"status": "SUCCESS", "reason": null, "notes": ""}}' ;;
esac
printf '%s\n' "$out" >"$PROCTOR_OUTPUT"
"#
    );
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    program
}

fn tasks(place: &Place, names: &[&str]) -> Vec<String> {
    let folder = place.env.user_home().join("tasks");
    std::fs::create_dir_all(&folder).unwrap();
    let one = |name: &&str| {
        let file = folder.join(format!("{name}.md"));
        let text = format!(
            "---\nid: {name}\ntype: feature\nrefactor: false\n---\n# {name} doubles\n\n{name}.value(n) is twice n.\n"
        );
        std::fs::write(&file, text).unwrap();
        file.display().to_string()
    };
    names.iter().map(one).collect()
}

fn batch(place: &Place, names: &[&str], args: &[&str]) -> Ran {
    let (files, agent) = (tasks(place, names), agent(place, "agent.sh", "false"));
    let call = place.env.call(place.path()).arg("run").args(&files);
    call.args(&["--agent-cmd", &agent.display().to_string()]).args(args).run()
}

#[test]
fn of_several_tasks_each_waits_for_a_person_without_keeping_the_place_of_another() {
    let Some(place) = Place::python() else { return };
    let head = place.repo.head();
    let ran = batch(&place, &["one", "two"], &["--jobs", "1"]).expect_code(3);
    let waiting = ran.stdout.lines().filter(|line| line.contains("AWAITING_APPROVAL"));
    assert_eq!(waiting.count(), 2, "{ran}");
    assert!(ran.stdout.contains("0 of 2 landed"), "{ran}");
    assert_eq!(place.repo.head(), head);
}

#[test]
fn what_is_wrong_with_several_files_is_said_of_all_before_any_begins() {
    let Some(place) = Place::python() else { return };
    let mut files = tasks(&place, &["one", "two"]);
    for file in &files {
        std::fs::write(file, "---\nfrobnicate: 1\n---\n# x\n").unwrap();
    }
    files.extend(tasks(&place, &["three"]));
    let ran = place.env.call(place.path()).arg("run").args(&files).run().expect_code(2);
    assert!(ran.stderr.contains("one.md") && ran.stderr.contains("two.md"), "{ran}");
    assert!(place.proctor(&["list", "--all", "--format", "json"]).events().is_empty());
    let ran = batch(&place, &["one", "two"], &["--id", "T-1"]).expect_code(2);
    assert!(ran.stderr.contains("--id names one task"), "{ran}");
}

#[test]
fn of_several_coders_the_first_that_is_proven_wins_and_the_others_are_stopped() {
    let Some(place) = Place::python() else { return };
    let never = agent(&place, "never.sh", "true");
    let quick = agent(&place, "quick.sh", "false");
    let toml = format!(
        "default_agent = \"quick\"\n[agents.quick]\nkind = \"command\"\ncommand = [\"{}\"]\n[agents.never]\nkind = \"command\"\ncommand = [\"{}\"]\n",
        quick.display(),
        never.display()
    );
    place.repo.file("proctor.toml", &toml).commit("settings");
    let ran = place
        .env
        .call(place.path())
        .args(&["add", "doubling", "--id", "one", "--no-refactor", "--yes", "--parallel", "2"])
        .args(&["--role", "coder=never", "coder=quick"])
        .run()
        .expect_code(0);
    assert!(ran.stderr.contains("coder 2 of 2 (quick) was proven first"), "{ran}");
    assert!(place.repo.read("one.py").contains("quick.sh"), "{ran}");
    let left =
        |folder: &str| std::fs::read_dir(place.env.home().join(folder)).map_or(0, Iterator::count);
    assert_eq!((left("worktrees"), left("gates")), (0, 0), "nothing of the others is left");
    let run = std::fs::read_dir(place.env.home().join("runs")).expect("runs").flatten();
    let run: Vec<_> = run.map(|run| run.path()).collect();
    assert_eq!(run.len(), 1, "the others' logs are in the run's own folder: {run:?}");
    assert!(run[0].join("coders/2/logs").is_dir(), "{run:?}");
    let ran = place
        .env
        .call(place.path())
        .args(&["add", "doubling", "--parallel", "99"])
        .run()
        .expect_code(2);
    assert!(ran.stderr.contains("at most 8 coders"), "{ran}");
}

mod slow {
    use super::*;

    #[test]
    fn several_tasks_land_on_one_branch_with_a_table_at_the_end() {
        let Some(place) = Place::python() else { return };
        let ran = batch(&place, &["one", "two", "three"], &["--yes"]).expect_code(0);
        assert!(ran.stdout.contains("3 of 3 landed"), "{ran}");
        for name in ["one", "two", "three"] {
            assert!(place.repo.read(&format!("{name}.py")).contains("def value"), "{ran}");
        }
    }

    fn moved(place: &Place) -> Vec<usize> {
        let runs = place.proctor(&["list", "--all", "--format", "json"]).events();
        let moved = |run: &serde_json::Value| {
            let log = place.proctor(&["log", run["run"].as_str().unwrap(), "--format", "json"]);
            log.events().iter().filter(|event| event["event"] == "base-moved").count()
        };
        runs.iter().map(moved).collect()
    }

    #[test]
    fn who_lands_on_one_branch_is_proven_once_on_the_one_before_and_a_conflict_returns_its_own_run()
    {
        let Some(place) = Place::python() else { return };
        let names = ["one", "two", "three", "four", "clash"];
        let ran = batch(&place, &names, &["--yes", "--jobs", "5"]);
        assert!(ran.stdout.contains("4 of 5 landed"), "{ran}");
        let blocked = ran.stdout.lines().filter(|line| line.contains("BLOCKED"));
        assert_eq!(blocked.count(), 1, "{ran}");
        for name in ["two", "three", "four"] {
            assert!(place.repo.read(&format!("{name}.py")).contains("def value"), "{ran}");
        }
        let moved = moved(&place);
        assert_eq!(moved.len(), 5);
        assert!(moved.iter().all(|count| *count <= 1), "proven anew more than once: {moved:?}");
    }
}
