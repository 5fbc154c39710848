//! Several coders at one sealed task, each in a tree of its own: whoever's work is proven first wins, the others are stopped and
//! what they cost is counted. What proven means is not said here: each lane asks the machine, and the winner's work goes through
//! the run's own gate once more.

use super::{Halt, Job, ask, carried};
use proctor_core::decide::decide;
use proctor_core::event::{Effect, Event, Input, Outcome, Usage};
use proctor_core::evolve::evolve;
use proctor_core::run::{Run, owed};
use proctor_core::words::{Phase, Role, RunId};
use proctor_lab::Lab;
use proctor_world::overlay::Place;
use proctor_world::tree::remove_tree;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, PoisonError};
use std::time::Instant;

/// One coder.
struct Lane {
    no: usize,
    /// The run that it is a coder of.
    of: RunId,
    agent: String,
    job: Job,
}

/// How far a coder's work got, the best last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reached {
    Nothing,
    Turned,
    /// Proven but for tests that are too thin.
    Thin,
    Proven,
}

struct Arrival {
    lane: usize,
    reached: Reached,
    outcome: Outcome,
}

/// The turn of all coders. The outcome is the winner's, at the price of all.
pub(super) fn race(job: &Job, attempt: u32, asked: u32) -> Result<Outcome, Halt> {
    let lanes = lanes(job)?;
    let (sender, arrivals) = mpsc::channel();
    let effect = Effect::Ask { phase: Phase::Implement, attempt, ask: asked };
    let mut arrived: Vec<Arrival> = Vec::new();
    std::thread::scope(|scope| {
        for lane in &lanes {
            let (effect, sender) = (&effect, sender.clone());
            scope.spawn(move || lane.run(effect, &sender));
        }
        drop(sender);
        for arrival in arrivals {
            let won = arrival.reached == Reached::Proven;
            arrived.push(arrival);
            if won {
                for lane in &lanes {
                    lane.job.cancel.cancel();
                }
            }
        }
    });
    job.wanted()?;
    let mut cost = Usage::default();
    for lane in &lanes {
        cost.add(*lane.job.stopped.lock().unwrap_or_else(PoisonError::into_inner));
    }
    for arrival in &arrived {
        cost.add(arrival.outcome.usage());
    }
    // The first that got furthest; `max_by_key` would take the last.
    arrived.reverse();
    let Some(won) = arrived.into_iter().max_by_key(|arrival| arrival.reached) else {
        return Err(Halt::lasting("no coder came to an end; this is a bug in Proctor"));
    };
    if let Some(lane) = lanes.iter().find(|lane| lane.no == won.lane) {
        job.say(told(lane, won.reached, lanes.len()));
    }
    let outcome = job.take(won.outcome, cost)?;
    for lane in &lanes[1..] {
        lane.clear()?;
    }
    Ok(outcome)
}

fn told(lane: &Lane, reached: Reached, of: usize) -> String {
    let who = format!("coder {} of {of} ({})", lane.no, lane.agent);
    match reached {
        Reached::Proven => format!("{who} was proven first; the others were stopped"),
        Reached::Thin => format!("{who} was the first whose work holds; its tests are thin"),
        Reached::Turned | Reached::Nothing => format!("no coder was proven; {who} goes on"),
    }
}

fn lanes(job: &Job) -> Result<Vec<Lane>, Halt> {
    let brief = &job.run.brief;
    let first = brief.agents.get(&Role::Coder).into_iter();
    let (of, mut lanes) = (job.id.clone(), Vec::new());
    for (at, spec) in first.chain(&brief.rivals).enumerate() {
        let (no, agent) = (at + 1, spec.name.clone());
        let id = if at == 0 { job.id.clone() } else { RunId::new(format!("{}-{no}", job.id)) };
        let (tell, name) = (Arc::clone(&job.tell), agent.clone());
        let lab = Lab {
            id,
            cancel: job.cancel.below(),
            tell: Arc::new(move |text| tell(format!("coder {no} ({name}): {text}"))),
            ..(**job).clone()
        };
        let mut run = job.run.clone();
        run.brief.agents.insert(Role::Coder, spec.clone());
        let job = Job { lab, run, stopped: Arc::default(), ..job.clone() };
        lanes.push(Lane { no, of: of.clone(), agent, job });
    }
    for lane in &lanes[1..] {
        lane.clear()?;
        lane.furnish()?;
    }
    Ok(lanes)
}

impl Lane {
    /// A worktree of its own, as the run's first one was made.
    fn furnish(&self) -> Result<(), Halt> {
        let job = &self.job;
        let shadow = job.shadow()?;
        let worktree = job.make_worktree(&shadow)?;
        let suite = job.suite_of(&shadow, &shadow.tree_of(&job.run.base)?)?;
        let room = job.shop.home.room(&job.id);
        job.furnish_in(&room, (&worktree, Place::Here), &suite, Instant::now())?;
        Ok(())
    }

    /// Ends what a crash left of it, and removes its trees. What it printed stays, in the run's own folder.
    fn clear(&self) -> Result<(), Halt> {
        let job = &self.job;
        proctor_world::leftovers::sweep(&job.shop.token(&job.id));
        proctor_world::worktree::remove(job.shop.home.root(), &job.worktree())?;
        remove_tree(&job.shop.home.gate(&job.id))?;
        remove_tree(&job.shop.home.room(&job.id))?;
        self.hand_in()?;
        let shadow = job.shadow()?;
        for name in [job.run_ref(), job.added_ref(), job.originals_ref()] {
            shadow.delete_ref(&name)?;
        }
        Ok(())
    }

    fn hand_in(&self) -> Result<(), Halt> {
        let home = &self.job.shop.home;
        let (own, coders) = (home.run(&self.job.id), home.run(&self.of).join("coders"));
        if !own.is_dir() {
            return Ok(());
        }
        let name = |n: u32| {
            coders.join(if n == 1 { self.no.to_string() } else { format!("{}-{n}", self.no) })
        };
        let free =
            (1..=u32::MAX).map(name).find(|place| !place.exists()).unwrap_or_else(|| name(1));
        let moved = std::fs::create_dir_all(&coders).and_then(|()| std::fs::rename(&own, &free));
        moved.map_err(|why| {
            Halt::lasting(format!("{} can't be moved to {}: {why}", own.display(), free.display()))
        })
    }

    fn run(&self, effect: &Effect, sender: &Sender<Arrival>) {
        let Effect::Ask { phase, attempt, ask } = effect else { return };
        let outcome = match ask::ask(&self.job, *phase, *attempt, *ask) {
            Ok(outcome) => outcome,
            Err(halt) => self.job.broken(halt),
        };
        let reached = self.judged(&outcome);
        // Nobody listens any more when the process is on its way out.
        let _ = sender.send(Arrival { lane: self.no, reached, outcome });
    }

    /// What the machine says of the turn, and of the gate that follows it.
    fn judged(&self, outcome: &Outcome) -> Reached {
        if !matches!(outcome, Outcome::Turned { .. }) {
            return Reached::Nothing;
        }
        let Some((run, _)) = self.told(&self.job.run, outcome.clone()) else {
            return Reached::Nothing;
        };
        let Some(gate @ Effect::ProveGreen { .. }) = owed(&run) else { return Reached::Turned };
        let Ok(began) = decide(&run, &Input::Begin) else { return Reached::Turned };
        let job = Job { run: began.iter().fold(run, evolve), ..self.job.clone() };
        let measured = carried(&job, &gate);
        let events = self.told(&job.run, measured).map(|(_, events)| events).unwrap_or_default();
        if events.iter().any(|event| matches!(event, Event::GreenProven { .. })) {
            Reached::Proven
        } else if events.iter().any(|event| matches!(event, Event::TestsTooThin { .. })) {
            Reached::Thin
        } else {
            Reached::Turned
        }
    }

    /// A run that hears of an outcome.
    fn told(&self, run: &Run, outcome: Outcome) -> Option<(Run, Vec<Event>)> {
        let no = run.in_flight.as_ref()?.no;
        let at = self.job.shop.now();
        let events = decide(run, &Input::Done { no, outcome, took_ms: 0, at }).ok()?;
        Some((events.iter().fold(run.clone(), evolve), events))
    }
}

impl Job {
    /// The winner's outcome as the run's own.
    fn take(&self, outcome: Outcome, cost: Usage) -> Result<Outcome, Halt> {
        Ok(match outcome {
            Outcome::Turned { turn, .. } => {
                self.shadow()?.set_ref(&self.run_ref(), &turn.at.commit)?;
                Outcome::Turned { turn, usage: cost }
            }
            Outcome::TurnFailed { why, tree, put_back, .. } => {
                Outcome::TurnFailed { why, tree, put_back, usage: cost }
            }
            Outcome::Limited { until, why, .. } => Outcome::Limited { until, why, usage: cost },
            other => other,
        })
    }
}
