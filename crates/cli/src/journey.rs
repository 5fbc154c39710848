//! Takes a run as far as it goes in this process: drives it, asks for approval, shows how it ended.

use crate::approval::{Decision, ask, show};
use crate::args::Format;
use crate::clock;
use crate::face::face;
use crate::finish::finish;
use crate::out;
use anyhow::Result;
use proctor_core::event::{Event, Request};
use proctor_core::run::Run;
use proctor_core::words::{RunId, Status};
use proctor_engine::{EngineError, Shop, Watch, drive, load};
use proctor_journal::{Answer, Journal, Lease, Recorded};
use std::time::Duration;

const BEAT: Duration = Duration::from_millis(100);

pub struct Journey<'a> {
    pub shop: &'a Shop,
    pub format: Format,
}

/// Whether a person is asked at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtApproval {
    Ask,
    Leave,
}

impl Journey<'_> {
    /// Drives one run until nothing more happens to it here, and shows its end. Gives its exit code.
    pub fn take(&self, id: &RunId, at_approval: AtApproval) -> Result<u8> {
        let run = self.go(id, at_approval)?;
        // Who is asked was shown it with the question.
        if at_approval == AtApproval::Leave {
            self.show_what_waits(&run);
        }
        Ok(finish(self.format, self.shop, id, &run))
    }

    /// Drives several runs at once. Gives the first exit code that is not 0.
    pub fn take_all(&self, ids: &[RunId]) -> Result<u8> {
        let runs = {
            let mut face = face(self.format);
            drive(self.shop, ids, face.as_mut())?
        };
        let end = |(id, run): &(RunId, Run)| {
            self.show_what_waits(run);
            finish(self.format, self.shop, id, run)
        };
        let codes: Vec<u8> = runs.iter().map(end).collect();
        Ok(codes.into_iter().find(|code| *code != 0).unwrap_or(0))
    }

    fn show_what_waits(&self, run: &Run) {
        if self.format == Format::Text && run.status() == Status::AwaitingApproval {
            show(self.shop, run);
        }
    }

    fn go(&self, id: &RunId, at_approval: AtApproval) -> Result<Run> {
        let journal = Journal::open(self.shop.home.root())?;
        let last_seq = || -> Result<u64> { Ok(journal.find(id.as_str())?.last_seq) };
        loop {
            let before = last_seq()?;
            let Some(run) = self.drive_here(id)? else {
                return self.follow(id, before);
            };
            let waits = run.status() == Status::AwaitingApproval;
            if !waits || at_approval == AtApproval::Leave {
                return Ok(run);
            }
            let shown = last_seq()?;
            let request = match ask(self.shop, id, &run)? {
                Decision::Approve { shown } => Request::Approve { shown, accept: None },
                Decision::Abort => Request::Abort,
                Decision::Leave { .. } => return Ok(run),
                Decision::Elsewhere => return self.follow(id, shown),
            };
            let posted = journal.post(id, &request, clock::now())?;
            let Some(run) = self.drive_here(id)? else {
                return self.follow(id, shown);
            };
            if let Some(Answer::Refused { why }) = journal.answer_of(posted)? {
                out::error(&why);
            }
            if run.status() != Status::AwaitingApproval {
                return Ok(run);
            }
        }
    }

    /// None where another process drives the run.
    fn drive_here(&self, id: &RunId) -> Result<Option<Run>> {
        let mut face = face(self.format);
        match drive(self.shop, std::slice::from_ref(id), face.as_mut()) {
            Ok(mut runs) => match runs.pop() {
                Some((_, run)) => Ok(Some(run)),
                None => Ok(Some(load(self.shop, id)?)),
            },
            Err(EngineError::Held { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Looks on while another process drives the run, until none does. Shows what follows event `seq`.
    pub fn follow(&self, id: &RunId, mut seq: u64) -> Result<Run> {
        let journal = Journal::open(self.shop.home.root())?;
        let mut face = face(self.format);
        if let Some(pid) = Lease::held(self.shop.home.root(), id)? {
            out::talk(&format!("Process {pid} drives run {id}; looking on."));
        }
        loop {
            let driven = Lease::held(self.shop.home.root(), id)?.is_some();
            seq = show_since(&journal, id, seq, face.as_mut())?;
            if !driven || self.shop.signals.asked_to_stop() {
                return Ok(load(self.shop, id)?);
            }
            std::thread::sleep(BEAT);
        }
    }
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
