//! What is asked of a run: approve, abort, send back, cancel, resume. Each is a request in the inbox; whoever drives the
//! run answers it, and where nobody does, whoever asked has to drive it.

use crate::run::run_id::meant;
use crate::surroundings::Surroundings;
use crate::text::clock;
use crate::told::{USAGE, WAITS, told, usage};
use anyhow::Result;
use proctor_core::concern::{Concern, Raised};
use proctor_core::decide::decide;
use proctor_core::event::{Accept, Event, Input, Raise, Refusal, Request};
use proctor_core::evolve::evolve;
use proctor_core::run::{Run, Stage, owed};
use proctor_core::words::{RunId, Status, TreeId};
use proctor_engine::{EngineError, Shop, is_afar, load};
use proctor_journal::{Answer, InboxId, Journal, Lease, Listing};
use std::time::{Duration, Instant};

/// How long an answer of the process that drives a run is waited for.
const PATIENCE: Duration = Duration::from_secs(15);
const BEAT: Duration = Duration::from_millis(50);

/// Who acts on an accepted request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driver {
    Here,
    Other { pid: u32 },
}

/// A run that something is asked of.
pub struct Steering {
    pub shop: Shop,
    pub id: RunId,
}

impl Steering {
    /// The run that a person means.
    pub fn of(around: &Surroundings, text: Option<&str>) -> Result<Self> {
        let shop = around.shop()?;
        let id = meant(&Journal::open(shop.home.root())?, around, text)?.id;
        Ok(Self { shop, id })
    }

    /// The tree that an approval of now would name.
    pub fn proven(&self) -> Result<(Run, TreeId)> {
        let run = load(&self.shop, &self.id)?;
        let Some(green) = run.stage.green() else {
            return Err(refusal(&not_awaiting(&run)));
        };
        let shown = green.at().tree.clone();
        Ok((run, shown))
    }

    /// Posts a request. Where nobody drives the run it is judged here first, so that a request that does not
    /// apply does not set the run going.
    pub fn ask(&self, request: &Request) -> Result<Driver> {
        let home = self.shop.home.root();
        let journal = Journal::open(home)?;
        let Some(pid) = Lease::held(home, &self.id)? else {
            if is_afar(&self.shop, &self.id) {
                return Err(EngineError::Afar { run: self.id.clone() }.into());
            }
            let run = load(&self.shop, &self.id)?;
            judged(&run, request).map_err(|why| refusal(&why))?;
            journal.post(&self.id, request, clock::now())?;
            return Ok(Driver::Here);
        };
        let posted = journal.post(&self.id, request, clock::now())?;
        self.answer(&journal, posted, pid)
    }

    fn answer(&self, journal: &Journal, posted: InboxId, pid: u32) -> Result<Driver> {
        let until = Instant::now() + PATIENCE;
        loop {
            match journal.answer_of(posted)? {
                Some(Answer::Accepted) => return Ok(Driver::Other { pid }),
                Some(Answer::Refused { why }) => return Err(refused(&why)),
                None => {}
            }
            if Lease::held(self.shop.home.root(), &self.id)?.is_none() {
                // It ended before it read the request: it is ours to carry out.
                return match journal.answer_of(posted)? {
                    Some(Answer::Refused { why }) => Err(refused(&why)),
                    Some(Answer::Accepted) | None => Ok(Driver::Here),
                };
            }
            if Instant::now() >= until || self.shop.signals.asked_to_stop() {
                return Err(told(
                    WAITS,
                    format!(
                        "process {pid} drives run {id} and has not answered yet; the request waits in its inbox\nhint: `proctor log {id}` shows what it does",
                        id = self.id
                    ),
                ));
            }
            std::thread::sleep(BEAT);
        }
    }
}

/// What is taken although a person must look at it; a reason is part of it.
pub fn acceptance(kinds: impl IntoIterator<Item = Concern>, why: &str) -> Result<Accept> {
    if why.trim().is_empty() {
        return Err(usage("--why is empty\nhint: say why it is right all the same"));
    }
    Ok(Accept { kinds: kinds.into_iter().collect(), why: why.to_owned() })
}

/// One finding that is taken, of the tree that was looked at; a reason is part of it.
pub fn waiver(shown: TreeId, finding: Raised, why: &str) -> Result<Request> {
    if why.trim().is_empty() {
        return Err(usage("the reason is empty\nhint: say why it is right all the same"));
    }
    Ok(Request::Waive { shown, finding, why: why.to_owned() })
}

/// The reason that a coder is told.
pub fn objection(why: &str) -> Result<Request> {
    if why.trim().is_empty() {
        return Err(usage("--why is empty\nhint: say what the coder should do"));
    }
    Ok(Request::SendBack { why: why.to_owned() })
}

/// The runs that can go on by themselves, and those that stay with the reason.
pub struct GoOn {
    pub runs: Vec<RunId>,
    pub stay: Vec<String>,
}

/// Asks every run that can go on by itself to do so.
pub fn resume_all(shop: &Shop, raise: Raise) -> Result<GoOn> {
    let journal = Journal::open(shop.home.root())?;
    let mut found = GoOn { runs: Vec::new(), stay: Vec::new() };
    for row in journal.runs(Listing::Open)? {
        let run = load(shop, &row.id)?;
        let driven = Lease::held(shop.home.root(), &row.id)?.is_some();
        // What ended needs a person's decision, by name.
        let held = run.stage.is_held();
        let ended = matches!(run.stage, Stage::Closed { .. });
        let request = Request::Resume { raise };
        // Whether it was reviewed on its host can be asked without anybody's word.
        let waits = run.status() == Status::AwaitingApproval && !goes_on(&run, &request);
        if driven || ended || held || waits {
            continue;
        }
        match judged(&run, &request) {
            Ok(()) => {
                journal.post(&row.id, &request, clock::now())?;
                found.runs.push(row.id);
            }
            Err(why) => found.stay.push(format!("{} stays {}: {why}", row.id, run.status())),
        }
    }
    Ok(found)
}

/// Whether something is owed once that was asked.
fn goes_on(run: &Run, request: &Request) -> bool {
    let run = &settled(run);
    let events = decide(run, &Input::Request(request.clone(), clock::now())).unwrap_or_default();
    owed(&events.iter().fold(run.clone(), evolve)).is_some()
}

/// Whether a request applies to a run that nobody drives.
pub fn judged(run: &Run, request: &Request) -> Result<(), Refusal> {
    decide(&settled(run), &Input::Request(request.clone(), clock::now())).map(|_| ())
}

/// A step that was under way when its process died will be recorded as lost first.
fn settled(run: &Run) -> Run {
    match &run.in_flight {
        Some(flight) => evolve(run.clone(), &Event::EffectLost { no: flight.no }),
        None => run.clone(),
    }
}

fn not_awaiting(run: &Run) -> Refusal {
    Refusal::NotNow { what: "an approval", now: format!("{} ({})", run.status(), run.stage.name()) }
}

fn refusal(why: &Refusal) -> anyhow::Error {
    let code = match why {
        Refusal::BudgetSpent { .. } | Refusal::Unaccepted { .. } | Refusal::ByReview { .. } => {
            WAITS
        }
        Refusal::NotNow { .. }
        | Refusal::StaleEffect
        | Refusal::StaleTree { .. }
        | Refusal::NothingToAccept { .. } => USAGE,
    };
    told(code, why)
}

/// A refusal that came back through the inbox, as text.
fn refused(why: &str) -> anyhow::Error {
    let waits = [
        "the budget is spent",
        "a person must look at this first",
        "this repository takes approvals as reviews",
    ];
    let code = if waits.iter().any(|start| why.starts_with(start)) { WAITS } else { USAGE };
    told(code, why)
}
