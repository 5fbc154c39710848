//! `cargo xtask fuzz`: every parser that reads what a child or a stranger wrote, fed with real samples that were damaged
//! on purpose. It looks for panics, for work that never ends and for memory without bounds. The same seed gives the
//! same inputs. It must not judge what a parser makes of them: any answer will do.
//!
//! What only the binary reads (packs, configuration, tasks) is tried by the binary's own tests, which this starts.

mod judged;
mod scene;
mod target;

use anyhow::{Context, Result, bail};
use proctor_testkit::Target;
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode};
use target::targets;

/// How many inputs a full run tries, over all targets together.
const FULL: u64 = 10_000_000;
/// How many of a hundred go to the readers of the binary itself.
const OF_THE_BINARY: u64 = 10;
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
    let root = crate::tree::root()?;
    let mut targets = targets()?;
    if let Some(only) = &wish.only {
        targets.retain(|target| target.name.contains(only.as_str()));
    }
    let binary = wish.runs * OF_THE_BINARY / 100;
    let mut total = of_the_binary(&root, wish, binary)?;
    // What a parser says while it panics would only hide the table.
    std::panic::set_hook(Box::new(|_| {}));
    let own = here(&mut targets, wish, &root.join("target/fuzz"))?;
    total.tried += own.tried;
    total.faults += own.faults;
    total.memory_kib = total.memory_kib.max(own.memory_kib);
    if total.tried == 0 {
        bail!("no target has that in its name");
    }
    say(&format!(
        "{} inputs in all, {} faults, at most {} MiB of memory",
        total.tried,
        total.faults,
        total.memory_kib / 1024
    ));
    let good = total.faults == 0 && total.memory_kib <= MOST_MEMORY_KIB;
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Total {
    tried: u64,
    faults: u64,
    memory_kib: u64,
}

fn here(targets: &mut [Target], wish: &Wish, faults: &Path) -> Result<Total> {
    let runs = wish.runs - wish.runs * OF_THE_BINARY / 100;
    let all: u64 = targets.iter().map(|target| target.share).sum();
    let mut total = Total::default();
    for target in targets {
        let tally = target.spree(wish.seed, (runs * target.share).div_ceil(all), faults)?;
        say(&tally.line());
        tally.faults.iter().for_each(|fault| say(fault));
        total.tried += tally.tried;
        total.faults += tally.faults.len() as u64;
        total.memory_kib = total.memory_kib.max(tally.memory_kib);
    }
    Ok(total)
}

/// Its tests are built as this program was.
fn of_the_binary(root: &Path, wish: &Wish, runs: u64) -> Result<Total> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["test", "--quiet", "--locked", "--package", "proctor-desk", "--lib"]);
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    cargo.args(["--", "--exact", "fuzz_tests::what_others_wrote_is_read", "--nocapture"]);
    cargo.env("PROCTOR_FUZZ_RUNS", runs.to_string());
    cargo.env("PROCTOR_FUZZ_SEED", wish.seed.to_string());
    cargo.env("PROCTOR_FUZZ_ONLY", wish.only.as_deref().unwrap_or_default());
    let out = cargo.current_dir(root).output().context("cargo did not start")?;
    let (said, erred) =
        (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    let total = said.lines().find_map(last_line);
    let Some(total) = total else {
        bail!("the binary's own targets did not run to their end:\n{said}{erred}");
    };
    let rows = said.lines().filter_map(|line| line.strip_prefix("fuzz: "));
    rows.for_each(say);
    Ok(total)
}

/// `fuzz-total: TRIED FAULTS KIB`
fn last_line(line: &str) -> Option<Total> {
    let mut numbers = line.strip_prefix("fuzz-total: ")?.split(' ').map(str::parse);
    let mut next = || numbers.next()?.ok();
    Some(Total { tried: next()?, faults: next()?, memory_kib: next()? })
}

fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parser_survives_a_few_thousand_damaged_samples() {
        let mut targets = targets().unwrap();
        assert!(targets.len() >= 20, "{}", targets.len());
        let faults = tempfile::tempdir().unwrap();
        for target in &mut targets {
            let tally = target.spree(7, 60 * target.share, faults.path()).unwrap();
            assert_eq!(tally.faults, Vec::<String>::new(), "{}", target.name);
        }
    }

    #[test]
    fn what_the_binary_tried_is_read_from_its_last_line() {
        let total = Total { tried: 12, faults: 1, memory_kib: 99 };
        assert_eq!(last_line("fuzz-total: 12 1 99"), Some(total));
        assert_eq!(last_line("fuzz-total: 12 1"), None);
        assert_eq!(last_line("fuzz: x"), None);
    }
}
