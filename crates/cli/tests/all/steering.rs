//! Steering: a second terminal while a first process drives, ctrl-c, and the word that is typed at the end.

pub mod agent;
mod terminal;

use crate::repos::place::Place;
use agent::Agent;
use proctor_testkit::{Ran, RepoBuilder, Running};
use std::time::Duration;
use terminal::Terminal;

/// A run whose agent waits in this phase.
fn held(agent: &Agent, phase: &str, args: &[&str]) -> Running {
    agent.hold(phase);
    let mut running = agent.add(args).spawn();
    running.until("the agent", |out, err| {
        // JSON lines don't hold what an agent prints.
        out.contains(&format!("\"phase\":\"{phase}\"")) || err.contains(&format!("| here: {phase}"))
    });
    running
}

/// A run that waits for approval, with nobody driving it.
fn awaiting(place: &Place, agent: &Agent) -> String {
    let ran = agent.add(&[]).run().expect_code(3);
    assert!(ran.stdout.contains("AWAITING_APPROVAL"), "{ran}");
    place.run_id()
}

#[track_caller]
fn says(ran: &Ran, texts: &[&str]) {
    for text in texts {
        let said = ran.stdout.contains(text) || ran.stderr.contains(text);
        assert!(said, "`{text}` was expected:\n{ran}");
    }
}

/// The work is on main, once.
#[track_caller]
fn assert_landed(place: &Place, base: &str) {
    let subjects = place.repo.git(&["log", "--format=%s", &format!("{base}..main")]);
    assert_eq!(subjects, "a sub function");
    assert_eq!(place.worktrees(), Vec::<String>::new());
    place.assert_quiet();
}

#[test]
fn a_second_terminal_sees_a_run_under_way_and_can_t_approve_it_yet() {
    let Some(place) = Place::python() else { return };
    let (agent, base) = (Agent::at(&place), place.repo.head());
    let running = held(&agent, "implement", &["--yes"]);
    let (run, pid) = (place.run_id(), running.pid().to_string());
    says(&place.proctor(&["list"]).expect_code(0), &[&run, "RUNNING", "a sub function"]);
    let rows = place.proctor(&["list", "--format", "json"]).expect_code(0).events();
    assert_eq!(
        (rows[0]["run"].as_str(), rows[0]["status"].as_str()),
        (Some(&*run), Some("RUNNING"))
    );
    // By its id, its beginning and its end, by the task's id; unnamed it is the newest of this repository.
    for name in [&[&*run][..], &[&run[..5]], &[&run[run.len() - 4..]], &["T-1"], &[]] {
        let words = [&["show"], name].concat();
        says(&place.proctor(&words).expect_code(0), &[&run, "RUNNING", &pid]);
    }
    let other = RepoBuilder::new();
    let beside = |words: &[&str]| place.env.proctor(other.path(), words);
    let ran = beside(&["list"]).expect_code(0);
    assert_eq!(ran.stdout, "", "{ran}");
    says(&ran, &["1 open run is of other repositories"]);
    says(&beside(&["list", "--all"]).expect_code(0), &[&run]);
    says(&beside(&["show"]).expect_code(2), &["there is none of this repository"]);
    says(&beside(&["show", &run]).expect_code(0), &[&run]);
    let shown = place.proctor(&["show", &run, "--format", "json"]).expect_code(0).events();
    assert_eq!(shown[0]["status"], "RUNNING");
    says(&place.proctor(&["log", &run]).expect_code(0), &["red gate", "implement"]);
    let log = place.proctor(&["log", &run, "--format", "json"]).expect_code(0).events();
    assert_eq!(log[0]["seq"], 1);
    assert!(log.iter().all(|event| event["run"] == *run && event["event"].is_string()), "{log:?}");
    says(&place.proctor(&["diff", &run]).expect_code(0), &["+def test_sub_takes_away():"]);
    assert_eq!(place.proctor(&["diff", &run, "--code"]).expect_code(0).stdout, "");

    let ran = place.proctor(&["approve", &run]).expect_code(2);
    says(&ran, &["approval"]);
    says(&place.proctor(&["send-back", &run, "--why", "no"]).expect_code(2), &["error"]);
    says(&place.proctor(&["resume", &run]), &[&pid]);
    assert_eq!(place.repo.head(), base);
    agent.release("implement");
    let ran = running.wait().expect_code(0);
    says(&ran, &["Success: Feature merged."]);
    assert_landed(&place, &base);
    assert_eq!(place.proctor(&["list"]).expect_code(0).stdout, "");
    for verb in ["approve", "cancel", "resume", "abort"] {
        let ran = place.proctor(&[verb, &run]).expect_code(2);
        assert!(ran.stderr.contains("SUCCESS"), "{ran}");
    }
}

#[test]
fn a_second_terminal_approves_while_the_first_waits_at_its_prompt() {
    let Some(place) = Place::python() else { return };
    let (agent, base) = (Agent::at(&place), place.repo.head());
    let command = agent.command();
    let mut first =
        Terminal::open(&place, &["add", "a sub function", "--id", "T-1", "--agent-cmd", &command]);
    first.until("Type approve");
    let run = place.run_id();
    let second = place.proctor(&["approve", &run]).expect_code(0);
    says(&second, &["Success: Feature merged."]);
    let (code, said) = first.end();
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("It was decided in another place."), "{said}");
    assert_landed(&place, &base);
}

#[test]
fn a_word_typed_for_an_older_tree_does_not_land_a_newer_one() {
    let Some(place) = Place::python() else { return };
    let (agent, base) = (Agent::at(&place), place.repo.head());
    let command = agent.command();
    let mut first =
        Terminal::open(&place, &["add", "a sub function", "--id", "T-1", "--agent-cmd", &command]);
    first.until("Type approve");
    let run = place.run_id();
    agent.hold("implement");
    let mut second = place
        .env
        .call(place.path())
        .args(&["send-back", &run, "--why", "name the arguments better"])
        .spawn();
    second.until("the coder", |_, err| err.contains("| here: implement"));
    first.types("approve");
    agent.release("implement");
    second.wait().expect_code(3);
    let (code, said) = first.end();
    assert_eq!(code, Some(3), "{said}");
    assert_eq!(place.repo.head(), base, "{said}");
    says(&place.proctor(&["log", &run]), &["name the arguments better"]);
    place.proctor(&["approve", &run]).expect_code(0);
    assert_landed(&place, &base);
    assert!(place.repo.read("calc.py").ends_with("# turn 1\n# turn 2\n"));
}

#[test]
fn an_abort_while_the_agent_works_ends_the_first_process_and_saves_the_work() {
    let Some(place) = Place::python() else { return };
    let (agent, before) = (Agent::at(&place), place.mine());
    let running = held(&agent, "implement", &["--yes"]);
    let run = place.run_id();
    says(&place.proctor(&["abort", &run]).expect_code(0), &["Aborted by user."]);
    let ran = running.wait().expect_code(7);
    says(&ran, &["Aborted by user."]);
    place.assert_quiet();
    assert_eq!(place.worktrees(), Vec::<String>::new());
    assert_eq!(place.shadow_refs("refs/proctor/rescue"), format!("refs/proctor/rescue/{run}"));
    let patch = place.env.home().join("runs").join(&run).join("rescue.patch");
    assert!(std::fs::read_to_string(patch).unwrap().contains("test_sub_takes_away"));
    assert_eq!(place.mine(), before);
    says(&place.proctor(&["show", &run]).expect_code(0), &["ABORTED", "rescue"]);
    says(&place.proctor(&["resume", &run]).expect_code(2), &["ABORTED"]);
}

#[test]
fn a_cancelled_run_stops_and_a_resumed_one_lands() {
    let Some(place) = Place::python() else { return };
    let (agent, base) = (Agent::at(&place), place.repo.head());
    let running = held(&agent, "implement", &["--yes", "--format", "json"]);
    let run = place.run_id();
    says(&place.proctor(&["cancel", &run]).expect_code(0), &[&running.pid().to_string()]);
    let ran = running.wait().expect_code(130);
    assert_eq!(ran.finished()["status"], "INTERRUPTED");
    assert_eq!(ran.finished()["exit_code"], 130);
    place.assert_quiet();
    assert_eq!(place.repo.head(), base);
    assert_eq!(place.worktrees(), [run.as_str()]);
    says(&place.proctor(&["list"]).expect_code(0), &["INTERRUPTED"]);
    agent.release("implement");
    says(&place.proctor(&["resume", &run]).expect_code(0), &["Success: Feature merged."]);
    assert_landed(&place, &base);
}

#[test]
fn ctrl_c_stops_in_order_and_the_run_can_go_on() {
    let Some(place) = Place::python() else { return };
    let (agent, base) = (Agent::at(&place), place.repo.head());
    let running = held(&agent, "write_tests", &["--yes"]);
    let run = place.run_id();
    running.interrupt();
    let ran = running.wait().expect_code(130);
    says(&ran, &["INTERRUPTED", &format!("proctor resume {run}")]);
    place.assert_quiet();
    says(&place.proctor(&["show", &run]).expect_code(0), &["INTERRUPTED", "proctor resume"]);
    agent.release("write_tests");
    // Without a name: every run that can go on.
    says(&place.proctor(&["resume"]).expect_code(0), &["Success: Feature merged."]);
    assert_landed(&place, &base);
}

#[test]
fn a_second_ctrl_c_ends_at_once_and_leaves_no_process() {
    let Some(place) = Place::python() else { return };
    let (agent, base) = (Agent::at(&place), place.repo.head());
    let running = held(&agent, "implement", &["--yes"]);
    running.interrupt();
    running.interrupt();
    let ran = running.wait().expect_code(130);
    assert!(!ran.stderr.contains("panicked"), "{ran}");
    place.assert_quiet();
    assert_eq!(place.repo.head(), base);
    agent.release("implement");
    let run = place.run_id();
    says(&place.proctor(&["resume", &run]).expect_code(0), &["Success: Feature merged."]);
    assert_landed(&place, &base);
}

#[test]
fn of_two_that_resume_at_once_one_drives_and_the_work_lands_once() {
    let Some(place) = Place::python() else { return };
    let (agent, base) = (Agent::at(&place), place.repo.head());
    let running = held(&agent, "review", &["--yes"]);
    let run = place.run_id();
    running.terminate();
    running.wait().expect_code(130);
    let resume = || place.env.call(place.path()).args(&["resume", &run]).spawn();
    let mut both = [resume(), resume()];
    // One of them has come to the agent; the other says who drives, or looks on.
    let began = std::time::Instant::now();
    while !both.iter().any(|one| one.stderr().contains("| here: review")) {
        assert!(began.elapsed() < Duration::from_secs(30), "nobody drives");
        std::thread::sleep(Duration::from_millis(5));
    }
    let driver = usize::from(!both[0].stderr().contains("| here: review"));
    let pid = both[driver].pid().to_string();
    both[1 - driver].until("who drives", |out, err| {
        out.contains(&format!("Process {pid} drives"))
            || err.contains(&format!("Process {pid} drives"))
    });
    says(&place.proctor(&["resume", &run]), &[&format!("Process {pid} drives run {run}")]);
    agent.release("review");
    for one in both {
        one.wait().expect_code(0);
    }
    assert_landed(&place, &base);
}

#[test]
fn only_the_typed_word_approves() {
    let Some(place) = Place::python() else { return };
    let (agent, base) = (Agent::at(&place), place.repo.head());
    // The end of input is not an approval.
    let run = awaiting(&place, &agent);
    assert_eq!(place.repo.head(), base);
    let resume =
        |word: &str| place.env.call(place.path()).args(&["resume", &run]).stdin(word).run();
    for word in ["yes\n", "APPROVE\n", "approve it\n", "\n", "no\napprove\n"] {
        let ran = resume(word).expect_code(3);
        says(&ran, &["AWAITING_APPROVAL", &format!("proctor approve {run}")]);
        assert_eq!(place.repo.head(), base, "{ran}");
    }
    // To resume every run does not ask, and does not land what waits for a person.
    place.env.call(place.path()).arg("resume").stdin("approve\n").run();
    assert_eq!(place.repo.head(), base);
    let ran = resume("approve\n").expect_code(0);
    says(&ran, &["Success: Feature merged."]);
    assert_landed(&place, &base);
}

// S1-39
#[test]
fn the_word_abort_at_the_prompt_throws_the_run_away_and_saves_its_work() {
    let Some(place) = Place::python() else { return };
    let (agent, before) = (Agent::at(&place), place.mine());
    let ran = agent.add(&[]).stdin("abort\n").run().expect_code(7);
    says(&ran, &["Aborted by user."]);
    let run = place.run_id();
    assert_eq!(place.worktrees(), Vec::<String>::new());
    assert_eq!(place.shadow_refs("refs/proctor/rescue"), format!("refs/proctor/rescue/{run}"));
    assert_eq!(place.mine(), before);
    place.assert_quiet();
}

// S1-10, S1-40, S1-42
#[test]
fn the_word_approve_at_the_prompt_lands_what_was_shown() {
    let Some(place) = Place::python() else { return };
    let (agent, base) = (Agent::at(&place), place.repo.head());
    let ran = agent.add(&[]).stdin("approve\n").run().expect_code(0);
    says(
        &ran,
        &["Success: Feature merged.", "tests/test_sub.py", "calc.py", "test_sub_takes_away"],
    );
    assert_landed(&place, &base);
}

#[test]
fn a_run_in_the_background_goes_on_and_waits_for_its_approval() {
    let Some(place) = Place::python() else { return };
    let (agent, base) = (Agent::at(&place), place.repo.head());
    agent.hold("review");
    let ran = agent.add(&["--detach"]).run().expect_code(0);
    let run = place.run_id();
    assert_eq!(ran.stdout.trim(), run, "{ran}");
    let mut follower = place.env.call(place.path()).args(&["log", "--follow", &run]).spawn();
    follower.until("the review", |out, _| out.contains("→ review"));
    agent.release("review");
    let ran = follower.wait().expect_code(0);
    says(&ran, &["waits for approval"]);
    place.assert_quiet();
    says(&place.proctor(&["list"]).expect_code(0), &["AWAITING_APPROVAL"]);
    assert_eq!(place.repo.head(), base);
    place.proctor(&["approve", &run]).expect_code(0);
    assert_landed(&place, &base);
}
