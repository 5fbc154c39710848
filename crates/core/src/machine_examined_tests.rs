//! A second agent writes tests between red and the coder; whatever becomes of that stops nothing.

use super::*;

fn with_examiner(kind: TaskType) -> Brief {
    let mut brief = yes(kind);
    let second = AgentSpec::of("second", AgentKind::Command { argv: vec!["x".into()] });
    brief.agents.insert(Role::Examiner, second);
    brief
}

#[test]
fn an_examiner_is_asked_once_after_red_and_a_failed_one_stops_nothing() {
    let story = Story::begin(with_examiner(TaskType::Feature)).finish();
    assert_eq!(story.run.status(), Status::Success);
    let asked = |e: &Event| matches!(e, Event::EffectBegan { effect: Effect::Examine, .. });
    assert_eq!(story.count(asked), 1);
    assert_eq!(story.count(|e| matches!(e, Event::Examined { examination: None, .. })), 1);
    let at = |wanted: fn(&Event) -> bool| story.history.iter().position(wanted).unwrap();
    assert!(
        at(|e| matches!(e, Event::RedProven { .. })) < at(|e| matches!(e, Event::Examined { .. }))
    );
    let calls = story.asks(Phase::WriteTests) + story.asks(Phase::Implement);
    assert!(story.run.spent.calls as usize > calls, "it is an agent's call as any other");
    assert_eq!(Run::replay(&story.history), Some(story.run));
}

#[test]
fn a_refactoring_has_nothing_to_examine() {
    let story = Story::begin(with_examiner(TaskType::Refactor)).finish();
    assert_eq!(story.count(|e| matches!(e, Event::Examined { .. })), 0);
}
