//! `proctor hunt`: suggest where to look, scout, classify, and pursue each bug with a run of its own. The notebook says what
//! comes next, so a hunt that was cut off goes on where it stopped; each step is recorded before the next begins.

mod entries;
pub mod issue;
mod pursuit;
mod scouting;
mod story;
pub mod summary;

use crate::args::Format;
use crate::args_hunt::{HuntArgs, HuntCommand};
use crate::args_task::RunFlags;
use crate::intake::{Draft, draft};
use crate::order::{Asked, Crew, Order};
use crate::out;
use crate::surroundings::Surroundings;
use crate::told::{WAITS, usage};
use crate::verify::INTERRUPTED;
use anyhow::Result;
use proctor_core::hunt::{FoundBy, HuntEvent, Notebook, Outlook};
use proctor_core::intake::data_policy;
use proctor_core::words::{Phase, Status, TaskId, TaskType};
use proctor_engine::{Ledger, Shop};
use proctor_world::repo::UserRepo;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;
use summary::Summary;

/// The exit code of an agent that could not be used, as at the end of a run.
const AGENT_ERROR: u8 = 8;
/// How often a hunt that waits for another one looks.
const BEAT: Duration = Duration::from_millis(300);
/// As many scoutings in a row may fail before the scout counts as broken.
const FAILURES: u32 = 3;

pub fn hunt(around: &Surroundings, args: &HuntArgs) -> Result<u8> {
    if let Some(HuntCommand::Export { into }) = &args.command {
        return export(around, &around.cwd.join(into));
    }
    let hunt = Hunt::of(around, args)?;
    let entries = entries::named(&hunt, &args.entries)?;
    hunt.welcome()?;
    hunt.record(|book| {
        let began = HuntEvent::HuntBegan { hunt: book.hunt + 1 };
        if book.under_way { Vec::new() } else { vec![began] }
    })?;
    hunt.record(|book| {
        let fresh = book.not_added(&entries);
        let by = FoundBy::Person;
        let added =
            |entrypoints| HuntEvent::EntrypointsAdded { entrypoints, by, reasoning: String::new() };
        if fresh.is_empty() { Vec::new() } else { vec![added(fresh)] }
    })?;
    hunt.catch_up()?;
    let stop = hunt.go()?;
    hunt.end(&stop)
}

fn export(around: &Surroundings, folder: &std::path::Path) -> Result<u8> {
    let repo = UserRepo::find(&around.cwd).map_err(usage)?;
    let book = Ledger::of(&around.home, &repo.git_dir).export(folder)?;
    out::talk(&format!(
        "{} bugs, {} fixes, {} entry points in {}",
        book.bugs.len(),
        book.fixes.len(),
        book.queue.len(),
        folder.display()
    ));
    Ok(0)
}

/// Why a hunt stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Nothing is left to do.
    Done,
    Limit,
    Budget,
    Interrupted,
    /// The scout can't be used.
    NoScout {
        why: String,
    },
}

impl Stop {
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Done => "nothing is left to look at".to_owned(),
            Self::Limit => "as many bugs were pursued as --limit says".to_owned(),
            Self::Budget => "the budget of the hunt is spent".to_owned(),
            Self::Interrupted => "interrupted".to_owned(),
            Self::NoScout { why } => format!("the scout could not be used: {why}"),
        }
    }
}

/// One call of `proctor hunt`, or of a command that does a part of it.
pub(crate) struct Hunt<'a> {
    around: &'a Surroundings,
    args: &'a HuntArgs,
    pub(crate) shop: Shop,
    pub(crate) ledger: Ledger,
    repo: UserRepo,
    /// Work that this call has done with.
    done_with: Mutex<BTreeSet<String>>,
    /// Work that another process was at when it was looked at last.
    elsewhere: Mutex<BTreeSet<String>>,
    /// Turns of the scout that failed, the last one's fault, and how many in a row.
    failed: Mutex<(u32, u32, String)>,
}

impl<'a> Hunt<'a> {
    pub(crate) fn of(around: &'a Surroundings, args: &'a HuntArgs) -> Result<Self> {
        let repo = UserRepo::find(&around.cwd).map_err(usage)?;
        let hunt = Self {
            around,
            args,
            shop: around.shop()?,
            ledger: Ledger::of(&around.home, &repo.git_dir),
            repo,
            done_with: Mutex::default(),
            elsewhere: Mutex::default(),
            failed: Mutex::default(),
        };
        // Everything is checked before anything is written.
        hunt.ground()?;
        Ok(hunt)
    }

    /// What every errand stands on: base, agents, sandbox, limits as they are now.
    fn ground(&self) -> Result<Draft> {
        self.ground_of(Phase::Scout)
    }

    /// The same for one step, which may have an agent of its own.
    fn ground_of(&self, step: Phase) -> Result<Draft> {
        let order = Order {
            task: TaskId::new("hunt"),
            kind: TaskType::BugFix,
            description: "hunt".to_owned(),
            details: String::new(),
            branch: None,
            flags: RunFlags {
                branch: Some("proctor/hunt-{run}".to_owned()),
                ..self.args.run_flags()
            },
            crew: Crew::Hunt(step),
            asked: Asked::default(),
        };
        draft(self.around, order)
    }

    fn welcome(&self) -> Result<()> {
        let ground = self.ground()?;
        let names: Vec<String> =
            ground.brief.agents.values().map(|agent| agent.name.clone()).collect();
        out::talk(&data_policy(&names));
        for remark in &ground.remarks {
            out::talk(remark);
        }
        Ok(())
    }

    /// Records what follows from the notebook, and tells it.
    pub(crate) fn record(&self, decide: impl Fn(&Notebook) -> Vec<HuntEvent>) -> Result<Notebook> {
        let (events, book) = self.ledger.record(decide)?;
        story::tell(self.args.format, &events, &book);
        Ok(book)
    }

    fn outlook(&self) -> Outlook {
        if self.args.report_only { Outlook::Report } else { Outlook::Fix }
    }

    /// What is left of the hunt's money; none where there is no limit.
    fn money_left(&self, book: &Notebook) -> Option<u64> {
        self.args.max_cost.map(|usd| usd.0.saturating_sub(book.micro_usd()))
    }

    fn is_free(&self, work: &str) -> bool {
        !lock(&self.done_with).contains(work) && !lock(&self.elsewhere).contains(work)
    }

    fn set_aside(&self, work: &str) {
        lock(&self.done_with).insert(work.to_owned());
    }

    /// Step after step, as the notebook says.
    fn go(&self) -> Result<Stop> {
        loop {
            let book = self.ledger.read()?;
            if let Some(stop) = self.must_stop(&book) {
                return Ok(stop);
            }
            let next: Vec<String> = book
                .to_pursue(self.outlook())
                .into_iter()
                .filter(|bug| self.is_free(&bug.id) && (bug.run.is_some() || self.may_begin(&book)))
                .map(|bug| bug.id.clone())
                .collect();
            let many = usize::from(self.args.parallel);
            if next.is_empty() && !self.may_begin(&book) {
                return Ok(Stop::Limit);
            }
            // Where several are pursued at once, as many are found first.
            if next.len() >= many || (!next.is_empty() && !self.is_more_to_find(&book)) {
                self.pursue_some(&next, &book)?;
            } else if let Some(id) =
                book.to_classify().map(|bug| bug.id.clone()).find(|id| self.is_free(id))
            {
                self.classify(&id)?;
            } else if let Some(entry) = book.to_scout().map(str::to_owned).find(|e| self.is_free(e))
            {
                self.scout(&entry)?;
            } else if book.is_at_a_loss() && self.is_free("suggest") {
                self.suggest()?;
            } else if lock(&self.elsewhere).is_empty() {
                return Ok(Stop::Done);
            } else {
                // What another hunt finds is work for this one too.
                std::thread::sleep(BEAT);
                lock(&self.elsewhere).clear();
            }
        }
    }

    fn is_more_to_find(&self, book: &Notebook) -> bool {
        self.args.parallel > 1
            && (book.to_classify().any(|bug| self.is_free(&bug.id))
                || book.to_scout().any(|entry| self.is_free(entry)))
    }

    fn must_stop(&self, book: &Notebook) -> Option<Stop> {
        let (_, row, why) = lock(&self.failed).clone();
        if self.shop.signals.asked_to_stop() {
            Some(Stop::Interrupted)
        } else if self.money_left(book) == Some(0) {
            Some(Stop::Budget)
        } else if row >= FAILURES {
            Some(Stop::NoScout { why })
        } else {
            None
        }
    }

    /// Whether another run may be begun.
    fn may_begin(&self, book: &Notebook) -> bool {
        self.args.limit.is_none_or(|limit| book.pursued < limit)
    }

    fn pursue_some(&self, ids: &[String], book: &Notebook) -> Result<()> {
        let room = self.args.limit.map_or(usize::MAX, |limit| {
            usize::try_from(limit.saturating_sub(book.pursued)).unwrap_or(usize::MAX)
        });
        let begun = |id: &&String| book.bug(id).is_some_and(|bug| bug.run.is_some());
        let (open, fresh): (Vec<&String>, Vec<&String>) = ids.iter().partition(begun);
        let chosen: Vec<&String> = open
            .into_iter()
            .chain(fresh.into_iter().take(room))
            .take(usize::from(self.args.parallel))
            .collect();
        let ended: Vec<Result<()>> = std::thread::scope(|scope| {
            let pursue = |id: &'_ String| {
                let id = id.clone();
                scope.spawn(move || self.pursue(&id, self.outlook()))
            };
            let threads: Vec<_> = chosen.into_iter().map(pursue).collect();
            threads
                .into_iter()
                .map(|thread| {
                    let broke =
                        |_| Err(anyhow::anyhow!("pursuing a bug broke; this is a bug in Proctor"));
                    thread.join().unwrap_or_else(broke)
                })
                .collect()
        });
        ended.into_iter().collect()
    }

    /// The last facts, the summary, the exit code.
    fn end(&self, stop: &Stop) -> Result<u8> {
        let failed = lock(&self.failed).0;
        let over = match stop {
            Stop::Done | Stop::Limit | Stop::NoScout { .. } => true,
            // It goes on with the same counters.
            Stop::Budget | Stop::Interrupted => false,
        };
        let book = self.record(|book| {
            let ended = HuntEvent::HuntEnded { hunt: book.hunt, why: stop.words() };
            if over && book.under_way { vec![ended] } else { Vec::new() }
        })?;
        let code = match stop {
            Stop::Interrupted => INTERRUPTED,
            Stop::NoScout { .. } => AGENT_ERROR,
            Stop::Budget => WAITS,
            Stop::Done | Stop::Limit => self.code_of(&book, failed),
        };
        let summary = Summary { book: &book, stop, folder: self.ledger.folder(), code };
        summary.show(self.args.format);
        if let Some(file) = &self.args.html {
            let path = self.around.cwd.join(file);
            std::fs::write(&path, summary.html()).map_err(|why| {
                usage(format!(
                    "--html {}: {why}\nhint: name a file that can be written",
                    path.display()
                ))
            })?;
        }
        Ok(code)
    }

    fn code_of(&self, book: &Notebook, failed: u32) -> u8 {
        let mine = lock(&self.done_with);
        let ends: Vec<Option<Status>> = book
            .bugs
            .iter()
            .filter(|bug| mine.contains(&bug.id))
            .map(|bug| bug.run_status)
            .collect();
        let all = |status| !ends.is_empty() && ends.iter().all(|end| *end == Some(status));
        let waits =
            |end: &Option<Status>| matches!(end, Some(Status::AwaitingApproval | Status::Paused));
        if failed > 0 || all(Status::AgentError) {
            AGENT_ERROR
        } else if ends.iter().any(waits) {
            WAITS
        } else if all(Status::Blocked) {
            Status::Blocked.exit_code()
        } else {
            0
        }
    }

    pub(crate) fn format(&self) -> Format {
        self.args.format
    }
}

/// A lock that a broken thread left is as good as any: what it guards is a set of names.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
