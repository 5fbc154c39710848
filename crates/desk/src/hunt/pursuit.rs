//! A bug and its run: begun, proven, compared with what is known, fixed where that is wanted, and its end recorded. Safe to
//! repeat at every point: what is done next is read from the notebook and from the run itself.

use super::Hunt;
use super::caught::{catch_up, ended};
use crate::intake::draft;
use crate::task::flags::RunFlags;
use crate::task::order::{Asked, Crew, Order};
use crate::text::clock;
use crate::text::harmless::short;
use crate::told::{USAGE, code_of};
use anyhow::Result;
use proctor_core::event::{Pause, Raise, Request};
use proctor_core::hunt::{Bug, BugStatus, HuntEvent, Notebook, Outlook};
use proctor_core::run::{Run, Stage};
use proctor_core::words::{Phase, RunId, Status, TaskId, TaskType};
use proctor_engine::{EngineError, create, drive, load, sighting};
use proctor_journal::{Journal, JournalError};
use std::fmt::Write;

/// The longest description of a task.
const LONGEST: usize = 300;

impl Hunt<'_> {
    /// Takes a bug as far as it goes now.
    pub(crate) fn pursue(&self, id: &str, outlook: Outlook) -> Result<()> {
        let Some(_lease) = self.take(id)? else { return Ok(()) };
        self.set_aside(id);
        let Some(run) = self.run_of(id)? else { return Ok(()) };
        let mut raised = false;
        loop {
            let state = load(&self.shop, &run)?;
            let request = if state.stage.is_held() {
                match self.look_at(id, &run, outlook)? {
                    Held::Done => return Ok(()),
                    Held::GoOn => Some(Request::Resume { raise: Raise::default() }),
                    Held::Away => Some(Request::Abort),
                }
            } else if state.status() == Status::Interrupted {
                Some(Request::Resume { raise: Raise::default() })
            } else if let Some(raise) = self.more_money(id, &state)?.filter(|_| !raised) {
                raised = true;
                Some(Request::Resume { raise })
            } else if is_at_rest(&state) {
                return self.record_end(id, &run, &state);
            } else {
                None
            };
            if let Some(request) = request {
                Journal::open(self.shop.home.root())?.post(&run, &request, clock::now())?;
            }
            let driven = {
                let mut watch = self.face.watch(self.ask.parallel);
                drive(&self.shop, std::slice::from_ref(&run), watch.as_mut())
            };
            match driven {
                Ok(_) if self.shop.signals.asked_to_stop() => return Ok(()),
                Ok(_) => {}
                Err(EngineError::Held { pid, .. }) => {
                    self.face.talk(&format!("Process {pid} drives run {run}; left to it."));
                    return Ok(());
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The run of a bug, begun where there is none; none where it can't be begun.
    fn run_of(&self, id: &str) -> Result<Option<RunId>> {
        let book = self.ledger.read()?;
        let Some(bug) = book.bug(id) else { return Ok(None) };
        if let Some(run) = &bug.run {
            // Recorded before it is created: a crash may have come between.
            match Journal::open(self.shop.home.root())?.find(run.as_str()) {
                Ok(_) => return Ok(Some(run.clone())),
                Err(JournalError::Unknown { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let drafted = self.order(bug, &book).checked().and_then(|order| draft(self.around, order));
        let draft = match drafted {
            Ok(draft) => draft,
            Err(error) if code_of(&error) == USAGE => {
                let why = format!("{error:#}");
                let id = id.to_owned();
                self.record(|_| vec![HuntEvent::BugBlocked { id: id.clone(), why: why.clone() }])?;
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let run = draft.run.clone();
        self.record(|_| vec![HuntEvent::BugRunBegan { id: id.to_owned(), run: run.clone() }])?;
        let (run, brief) = draft.store(self.around)?;
        create(&self.shop, &run, brief)?;
        Ok(Some(run))
    }

    fn order(&self, bug: &Bug, book: &Notebook) -> Order {
        let mut details = bug.details.clone();
        for fix in book.fixes.iter().filter(|fix| fix.bug_id == bug.id) {
            let _ = write!(
                details,
                "\n\nAn earlier fix did not succeed ({}): {}",
                fix.status, fix.fix_description
            );
            for why in &fix.rejection_reasons {
                let _ = write!(details, "\n- rejected: {why}");
            }
        }
        let share = u64::from(self.ask.parallel.max(1));
        let left =
            self.money_left(book).map(|left| crate::text::amount::Usd((left / share).max(1)));
        Order {
            task: TaskId::new(bug.id.clone()),
            kind: TaskType::BugFix,
            description: short(&bug.short_description, LONGEST),
            details,
            branch: None,
            flags: RunFlags {
                files: bug.relevant_files.clone(),
                max_cost: left,
                ..self.ask.flags.clone()
            },
            crew: Crew::Hunt(Phase::Scout),
            asked: Asked::default(),
        }
    }

    /// A proof is there: is it news, and what follows?
    fn look_at(&self, id: &str, run: &RunId, outlook: Outlook) -> Result<Held> {
        let book = self.ledger.read()?;
        let status = book.bug(id).map(|bug| bug.status);
        match status {
            Some(BugStatus::Duplicate | BugStatus::Rejected) | None => return Ok(Held::Away),
            Some(_) => {}
        }
        if status != Some(BugStatus::PreparedForFix) {
            let Some(seen) = sighting(&self.shop, run)? else { return Ok(Held::Done) };
            let id = id.to_owned();
            let book = self.record(|book| match book.same_as(&id, &seen) {
                Some((of, why)) => vec![HuntEvent::BugDuplicate { id: id.clone(), of, why }],
                None => {
                    vec![HuntEvent::BugProven { id: id.clone(), sighting: Box::new(seen.clone()) }]
                }
            })?;
            if book.bug(&id).is_some_and(|bug| bug.status == BugStatus::Duplicate) {
                return Ok(Held::Away);
            }
        }
        Ok(match outlook {
            Outlook::Fix => Held::GoOn,
            Outlook::Report => {
                self.note_cost(id, run)?;
                Held::Done
            }
        })
    }

    /// A run that is held has cost something too.
    fn note_cost(&self, id: &str, run: &RunId) -> Result<()> {
        let spent = load(&self.shop, run)?.spent.usage.micro_usd;
        self.record(|book| match book.bug(id) {
            Some(bug) if bug.micro_usd < spent => {
                vec![HuntEvent::BugCost { id: id.to_owned(), micro_usd: spent }]
            }
            _ => Vec::new(),
        })?;
        Ok(())
    }

    /// What a run that its own limit on money stopped may have beyond it.
    fn more_money(&self, id: &str, run: &Run) -> Result<Option<Raise>> {
        let Stage::Paused { why: Pause::Budget { what }, .. } = &run.stage else { return Ok(None) };
        let book = self.ledger.read()?;
        // What was recorded of its cost is taken off what is left already.
        let counted = book.bug(id).map_or(0, |bug| bug.micro_usd);
        let limit = run.limits.micro_usd.unwrap_or(0);
        let beyond = self.money_left(&book).map(|left| (left + counted).saturating_sub(limit));
        let more = beyond.filter(|beyond| *beyond > 0 && what.contains('$'));
        Ok(more.map(|micro_usd| Raise { micro_usd, ..Raise::default() }))
    }

    pub(crate) fn record_end(&self, id: &str, run: &RunId, state: &Run) -> Result<()> {
        let ended = ended(&self.shop, id, run, state)?;
        self.record(|book| ended.follows(book))?;
        Ok(())
    }

    /// Runs that came to an end since: approved, sent back, aborted by a person.
    pub(crate) fn catch_up(&self) -> Result<()> {
        catch_up(&self.shop, &self.ledger)
    }
}

/// What becomes of a run whose proof is there.
enum Held {
    Done,
    GoOn,
    /// It is no news: the run is put away.
    Away,
}

/// Whether nothing more happens to a run by itself.
fn is_at_rest(run: &Run) -> bool {
    match &run.stage {
        Stage::Closed { .. } | Stage::AwaitingApproval { .. } => true,
        Stage::Paused { why, .. } => match why {
            Pause::Budget { .. } | Pause::Disk { .. } => true,
            Pause::UsageLimit { .. } | Pause::RedProven => false,
        },
        _ => false,
    }
}
