//! A hunt: suggest where to look, scout, classify, and pursue each bug with a run of its own. The notebook says what
//! comes next, so a hunt that was cut off goes on where it stopped; each step is recorded before the next begins.

pub mod bugs;
pub mod caught;
mod entries;
pub mod issue;
mod pursuit;
mod scouting;
pub mod story;
pub mod summary;

use crate::intake::{Draft, draft};
use crate::surroundings::Surroundings;
use crate::task::flags::RunFlags;
use crate::task::order::{Asked, Crew, Order};
use crate::text::amount::Usd;
use crate::told::{INTERRUPTED, WAITS, usage};
use anyhow::Result;
use proctor_core::hunt::{FoundBy, HuntEvent, Notebook, Outlook};
use proctor_core::words::{Phase, Status, TaskId, TaskType};
use proctor_engine::{Ledger, Shop, Watch};
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

/// What is hunted, and how.
#[derive(Clone, Debug)]
pub struct HuntAsk {
    /// Where to begin.
    pub entries: Vec<String>,
    /// The most bugs that are pursued with a run.
    pub limit: Option<u32>,
    pub outlook: Outlook,
    /// How many bugs are pursued at once.
    pub parallel: u8,
    /// The most money of the whole hunt.
    pub max_cost: Option<Usd>,
    /// What each of its runs is given.
    pub flags: RunFlags,
}

/// Who looks on. Several threads may tell at once.
pub trait HuntFace: Sync {
    /// A line of talk.
    fn talk(&self, line: &str);
    /// Facts that were just recorded.
    fn told(&self, events: &[HuntEvent], book: &Notebook);
    /// Who looks on at a run, where so many are pursued at once.
    fn watch(&self, at_once: u8) -> Box<dyn Watch>;
}

pub fn hunt(around: &Surroundings, ask: &HuntAsk, face: &dyn HuntFace) -> Result<Summary> {
    let hunt = Hunt::of(around, ask, face)?;
    let entries = entries::named(&hunt, &ask.entries)?;
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
    hunt.end(stop)
}

/// What hunts in the repository of the current folder wrote down.
pub fn ledger(around: &Surroundings) -> Result<Ledger> {
    let repo = UserRepo::find(&around.cwd).map_err(usage)?;
    Ok(Ledger::of(&around.home, &repo.git_dir))
}

/// Why a hunt stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
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
    pub fn words(&self) -> String {
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
    ask: &'a HuntAsk,
    face: &'a dyn HuntFace,
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
    pub(crate) fn of(
        around: &'a Surroundings,
        ask: &'a HuntAsk,
        face: &'a dyn HuntFace,
    ) -> Result<Self> {
        let repo = UserRepo::find(&around.cwd).map_err(usage)?;
        let hunt = Self {
            around,
            ask,
            face,
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
                ..self.ask.flags.clone()
            },
            crew: Crew::Hunt(step),
            asked: Asked::default(),
        };
        draft(self.around, order)
    }

    fn welcome(&self) -> Result<()> {
        let ground = self.ground()?;
        if let Some(line) = crate::policy::lines(self.around, ground.brief.agents.values()) {
            self.face.talk(&line);
        }
        for remark in &ground.remarks {
            self.face.talk(remark);
        }
        Ok(())
    }

    /// Records what follows from the notebook, and tells it.
    pub(crate) fn record(&self, decide: impl Fn(&Notebook) -> Vec<HuntEvent>) -> Result<Notebook> {
        let (events, book) = self.ledger.record(decide)?;
        self.face.told(&events, &book);
        Ok(book)
    }

    fn outlook(&self) -> Outlook {
        self.ask.outlook
    }

    /// What is left of the hunt's money; none where there is no limit.
    fn money_left(&self, book: &Notebook) -> Option<u64> {
        self.ask.max_cost.map(|usd| usd.0.saturating_sub(book.micro_usd()))
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
            let many = usize::from(self.ask.parallel);
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
        self.ask.parallel > 1
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
        self.ask.limit.is_none_or(|limit| book.pursued < limit)
    }

    fn pursue_some(&self, ids: &[String], book: &Notebook) -> Result<()> {
        let room = self.ask.limit.map_or(usize::MAX, |limit| {
            usize::try_from(limit.saturating_sub(book.pursued)).unwrap_or(usize::MAX)
        });
        let begun = |id: &&String| book.bug(id).is_some_and(|bug| bug.run.is_some());
        let (open, fresh): (Vec<&String>, Vec<&String>) = ids.iter().partition(begun);
        let chosen: Vec<&String> = open
            .into_iter()
            .chain(fresh.into_iter().take(room))
            .take(usize::from(self.ask.parallel))
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
    fn end(&self, stop: Stop) -> Result<Summary> {
        let failed = lock(&self.failed).0;
        let over = match &stop {
            Stop::Done | Stop::Limit | Stop::NoScout { .. } => true,
            // It goes on with the same counters.
            Stop::Budget | Stop::Interrupted => false,
        };
        let book = self.record(|book| {
            let ended = HuntEvent::HuntEnded { hunt: book.hunt, why: stop.words() };
            if over && book.under_way { vec![ended] } else { Vec::new() }
        })?;
        let code = match &stop {
            Stop::Interrupted => INTERRUPTED,
            Stop::NoScout { .. } => AGENT_ERROR,
            Stop::Budget => WAITS,
            Stop::Done | Stop::Limit => self.code_of(&book, failed),
        };
        Ok(Summary { book, stop, folder: self.ledger.folder(), code })
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
}

/// A lock that a broken thread left is as good as any: what it guards is a set of names.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
