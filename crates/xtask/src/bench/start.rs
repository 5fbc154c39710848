//! How long Proctor takes to start: `proctor --version` beside a bare Rust program that does nothing.

use super::Bench;
use super::figures::{Chapter, Role, Unit};
use super::process::{Look, time};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ROUNDS: usize = 50;
/// Rounds that only bring both programs into memory.
const WARM_UP: usize = 3;
const GOAL_MS: f64 = 10.0;

pub fn measure(bench: &Bench) -> Result<Chapter> {
    let bare = build_bare(&bench.scratch)?;
    let (mut ours, mut yardstick) = (Vec::new(), Vec::new());
    for _ in 0..WARM_UP + ROUNDS {
        ours.push(start(&bench.proctor, &["--version"])?);
        yardstick.push(start(&bare, &[])?);
    }
    let mut chapter = Chapter::new("start", ROUNDS);
    let (ours, yardstick) = (&ours[WARM_UP..], &yardstick[WARM_UP..]);
    let taken = chapter.add("proctor --version", Role::Ours, Unit::Millis, ours);
    let floor = chapter.add("a bare process", Role::Yardstick, Unit::Millis, yardstick);
    let over = taken.zip(floor).map(|(taken, floor)| taken - floor);
    chapter.goal("over a bare process", Unit::Millis, over, GOAL_MS);
    Ok(chapter)
}

fn start(program: &Path, args: &[&str]) -> Result<f64> {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null());
    let ended = time(&mut command, Look::AtTheEnd)?;
    if !ended.status.success() {
        bail!("{} ended with {}", program.display(), ended.status);
    }
    Ok(ended.wall_ms)
}

fn build_bare(folder: &Path) -> Result<PathBuf> {
    let (source, program) = (folder.join("bare.rs"), folder.join("bare"));
    std::fs::write(&source, "fn main() {}\n")
        .with_context(|| format!("could not write {}", source.display()))?;
    let status = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(["-O", "--edition=2024", "-o"])
        .args([&program, &source])
        .status()
        .context("rustc did not start")?;
    if !status.success() {
        bail!("rustc could not build {}", source.display());
    }
    Ok(program)
}
