//! The commands that ask something of a run: approve, abort, send-back, cancel, resume. Each is a request in the
//! inbox; whoever drives the run answers it, and where nobody does, this process drives it.

use crate::amount::Amount;
use crate::args::{ApproveArgs, Format, ResumeArgs, RunArgs, SendBackArgs};
use crate::clock;
use crate::journey::{AtApproval, Journey};
use crate::out;
use crate::run_id::meant;
use crate::surroundings::Surroundings;
use crate::told::{USAGE, WAITS, told, usage};
use anyhow::Result;
use proctor_core::decide::decide;
use proctor_core::event::{Accept, Event, Input, Raise, Refusal, Request};
use proctor_core::evolve::evolve;
use proctor_core::run::{Run, Stage};
use proctor_core::words::{RunId, Status};
use proctor_engine::{Shop, load};
use proctor_journal::{Answer, InboxId, Journal, Lease, Listing};
use std::time::{Duration, Instant};

/// How long an answer of the process that drives a run is waited for.
const PATIENCE: Duration = Duration::from_secs(15);
const BEAT: Duration = Duration::from_millis(50);

pub fn approve(around: &Surroundings, args: &ApproveArgs) -> Result<u8> {
    let accept = accept(args)?;
    let steering = Steering::of(around, args.run.as_deref(), args.format.format)?;
    let run = load(&steering.shop, &steering.id)?;
    let Some(green) = run.stage.green() else {
        return Err(refusal(&not_awaiting(&run)));
    };
    let shown = green.at().tree.clone();
    if steering.format == Format::Text && run.status() == Status::AwaitingApproval {
        crate::approval::show(&steering.shop, &run);
    }
    let seq = Journal::open(steering.shop.home.root())?.find(steering.id.as_str())?.last_seq;
    match steering.ask(&Request::Approve { shown, accept })? {
        Driver::Here => steering.journey().take(&steering.id, AtApproval::Leave),
        Driver::Other { .. } => {
            let run = steering.journey().follow(&steering.id, seq)?;
            Ok(crate::finish::finish(steering.format, &steering.shop, &steering.id, &run))
        }
    }
}

fn accept(args: &ApproveArgs) -> Result<Option<Accept>> {
    let Some(why) = &args.why else { return Ok(None) };
    if why.trim().is_empty() {
        return Err(usage("--why is empty\nhint: say why it is right all the same"));
    }
    Ok(Some(Accept { kinds: args.accept.clone(), why: why.clone() }))
}

pub fn abort(around: &Surroundings, args: &RunArgs) -> Result<u8> {
    let steering = Steering::of(around, args.run.as_deref(), args.format.format)?;
    match steering.ask(&Request::Abort)? {
        // What was asked was done; that the run is ABORTED is not a failure of this command.
        Driver::Here => {
            steering.journey().take(&steering.id, AtApproval::Leave)?;
        }
        Driver::Other { .. } => out::data("Aborted by user."),
    }
    Ok(0)
}

pub fn cancel(around: &Surroundings, args: &RunArgs) -> Result<u8> {
    let steering = Steering::of(around, args.run.as_deref(), args.format.format)?;
    match steering.ask(&Request::Cancel)? {
        Driver::Here => {
            steering.journey().take(&steering.id, AtApproval::Leave)?;
        }
        Driver::Other { pid } => {
            out::data(&format!("Process {pid} stops run {id}.", id = steering.id));
            out::talk(&format!("`proctor resume {}` goes on.", steering.id));
        }
    }
    Ok(0)
}

pub fn send_back(around: &Surroundings, args: &SendBackArgs) -> Result<u8> {
    if args.why.trim().is_empty() {
        return Err(usage("--why is empty\nhint: say what the coder should do"));
    }
    let steering = Steering::of(around, args.run.as_deref(), args.format.format)?;
    let why = args.why.clone();
    match steering.ask(&Request::SendBack { why })? {
        Driver::Here => steering.journey().take(&steering.id, AtApproval::Ask),
        Driver::Other { pid } => Ok(goes_on(&steering.id, pid)),
    }
}

pub fn resume(around: &Surroundings, args: &ResumeArgs) -> Result<u8> {
    let raise = Amount::sum(&args.budget);
    let Some(text) = &args.run else {
        return resume_all(around, raise, args.format.format);
    };
    let steering = Steering::of(around, Some(text), args.format.format)?;
    match steering.ask(&Request::Resume { raise })? {
        Driver::Here => steering.journey().take(&steering.id, AtApproval::Ask),
        Driver::Other { pid } => Ok(goes_on(&steering.id, pid)),
    }
}

fn resume_all(around: &Surroundings, raise: Raise, format: Format) -> Result<u8> {
    let shop = around.shop()?;
    let journal = Journal::open(shop.home.root())?;
    let mut ids = Vec::new();
    let mut stays = 0;
    for row in journal.runs(Listing::Open)? {
        let run = load(&shop, &row.id)?;
        let driven = Lease::held(shop.home.root(), &row.id)?.is_some();
        // What ended needs a person's decision, by name.
        let held = run.stage.is_held();
        let ended = matches!(run.stage, Stage::Closed { .. });
        if driven || ended || held || run.status() == Status::AwaitingApproval {
            continue;
        }
        let request = Request::Resume { raise };
        match judged(&run, &request) {
            Ok(()) => {
                journal.post(&row.id, &request, clock::now())?;
                ids.push(row.id);
            }
            Err(why) => {
                stays = WAITS;
                out::talk(&format!("{} stays {}: {why}", row.id, run.status()));
            }
        }
    }
    if ids.is_empty() {
        out::talk("No run can go on by itself; `proctor list` shows what there is.");
        return Ok(stays);
    }
    let journey = Journey { shop: &shop, format };
    let code = journey.take_all(&ids)?;
    Ok(if code == 0 { stays } else { code })
}

/// Who acts on an accepted request.
enum Driver {
    Here,
    Other { pid: u32 },
}

struct Steering {
    shop: Shop,
    id: RunId,
    format: Format,
}

impl Steering {
    fn of(around: &Surroundings, text: Option<&str>, format: Format) -> Result<Self> {
        let shop = around.shop()?;
        let id = meant(&Journal::open(shop.home.root())?, around, text)?.id;
        Ok(Self { shop, id, format })
    }

    fn journey(&self) -> Journey<'_> {
        Journey { shop: &self.shop, format: self.format }
    }

    /// Posts a request. Where nobody drives the run it is judged here first, so that a request that does not
    /// apply does not set the run going.
    fn ask(&self, request: &Request) -> Result<Driver> {
        let home = self.shop.home.root();
        let journal = Journal::open(home)?;
        let Some(pid) = Lease::held(home, &self.id)? else {
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

/// Whether a request applies to a run that nobody drives.
fn judged(run: &Run, request: &Request) -> Result<(), Refusal> {
    // A step that was under way when its process died will be recorded as lost first.
    let run = match &run.in_flight {
        Some(flight) => evolve(run.clone(), &Event::EffectLost { no: flight.no }),
        None => run.clone(),
    };
    decide(&run, &Input::Request(request.clone(), clock::now())).map(|_| ())
}

fn not_awaiting(run: &Run) -> Refusal {
    Refusal::NotNow { what: "an approval", now: format!("{} ({})", run.status(), run.stage.name()) }
}

fn refusal(why: &Refusal) -> anyhow::Error {
    let code = match why {
        Refusal::BudgetSpent { .. } | Refusal::Unaccepted { .. } => WAITS,
        Refusal::NotNow { .. }
        | Refusal::StaleEffect
        | Refusal::StaleTree { .. }
        | Refusal::NothingToAccept { .. } => USAGE,
    };
    told(code, why)
}

/// A refusal that came back through the inbox, as text.
fn refused(why: &str) -> anyhow::Error {
    let waits = ["the budget is spent", "a person must look at this first"];
    let code = if waits.iter().any(|start| why.starts_with(start)) { WAITS } else { USAGE };
    told(code, why)
}

fn goes_on(id: &RunId, pid: u32) -> u8 {
    out::talk(&format!("Process {pid} drives run {id}; `proctor log -f {id}` looks on."));
    0
}
