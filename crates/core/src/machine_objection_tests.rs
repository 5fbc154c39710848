//! Objections to proven work, and approvals that outlive a base that moves.

use super::*;

/// A turn of the coder that leaves everything as it is.
fn nothing_changes(story: &mut Story) {
    story.feed(&Input::Begin).unwrap();
    let no = story.run.in_flight.as_ref().unwrap().no;
    let tree = story.run.tree.clone().unwrap();
    let claim = Claim::Implemented { description: String::new(), notes: "it is right".into() };
    let outcome = turn(
        Phase::Implement,
        story.run.counters.turns(Phase::Implement) + 1,
        claim,
        tree.as_str(),
    );
    let outcome = match outcome {
        Outcome::Turned { turn, usage } => {
            let mut turn = *turn;
            turn.at.tree = tree;
            Outcome::Turned { turn: Box::new(turn), usage }
        }
        other => other,
    };
    story.feed(&Input::Done { no, outcome, took_ms: 1, at: Millis(1) }).unwrap();
}

/// Prepared, tests, red, code, green, tidied, green, audited.
fn reviewed(kind: TaskType) -> Story {
    Story::begin(brief(kind)).play(&[Good; 8])
}

#[test]
fn a_rejection_that_the_coder_answers_without_a_change_counts_as_a_review_and_the_proof_stays() {
    let mut story = reviewed(TaskType::BugFix).play(&[Bad]);
    let proven = story.run.stage.green().cloned();
    assert!(proven.is_some());
    let fixes = story.run.counters.fixes;
    nothing_changes(&mut story);
    assert_eq!((story.run.counters.reviews, story.run.counters.fixes), (2, fixes));
    assert_eq!(story.run.status(), Status::Running);
    assert!(matches!(owed(&story.run), Some(Effect::Ask { phase: Phase::Implement, .. })));
    nothing_changes(&mut story);
    assert_eq!(story.run.status(), Status::MaxAttemptsReached);
    assert_eq!(story.run.stage.green().cloned(), proven, "the work is kept, and its proof");
    assert!(story.run.reason().ends_with("because"), "{}", story.run.reason());
    assert_eq!(story.run.counters.reviews, 3);
    assert_eq!(Run::replay(&story.history), Some(story.run));
}

#[test]
fn what_a_person_sent_back_and_nobody_changed_ends_after_three_and_can_be_sent_back_again() {
    let back = || Input::Request(Request::SendBack { why: "handle zero".into() }, Millis(1));
    let mut story = Story::begin(brief(TaskType::BugFix)).finish();
    story.feed(&back()).unwrap();
    for _ in 0..3 {
        assert_eq!(story.run.status(), Status::Running);
        nothing_changes(&mut story);
    }
    assert_eq!(story.run.status(), Status::MaxAttemptsReached);
    assert!(story.run.reason().contains("handle zero"), "{}", story.run.reason());
    story.feed(&back()).unwrap();
    assert!(story.run.stage.green().is_some());
    assert_eq!(story.finish().run.status(), Status::AwaitingApproval);
}

#[test]
fn findings_of_an_audit_that_nobody_answers_stay_and_count_as_fixes() {
    let mut story = Story::begin(brief(TaskType::BugFix)).play(&[Good; 7]).play(&[Bad]);
    for _ in 0..3 {
        let said = |run: &Run| matches!(&run.stage, Stage::Implementing { feedback: crate::run::CodeFeedback::Audit { findings }, .. } if findings.len() == 1);
        assert!(said(&story.run), "{:?}", story.run.stage);
        nothing_changes(&mut story);
    }
    assert_eq!(owed(&story.run), Some(Effect::Settle { ending: Ending::Failed }));
    let shown = story.run.counters.shown(&story.run.limits);
    assert_eq!(shown.fixes, story.run.limits.green);
}

#[test]
fn an_approval_that_was_given_through_a_rebase_lands_the_same_change_on_the_new_base() {
    for (rebase, status) in
        [(OnRebase::Through, Status::Success), (OnRebase::Ask, Status::AwaitingApproval)]
    {
        let mut story = Story::begin(brief(TaskType::Feature)).finish();
        let shown = point("tidy-1").tree;
        story
            .feed(&Input::Request(Request::Approve { shown, rebase, accept: None }, Millis(3)))
            .unwrap();
        let story = story.play(&[Bad, Good, Good]).finish(); // moved, rebased, green
        assert_eq!(story.run.status(), status);
        let last = story.history.iter().rev().find_map(|event| match event {
            Event::Approved { tree, .. } => Some(tree.clone()),
            _ => None,
        });
        let landed = if rebase == OnRebase::Through { "code-on-newer" } else { "tidy-1" };
        assert_eq!(last, Some(point(landed).tree), "an approval names a tree");
    }
}

#[test]
fn another_change_on_the_new_base_is_asked_about_again() {
    let mut story = Story::begin(brief(TaskType::Feature)).finish();
    let shown = point("tidy-1").tree;
    let rebase = OnRebase::Through;
    story
        .feed(&Input::Request(Request::Approve { shown, rebase, accept: None }, Millis(3)))
        .unwrap();
    let mut story = story.play(&[Bad]);
    story.feed(&Input::Begin).unwrap();
    let no = story.run.in_flight.as_ref().unwrap().no;
    let outcome = Outcome::Rebased {
        base: CommitId::new("newer"),
        tests: point("tests-on-newer"),
        code: point("code-on-newer"),
        baseline: Box::new(baseline()),
        patch: Patch::Other { shown: BlobId::new("range-diff") },
    };
    story.feed(&Input::Done { no, outcome, took_ms: 1, at: Millis(1) }).unwrap();
    let story = story.play(&[Good]);
    assert_eq!(story.run.status(), Status::AwaitingApproval);
    assert!(story.run.reason().contains("not the same"), "{}", story.run.reason());
}

#[test]
fn what_a_coder_did_before_it_disputed_a_test_is_kept_until_it_works_again() {
    let story = Story::begin(yes(TaskType::Feature)).play(&[Good, Good, Good, Bad]);
    let kept = story.run.kept.clone().unwrap();
    assert_eq!((kept.code, kept.tests), (point("code-1").tree, point("tests-1").tree));
    let story = story.play(&[Good, Good]);
    assert!(story.run.kept.is_some() && matches!(story.run.stage, Stage::Implementing { .. }));
    assert_eq!(story.play(&[Good]).run.kept, None);
}

#[test]
fn histories_from_before_are_read_as_they_were() {
    let old = r#"{"event":"approved","tree":"t","by":"person","when":3}"#;
    let event: Event = serde_json::from_str(old).unwrap();
    assert!(matches!(&event, Event::Approved { rebase: OnRebase::Ask, .. }));
    assert_eq!(serde_json::to_string(&event).unwrap(), old);
}
