//! The loop: take the next input, decide, record, fold, carry out. It fits on a screen, and it is all there is.

use crate::afar::is_afar;
use crate::carry::examine::apart_from;
use crate::carry::queue::Place;
use crate::carry::{Job, Message, carry_out};
use crate::context::EngineError;
use crate::process;
use crate::watch::Watch;
use proctor_core::brief::Brief;
use proctor_core::decide::decide;
use proctor_core::event::{Ending, Event, Input, Refusal, Request};
use proctor_core::evolve::{evolve, wakes_at};
use proctor_core::run::{Run, Stage, owed};
use proctor_core::words::RunId;
use proctor_journal::{Answer, AppendError, Headline, InboxId, Journal, Lease, LeaseError};
use proctor_lab::Shop;
use proctor_lab::crash;
use proctor_lab::{hush_logs, redactor_of};
use proctor_world::child::Cancel;
use std::num::NonZeroUsize;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// How often the inbox, the clock and signals are looked at while effects are under way.
const BEAT: Duration = Duration::from_millis(100);

/// Drives these runs until nothing is owed in any of them: closed, awaiting a person, paused, interrupted.
pub fn drive(
    shop: &Shop,
    runs: &[RunId],
    watch: &mut dyn Watch,
) -> Result<Vec<(RunId, Run)>, EngineError> {
    drive_some(shop, (runs, NonZeroUsize::MAX), watch)
}

/// The same, at most so many at once. One that waits for a person or a clock leaves its place to the next.
pub fn drive_some(
    shop: &Shop,
    (runs, jobs): (&[RunId], NonZeroUsize),
    watch: &mut dyn Watch,
) -> Result<Vec<(RunId, Run)>, EngineError> {
    let journal = Journal::open(shop.home.root()).map_err(EngineError::Journal)?;
    let (sender, inputs) = mpsc::channel();
    let mut seats = Vec::new();
    for run in runs {
        seats.push(Seat::take(shop, &journal, run)?);
    }
    let mut floor = Floor { shop, journal, sender, watch };
    for seat in &mut seats {
        if let Some(lost) = seat.run.in_flight.clone() {
            for name in [&seat.id, &apart_from(&seat.id)] {
                proctor_world::leftovers::sweep(&shop.token(name));
            }
            let logs = shop.home.logs(&seat.id, lost.no);
            hush_logs(&redactor_of(shop, &seat.run.brief.setup), &logs);
            let _ = floor.feed(seat, &Input::Lost { no: lost.no })?;
            floor.tell(seat)?;
        }
    }
    loop {
        let mut free = jobs.get().saturating_sub(seats.iter().filter(|s| s.is_working()).count());
        for seat in &mut seats {
            floor.requests(seat)?;
            floor.clock(seat)?;
            let mut may = seat.is_working();
            if !may && free > 0 && seat.is_due() {
                (may, free) = (true, free - 1);
            }
            if may {
                floor.begin(seat)?;
            }
        }
        if seats.iter().all(Seat::is_idle) {
            break;
        }
        floor.wait(&inputs, &mut seats)?;
    }
    Ok(seats.into_iter().map(|seat| (seat.id, seat.run)).collect())
}

/// Opens a run: its brief becomes the first fact.
pub fn create(shop: &Shop, run: &RunId, brief: Brief) -> Result<(), EngineError> {
    let journal = Journal::open(shop.home.root()).map_err(EngineError::Journal)?;
    let state = Run::new(brief.clone());
    let event = Event::Created { brief: Box::new(brief) };
    append(&journal, shop, (run, 0), &[event], &state, Wanted::ByNobody)?;
    crash::point("created");
    Ok(())
}

/// The state of a run, from its history alone.
pub fn load(shop: &Shop, run: &RunId) -> Result<Run, EngineError> {
    let journal = Journal::open(shop.home.root()).map_err(EngineError::Journal)?;
    Ok(replay(&journal, run)?.0)
}

pub(crate) fn replay(journal: &Journal, run: &RunId) -> Result<(Run, u64), EngineError> {
    let history = journal.history::<Event>(run).map_err(EngineError::Journal)?;
    let seq = history.last().map_or(0, |recorded| recorded.seq);
    for recorded in &history {
        crash::replayed(&recorded.body);
    }
    Run::replay(history.iter().map(|recorded| &recorded.body))
        .map(|state| (state, seq))
        .ok_or_else(|| EngineError::NoBrief { run: run.clone() })
}

/// Whether a request in the inbox led to these events: it is accepted in the same transaction.
#[derive(Clone, Copy)]
enum Wanted {
    ByNobody,
    ByRequest(InboxId),
}

fn append(
    journal: &Journal,
    shop: &Shop,
    (run, after): (&RunId, u64),
    events: &[Event],
    state: &Run,
    by: Wanted,
) -> Result<u64, EngineError> {
    let (now, head) = (shop.now(), headline(state));
    let appended = match by {
        Wanted::ByNobody => journal.append(run, after, events, now, &head),
        Wanted::ByRequest(id) => journal.append_accepting(run, after, events, now, &head, id),
    };
    appended.map_err(|error| match error {
        AppendError::Moved { found, .. } => EngineError::Moved { run: run.clone(), found },
        AppendError::Journal(error) => EngineError::Journal(error),
    })
}

/// Whether a person can still go on with it: everything but what landed, was thrown away or was not there.
fn may_go_on(stage: &Stage) -> bool {
    match stage {
        Stage::Closed { ending, .. } => match ending {
            Ending::Blocked | Ending::AgentError | Ending::Failed | Ending::MaxAttempts => true,
            Ending::Success | Ending::Aborted | Ending::Discarded => false,
        },
        _ => true,
    }
}

pub(crate) fn headline(run: &Run) -> Headline {
    Headline {
        task: run.brief.task.to_string(),
        kind: run.brief.kind.to_string(),
        description: run.brief.description.clone(),
        repo: run.brief.repo.root.clone(),
        branch: run.brief.landing.branch.clone(),
        status: run.status().to_string(),
        stage: run.stage.name().to_owned(),
        reason: run.reason(),
        open: may_go_on(&run.stage),
    }
}

/// The facts by which the next effect begins, once these are recorded; none when nothing is owed then.
fn next_begin(shop: &Shop, run: &Run, events: &[Event]) -> Vec<Event> {
    let after = events.iter().fold(run.clone(), evolve);
    if owed(&after).is_none() {
        return Vec::new();
    }
    decide(&after, &beginning(shop, &after)).unwrap_or_default()
}

/// What is owed may begin where the disk has room for it. Where nobody can tell, it has.
fn beginning(shop: &Shop, run: &Run) -> Input {
    match proctor_world::stock::free(shop.home.root()) {
        Ok(free) if free < run.limits.free_bytes => {
            let mb = |bytes: u64| bytes >> 20;
            Input::NoRoom {
                what: format!(
                    "{} MB are free where {} is, and [limits] free_disk asks for {}: make room with `proctor gc`, then `proctor resume`",
                    mb(free),
                    shop.home.root().display(),
                    mb(run.limits.free_bytes)
                ),
            }
        }
        _ => Input::Begin,
    }
}

/// A run that is being driven here.
struct Seat {
    id: RunId,
    run: Run,
    seq: u64,
    worker: Option<Worker>,
    /// Something was begun here, and nobody else is waited for.
    begun: bool,
    /// Its place among the runs that land on the same branch.
    place: Place,
    _lease: Lease,
}

struct Worker {
    no: u32,
    cancel: Cancel,
}

impl Seat {
    fn take(shop: &Shop, journal: &Journal, run: &RunId) -> Result<Self, EngineError> {
        let lease = Lease::take(shop.home.root(), run).map_err(|error| match error {
            LeaseError::Held { pid, .. } => EngineError::Held { run: run.clone(), pid },
            other => EngineError::Lease(other),
        })?;
        if is_afar(shop, run) {
            return Err(EngineError::Afar { run: run.clone() });
        }
        let (state, seq) = replay(journal, run)?;
        Ok(Self {
            id: run.clone(),
            run: state,
            seq,
            worker: None,
            begun: false,
            place: Place::default(),
            _lease: lease,
        })
    }

    /// It has one of the places of those that are worked on.
    fn is_working(&self) -> bool {
        self.worker.is_some() || self.begun && self.is_due()
    }

    /// Something is to be done, or was said to begin with what came before it.
    fn is_due(&self) -> bool {
        self.run.in_flight.is_some() || owed(&self.run).is_some()
    }

    /// Nothing is under way, nothing is owed, and no clock will change that.
    fn is_idle(&self) -> bool {
        self.worker.is_none() && owed(&self.run).is_none() && wakes_at(&self.run).is_none()
    }
}

/// Where the work is done: one journal, one channel of outcomes, one face.
struct Floor<'a> {
    shop: &'a Shop,
    journal: Journal,
    sender: Sender<Message>,
    watch: &'a mut dyn Watch,
}

impl Floor<'_> {
    /// One input through the machine. Recorded before anything is done about it; what is owed next begins in the
    /// same transaction, so that a step costs one wait for the disk.
    fn feed(&mut self, seat: &mut Seat, input: &Input) -> Result<Result<(), Refusal>, EngineError> {
        match decide(&seat.run, input) {
            Ok(mut events) => {
                if matches!(input, Input::Done { .. }) {
                    events.extend(next_begin(self.shop, &seat.run, &events));
                }
                self.record(seat, &events, Wanted::ByNobody).map(Ok)
            }
            Err(refusal) => Ok(Err(refusal)),
        }
    }

    fn record(&mut self, seat: &mut Seat, events: &[Event], by: Wanted) -> Result<(), EngineError> {
        let mut states = Vec::with_capacity(events.len());
        let mut state = seat.run.clone();
        for event in events {
            state = evolve(state, event);
            states.push(state.clone());
        }
        let first = seat.seq + 1;
        seat.seq = append(&self.journal, self.shop, (&seat.id, seat.seq), events, &state, by)?;
        seat.run = state;
        seat.place.kept_by(&seat.run);
        for ((event, state), seq) in events.iter().zip(&states).zip(first..) {
            self.watch.event(&seat.id, seq, self.shop.now(), event, state);
            crash::recorded(event);
        }
        if events.iter().any(process::concerns) {
            self.tell(seat)?;
        }
        if let Some(worker) = &seat.worker
            && seat.run.in_flight.as_ref().map(|f| f.no) != Some(worker.no)
        {
            worker.cancel.cancel();
        }
        Ok(())
    }

    /// Writes down what the run came to so far. It follows from the history: where it can't be written, nothing is lost.
    fn tell(&mut self, seat: &Seat) -> Result<(), EngineError> {
        if let Err(why) = process::write(self.shop, &seat.id, &seat.run) {
            let text = format!("the summary of the run can't be written: {why}");
            self.journal
                .note(&seat.id, self.shop.now(), "line", &text)
                .map_err(EngineError::Journal)?;
            self.watch.line(&seat.id, &text);
        }
        Ok(())
    }

    /// Requests of people, from whatever terminal.
    fn requests(&mut self, seat: &mut Seat) -> Result<(), EngineError> {
        let pending: Vec<(InboxId, Request)> =
            self.journal.pending(&seat.id).map_err(EngineError::Journal)?;
        for (id, request) in pending {
            let now = self.shop.now();
            let answer = match decide(&seat.run, &Input::Request(request, now)) {
                Ok(events) if events.is_empty() => Answer::Accepted,
                Ok(events) => {
                    self.record(seat, &events, Wanted::ByRequest(id))?;
                    continue;
                }
                Err(refusal) => Answer::Refused { why: refusal.to_string() },
            };
            self.journal.answer(id, &answer).map_err(EngineError::Journal)?;
        }
        Ok(())
    }

    /// A usage limit may be over; ctrl-c may have come.
    fn clock(&mut self, seat: &mut Seat) -> Result<(), EngineError> {
        let now = self.shop.now();
        if wakes_at(&seat.run).is_some_and(|at| at <= now) {
            let _ = self.feed(seat, &Input::Tick(now))?;
        }
        // What has begun to land is finished first: it is short, and half of it would help nobody.
        let ending = matches!(seat.run.stage, Stage::Landing { .. } | Stage::Settling { .. });
        if self.shop.signals.asked_to_stop() && !ending {
            let _ = self.feed(seat, &Input::Interrupt)?;
        }
        Ok(())
    }

    /// Carries out what is owed, if anything is.
    fn begin(&mut self, seat: &mut Seat) -> Result<(), EngineError> {
        if seat.worker.is_some() {
            return Ok(());
        }
        if owed(&seat.run).is_some() {
            let _ = self.feed(seat, &beginning(self.shop, &seat.run))?;
        }
        let Some(flight) = seat.run.in_flight.clone() else { return Ok(()) };
        seat.begun = true;
        let cancel = Cancel::new();
        let run = seat.run.clone();
        let numbers = (&seat.id, flight.no);
        let job = Job::new(self.shop, numbers, run, cancel.clone(), self.sender.clone());
        let job = job.with_place(seat.place.clone());
        seat.worker = Some(Worker { no: flight.no, cancel });
        let sender = self.sender.clone();
        std::thread::spawn(move || {
            let began = Instant::now();
            let outcome = carry_out(&job, &flight.effect);
            let took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            crash::point(&format!("carried out {}", flight.effect.label()));
            // Nobody listens any more when the process is on its way out.
            let _ = sender.send(Message::Done {
                run: job.id.clone(),
                no: job.no,
                outcome: Box::new(outcome),
                took_ms,
            });
        });
        Ok(())
    }

    /// Waits for the next message, at most a beat.
    fn wait(&mut self, inputs: &Receiver<Message>, seats: &mut [Seat]) -> Result<(), EngineError> {
        match inputs.recv_timeout(BEAT) {
            Ok(Message::Done { run, no, outcome, took_ms }) => {
                let Some(seat) = seats.iter_mut().find(|seat| seat.id == run) else {
                    return Ok(());
                };
                seat.worker = None;
                let at = self.shop.now();
                // A refusal means that the run went another way while this was under way.
                let _ = self.feed(seat, &Input::Done { no, outcome: *outcome, took_ms, at })?;
            }
            Ok(Message::Line { run, text }) => {
                let now = self.shop.now();
                self.journal.note(&run, now, "line", &text).map_err(EngineError::Journal)?;
                self.watch.line(&run, &text);
            }
            Ok(Message::Session { run, no, mark }) => {
                if let Some(seat) = seats.iter_mut().find(|seat| seat.id == run) {
                    // A refusal means that the run went another way meanwhile.
                    let _ = self.feed(seat, &Input::Session { no, mark })?;
                }
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                for seat in seats {
                    self.watch.tick(&seat.id, &seat.run);
                }
            }
        }
        Ok(())
    }
}
