//! What may happen to machines and service while a run is under way: one landing, and nothing lost, in each.

use crate::fleet::{Fleet, Machine, fleet, scenario};
use proctor_testkit::processes_with_token;
use std::process::Command;
use std::time::{Duration, Instant};

/// How long the coder takes where something happens to it meanwhile.
const WORKING: u64 = 6_000;

/// Waits until the coder of a run is at work somewhere.
fn coder_is_at_work(fleet: &Fleet, run: &str) {
    let is = |shown: &serde_json::Value| shown["stage"] == "implementing";
    fleet.wait(run, &is, "implementing");
    std::thread::sleep(Duration::from_secs(2));
}

/// From where it is to its landing.
fn lands(fleet: &Fleet, run: &str) {
    fleet.wait_for(run, "AWAITING_APPROVAL");
    let approved = fleet.run(&["approve", run]);
    assert_eq!(approved.code, 0, "{approved}");
    fleet.wait_for(run, "SUCCESS");
    fleet.landed_once(run);
    assert_eq!(fleet.turns(run), 4, "tests, code, refactoring, review: each counted once");
}

fn signal(machine: &Machine, name: &str) {
    let pid = machine.running.pid().to_string();
    assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
}

#[test]
fn a_machine_that_dies_in_the_middle_of_an_agent_is_followed_by_one_with_another_disk() {
    let Some(fleet) = fleet() else { return };
    let mut first = fleet.machine("a", &[]);
    let run = fleet.submit(&scenario(WORKING), &[]);
    coder_is_at_work(&fleet, &run);
    first.running.kill9();
    let left = || processes_with_token(first.env.home());
    let until = Instant::now() + Duration::from_secs(20);
    while !left().is_empty() {
        assert!(Instant::now() < until, "its children end with it: {:?}", left());
        std::thread::sleep(Duration::from_millis(100));
    }
    let _second = fleet.machine("b", &[]);
    lands(&fleet, &run);
}

#[test]
fn a_service_that_is_killed_and_comes_back_knows_what_it_knew() {
    let Some(mut fleet) = fleet() else { return };
    let _machine = fleet.machine("a", &[]);
    let run = fleet.submit(&scenario(WORKING), &[]);
    coder_is_at_work(&fleet, &run);
    fleet.kill_service();
    std::thread::sleep(Duration::from_secs(2));
    fleet.serve();
    lands(&fleet, &run);
}

#[test]
fn an_approval_is_taken_while_no_machine_is_up_and_after_the_service_was_down() {
    let Some(mut fleet) = fleet() else { return };
    let mut machine = fleet.machine("a", &[]);
    let run = fleet.submit(&scenario(0), &[]);
    fleet.wait_for(&run, "AWAITING_APPROVAL");
    machine.running.kill9();
    fleet.kill_service();
    fleet.serve();
    let mut approve = fleet.desk.call(fleet.repo.path()).args(&["approve", &run]).spawn();
    let until = Instant::now() + Duration::from_mins(1);
    while !approve.stderr().contains("the request waits with the service") {
        assert!(Instant::now() < until, "{}", approve.stderr());
        std::thread::sleep(Duration::from_millis(100));
    }
    approve.kill9();
    let _other = fleet.machine("b", &[]);
    fleet.wait_for(&run, "SUCCESS");
    fleet.landed_once(&run);
}

#[test]
fn an_abort_in_the_middle_of_an_agent_ends_the_agent_first_and_cleans_up_then() {
    let Some(fleet) = fleet() else { return };
    let machine = fleet.machine("a", &[]);
    let run = fleet.submit(&scenario(60_000), &[]);
    coder_is_at_work(&fleet, &run);
    let aborted = fleet.run(&["abort", &run]);
    assert!(aborted.stderr.len() + aborted.stdout.len() > 0, "{aborted}");
    fleet.wait_for(&run, "ABORTED");
    let left: Vec<_> = processes_with_token(machine.env.home())
        .into_iter()
        .filter(|process| process.pid != machine.running.pid())
        .collect();
    assert!(left.is_empty(), "{left:?}");
    assert!(!machine.env.home().join("worktrees").join(&run).exists());
    assert_eq!(fleet.git(&["rev-list", "--count", "main"]).trim(), "1");
}

#[test]
fn a_course_that_is_stopped_by_the_service_ends_its_agent_and_is_cleaned_up() {
    let Some(fleet) = fleet() else { return };
    let machine = fleet.machine("a", &[]);
    let run = fleet.submit(&scenario(60_000), &[]);
    coder_is_at_work(&fleet, &run);
    assert_eq!(fleet.run(&["stop", &run]).code, 0);
    fleet.wait_for(&run, "ABORTED");
    assert!(!machine.env.home().join("worktrees").join(&run).exists());
    assert_eq!(fleet.git(&["rev-list", "--count", "main"]).trim(), "1");
}

#[test]
fn a_run_that_is_sent_twice_is_one_run_and_another_of_its_name_is_refused() {
    let Some(fleet) = fleet() else { return };
    let words = ["fix", "slugify is missing", "--target", "slugify", "--only-create"];
    let made = fleet.desk.call(fleet.repo.path()).mock(&scenario(0)).args(&words).run();
    let run = made.stdout.trim().to_owned();
    let somebody = fleet.somebody_else();
    let copied = Command::new("cp")
        .arg("-r")
        .args([fleet.desk.home().join("."), somebody.home().to_owned()])
        .status();
    assert!(copied.unwrap().success());
    let cancelled = somebody.proctor(fleet.repo.path(), &["cancel", &run]);

    for said in ["looks on", "with the fleet already"] {
        let sent = fleet.run(&["move", "--silence", "5", &run]);
        assert_eq!(sent.code, 0, "{sent}");
        assert!(sent.stderr.contains(said), "{sent}");
    }
    let other = somebody.proctor(fleet.repo.path(), &["move", &run]);
    assert!(other.stderr.contains("another run by the name of"), "{cancelled}\n{other}");
    let _machine = fleet.machine("a", &[]);
    lands(&fleet, &run);
}

#[test]
fn a_crash_after_the_push_of_a_landing_is_no_second_landing() {
    let Some(fleet) = fleet() else { return };
    let first = fleet.machine_with("a", &[], &[("PROCTOR_CRASH_AT", "0 landing pushed")]);
    let run = fleet.submit(&scenario(0), &[]);
    fleet.wait_for(&run, "AWAITING_APPROVAL");
    let mut approve = fleet.desk.call(fleet.repo.path()).args(&["approve", &run]).spawn();
    let until = Instant::now() + Duration::from_secs(90);
    while fleet.git(&["rev-list", "--count", "main"]).trim() != "2" {
        assert!(Instant::now() < until, "{}\n{}", approve.stderr(), first.running.stderr());
        std::thread::sleep(Duration::from_millis(100));
    }
    approve.kill9();
    let second = fleet.machine("b", &[]);
    fleet.wait_for(&run, "SUCCESS");
    assert!(second.running.stderr().contains("this step was carried out before"));
    fleet.landed_once(&run);
}

#[test]
fn a_machine_of_another_version_leaves_a_run_alone() {
    let Some(fleet) = fleet() else { return };
    let older = fleet.machine("old", &["--machine", "0"]);
    let run = fleet.submit(&scenario(0), &[]);
    std::thread::sleep(Duration::from_secs(6));
    assert!(!older.running.stderr().contains("a step begins"), "{}", older.running.stderr());
    let _machine = fleet.machine("new", &[]);
    lands(&fleet, &run);
    assert!(!older.running.stderr().contains("a step begins"), "{}", older.running.stderr());
}

#[test]
fn a_machine_that_was_frozen_and_comes_back_changes_nothing() {
    let Some(fleet) = fleet() else { return };
    let first = fleet.machine("a", &[]);
    let run = fleet.submit(&scenario(WORKING), &[]);
    coder_is_at_work(&fleet, &run);
    signal(&first, "-STOP");
    let second = fleet.machine("b", &[]);
    fleet.wait(&run, &|_| second.running.stderr().contains("a step ended"), "taken over");
    signal(&first, "-CONT");
    lands(&fleet, &run);
}

#[test]
fn a_machine_that_is_asked_to_stop_lets_what_is_at_work_end_and_takes_nothing_more() {
    let Some(fleet) = fleet() else { return };
    let first = fleet.machine("a", &[]);
    let run = fleet.submit(&scenario(WORKING), &[]);
    coder_is_at_work(&fleet, &run);
    signal(&first, "-TERM");
    let until = Instant::now() + Duration::from_mins(1);
    while !first.running.stderr().contains("a has ended") {
        assert!(Instant::now() < until, "{}", first.running.stderr());
        std::thread::sleep(Duration::from_millis(100));
    }
    let _second = fleet.machine("b", &[]);
    lands(&fleet, &run);
}
