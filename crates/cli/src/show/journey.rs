//! Takes a run as far as it goes in this process: drives it, asks for approval, shows how it ended.

use crate::args::Format;
use crate::out;
use crate::show::approval::{Decision, ask, show};
use crate::show::face::face_without_end;
use crate::show::finish::finish;
use anyhow::Result;
use proctor_core::brief::ApprovalPolicy;
use proctor_core::event::{OnRebase, Request};
use proctor_core::run::Run;
use proctor_core::words::{RunId, Status};
use proctor_desk::notify::Telling;
use proctor_desk::run::history::show_since;
use proctor_desk::steer::Driver;
use proctor_desk::text::clock;
use proctor_engine::{EngineError, Shop, drive, load};
use proctor_journal::{Answer, Journal, Lease};
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
            self.show_what_waits(id, &run);
        }
        Ok(finish(self.format, self.shop, id, &run))
    }

    /// After a request that was accepted: drives the run, or says who does.
    pub fn go_on(&self, id: &RunId, driver: Driver) -> Result<u8> {
        match driver {
            Driver::Here => self.take(id, AtApproval::Ask),
            Driver::Other { pid } => {
                out::talk(&format!(
                    "Process {pid} drives run {id}; `proctor log -f {id}` looks on."
                ));
                Ok(0)
            }
        }
    }

    /// Drives several runs at once. Gives the first exit code that is not 0.
    pub fn take_all(&self, ids: &[RunId]) -> Result<u8> {
        let runs = {
            let mut face = face_without_end(self.format, &self.shop.home);
            drive(self.shop, ids, &mut Telling::of(self.shop, face.as_mut()))?
        };
        let end = |(id, run): &(RunId, Run)| {
            self.show_what_waits(id, run);
            finish(self.format, self.shop, id, run)
        };
        let codes: Vec<u8> = runs.iter().map(end).collect();
        Ok(codes.into_iter().find(|code| *code != 0).unwrap_or(0))
    }

    fn show_what_waits(&self, id: &RunId, run: &Run) {
        if self.format == Format::Text && run.status() == Status::AwaitingApproval {
            show(self.shop, id, run);
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
            let here = run.brief.landing.approval != ApprovalPolicy::Review;
            let waits = run.status() == Status::AwaitingApproval && here;
            if !waits || at_approval == AtApproval::Leave {
                return Ok(run);
            }
            let shown = last_seq()?;
            let request = match ask(self.shop, id, &run)? {
                Decision::Approve { shown } => {
                    Request::Approve { shown, rebase: OnRebase::Ask, accept: None }
                }
                Decision::Abort => Request::Abort,
                Decision::Leave { .. } | Decision::Look => return Ok(run),
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
        let mut face = face_without_end(self.format, &self.shop.home);
        let mut telling = Telling::of(self.shop, face.as_mut());
        match drive(self.shop, std::slice::from_ref(id), &mut telling) {
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
        let mut face = face_without_end(self.format, &self.shop.home);
        if let Some(pid) = Lease::held(self.shop.home.root(), id)? {
            out::talk(&format!("Process {pid} drives run {id}; looking on."));
        }
        let mut state = None;
        loop {
            let driven = Lease::held(self.shop.home.root(), id)?.is_some();
            let seen = show_since(&journal, id, seq, face.as_mut())?;
            if std::mem::replace(&mut seq, seen) != seen || state.is_none() {
                state = Some(load(self.shop, id)?);
            }
            if let Some(state) = &state {
                face.tick(id, state);
            }
            if !driven || self.shop.signals.asked_to_stop() {
                return Ok(load(self.shop, id)?);
            }
            std::thread::sleep(BEAT);
        }
    }
}
