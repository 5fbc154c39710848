//! Children: run, heard, put down in the logs without secrets, and held to their limits.

use crate::{Halt, Lab, disk, spans};
use proctor_core::words::Millis;
use proctor_world::child::{ChildError, End, Ended, Launch};
use proctor_world::overlay::Place;
use std::time::{Duration, Instant};

impl Lab {
    /// Runs a child. One that ended its own keeper counts as ended by a signal: that is the child's doing, and no
    /// fault of the surroundings.
    pub fn keep(&self, launch: &Launch) -> Result<Ended, Halt> {
        self.keep_in(Place::Here, launch)
    }

    /// The same where a tree stands: one that works in it must be started there.
    pub fn keep_in(&self, place: Place<'_>, launch: &Launch) -> Result<Ended, Halt> {
        let (ended, started) = self.kept(place, launch)?;
        self.put_down(launch, &ended, started)?;
        Ok(ended)
    }

    /// As `keep_in`, with what it printed as it was printed. What stays on the disk is redacted.
    pub fn hear(&self, place: Place<'_>, launch: &Launch) -> Result<(Ended, Heard), Halt> {
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
        let _slot = self.slot()?;
        let (began, started) = (Instant::now(), self.shop.now());
        let ended = match self.shop.keeper().run_in(place, launch, &self.cancel) {
            Ok(ended) => ended,
            Err(ChildError::KeeperGone { .. }) => Ended {
                how: End::Signalled(9),
                took: began.elapsed(),
                cpu: Duration::ZERO,
                stdout: launch.logs.join(format!("{}.stdout", launch.name)),
                stderr: launch.logs.join(format!("{}.stderr", launch.name)),
            },
            Err(error) => return Err(error.into()),
        };
        spans::child(launch, &ended);
        Ok((ended, started))
    }

    /// A limit for a child: its own, or what is left of the whole time, whichever is shorter.
    pub fn limit(&self, own_ms: u64, began: Instant) -> Limit {
        let spent = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        match self.left_ms.map(|left| left.saturating_sub(spent)) {
            Some(left) if left < own_ms => Limit::OfTheRun(Duration::from_millis(left.max(1))),
            _ => Limit::OfTheChild(Duration::from_millis(own_ms)),
        }
    }
}

/// What a child printed, as far as it is kept in memory.
#[derive(Default)]
pub struct Heard {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// Whose limit a child would hit.
#[derive(Clone, Copy)]
pub enum Limit {
    OfTheChild(Duration),
    OfTheRun(Duration),
}

impl Limit {
    pub fn time(self) -> Duration {
        match self {
            Self::OfTheChild(time) | Self::OfTheRun(time) => time,
        }
    }
}
