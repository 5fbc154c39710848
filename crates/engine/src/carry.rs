//! Carrying out effects: one function an effect, each safe to repeat, each ending in exactly one outcome. What is
//! measured here is judged in `core`; nothing here decides what a result means.

mod agent;
mod ask;
mod audit;
mod baseline;
mod bounds;
mod coverage;
mod disk;
pub(crate) mod errand;
mod furnish;
mod gate;
mod held;
mod hold;
pub(crate) mod hush;
mod land;
pub(crate) mod lines;
mod lint;
mod policy;
mod prepare;
mod products;
mod prompts;
mod record;
mod settle;
mod settle_in;
mod stage;
mod suite;
mod testrun;
mod tidy;
mod together;
mod tools;
mod trees;
mod trial;
mod tripwire;
pub(crate) mod tryout;
pub(crate) mod verify;

pub use bounds::is_enough;

use crate::context::Shop;
use proctor_core::agent::SessionMark;
use proctor_core::event::{Effect, Outcome, Trouble};
use proctor_core::run::Run;
use proctor_core::words::{Millis, RunId};
use proctor_journal::{BlobError, Blobs};
use proctor_world::child::{Cancel, ChildError, End, Ended, Launch};
use proctor_world::clone::CloneError;
use proctor_world::git::GitError;
use proctor_world::landing::LandError;
use proctor_world::overlay::Place;
use proctor_world::packages::PackagesError;
use proctor_world::shadow::ShadowError;
use proctor_world::tree::TreeError;
use proctor_world::worktree::WorktreeError;
use std::path::Path;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

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

/// One effect of one run, on its way.
#[derive(Clone)]
pub(crate) struct Job {
    pub(crate) shop: Shop,
    pub(crate) id: RunId,
    pub(crate) run: Run,
    pub(crate) no: u32,
    pub(crate) cancel: Cancel,
    pub(crate) sender: Sender<Message>,
}

/// Why an effect stopped before its end.
#[derive(Debug)]
pub(crate) enum Halt {
    Cancelled,
    /// The run's own time was used up.
    TimeUp,
    Trouble(Trouble),
}

impl Halt {
    pub(crate) fn lasting(why: impl Into<String>) -> Self {
        Self::Trouble(Trouble::Lasting { why: why.into() })
    }

    pub(crate) fn passing(why: impl Into<String>) -> Self {
        Self::Trouble(Trouble::Passing { why: why.into() })
    }

    pub(crate) fn io(what: &str, path: &Path, source: &std::io::Error) -> Self {
        Self::lasting(format!("{what} {}: {source}", path.display()))
    }
}

macro_rules! lasting_errors {
    ($($error:ty),*) => {$(
        impl From<$error> for Halt {
            fn from(error: $error) -> Self {
                Self::lasting(error.to_string())
            }
        }
    )*};
}
lasting_errors!(BlobError, TreeError, WorktreeError, ChildError, PackagesError, CloneError);

impl From<ShadowError> for Halt {
    fn from(error: ShadowError) -> Self {
        match error {
            ShadowError::Git(git) => git.into(),
            other => Self::lasting(other.to_string()),
        }
    }
}

impl From<GitError> for Halt {
    fn from(error: GitError) -> Self {
        match error {
            GitError::Locked { .. } => Self::passing(error.to_string()),
            other => Self::lasting(other.to_string()),
        }
    }
}

impl From<LandError> for Halt {
    fn from(error: LandError) -> Self {
        match error {
            LandError::Shadow(error) => error.into(),
            LandError::Git(error) => error.into(),
        }
    }
}

/// Carries out one effect, with an eye on the user's checkout.
pub(crate) fn carry_out(job: &Job, effect: &Effect) -> Outcome {
    tripwire::watched(job, effect, || carried(job, effect))
}

fn carried(job: &Job, effect: &Effect) -> Outcome {
    let done = match effect {
        Effect::Prepare => prepare::prepare(job),
        Effect::BringTests => prepare::bring_tests(job),
        Effect::Ask { phase, attempt, ask } => ask::ask(job, *phase, *attempt, *ask),
        Effect::ProveRed { tests } => gate::red(job, tests),
        Effect::ProveGreen { code, tests } => gate::green(job, code, tests),
        Effect::Audit { code } => audit::audit(job, code),
        Effect::Land { code } => land::land_it(job, code),
        Effect::Rebase { onto } => land::rebase_it(job, onto),
        Effect::Settle { ending } => settle::settle(job, *ending),
    };
    done.unwrap_or_else(|halt| match halt {
        // Whoever cancelled has recorded what comes next: this outcome will find nobody.
        Halt::Cancelled => Outcome::Failed(Trouble::Passing { why: "cancelled".to_owned() }),
        Halt::TimeUp => Outcome::TimeUp,
        Halt::Trouble(trouble) => {
            let redactor = job.redactor();
            Outcome::Failed(match trouble {
                Trouble::Passing { why } => Trouble::Passing { why: redactor.text(&why) },
                Trouble::Lasting { why } => Trouble::Lasting { why: redactor.text(&why) },
            })
        }
    })
}

impl Job {
    pub(crate) fn blobs(&self) -> Result<Blobs, Halt> {
        Ok(Blobs::open(self.shop.home.root())?)
    }

    /// Whether this effect is still wanted.
    pub(crate) fn wanted(&self) -> Result<(), Halt> {
        if self.cancel.is_cancelled() { Err(Halt::Cancelled) } else { Ok(()) }
    }

    /// Says a line to whoever looks on.
    pub(crate) fn say(&self, text: impl Into<String>) {
        let _ = self.sender.send(Message::Line { run: self.id.clone(), text: text.into() });
    }

    /// Runs a child. One that ended its own keeper counts as ended by a signal: that is the child's doing, and no
    /// fault of the surroundings.
    pub(crate) fn keep(&self, launch: &Launch) -> Result<Ended, Halt> {
        self.keep_in(Place::Here, launch)
    }

    /// The same where a tree stands: one that works in it must be started there.
    pub(crate) fn keep_in(&self, place: Place<'_>, launch: &Launch) -> Result<Ended, Halt> {
        let (ended, started) = self.kept(place, launch)?;
        self.put_down(launch, &ended, started)?;
        Ok(ended)
    }

    /// As `keep_in`, with what it printed as it was printed. What stays on the disk is redacted.
    pub(crate) fn hear(&self, place: Place<'_>, launch: &Launch) -> Result<(Ended, Heard), Halt> {
        let (ended, started) = self.kept(place, launch)?;
        let heard = Heard {
            stdout: disk::captured(&ended.stdout)?,
            stderr: disk::captured(&ended.stderr)?,
        };
        self.put_down(launch, &ended, started)?;
        Ok((ended, heard))
    }

    fn put_down(&self, launch: &Launch, ended: &Ended, started: Millis) -> Result<(), Halt> {
        self.hush(&ended.stdout)?;
        self.hush(&ended.stderr)?;
        self.record(launch, ended, started)
    }

    fn kept(&self, place: Place<'_>, launch: &Launch) -> Result<(Ended, Millis), Halt> {
        let (began, started) = (Instant::now(), self.shop.now());
        let ended = match self.shop.keeper().run_in(place, launch, &self.cancel) {
            Ok(ended) => ended,
            Err(ChildError::KeeperGone { .. }) => Ended {
                how: End::Signalled(9),
                took: began.elapsed(),
                stdout: launch.logs.join(format!("{}.stdout", launch.name)),
                stderr: launch.logs.join(format!("{}.stderr", launch.name)),
            },
            Err(error) => return Err(error.into()),
        };
        Ok((ended, started))
    }

    /// A limit for a child: its own, or what is left of the run's time, whichever is shorter.
    pub(crate) fn limit(&self, own_ms: u64, began: Instant) -> Limit {
        let spent = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        match self.run.time_left_ms().map(|left| left.saturating_sub(spent)) {
            Some(left) if left < own_ms => Limit::OfTheRun(Duration::from_millis(left.max(1))),
            _ => Limit::OfTheChild(Duration::from_millis(own_ms)),
        }
    }
}

/// What a child printed, as far as it is kept in memory.
pub(crate) struct Heard {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

/// Whose limit a child would hit.
#[derive(Clone, Copy)]
pub(crate) enum Limit {
    OfTheChild(Duration),
    OfTheRun(Duration),
}

impl Limit {
    pub(crate) fn time(self) -> Duration {
        match self {
            Self::OfTheChild(time) | Self::OfTheRun(time) => time,
        }
    }
}
