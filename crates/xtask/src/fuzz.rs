//! `cargo xtask fuzz`: every parser that reads what a child or a stranger wrote, fed with real samples that were damaged
//! on purpose. It looks for panics, for work that never ends and for memory without bounds. The same seed gives the
//! same inputs. It must not judge what a parser makes of them: any answer will do.

mod damage;
mod scene;
mod target;

use anyhow::{Context, Result, bail};
use damage::Damage;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use target::{Target, targets};

/// How many inputs a full run tries, over all targets together.
const FULL: u64 = 10_000_000;
/// One input that takes longer is a fault.
const SLOW: Duration = Duration::from_secs(2);
/// More memory than this at any time is a fault.
const MOST_MEMORY_KIB: u64 = 1024 * 1024;

/// What was asked for on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    runs: u64,
    seed: u64,
    only: Option<String>,
}

impl Wish {
    pub fn read(words: &[&str]) -> Result<Self, String> {
        let mut wish = Self { runs: FULL, seed: 1, only: None };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
            let number = || value.parse().map_err(|_| format!("{word} needs a number"));
            match *word {
                "--runs" => wish.runs = number()?,
                "--seed" => wish.seed = number()?,
                "--only" => wish.only = Some((*value).to_owned()),
                other => return Err(format!("fuzz knows no `{other}`")),
            }
        }
        Ok(wish)
    }
}

pub fn run(wish: &Wish) -> Result<ExitCode> {
    let mut targets = targets()?;
    if let Some(only) = &wish.only {
        targets.retain(|target| target.name.contains(only.as_str()));
    }
    if targets.is_empty() {
        bail!("no target has that in its name");
    }
    // What a parser says while it panics would only hide the table.
    std::panic::set_hook(Box::new(|_| {}));
    let all: u64 = targets.iter().map(|target| target.share).sum();
    let (mut tried, mut faults) = (0, 0);
    for target in &mut targets {
        let runs = (wish.runs * target.share).div_ceil(all);
        let (name, began) = (target.name.clone(), Instant::now());
        let tally = spree(target, wish.seed, runs)?;
        tried += tally.tried;
        faults += tally.faults;
        let slowest = tally.slowest.as_micros();
        say(&format!(
            "{name:<24} {:>9} inputs, {:>6.1} s, slowest {slowest} us, {} faults",
            tally.tried,
            began.elapsed().as_secs_f64(),
            tally.faults
        ));
    }
    let memory = peak_memory_kib();
    say(&format!(
        "{tried} inputs in all, {faults} faults, at most {} MiB of memory",
        memory / 1024
    ));
    let good = faults == 0 && memory <= MOST_MEMORY_KIB;
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[derive(Default)]
struct Tally {
    tried: u64,
    faults: u64,
    slowest: Duration,
}

fn spree(target: &mut Target, seed: u64, runs: u64) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut damage = Damage::new(seed ^ hash(&target.name));
    for run in 0..runs {
        let inputs = damage.inputs(&target.samples);
        let began = Instant::now();
        let ended = catch_unwind(AssertUnwindSafe(|| (target.feed)(&inputs)));
        let took = began.elapsed();
        tally.tried += 1;
        tally.slowest = tally.slowest.max(took);
        let what = match ended {
            Err(_) => "a panic",
            Ok(()) if took > SLOW => "too slow",
            Ok(()) => continue,
        };
        tally.faults += 1;
        let folder = keep(&target.name, run, &inputs)?;
        say(&format!("{}: {what}; the input is in {}", target.name, folder.display()));
        if tally.faults >= 5 {
            break;
        }
    }
    Ok(tally)
}

/// Puts an input down, for a test.
fn keep(name: &str, run: u64, inputs: &[Vec<u8>]) -> Result<PathBuf> {
    let folder = crate::tree::root()?.join("target/fuzz").join(format!("{name}-{run}"));
    std::fs::create_dir_all(&folder).context("the folder for faults can't be made")?;
    for (n, input) in inputs.iter().enumerate() {
        std::fs::write(folder.join(n.to_string()), input)?;
    }
    Ok(folder)
}

fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parser_survives_a_few_thousand_damaged_samples() {
        let mut targets = targets().unwrap();
        assert!(targets.len() >= 12, "{}", targets.len());
        for target in &mut targets {
            let tally = spree(target, 7, 60 * target.share).unwrap();
            assert_eq!(tally.faults, 0, "{}", target.name);
        }
    }
}
