//! Mutants of the same changed lines with the same tests: Proctor's beside mutmut's (Python) and cargo-mutants' (Rust), in
//! turn. Of Proctor the step of `proctor verify` that tries mutants is measured, with its trees, builds and runs without
//! any mutant; and the whole command, which also runs the base's and head's tests. Of the others the whole command. It
//! must not choose mutants: each tool makes its own.

use super::Bench;
use super::exercise::{Exercise, Tongue};
use super::figures::{Chapter, Role, Unit};
use super::process::{children_cpu_ms, family_cpu_ms, millis};
use crate::tree::root;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const ROUNDS: usize = 3;
const GOAL_TIMES: f64 = 3.0;
/// The step that is measured, as `proctor verify` names it.
const STEP: &str = "mutants of the changed lines";

pub fn python(bench: &Bench) -> Result<Chapter> {
    measure(bench, Tongue::Python, ("mutants python", "mutmut"), mutmut)
}

pub fn rust(bench: &Bench) -> Result<Chapter> {
    measure(bench, Tongue::Rust, ("mutants rust", "cargo-mutants"), cargo_mutants)
}

/// What one tool did.
struct Done {
    made: usize,
    killed: usize,
    /// Each as its place and its change.
    survivors: Vec<String>,
    cost: Cost,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cost {
    wall_ms: f64,
    cpu_ms: f64,
}

#[derive(Default)]
struct Times {
    wall: Vec<f64>,
    cpu: Vec<f64>,
    last: Option<Done>,
}

impl Times {
    fn add(&mut self, done: Done) {
        let made = f64::from(u32::try_from(done.made).unwrap_or(u32::MAX)).max(1.0);
        self.wall.push(done.cost.wall_ms / made);
        self.cpu.push(done.cost.cpu_ms / made);
        self.last = Some(done);
    }

    /// Adds what a mutant costs; says the median of wall and processor time.
    fn show(&self, chapter: &mut Chapter, name: &str, role: Role) -> [Option<f64>; 2] {
        let wall = chapter.add(&format!("{name}, a mutant"), role, Unit::Millis, &self.wall);
        let cpu = chapter.add("  of processor time", role, Unit::Millis, &self.cpu);
        if let Some(done) = &self.last {
            let tried = format!("{name}: {} made, {} killed", done.made, done.killed);
            let left = done.survivors.join("; ");
            let left = if left.is_empty() { "none".to_owned() } else { left };
            chapter.remarks.push(format!("{tried}; survivors: {left}"));
        }
        [wall, cpu]
    }
}

fn measure(
    bench: &Bench,
    tongue: Tongue,
    (title, yardstick): (&str, &str),
    other: fn(&Exercise, &Path) -> Result<Done>,
) -> Result<Chapter> {
    let tool = root()?.join("target/tools").join(yardstick).join("bin").join(yardstick);
    let there = tool.is_file();
    let mut chapter = Chapter::new(title, ROUNDS);
    let (mut ours, mut whole, mut theirs) = (Times::default(), Times::default(), Times::default());
    for _ in 0..ROUNDS {
        let exercise = Exercise::make(tongue)?;
        let (step, all) = proctor(bench, &exercise, &tool)?;
        whole.wall.push(all.wall_ms);
        whole.cpu.push(all.cpu_ms);
        ours.add(step);
        if there {
            theirs.add(other(&exercise, &tool)?);
        }
    }
    let own = ours.show(&mut chapter, "Proctor", Role::Ours);
    chapter.add("the whole `verify --only mutants`", Role::Ours, Unit::Millis, &whole.wall);
    chapter.add("  of processor time", Role::Ours, Unit::Millis, &whole.cpu);
    let other = theirs.show(&mut chapter, yardstick, Role::Yardstick);
    for (word, own, other) in [("wall", own[0], other[0]), ("processor", own[1], other[1])] {
        let times = own.zip(other).map(|(own, other)| other / own);
        let name = format!("mutants a second to {yardstick}'s, {word} time");
        let times = chapter.add(&name, Role::Ours, Unit::Times, times.as_slice());
        // A goal is an upper limit: the share of the yardstick's time that a mutant may cost.
        let share = times.map(|times| 1.0 / times);
        chapter.goal(&format!("{name} (its inverse)"), Unit::Times, share, 1.0 / GOAL_TIMES);
    }
    if !there {
        let remark = format!("left out: {yardstick} is not here; `scripts/setup-bench` brings it");
        chapter.remarks.push(remark);
    }
    Ok(chapter)
}

/// The step of `proctor verify`, and the whole command.
fn proctor(bench: &Bench, exercise: &Exercise, tool: &Path) -> Result<(Done, Cost)> {
    let told = exercise.beside("told");
    let before = children_cpu_ms();
    let began = Instant::now();
    let mut child = Command::new(&bench.proctor)
        .args(["verify", "--base", "main", "--only", "mutants", "--format", "text"])
        .current_dir(exercise.path())
        .env("PROCTOR_HOME", exercise.beside("home"))
        .env("PATH", with_tool(tool)?)
        .stdin(Stdio::null())
        .stdout(File::create(&told).context("no file for what proctor tells")?)
        .stderr(Stdio::piped())
        .spawn()
        .context("proctor did not start")?;
    let mut at = Cost::default();
    let stderr = child.stderr.take().context("proctor has no error channel")?;
    for line in BufReader::new(stderr).lines() {
        if line.context("proctor's progress can't be read")?.contains(STEP) {
            at.wall_ms = millis(began.elapsed());
            at.cpu_ms = family_cpu_ms(child.id()).unwrap_or_default();
        }
    }
    child.wait().context("proctor was lost")?;
    let whole = Cost { wall_ms: millis(began.elapsed()), cpu_ms: children_cpu_ms() - before };
    let text = std::fs::read_to_string(&told).context("what proctor told is gone")?;
    let (made, killed) =
        counted(&text).with_context(|| format!("no mutants were tried:\n{text}"))?;
    let cost = Cost { wall_ms: whole.wall_ms - at.wall_ms, cpu_ms: whole.cpu_ms - at.cpu_ms };
    Ok((Done { made, killed, survivors: survivors(&text), cost }, whole))
}

/// The same Python for both: pytest of the yardstick's own environment.
fn with_tool(tool: &Path) -> Result<std::ffi::OsString> {
    let given = std::env::var_os("PATH").unwrap_or_default();
    let own = tool.parent().filter(|folder| folder.join("python3").exists()).map(PathBuf::from);
    std::env::join_paths(own.into_iter().chain(std::env::split_paths(&given)))
        .context("the path can't be put together")
}

/// How many were made and killed: `53 of 54 killed`.
fn counted(text: &str) -> Option<(usize, usize)> {
    let (before, _) = text.split_once(" killed")?;
    let mut words = before.split_whitespace().rev();
    let made = words.next()?.parse().ok()?;
    let killed = words.nth(1)?.parse().ok()?;
    Some((made, killed))
}

fn survivors(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let named = lines.windows(2).filter_map(|pair| {
        let what = pair[0].split_once("survived: ")?.1;
        Some(format!("{} {what}", pair[1].strip_prefix("at ")?.trim()))
    });
    named.collect()
}

fn timed(command: &mut Command) -> Result<Cost> {
    let before = children_cpu_ms();
    let began = Instant::now();
    let shown = command.get_program().display().to_string();
    command.stdin(Stdio::null()).output().with_context(|| format!("{shown} did not start"))?;
    Ok(Cost { wall_ms: millis(began.elapsed()), cpu_ms: children_cpu_ms() - before })
}

fn mutmut(exercise: &Exercise, tool: &Path) -> Result<Done> {
    let project = exercise.path().join("pyproject.toml");
    let mut text = std::fs::read_to_string(&project).context("the project's file is gone")?;
    text.push_str(
        "\n[tool.mutmut]\nsource_paths = [\"shop\"]\nonly_mutate = [\"shop/billing.py\"]\n",
    );
    exercise.put("pyproject.toml", &text)?;
    let command = || {
        let mut command = Command::new(tool);
        command.current_dir(exercise.path());
        command
    };
    let cost = timed(command().args(["run", "--max-children", "2"]))?;
    let all = command().args(["results", "--all", "true"]).output();
    let all = all.context("mutmut did not start")?;
    let all = String::from_utf8_lossy(&all.stdout).into_owned();
    let fates: Vec<(&str, &str)> =
        all.lines().filter_map(|line| line.trim().split_once(": ")).collect();
    let killed = fates.iter().filter(|(_, fate)| matches!(*fate, "killed" | "timeout")).count();
    let alive = fates.iter().filter(|(_, fate)| *fate == "survived");
    if killed == 0 {
        bail!("mutmut killed nothing; it may not work with the pytest beside it:\n{all}");
    }
    let mut survivors = Vec::new();
    for (name, _) in alive {
        let shown = command().args(["show", name]).output().context("mutmut did not start")?;
        survivors.push(changed_lines(&String::from_utf8_lossy(&shown.stdout)));
    }
    Ok(Done { made: fates.len(), killed, survivors, cost })
}

/// The removed and the added line of a diff.
fn changed_lines(diff: &str) -> String {
    let body = diff.lines().filter(|line| !line.starts_with("---") && !line.starts_with("+++"));
    let of = |sign: char| {
        let mut lines = body.clone().filter_map(move |line| line.strip_prefix(sign));
        lines.next().unwrap_or_default().trim().to_owned()
    };
    format!("`{}` becomes `{}`", of('-'), of('+'))
}

fn cargo_mutants(exercise: &Exercise, tool: &Path) -> Result<Done> {
    let out = exercise.beside("mutants");
    let nextest = quiet(Command::new("cargo").args(["nextest", "--version"]));
    let mut command = Command::new(tool);
    command.arg("mutants").arg("--in-diff").arg(exercise.diff()?).args(["--jobs", "2"]);
    // As Proctor does where it is there.
    command.args(if nextest { ["--test-tool", "nextest"] } else { ["--test-tool", "cargo"] });
    command.arg("--output").arg(&out).current_dir(exercise.path());
    let cost = timed(&mut command)?;
    let read = |name: &str| {
        let path = out.join("mutants.out").join(name);
        std::fs::read_to_string(&path)
            .with_context(|| format!("cargo-mutants left no {}", path.display()))
    };
    let outcomes: Value = serde_json::from_str(&read("outcomes.json")?)?;
    let count = |name: &str| {
        outcomes
            .get(name)
            .and_then(Value::as_u64)
            .and_then(|n| usize::try_from(n).ok())
            .unwrap_or(0)
    };
    let killed = count("caught") + count("timeout");
    let survivors: Vec<String> = read("missed.txt")?.lines().map(str::to_owned).collect();
    Ok(Done { made: killed + survivors.len(), killed, survivors, cost })
}

fn quiet(command: &mut Command) -> bool {
    command.output().is_ok_and(|out| out.status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn killed_mutants_and_survivors_are_read_from_the_text() {
        let text = "  ! warn   mutants       53 of 54 killed; 1 survived\n\nFindings\n  ! mutants, warning: survived: `10` becomes `11`\n      at   src/billing.rs:70\n";
        assert_eq!(counted(text), Some((54, 53)));
        assert_eq!(survivors(text), ["src/billing.rs:70 `10` becomes `11`"]);
        assert_eq!(counted("nothing here"), None);
    }

    #[test]
    fn a_diff_is_told_by_its_two_lines() {
        let diff = "--- a\n+++ b\n@@ -1 +1 @@\n def f():\n-    return 1\n+    return 2\n";
        assert_eq!(changed_lines(diff), "`return 1` becomes `return 2`");
    }
}
