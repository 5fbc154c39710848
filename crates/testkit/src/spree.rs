//! A spree: one parser fed with many damaged samples. It looks for panics, for work that never ends, and says how much
//! memory the process came to. It must not judge what a parser makes of an input: any answer will do.

use crate::damage::Damage;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// One input that takes longer is a fault.
const SLOW: Duration = Duration::from_secs(2);
/// After as many faults a target has said enough.
const MOST_FAULTS: u64 = 5;

pub type Feed = Box<dyn FnMut(&[Vec<u8>])>;

/// A parser and what it is fed with. A sample has one part or several.
pub struct Target {
    pub name: String,
    /// How much of all inputs it gets.
    pub share: u64,
    pub samples: Vec<Vec<Vec<u8>>>,
    pub feed: Feed,
}

impl Target {
    /// A parser of one text.
    pub fn of_text(
        name: &str,
        share: u64,
        samples: &[&str],
        mut feed: impl FnMut(&str) + 'static,
    ) -> Self {
        Self {
            name: name.to_owned(),
            share,
            samples: samples.iter().map(|text| vec![text.as_bytes().to_vec()]).collect(),
            feed: Box::new(move |inputs| {
                let first = inputs.first().map(Vec::as_slice).unwrap_or_default();
                feed(&String::from_utf8_lossy(first));
            }),
        }
    }

    /// Feeds it with so many inputs. What was a fault is put below `faults`.
    pub fn spree(&mut self, seed: u64, runs: u64, faults: &Path) -> io::Result<Tally> {
        let mut tally = Tally { name: self.name.clone(), ..Tally::default() };
        let mut damage = Damage::new(seed ^ hash(&self.name));
        let start = Instant::now();
        for run in 0..runs {
            let inputs = damage.inputs(&self.samples);
            let began = worked();
            let ended = catch_unwind(AssertUnwindSafe(|| (self.feed)(&inputs)));
            let took = worked().saturating_sub(began);
            tally.tried += 1;
            tally.slowest = tally.slowest.max(took);
            let what = match ended {
                Err(_) => "a panic",
                Ok(()) if took > SLOW => "too slow",
                Ok(()) => continue,
            };
            let place = keep(&faults.join(format!("{}-{run}", self.name)), &inputs)?;
            tally.faults.push(format!(
                "{}: {what}; the input is in {}",
                self.name,
                place.display()
            ));
            if tally.faults.len() as u64 >= MOST_FAULTS {
                break;
            }
        }
        tally.took = start.elapsed();
        tally.memory_kib = peak_memory_kib();
        Ok(tally)
    }
}

/// What a spree came to.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub name: String,
    pub tried: u64,
    pub faults: Vec<String>,
    pub slowest: Duration,
    pub took: Duration,
    /// The most that the process had so far.
    pub memory_kib: u64,
}

impl Tally {
    /// One row of the table.
    pub fn line(&self) -> String {
        format!(
            "{:<24} {:>9} inputs, {:>6.1} s, slowest {} us, {} faults, {} MiB so far",
            self.name,
            self.tried,
            self.took.as_secs_f64(),
            self.slowest.as_micros(),
            self.faults.len(),
            self.memory_kib / 1024
        )
    }
}

/// The processor time of this thread: a busy machine makes no input slow.
fn worked() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let part = |n: i64| u64::try_from(n).unwrap_or(0);
    Duration::from_secs(part(time.tv_sec)) + Duration::from_nanos(part(time.tv_nsec))
}

/// Puts an input down, for a test.
fn keep(folder: &Path, inputs: &[Vec<u8>]) -> io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    for (n, input) in inputs.iter().enumerate() {
        std::fs::write(folder.join(n.to_string()), input)?;
    }
    Ok(folder.to_owned())
}

/// FNV-1a: the same on every machine.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn peak_memory_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
