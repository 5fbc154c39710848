//! Work that is green while its tests run too little of it.

use super::*;
use crate::brief::Percent;
use crate::item::ItemChanges;
use crate::proof::{Added, CoverageMeasure, GreenMeasure};
use crate::report::{Case, LineCoverage, Lines};
use crate::run::GreenOf;
use crate::words::TestId;

/// A green gate whose coverage is too low.
/// After a turn, it added a test of this number.
fn thin_outcome(added: Option<u32>) -> Outcome {
    let Outcome::GreenMeasured { mut measure, evidence } = green_outcome(true, true) else {
        unreachable!()
    };
    measure.coverage = Some(thin_coverage());
    if let Some(n) = added {
        with_added(&mut measure, n);
    }
    Outcome::GreenMeasured { measure, evidence }
}

fn thin_coverage() -> CoverageMeasure {
    let lines = Lines { hit: [1].into(), missed: [2, 3].into() };
    CoverageMeasure {
        lines: LineCoverage { files: [("calc.py".to_owned(), lines)].into() },
        changed: [("calc.py".to_owned(), [1, 2, 3].into())].into(),
        warnings: Vec::new(),
    }
}

/// Adds passing tests, the first up to this number, to what was measured.
fn with_added(measure: &mut GreenMeasure, n: u32) {
    for run in &mut measure.runs {
        for n in 1..=n {
            let id = TestId::new(format!("more-{n}"));
            run.cases.insert(id, Case { end: passed(), took_ms: None });
        }
    }
    measure.added = Some(Added { items: ItemChanges::default(), tests: point("more-tests") });
}

fn answer(story: &mut Story, outcome: Outcome) {
    story.feed(&Input::Begin).unwrap();
    let no = story.run.in_flight.as_ref().unwrap().no;
    story.feed(&Input::Done { no, outcome, took_ms: 1, at: Millis(9) }).unwrap();
}

fn asking_for_coverage(kind: TaskType) -> Story {
    let mut brief = yes(kind);
    brief.rules.coverage = Some(Percent(8000));
    // Prepared, tests written, red proven, implemented: the green gate is next.
    Story::begin(brief).play(&[Luck::Good; 4])
}

#[test]
fn too_little_coverage_leads_to_a_turn_that_only_adds_tests_and_then_on() {
    let mut story = asking_for_coverage(TaskType::Feature);
    answer(&mut story, thin_outcome(None));
    assert!(matches!(story.run.stage, Stage::AddingTests { .. }), "{:?}", story.run.stage);
    let next = owed(&story.run);
    assert!(matches!(next, Some(Effect::Ask { phase: Phase::WriteTests, .. })), "{next:?}");
    story.step(Luck::Good);
    assert!(matches!(story.run.stage, Stage::ProvingGreen { of: GreenOf::Added { .. }, .. }));
    let Outcome::GreenMeasured { mut measure, evidence } = green_outcome(true, true) else {
        unreachable!()
    };
    with_added(&mut measure, 1);
    answer(&mut story, Outcome::GreenMeasured { measure, evidence });
    assert!(matches!(story.run.stage, Stage::Refactoring { .. }), "{:?}", story.run.stage);
    let sealed = story.run.stage.anchor().unwrap().sealed().count();
    assert_eq!((sealed, story.run.counters.fixes), (2, 0), "sealed, and no fix was used up");
}

#[test]
fn coverage_that_stays_too_low_fails_after_its_own_number_of_turns() {
    let mut story = asking_for_coverage(TaskType::BugFix);
    answer(&mut story, thin_outcome(None));
    let mut turns = 0;
    while matches!(story.run.stage, Stage::AddingTests { .. }) {
        turns += 1;
        story.step(Luck::Good);
        answer(&mut story, thin_outcome(Some(turns)));
    }
    assert_eq!(turns, story.run.limits.tests);
    let story = story.finish();
    assert_eq!(story.run.status(), Status::Failed);
    assert!(story.run.reason().contains("33.33% of the changed lines"), "{}", story.run.reason());
    assert_eq!(Run::replay(&story.history).unwrap(), story.run, "the history tells the same");
}

#[test]
fn added_tests_that_can_not_be_used_go_back_to_the_tester_with_the_reason() {
    let mut story = asking_for_coverage(TaskType::Feature);
    answer(&mut story, thin_outcome(None));
    story.step(Luck::Good);
    // Nothing was added after all.
    let Outcome::GreenMeasured { mut measure, evidence } = green_outcome(true, true) else {
        unreachable!()
    };
    measure.added = Some(Added { items: ItemChanges::default(), tests: point("more-tests") });
    answer(&mut story, Outcome::GreenMeasured { measure, evidence });
    let Stage::AddingTests { reasons, code, .. } = &story.run.stage else {
        panic!("{:?}", story.run.stage)
    };
    assert!(reasons[0].contains("No new"), "{reasons:?}");
    assert_eq!(code, &point("code-1"), "the work that is held against stays the same");
    assert_eq!(story.run.tree, Some(point("tests-2").tree), "the turn begins where it stands");
}
