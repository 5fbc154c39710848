use super::*;
use crate::run::history::states;
use crate::run::sample;
use proctor_core::brief::Percent;
use proctor_core::event::Ending;
use proctor_core::words::{BlobId, CommitId, Millis};
use proctor_journal::Recorded;

#[test]
fn a_run_is_told_from_its_brief_to_its_landing() {
    let events = [sample::history(), sample::landing()].concat();
    let history: Vec<Recorded<Event>> = events
        .into_iter()
        .zip(1..)
        .map(|(body, seq)| Recorded { seq, at: Millis(0), body })
        .collect();
    let told: Vec<String> =
        states(&history).iter().flat_map(|(recorded, state)| tell(&recorded.body, state)).collect();
    assert_eq!(history.len(), states(&history).len());
    insta::assert_snapshot!("story", told.join("\n"));
}

#[test]
fn other_turns_of_events_are_told_too() {
    let state = sample::run(&sample::history());
    let text = |text: &str| text.to_owned();
    let events = [
        Event::EffectLost { no: 3 },
        Event::Stumbled { why: text("no room\nhint: make some") },
        Event::Appealed { why: text("the test is wrong") },
        Event::TestsTooThin {
            faults: vec![proctor_core::fault::ThinFault::Coverage {
                what: text("the changed lines"),
                reached: Percent(6650),
                wanted: Percent(8500),
                missed: vec![text("calc.py:3-5, 9")],
            }],
            evidence: BlobId::new("e"),
        },
        Event::AddedRefused {
            faults: vec![proctor_core::fault::RedFault::NothingNew],
            evidence: BlobId::new("e"),
        },
        Event::ReviewRejected { why: text("too clever") },
        Event::SentBack { why: text("simpler") },
        Event::BaseMoved { to: CommitId::new("d".repeat(40)) },
        Event::Paused { why: Pause::Budget { what: text("60 of 60 calls") } },
        Event::LimitsRaised {
            raise: Raise { calls: 20, wall_ms: 90_000, tokens: 5, micro_usd: 2_500_000 },
        },
        Event::Saved { rescue: Some(text("refs/proctor/rescue/x")), patch: Some(text("/p")) },
        Event::Interrupted,
        Event::Closed { ending: Ending::Blocked, reason: text("no pytest\nhint: install it") },
    ];
    let told: Vec<String> = events.iter().flat_map(|event| tell(event, &state)).collect();
    insta::assert_snapshot!("story_detours", told.join("\n"));
}

#[test]
fn many_names_are_counted_after_the_first_few() {
    let names: Vec<String> = (0..12).map(|n| format!("t{n}")).collect();
    let lines = named("  ", names.iter().map(String::as_str));
    assert_eq!(lines.len(), NAMED + 1);
    assert_eq!(lines.last().unwrap(), "  and 4 more");
}
