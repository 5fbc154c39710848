//! How fast files are looked through for secrets, beside gitleaks where it is installed, else beside ripgrep with a few of
//! the same patterns; and what the tripwire's look at a checkout costs.

use super::Bench;
use super::figures::{Chapter, Role, Unit};
use super::process::{Look, time};
use anyhow::{Context, Result};
use proctor_core::secret::scan;
use proctor_world::tripwire::{Footprint, Ground};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const ROUNDS: usize = 5;
/// How much is looked through.
const MOST_BYTES: u64 = 200 * 1024 * 1024;
const GOAL_LOOK_MS: f64 = 10.0;

/// A few of the rules, as ripgrep writes them.
const PATTERNS: &str = r"AKIA[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{36}|glpat-[\w-]{20}|xox[abp]-[\w-]{10,}|AIza[\w-]{35}|sk_live_\w{16,}|sk-ant-[\w-]{20}|npm_\w{36}|-----BEGIN [A-Z ]*PRIVATE KEY-----|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.|://[^\s:/@]*:[^\s/@]+@|(?i)(?:api_key|secret|token|password)\w*\s*[:=]\s*.[\w+/=.~-]{16,}";

pub fn measure(bench: &Bench) -> Result<Chapter> {
    let tree = bench.scratch.join("secrets-tree");
    let bytes = fill(&tree)?;
    let mut chapter = Chapter::new("secrets", ROUNDS);
    let yardstick = yardstick();
    let (mut ours, mut theirs, mut found) = (Vec::new(), Vec::new(), 0);
    for _ in 0..=ROUNDS {
        let began = Instant::now();
        found = look_through(&tree)?;
        ours.push(began.elapsed().as_secs_f64() * 1000.0);
        if let Some((_, args)) = &yardstick {
            let mut command = Command::new(&args[0]);
            command.args(&args[1..]).arg(&tree);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            theirs.push(time(&mut command, Look::AtTheEnd)?.wall_ms);
        }
    }
    let taken = chapter.add("every file, one thread", Role::Ours, Unit::Millis, &ours[1..]);
    if let Some((name, _)) = &yardstick {
        let other = chapter.add(name, Role::Yardstick, Unit::Millis, &theirs[1..]);
        let times = taken.zip(other).map(|(ours, other)| ours / other);
        chapter.goal(&format!("to {name}"), Unit::Times, times, 1.0);
    }
    #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
    let rate = taken.map(|ms| bytes as f64 / 1_000.0 / ms);
    chapter.remarks.push(format!(
        "{} MB of sources of third parties, {found} findings, {:.0} MB a second",
        bytes / 1_000_000,
        rate.unwrap_or_default()
    ));
    if yardstick.as_ref().is_none_or(|(name, _)| !name.starts_with("gitleaks")) {
        chapter
            .remarks
            .push("gitleaks is not installed, and is what this should be held against".to_owned());
    }
    tripwire(&mut chapter, bench)?;
    Ok(chapter)
}

fn yardstick() -> Option<(&'static str, Vec<String>)> {
    let there = |program: &str| {
        let mut command = Command::new(program);
        command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok()
    };
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    if there("gitleaks") {
        let args =
            ["gitleaks", "dir", "--no-banner", "--exit-code", "0", "--max-target-megabytes", "100"];
        return Some(("gitleaks, all processors", words(&args)));
    }
    there("rg").then(|| {
        (
            "ripgrep with twelve patterns, one thread",
            words(&["rg", "-uuu", "-a", "-c", "-j1", "-e", PATTERNS]),
        )
    })
}

fn look_through(folder: &Path) -> Result<usize> {
    let mut found = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            found += look_through(&entry.path())?;
        } else {
            found += scan(&std::fs::read(entry.path())?).len();
        }
    }
    Ok(found)
}

/// A tree of real sources: what cargo has unpacked on this machine.
fn fill(tree: &Path) -> Result<u64> {
    let _ = std::fs::remove_dir_all(tree);
    std::fs::create_dir_all(tree).context("the tree can't be made")?;
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo")));
    let mut todo = vec![home.context("there is no CARGO_HOME")?.join("registry/src")];
    let mut bytes = 0;
    let mut number = 0;
    while let Some(folder) = todo.pop() {
        let mut entries: Vec<_> = std::fs::read_dir(&folder)
            .with_context(|| format!("{} can't be read", folder.display()))?
            .flatten()
            .collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let kind = entry.file_type()?;
            if kind.is_dir() {
                todo.push(entry.path());
            } else if kind.is_file() && bytes < MOST_BYTES {
                let below = tree.join(format!("{:03}", number / 500));
                std::fs::create_dir_all(&below)?;
                let name = entry.file_name().to_string_lossy().into_owned();
                bytes += std::fs::copy(entry.path(), below.join(format!("{number}-{name}")))?;
                number += 1;
            }
        }
    }
    Ok(bytes)
}

fn tripwire(chapter: &mut Chapter, bench: &Bench) -> Result<()> {
    let root = crate::tree::root()?;
    let git_dir = root.join(".git");
    let ground = Ground { root: &root, git_dir: &git_dir, home: &bench.scratch };
    let (mut first, mut again) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let took = |earlier: &Footprint| -> Result<(Footprint, f64)> {
            let began = Instant::now();
            let print = Footprint::take(&ground, earlier)?;
            Ok((print, began.elapsed().as_secs_f64() * 1000.0))
        };
        let (print, ms) = took(&Footprint::default())?;
        first.push(ms);
        again.push(took(&print)?.1);
    }
    chapter.add("a first look at this checkout", Role::Ours, Unit::Millis, &first);
    let look = chapter.add("a look at it again", Role::Ours, Unit::Millis, &again);
    chapter.goal("a look at it again", Unit::Millis, look, GOAL_LOOK_MS);
    Ok(())
}
