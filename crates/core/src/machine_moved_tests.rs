//! A checkout that somebody changed while an effect was under way.

use super::*;
use crate::event::Disturbance;

fn disturbed(story: &mut Story, outcome: Outcome, sort: Disturbance) {
    story.feed(&Input::Begin).unwrap();
    let no = story.run.in_flight.as_ref().unwrap().no;
    let moved = vec!["hooks/post-checkout is new".to_owned()];
    let outcome = Outcome::Disturbed { outcome: Box::new(outcome), moved, sort };
    story.feed(&Input::Done { no, outcome, took_ms: 1, at: Millis(9) }).unwrap();
}

fn written() -> Outcome {
    let claim = Claim::TestsWritten { test_file_path: None, notes: String::new() };
    turn(Phase::WriteTests, 1, claim, "tests")
}

#[test]
fn it_stops_the_run_with_the_turn_kept_and_what_it_cost_counted() {
    let mut story = Story::begin(yes(TaskType::Feature)).play(&[Luck::Good]);
    disturbed(&mut story, written(), Disturbance::Other);
    assert_eq!(story.run.status(), Status::Blocked);
    assert!(story.run.reason().contains("hooks/post-checkout is new"), "{}", story.run.reason());
    assert_eq!(story.run.spent.usage.tokens, 10);
    story.feed(&Input::Request(Request::Resume { raise: Raise::default() }, Millis(10))).unwrap();
    assert!(matches!(story.run.stage, Stage::ProvingRed { .. }), "{:?}", story.run.stage);
}

#[test]
fn behind_a_sandbox_it_is_only_said() {
    let mut story = Story::begin(yes(TaskType::Feature)).play(&[Luck::Good]);
    story.run.sandbox = "strong (bubblewrap)".to_owned();
    disturbed(&mut story, written(), Disturbance::Other);
    assert!(matches!(story.run.stage, Stage::ProvingRed { .. }), "{:?}", story.run.stage);
}

#[test]
fn an_ending_of_its_own_stays_what_it_is() {
    let mut story = Story::begin(yes(TaskType::BugFix)).play(&[Luck::Good]);
    let claim = Claim::Discarded { why: "no bug".to_owned() };
    disturbed(&mut story, turn(Phase::WriteTests, 1, claim, "base"), Disturbance::Other);
    assert_eq!(story.run.status(), Status::Discarded);
}

#[test]
fn commits_on_top_of_a_branch_are_only_said() {
    let mut story = Story::begin(yes(TaskType::Feature)).play(&[Luck::Good]);
    disturbed(&mut story, written(), Disturbance::Commits);
    assert!(matches!(story.run.stage, Stage::ProvingRed { .. }), "{:?}", story.run.stage);
}
