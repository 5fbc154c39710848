//! How far many trials have come, for people: `mutants 7/11, about 40 s left`. It must not slow them down.

use crate::Lab;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often it is told at most.
const BEAT: Duration = Duration::from_secs(2);

pub(crate) struct Countdown<'a> {
    lab: &'a Lab,
    what: &'static str,
    of: usize,
    done: AtomicUsize,
    began: Instant,
    told: Mutex<Instant>,
}

impl<'a> Countdown<'a> {
    pub(crate) fn new(lab: &'a Lab, what: &'static str, of: usize) -> Self {
        let began = Instant::now();
        Self { lab, what, of, done: AtomicUsize::new(0), began, told: Mutex::new(began) }
    }

    /// One more is done.
    pub(crate) fn tick(&self) {
        let done = self.done.fetch_add(1, Ordering::SeqCst) + 1;
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if done < self.of && told.elapsed() >= BEAT {
            *told = Instant::now();
            self.lab.say(line(self.what, (done, self.of), self.began.elapsed()));
        }
    }
}

fn line(what: &str, (done, of): (usize, usize), took: Duration) -> String {
    let each = took / u32::try_from(done.max(1)).unwrap_or(u32::MAX);
    let left = each * u32::try_from(of.saturating_sub(done)).unwrap_or(u32::MAX);
    format!("{what} {done}/{of}, about {} s left", left.as_secs().max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_takes_as_long_as_what_is_done() {
        let told = line("mutants", (7, 11), Duration::from_secs(70));
        assert_eq!(told, "mutants 7/11, about 40 s left");
        assert_eq!(line("parts", (1, 2), Duration::ZERO), "parts 1/2, about 1 s left");
    }
}
