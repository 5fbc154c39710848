//! Work that is shown on a host before anybody approved it.

use super::*;
use crate::brief::{ApprovalPolicy, LandMode};
use crate::concern::{Concern, Raised};
use crate::event::Approver;
use crate::run::Stage;
use crate::words::TreeId;

fn asking(approval: ApprovalPolicy) -> Story {
    let mut brief = yes(TaskType::Feature);
    brief.landing.mode = LandMode::Pr;
    brief.landing.approval = approval;
    brief.landing.request.draft = true;
    Story::begin(brief).finish()
}

fn approve(tree: &str) -> Input {
    let shown = TreeId::new(tree);
    let request = Request::Approve { shown, rebase: OnRebase::Ask, accept: None };
    Input::Request(request, Millis(10))
}

fn resume_it() -> Input {
    Input::Request(Request::Resume { raise: Raise::default() }, Millis(10))
}

/// Carries out what is owed with this outcome.
fn answered(story: &mut Story, outcome: Outcome) {
    story.feed(&Input::Begin).unwrap();
    let no = story.run.in_flight.as_ref().unwrap().no;
    story.feed(&Input::Done { no, outcome, took_ms: 1, at: Millis(9) }).unwrap();
}

fn by_ann(commit: &str, accept: Option<&str>) -> Outcome {
    let (by, commit) = (vec!["ann".to_owned()], CommitId::new(commit));
    Outcome::Reviewed { by, commit, accept: accept.map(str::to_owned) }
}

#[test]
fn proven_work_is_offered_and_waits_and_a_review_of_that_commit_lets_it_land() {
    let mut story = asking(ApprovalPolicy::Review);
    assert_eq!(story.run.status(), Status::AwaitingApproval);
    assert!(story.run.reason().contains("pull request #7"), "{}", story.run.reason());
    let tree = story.run.stage.green().unwrap().at().tree.clone();
    assert!(matches!(story.feed(&approve(tree.as_str())), Err(Refusal::ByReview { .. })));
    story.feed(&resume_it()).unwrap();
    answered(&mut story, Outcome::NotReviewed { why: "nobody did".into() });
    assert!(story.run.reason().contains("not yet: nobody did"), "{}", story.run.reason());
    assert_eq!(owed(&story.run), None);
    story.feed(&resume_it()).unwrap();
    answered(&mut story, by_ann("another", None));
    assert_eq!(story.run.status(), Status::AwaitingApproval);
    story.feed(&resume_it()).unwrap();
    answered(&mut story, by_ann("one-commit", None));
    assert!(matches!(story.run.stage, Stage::Landing { by: Approver::Review, .. }));
    assert_eq!(story.finish().run.status(), Status::Success);
}

#[test]
fn what_a_person_must_look_at_is_taken_with_a_reason_alone() {
    let mut story = asking(ApprovalPolicy::Review);
    story.run.raised.gate = vec![Raised::new(Concern::LargeFile, "a.bin".to_owned())];
    story.feed(&resume_it()).unwrap();
    answered(&mut story, by_ann("one-commit", None));
    assert!(story.run.reason().contains("/proctor accept REASON"), "{}", story.run.reason());
    story.feed(&resume_it()).unwrap();
    answered(&mut story, by_ann("one-commit", Some("it is a picture")));
    let reasons: Vec<&str> = story
        .history
        .iter()
        .filter_map(|event| match event {
            Event::Accepted { why, .. } => Some(why.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(reasons, ["ann: it is a picture"]);
    assert!(matches!(story.run.stage, Stage::Landing { .. }));
}

#[test]
fn a_base_that_moves_makes_another_request_text_and_an_older_review_none() {
    let mut story = asking(ApprovalPolicy::Review);
    story.feed(&resume_it()).unwrap();
    answered(&mut story, by_ann("one-commit", None));
    story.step(Luck::Bad);
    assert!(matches!(story.run.stage, Stage::Rebasing { .. }));
    let story = story.finish();
    assert_eq!(story.run.status(), Status::AwaitingApproval);
    assert_eq!(story.count(|event| matches!(event, Event::Offered { .. })), 2);
    assert_eq!(story.count(|event| matches!(event, Event::Landed { .. })), 0);
}

#[test]
fn a_draft_is_there_before_a_person_approves_here_and_a_decision_waits_for_it() {
    let mut brief = yes(TaskType::Feature);
    brief.landing.mode = LandMode::Pr;
    brief.landing.approval = ApprovalPolicy::Person;
    brief.landing.request.draft = true;
    let mut story = Story::begin(brief);
    while !matches!(owed(&story.run), Some(Effect::Offer { .. })) {
        story.step(Luck::Good);
    }
    story.feed(&Input::Begin).unwrap();
    let tree = story.run.stage.green().unwrap().at().tree.clone();
    assert!(matches!(story.feed(&approve(tree.as_str())), Err(Refusal::NotNow { .. })));
    story.run = Run::replay(&story.history).unwrap();
    let no = story.run.in_flight.as_ref().unwrap().no;
    story.feed(&Input::Lost { no }).unwrap();
    let mut story = story.finish();
    assert_eq!(story.run.status(), Status::AwaitingApproval);
    story.feed(&approve(tree.as_str())).unwrap();
    assert_eq!(story.finish().run.status(), Status::Success);
}
