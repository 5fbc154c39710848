//! The routes of the first and the third design, one requirement after the other.

use super::*;
use crate::brief::Limits;
use crate::proof::RedMeasure;
use crate::report::{CollectError, Place, Reason, RunEnd, TestReport};

/// What was begun, in order.
fn labels(story: &Story) -> Vec<&'static str> {
    let began = story.history.iter().filter_map(|event| match event {
        Event::EffectBegan { effect, .. } => Some(effect.label()),
        _ => None,
    });
    began.collect()
}

fn answer(story: &mut Story, outcome: Outcome) {
    story.feed(&Input::Begin).unwrap();
    let no = story.run.in_flight.as_ref().unwrap().no;
    story.feed(&Input::Done { no, outcome, took_ms: 1, at: Millis(9) }).unwrap();
}

/// The red gate with runs that ended like this.
fn red_run(end: RunEnd) -> Outcome {
    let run = TestReport::empty(end);
    let measure = RedMeasure {
        runs: vec![run.clone(), run],
        ..red_measure(&[("old", passed())], &[("old", passed())])
    };
    Outcome::RedMeasured { measure: Box::new(measure), evidence: BlobId::new("e") }
}

fn at_red() -> Story {
    Story::begin(yes(TaskType::Feature)).play(&[Good, Good])
}

fn at_green() -> Story {
    Story::begin(yes(TaskType::Feature)).play(&[Good, Good, Good, Good])
}

#[test]
fn s1_1_what_the_coder_claims_moves_nothing_and_what_was_measured_does() {
    let story = at_green();
    let turned = story.history.iter().any(|event| matches!(event, Event::Turned { turn } if matches!(turn.claim, Claim::Implemented { .. })));
    assert!(turned, "the coder says that it is ready");
    assert!(matches!(story.play(&[Bad]).run.stage, Stage::Implementing { .. }));
}

#[test]
fn s1_2_no_code_is_asked_for_before_red_was_seen() {
    let story = at_red().play(&[Bad, Good, Bad, Good]);
    assert_eq!(story.asks(Phase::Implement), 0);
    assert_eq!(story.play(&[Good, Good]).asks(Phase::Implement), 1);
}

#[test]
fn s1_4_to_s1_11_the_nodes_follow_each_other() {
    let story = Story::begin(yes(TaskType::Feature)).finish();
    assert_eq!(
        labels(&story),
        [
            "preparing",
            "writing tests",
            "red gate",
            "implementing",
            "green gate",
            "refactoring",
            "green gate",
            "auditing",
            "reviewing",
            "landing",
            "cleaning up"
        ]
    );
}

#[test]
fn s1_9_the_audit_stands_between_green_and_the_person() {
    let labels = labels(&Story::begin(brief(TaskType::Feature)).finish());
    let at = |label| labels.iter().rposition(|other| *other == label);
    assert!(at("green gate") < at("auditing") && at("auditing") < at("reviewing"));
}

#[test]
fn s1_10_a_person_is_asked_before_anything_lands() {
    let story = Story::begin(brief(TaskType::Feature)).finish();
    assert_eq!(story.run.status(), Status::AwaitingApproval);
    assert_eq!(story.count(|e| matches!(e, Event::Landed { .. })), 0);
}

#[test]
fn s1_12_to_s1_17_a_run_begins_with_its_inputs_and_empty_counters() {
    let mut brief = brief(TaskType::Feature);
    brief.details = "the design".into();
    brief.context = vec![ContextFile { path: "a.py".into(), blob: BlobId::new("x") }];
    let run = Story::begin(brief).run;
    assert_eq!((run.brief.task.as_str(), run.brief.details.as_str()), ("T-1", "the design"));
    assert_eq!(run.brief.context.len(), 1);
    assert_eq!((run.counters.fixes, run.counters.red_refusals), (0, 0));
    assert_eq!((run.limits.green, run.limits.red), (3, 3));
    assert_eq!((run.tree, run.landed.as_ref()), (None, None));
    assert_eq!(run.brief.landing.approval, ApprovalPolicy::Person);
}

#[test]
fn s1_16_a_decision_is_pending_until_a_person_approves_or_aborts() {
    let story = || Story::begin(brief(TaskType::Feature)).finish();
    assert_eq!(story().run.status(), Status::AwaitingApproval);
    for (request, status) in [
        (
            Request::Approve { shown: point("tidy-1").tree, rebase: OnRebase::Ask, accept: None },
            Status::Success,
        ),
        (Request::Abort, Status::Aborted),
    ] {
        let mut story = story();
        story.feed(&Input::Request(request, Millis(1))).unwrap();
        assert_eq!(story.finish().run.status(), status);
    }
}

#[test]
fn s1_17_and_s1_42_what_a_person_is_shown_names_what_is_wrong() {
    let story = Story::begin(yes(TaskType::Feature)).play(&[Luck::Lasting]);
    assert_eq!((story.run.status(), story.run.reason().as_str()), (Status::Blocked, "no disk"));
}

#[test]
fn s1_26_a_test_run_has_three_hundred_seconds_and_its_end_there_has_its_own_words() {
    assert_eq!(Limits::default().test_ms, 300_000);
    let mut story = at_red();
    answer(&mut story, red_run(RunEnd::TimedOut { running: None }));
    let Some(Event::RedRefused { faults, .. }) =
        story.history.iter().find(|e| matches!(e, Event::RedRefused { .. }))
    else {
        panic!("{:?}", story.run.stage)
    };
    assert!(crate::fault::advice_of_red(faults).join(" ").contains("time limit"), "{faults:?}");
}

#[test]
fn s1_28_and_s1_57_a_test_that_fails_leads_from_the_tester_to_the_coder() {
    assert!(matches!(at_red().play(&[Good]).run.stage, Stage::Implementing { .. }));
}

#[test]
fn s1_30_and_s3_17_tests_that_can_not_be_read_go_back_to_the_tester() {
    let syntax = Reason::Other { message: "invalid syntax".into(), place: None };
    let place = Place { file: "tests/t.py".into(), line: Some(1) };
    let errors = vec![CollectError { place, reason: syntax }];
    for end in [RunEnd::CollectFailed { errors }, RunEnd::NoTests] {
        let mut story = at_red();
        answer(&mut story, red_run(end));
        assert!(matches!(story.run.stage, Stage::WritingTests { .. }), "{:?}", story.run.stage);
        assert_eq!(story.run.counters.red_refusals, 1);
    }
}

#[test]
fn s1_31_surroundings_that_are_broken_go_to_a_person() {
    assert_eq!(at_red().play(&[Luck::Lasting]).run.status(), Status::Blocked);
}

#[test]
fn s1_33_and_s3_31_green_goes_on_to_the_audit_and_to_the_person() {
    let story = at_green().play(&[Good, Good, Good]);
    assert!(matches!(story.run.stage, Stage::Auditing { .. }), "{:?}", story.run.stage);
}

#[test]
fn s1_34_a_test_that_still_fails_goes_back_to_the_coder_with_the_evidence() {
    let story = at_green().play(&[Bad]);
    let Stage::Implementing { feedback, .. } = &story.run.stage else {
        panic!("{:?}", story.run.stage)
    };
    let crate::run::CodeFeedback::Refused { reasons, evidence, .. } = feedback else {
        panic!("{feedback:?}")
    };
    assert!(reasons[0].contains("new"), "{reasons:?}");
    assert!(evidence.is_some());
    assert_eq!(story.run.counters.fixes, 1);
}

#[test]
fn s1_35_after_three_fixes_it_halts() {
    let mut lucks = vec![Bad];
    lucks.extend([Good, Bad].repeat(3));
    let story = at_green().play(&lucks);
    assert_eq!(owed(&story.run), Some(Effect::Settle { ending: Ending::Failed }));
}

#[test]
fn trouble_while_cleaning_up_after_a_landing_lands_nothing_a_second_time() {
    let mut story = Story::begin(yes(TaskType::Refactor)).play(&[Good; 8]).play(&[Luck::Lasting]);
    assert_eq!((story.run.status(), story.run.landed.is_some()), (Status::Blocked, true));
    let back = Request::SendBack { why: "no".into() };
    assert!(story.feed(&Input::Request(back, Millis(1))).is_err());
    story.feed(&Input::Request(Request::Resume { raise: Raise::default() }, Millis(1))).unwrap();
    assert_eq!(owed(&story.run), Some(Effect::Settle { ending: Ending::Success }));
    let story = story.finish();
    assert_eq!(story.run.status(), Status::Success);
    assert_eq!(story.count(|e| matches!(e, Event::Landed { .. })), 1);
}

#[test]
fn s1_50_every_loop_has_a_counter_with_a_limit() {
    let Limits { red, green, review, tests, asks, agent_calls, .. } = Limits::default();
    for limit in [red, green, review, tests, asks] {
        assert!((1..=10).contains(&limit));
    }
    assert!(agent_calls < 1000);
}

#[test]
fn s1_60_the_router_is_a_pure_function() {
    let run = at_green().run;
    let input = || Input::Begin;
    assert_eq!(decide(&run, &input()).unwrap(), decide(&run, &input()).unwrap());
}

#[test]
fn s3_20_and_s3_25_green_is_all_tests_and_the_coverage_that_was_asked_for() {
    assert!(matches!(at_green().play(&[Bad]).run.stage, Stage::Implementing { .. }));
    assert!(matches!(at_green().play(&[Good]).run.stage, Stage::Refactoring { .. }));
}

#[test]
fn s3_26_tests_that_never_ran_are_no_green() {
    let mut story = at_green();
    let mut measure = green_measure(&[("old", passed())], &[], &[]);
    measure.runs = vec![TestReport::empty(RunEnd::Crashed { note: "no such file".into() })];
    answer(
        &mut story,
        Outcome::GreenMeasured { measure: Box::new(measure), evidence: BlobId::new("e") },
    );
    assert!(matches!(story.run.stage, Stage::Implementing { .. }), "{:?}", story.run.stage);
}

#[test]
fn s3_27_a_refactoring_turn_follows_green() {
    assert_eq!(at_green().play(&[Good, Good]).asks(Phase::Refactor), 1);
}

#[test]
fn s3_28_after_a_refactoring_the_tests_are_run_again() {
    let story = at_green().play(&[Good, Good]);
    assert!(matches!(owed(&story.run), Some(Effect::ProveGreen { .. })));
}

#[test]
fn s3_29_a_regression_brings_the_green_work_back_and_halts() {
    let story = at_green().play(&[Good, Good, Bad]);
    assert_eq!(story.run.status(), Status::Blocked);
    assert_eq!(story.run.tree, Some(point("code-1").tree));
    assert!(
        story.run.reason().contains("the refactoring broke tests and was undone"),
        "{}",
        story.run.reason()
    );
}

#[test]
fn s3_30_where_the_tests_can_not_be_run_after_a_refactoring_the_original_stays() {
    let mut story = at_green().play(&[Good, Good]);
    let mut measure = green_measure(&[("old", passed())], &[], &[]);
    measure.runs = vec![TestReport::empty(RunEnd::Crashed { note: "no such file".into() })];
    answer(
        &mut story,
        Outcome::GreenMeasured { measure: Box::new(measure), evidence: BlobId::new("e") },
    );
    assert_eq!(story.run.tree, Some(point("code-1").tree));
}

#[test]
fn s3_41_red_is_never_skipped_and_nothing_is_refactored_while_a_test_fails() {
    let story = at_green().play(&[Bad, Good, Bad]);
    assert_eq!(story.asks(Phase::Refactor), 0);
    let red = story.history.iter().position(|e| matches!(e, Event::RedProven { .. }));
    let code = story
        .history
        .iter()
        .position(|e| matches!(e, Event::Turned { turn } if turn.phase == Phase::Implement));
    assert!(red.is_some() && red < code);
}
