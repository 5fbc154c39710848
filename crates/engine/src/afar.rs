//! Runs whose history is kept elsewhere. One effect of such a run is carried out here, without journal and loop: what comes
//! back is what is to be recorded. And what was recorded there is followed in the journal here, for people to look at.

use crate::carry::examine::apart_from;
use crate::carry::{Job, Message, carry_out_anywhere};
use crate::context::EngineError;
use crate::drive::{headline, replay};
use proctor_core::decide::decide;
use proctor_core::event::{Event, Input};
use proctor_core::evolve::evolve;
use proctor_core::run::Run;
use proctor_core::words::{Millis, RunId};
use proctor_journal::{AppendError, Journal};
use proctor_lab::{Shop, hush_logs, redactor_of};
use proctor_world::child::Cancel;
use serde::{Deserialize, Serialize};
use std::sync::mpsc;
use std::time::Instant;

/// Where the history of a run is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Afar {
    /// The service that keeps it.
    pub service: String,
    /// The repository that the run's steps meet in.
    pub remote: String,
    /// Where blobs and logs are.
    pub store: String,
}

/// One fact of such a history, and when it was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    pub at: Millis,
    #[serde(flatten)]
    pub event: Event,
}

/// What carrying out the effect under way came to.
#[derive(Clone, Debug)]
pub enum Carried {
    /// What is to be recorded.
    Done(Vec<Fact>),
    /// It was stopped; nothing is to be recorded.
    Stopped,
    /// Not here: why, and another machine may.
    NotHere(String),
}

/// Carries out the effect that is under way in a run, wherever the effects before it were carried out.
pub fn carry_one(
    shop: &Shop,
    (id, mut run): (&RunId, Run),
    cancel: &Cancel,
    tell: &dyn Fn(&str),
) -> Carried {
    let Some(flight) = run.in_flight.clone() else { return Carried::Done(Vec::new()) };
    if let Ok(free) = proctor_world::stock::free(shop.home.root())
        && free < run.limits.free_bytes
    {
        return Carried::NotHere(format!("only {} MB are free on the disk", free >> 20));
    }
    // What an attempt left behind that died here.
    for name in [id, &apart_from(id)] {
        proctor_world::leftovers::sweep(&shop.token(name));
    }
    hush_logs(&redactor_of(shop, &run.brief.setup), &shop.home.logs(id, flight.no));
    let (sender, inputs) = mpsc::channel();
    let job = Job::new(shop, (id, flight.no), run.clone(), cancel.clone(), sender.clone());
    let mut events = Vec::new();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let began = Instant::now();
            let outcome = Box::new(carry_out_anywhere(&job, &flight.effect));
            let took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            let done = Message::Done { run: job.id.clone(), no: job.no, outcome, took_ms };
            // Nobody listens any more when the process is on its way out.
            let _ = sender.send(done);
        });
        for message in inputs {
            let (input, last) = match message {
                Message::Line { text, .. } => {
                    tell(&text);
                    continue;
                }
                Message::Session { no, mark, .. } => (Input::Session { no, mark }, false),
                Message::Done { no, outcome, took_ms, .. } => {
                    (Input::Done { no, outcome: *outcome, took_ms, at: shop.now() }, true)
                }
            };
            let new = decide(&run, &input).unwrap_or_default();
            run = new.iter().fold(run.clone(), evolve);
            let at = shop.now();
            events.extend(new.into_iter().map(|event| Fact { at, event }));
            if last {
                break;
            }
        }
    });
    if cancel.is_cancelled() { Carried::Stopped } else { Carried::Done(events) }
}

/// From here on a fleet works on a run, and nobody here does. The run must not be driven while this is called.
pub fn send_afar(shop: &Shop, run: &RunId, afar: &Afar) -> Result<(), EngineError> {
    let path = shop.home.afar(run);
    let failed = |source| EngineError::Io { path: path.clone(), source };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let text = serde_json::to_vec_pretty(afar).map_err(|e| failed(e.into()))?;
    std::fs::write(&path, text).map_err(failed)
}

/// Whether a fleet works on a run.
pub fn is_afar(shop: &Shop, run: &RunId) -> bool {
    shop.home.afar(run).is_file()
}

/// Where the history of a run is kept, if not here.
pub fn afar_of(shop: &Shop, run: &RunId) -> Option<Afar> {
    let text = std::fs::read(shop.home.afar(run)).ok()?;
    serde_json::from_slice(&text).ok()
}

/// Takes over what was recorded elsewhere after the first `after` facts of the run. Gives the number of the last.
pub fn follow(
    shop: &Shop,
    run: &RunId,
    (after, facts): (u64, &[Fact]),
) -> Result<u64, EngineError> {
    let journal = Journal::open(shop.home.root()).map_err(EngineError::Journal)?;
    let mut state = if after == 0 { None } else { Some(replay(&journal, run)?.0) };
    let mut seq = after;
    for Fact { at, event } in facts {
        let next = match (state, event) {
            (Some(state), event) => evolve(state, event),
            (None, Event::Created { brief }) => Run::new((**brief).clone()),
            (None, _) => return Err(EngineError::NoBrief { run: run.clone() }),
        };
        let one = std::slice::from_ref(event);
        let appended = journal.append(run, seq, one, *at, &headline(&next));
        seq = appended.map_err(|error| match error {
            AppendError::Moved { found, .. } => EngineError::Moved { run: run.clone(), found },
            AppendError::Journal(error) => EngineError::Journal(error),
        })?;
        state = Some(next);
    }
    if let Some(state) = state {
        // It follows from the history: where it can't be written, nothing is lost.
        let _ = crate::process::write(shop, run, &state);
    }
    Ok(seq)
}
