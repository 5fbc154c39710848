//! A run's history read back: each event with the state that it led to, and as a line for programs.

use anyhow::Result;
use proctor_core::event::Event;
use proctor_core::run::Run;
use proctor_core::words::{Millis, RunId};
use proctor_engine::Watch;
use proctor_journal::{Journal, Recorded};

/// One JSON object a line: the recorded event, with `run`, `seq` and `at` in front.
pub fn json_line(run: &RunId, seq: u64, at: Millis, event: &Event) -> serde_json::Result<String> {
    let body = serde_json::to_string(event)?;
    let run = serde_json::to_string(run)?;
    let rest = body.strip_prefix('{').unwrap_or(&body);
    Ok(format!("{{\"run\":{run},\"seq\":{seq},\"at\":{},{rest}", at.0))
}

/// Shows the events after `seq` to a face, each with the state that it led to. Gives the last one's number.
pub fn show_since(journal: &Journal, id: &RunId, seq: u64, face: &mut dyn Watch) -> Result<u64> {
    if journal.since::<serde_json::Value>(id, seq)?.is_empty() {
        return Ok(seq);
    }
    let history: Vec<Recorded<Event>> = journal.history(id)?;
    let mut last = seq;
    for (recorded, state) in states(&history) {
        if recorded.seq > seq {
            face.event(id, recorded.seq, recorded.at, &recorded.body, &state);
            last = recorded.seq;
        }
    }
    Ok(last)
}

/// Each event with the state that it led to.
pub fn states(history: &[Recorded<Event>]) -> Vec<(&Recorded<Event>, Run)> {
    let mut told = Vec::new();
    let mut state: Option<Run> = None;
    for recorded in history {
        let next = match (state, &recorded.body) {
            (Some(run), event) => proctor_core::evolve::evolve(run, event),
            (None, Event::Created { brief }) => Run::new((**brief).clone()),
            // A history that does not begin with a brief can't be told.
            (None, _) => return told,
        };
        told.push((recorded, next.clone()));
        state = Some(next);
    }
    told
}
