//! The plain way: one turn that does the work, no red gate.

use super::*;

fn plain() -> Brief {
    let mut brief = yes(TaskType::Feature);
    brief.assignment.route = Route::Plain;
    brief
}

#[test]
fn s3_1_without_tdd_the_coder_begins_and_no_test_and_no_refactoring_is_asked_for() {
    let story = Story::begin(plain()).play(&[Good]);
    assert!(matches!(
        owed(&story.run),
        Some(Effect::Ask { phase: Phase::Implement, attempt: 1, ask: 1 })
    ));
    let story = story.play(&[Good, Good, Good, Good, Good]); // implement, green, audit, review, land
    let story = story.finish();
    assert_eq!(story.run.status(), Status::Success);
    for (phase, asks) in
        [(Phase::WriteTests, 0), (Phase::Implement, 1), (Phase::Refactor, 0), (Phase::Review, 1)]
    {
        assert_eq!(story.asks(phase), asks, "{phase}");
    }
    assert_eq!(story.count(|e| matches!(e, Event::RedProven { .. })), 0);
}

#[test]
fn on_the_plain_way_what_it_adds_must_pass_and_what_it_breaks_goes_back() {
    let refused = Story::begin(plain()).play(&[Good, Good, Bad]);
    assert!(matches!(refused.run.stage, Stage::Implementing { .. }));
    assert_eq!(refused.run.counters.fixes, 1);
    let mut lucks = vec![Good];
    lucks.extend([Good, Bad].repeat(4));
    lucks.push(Good);
    let failed = Story::begin(plain()).play(&lucks);
    assert_eq!(failed.run.status(), Status::Failed);
    assert_eq!(failed.run.tree, Some(point("base").tree), "the base is back");
}

#[test]
fn on_the_plain_way_a_disputed_test_needs_a_person() {
    let story = Story::begin(plain()).play(&[Good, Bad]);
    assert_eq!(story.run.status(), Status::Blocked);
    assert!(story.run.reason().contains("was there before"), "{}", story.run.reason());
}

#[test]
fn tests_that_a_person_brings_make_it_the_ordinary_way() {
    let mut brief = plain();
    brief.brought_tests = vec![ContextFile { path: "t.py".into(), blob: BlobId::new("x") }];
    let story = Story::begin(brief).finish();
    assert_eq!(story.count(|e| matches!(e, Event::RedProven { .. })), 1);
}
