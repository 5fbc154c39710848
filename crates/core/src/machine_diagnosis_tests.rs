//! The diagnosis between a refused green gate and the next fix.

use super::*;
use crate::run::CodeFeedback;
use Luck::{Lasting, TimeUp};

const REFUSED: [Luck; 5] = [Good, Good, Good, Good, Bad];

fn diagnosis(run: &Run) -> Option<String> {
    match &run.stage {
        Stage::Implementing { feedback: CodeFeedback::Refused { diagnosis, .. }, .. } => {
            diagnosis.clone()
        }
        other => panic!("not a fix: {other:?}"),
    }
}

#[test]
fn s3_21_after_a_refused_green_gate_a_second_agent_is_asked_once_and_its_strategy_reaches_the_coder()
 {
    let story = Story::begin(with_diagnostician(yes(TaskType::Feature))).play(&REFUSED);
    assert!(matches!(
        owed(&story.run),
        Some(Effect::Ask { phase: Phase::Diagnose, attempt: 1, ask: 1 })
    ));
    let story = story.play(&[Good]);
    assert_eq!(diagnosis(&story.run).as_deref(), Some("Root cause: because\n\nStrategy: because"));
    assert_eq!(story.run.counters.fixes, 1, "a diagnosis is no fix");
    let story = story.play(&[Good, Bad]);
    assert!(matches!(
        owed(&story.run),
        Some(Effect::Ask { phase: Phase::Diagnose, attempt: 2, ask: 1 })
    ));
    assert_eq!(story.finish().run.status(), Status::Success);
}

#[test]
fn s3_21_a_diagnosis_that_fails_in_any_way_is_noted_and_skipped() {
    for luck in [Bad, Worse, Passing, Lasting, Limited] {
        let story = Story::begin(with_diagnostician(yes(TaskType::Feature)));
        let story = story.play(&REFUSED).play(&[luck]);
        assert_eq!(diagnosis(&story.run), None, "{luck:?}");
        assert_eq!(story.count(|e| matches!(e, Event::DiagnosisSkipped { .. })), 1, "{luck:?}");
        assert_eq!((story.run.counters.fixes, story.run.counters.stumbles), (1, 0), "{luck:?}");
        assert_eq!(story.run.counters.turns(Phase::Diagnose), 1, "{luck:?}");
        assert_eq!(story.finish().run.status(), Status::Success, "{luck:?}");
    }
}

#[test]
fn a_diagnosis_is_cut_off_and_asked_again_and_the_runs_own_time_still_pauses() {
    let story = Story::begin(with_diagnostician(yes(TaskType::Feature))).play(&REFUSED);
    let cut = story.play(&[PowerCut]);
    assert!(matches!(owed(&cut.run), Some(Effect::Ask { phase: Phase::Diagnose, .. })));
    let mut paused = cut.play(&[TimeUp]);
    assert_eq!(paused.run.status(), Status::Paused);
    paused.feed(&Input::Request(Request::Resume { raise: Raise::default() }, Millis(1))).unwrap();
    assert!(matches!(owed(&paused.run), Some(Effect::Ask { phase: Phase::Diagnose, .. })));
    assert_eq!(paused.finish().run.status(), Status::Success);
}

#[test]
fn nobody_is_asked_for_a_diagnosis_where_no_gate_ran_none_is_configured_or_no_fix_is_left() {
    let without = Story::begin(yes(TaskType::Feature)).play(&REFUSED);
    assert!(matches!(without.run.stage, Stage::Implementing { .. }));
    let mut last = with_diagnostician(yes(TaskType::Feature));
    last.limits.green = 0;
    let ended = Story::begin(last).play(&REFUSED);
    assert!(matches!(ended.run.stage, Stage::Settling { .. }), "{:?}", ended.run.stage);
    assert_eq!(ended.finish().run.status(), Status::Failed);
}
