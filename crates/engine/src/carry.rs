//! Carrying out effects: one function an effect, each safe to repeat, each ending in exactly one outcome. What is
//! measured here is judged in `core`; nothing here decides what a result means.

mod agent;
mod agent_bounds;
mod agent_lines;
mod ask;
mod audit;
pub(crate) mod errand;
pub(crate) mod examine;
pub(crate) mod gate;
pub(crate) mod guarded;
mod held;
mod hold;
mod land;
mod lands;
mod lint;
mod offer;
pub(crate) mod policy;
mod prepare;
mod prompts;
pub(crate) mod queue;
mod race;
mod request;
mod settle;
mod settle_in;
pub(crate) mod sit;
mod surroundings;
mod tidy;
mod trees;
mod tripwire;
pub(crate) mod tryout;

use proctor_core::agent::SessionMark;
use proctor_core::event::{Effect, Outcome, Trouble, Usage};
use proctor_core::run::Run;
use proctor_core::words::{Phase, RunId};
use proctor_lab::{Halt, Lab, Masks, Setting, Shop, SlotKind};
use proctor_world::child::Cancel;
use std::ops::Deref;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};

/// What a worker tells the loop.
pub(crate) enum Message {
    Done {
        run: RunId,
        no: u32,
        outcome: Box<Outcome>,
        took_ms: u64,
    },
    Line {
        run: RunId,
        text: String,
    },
    /// The agent of this effect has a session.
    Session {
        run: RunId,
        no: u32,
        mark: SessionMark,
    },
}

/// One effect of one run, on its way: the state of the run, and a lab to work in.
#[derive(Clone)]
pub(crate) struct Job {
    lab: Lab,
    pub(crate) run: Run,
    pub(crate) sender: Sender<Message>,
    /// Its place among the runs that land on the same branch.
    place: queue::Place,
    /// What a turn cost that was stopped before its end.
    stopped: Arc<Mutex<Usage>>,
}

impl Deref for Job {
    type Target = Lab;

    fn deref(&self) -> &Lab {
        &self.lab
    }
}

impl Job {
    pub(crate) fn new(
        shop: &Shop,
        (id, no): (&RunId, u32),
        run: Run,
        cancel: Cancel,
        sender: Sender<Message>,
    ) -> Self {
        let (to, of) = (sender.clone(), id.clone());
        let lab = Lab {
            shop: shop.clone(),
            id: id.clone(),
            no,
            setting: Setting::of(&run.brief, &run.limits),
            base: run.base.clone(),
            settled: run.baseline.as_ref().map_or_else(Vec::new, |b| b.projects.clone()),
            left_ms: run.time_left_ms(),
            masks: Masks::of(shop, &run.brief.repo, run.brief.agents.values()),
            cancel,
            slot: SlotKind::Tools,
            // Nobody listens any more when the process is on its way out.
            tell: Arc::new(move |text| {
                let _ = to.send(Message::Line { run: of.clone(), text });
            }),
        };
        Self { lab, run, sender, place: queue::Place::default(), stopped: Arc::default() }
    }

    /// The same with the place that its run has, or will have.
    pub(crate) fn with_place(self, place: queue::Place) -> Self {
        Self { place, ..self }
    }

    /// The same with logs of another number.
    fn numbered(&self, no: u32) -> Self {
        Self { lab: Lab { no, ..self.lab.clone() }, ..self.clone() }
    }
}

/// Carries out one effect, with an eye on the user's checkout.
pub(crate) fn carry_out(job: &Job, effect: &Effect) -> Outcome {
    let (what, run) = (effect.label(), job.id.as_str());
    let _span = tracing::info_span!("effect", what, run).entered();
    tripwire::watched(job, effect, || carried(job, effect))
}

/// The same where the effects before it may have been carried out on another machine.
pub(crate) fn carry_out_anywhere(job: &Job, effect: &Effect) -> Outcome {
    match prepare::laid_out(job, effect) {
        Ok(()) => carry_out(job, effect),
        Err(halt) => job.broken(halt),
    }
}

fn carried(job: &Job, effect: &Effect) -> Outcome {
    let done = match effect {
        Effect::Prepare => prepare::prepare(job),
        Effect::BringTests => prepare::bring_tests(job),
        Effect::Ask { phase: Phase::Implement, attempt, ask } if job.is_raced() => {
            race::race(job, *attempt, *ask)
        }
        Effect::Ask { phase, attempt, ask } => ask::ask(job, *phase, *attempt, *ask),
        Effect::Examine => examine::examination(job),
        Effect::ProveRed { tests } => gate::red(job, tests),
        Effect::ProveGreen { code, tests } => gate::green(job, code, tests),
        Effect::Audit { code } => audit::audit(job, code),
        Effect::Offer { code } => offer::offer(job, code),
        Effect::HearReview { .. } => offer::hear(job),
        Effect::Land { code } => queue::enter(job).and_then(|()| land::land_it(job, code)),
        Effect::Rebase { onto } => queue::enter(job).and_then(|()| land::rebase_it(job, onto)),
        Effect::Settle { ending } => settle::settle(job, *ending),
    };
    done.unwrap_or_else(|halt| job.broken(halt))
}

impl Job {
    /// Whether several coders are asked.
    fn is_raced(&self) -> bool {
        !self.run.brief.rivals.is_empty()
    }

    /// What work that came to no end is to the machine.
    fn broken(&self, halt: Halt) -> Outcome {
        match halt {
            // Whoever cancelled has recorded what comes next: this outcome will find nobody.
            Halt::Cancelled => Outcome::Failed(Trouble::Passing { why: "cancelled".to_owned() }),
            Halt::TimeUp => Outcome::TimeUp,
            Halt::Trouble(trouble) => {
                let redactor = self.redactor();
                Outcome::Failed(match trouble {
                    Trouble::Passing { why } => Trouble::Passing { why: redactor.text(&why) },
                    Trouble::Lasting { why } => Trouble::Lasting { why: redactor.text(&why) },
                })
            }
        }
    }
}
