//! Plays a scenario: a written agent for tests and demos. `play` decides which turn applies and touches nothing;
//! `perform` carries it out below the agent's folder. The process that does so is the agent's own child.

use proctor_core::words::Phase;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroU32;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// The keys of a scenario and of a turn. `Turn` below must have the same.
const SCENARIO_KEYS: [&str; 1] = ["turns"];
const TURN_KEYS: [&str; 12] = [
    "phase", "task", "attempt", "ask", "write", "append", "delete", "say", "sleep_ms", "stdout",
    "output", "exit",
];

/// Which turn is asked for, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayEnv {
    pub phase: Phase,
    /// The task's id; of a hunt also the entry point that is scouted. Empty where none is named.
    pub task: String,
    pub attempt: u32,
    pub ask: u32,
    pub cwd: PathBuf,
    /// The file for the agent's object. Where there is none it goes to stdout.
    pub output: Option<PathBuf>,
}

/// The turn that applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    turn: Turn,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Turn {
    phase: Phase,
    task: Option<String>,
    attempt: Option<NonZeroU32>,
    ask: Option<NonZeroU32>,
    #[serde(default)]
    write: BTreeMap<String, String>,
    #[serde(default)]
    append: BTreeMap<String, String>,
    #[serde(default)]
    delete: Vec<String>,
    #[serde(default)]
    say: Vec<String>,
    #[serde(default)]
    sleep_ms: u64,
    #[serde(default)]
    stdout: String,
    output: Option<Value>,
    #[serde(default)]
    exit: u8,
}

#[derive(Debug, Error)]
pub enum PlayError {
    #[error("the scenario can't be read: {why}\nhint: docs/scenarios.md describes the format")]
    Scenario { why: String },
    #[error(
        "the scenario has no turn for phase {phase}, attempt {attempt} (ask {ask})\nhint: add an entry with \"phase\": \"{phase}\" to its turns"
    )]
    NoTurn { phase: Phase, attempt: u32, ask: u32 },
    #[error(
        "{name} {why}\nhint: scenarios are played by a run; to play one by hand, set PROCTOR_PHASE and PROCTOR_ATTEMPT"
    )]
    Environment { name: &'static str, why: String },
    #[error("the scenario names {path:?}, which does not stay below the worktree")]
    Outside { path: String },
    #[error("could not {doing} {}: {source}", path.display())]
    File { doing: &'static str, path: PathBuf, source: io::Error },
    #[error("could not write to stdout: {source}")]
    Stdout { source: io::Error },
}

impl PlayError {
    /// What the player's process exits with.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoTurn { .. } => 3,
            Self::Scenario { .. } | Self::Environment { .. } | Self::Outside { .. } => 2,
            Self::File { .. } | Self::Stdout { .. } => 1,
        }
    }
}

impl PlayEnv {
    /// Reads the `PROCTOR_` variables; `get` looks one up.
    pub fn read(cwd: PathBuf, get: impl Fn(&str) -> Option<OsString>) -> Result<Self, PlayError> {
        let text = |name: &'static str| {
            get(name)
                .map(|value| value.to_string_lossy().trim().to_owned())
                .filter(|value| !value.is_empty())
        };
        let fault = |name, why: String| PlayError::Environment { name, why };
        let number = |name: &'static str| match text(name) {
            None => Ok(1),
            Some(value) => value
                .parse::<u32>()
                .map_err(|_| fault(name, format!("must be a number, not {value:?}"))),
        };
        let named =
            text("PROCTOR_PHASE").ok_or_else(|| fault("PROCTOR_PHASE", "is not set".to_owned()))?;
        let phase = Phase::ALL
            .into_iter()
            .find(|phase| phase.name() == named)
            .ok_or_else(|| fault("PROCTOR_PHASE", format!("names no phase: {named:?}")))?;
        Ok(Self {
            phase,
            task: text("PROCTOR_TASK").unwrap_or_default(),
            attempt: number("PROCTOR_ATTEMPT")?,
            ask: number("PROCTOR_ASK")?,
            cwd,
            output: get("PROCTOR_OUTPUT").filter(|value| !value.is_empty()).map(PathBuf::from),
        })
    }
}

/// Finds the first turn of a scenario that fits. The whole scenario is checked, not only that turn.
pub fn play(scenario: &[u8], env: &PlayEnv) -> Result<Played, PlayError> {
    let fits = |wanted: Option<NonZeroU32>, is: u32| wanted.is_none_or(|n| n.get() == is);
    read_turns(scenario)?
        .into_iter()
        .find(|turn| {
            turn.phase == env.phase
                && turn.task.as_ref().is_none_or(|task| *task == env.task)
                && fits(turn.attempt, env.attempt)
                && fits(turn.ask, env.ask)
        })
        .map(|turn| Played { turn })
        .ok_or(PlayError::NoTurn { phase: env.phase, attempt: env.attempt, ask: env.ask })
}

/// Carries a turn out: waits, changes files, talks, leaves its object. Returns the exit code that it asks for.
pub fn perform(played: &Played, env: &PlayEnv, stdout: &mut dyn Write) -> Result<u8, PlayError> {
    let turn = &played.turn;
    if turn.sleep_ms > 0 {
        std::thread::sleep(Duration::from_millis(turn.sleep_ms));
    }
    for (path, text) in &turn.write {
        let path = below(&env.cwd, path)?;
        make_parent(&path)?;
        fs::write(&path, text).map_err(file("write", &path))?;
    }
    for (path, text) in &turn.append {
        let path = below(&env.cwd, path)?;
        make_parent(&path)?;
        fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(&path)
            .and_then(|mut opened| opened.write_all(text.as_bytes()))
            .map_err(file("append to", &path))?;
    }
    for path in &turn.delete {
        let path = below(&env.cwd, path)?;
        let meta = fs::symlink_metadata(&path).map_err(file("delete", &path))?;
        let gone = if meta.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        gone.map_err(file("delete", &path))?;
    }
    talk(turn, env, stdout).map_err(|source| PlayError::Stdout { source })?;
    if let (Some(object), Some(path)) = (&turn.output, &env.output) {
        fs::write(path, format!("{object}\n")).map_err(file("write", path))?;
    }
    Ok(turn.exit)
}

fn talk(turn: &Turn, env: &PlayEnv, stdout: &mut dyn Write) -> io::Result<()> {
    for line in &turn.say {
        writeln!(stdout, "{line}")?;
    }
    stdout.write_all(turn.stdout.as_bytes())?;
    if let (Some(object), None) = (&turn.output, &env.output) {
        writeln!(stdout, "{object}")?;
    }
    stdout.flush()
}

fn read_turns(scenario: &[u8]) -> Result<Vec<Turn>, PlayError> {
    let fault = |why: String| PlayError::Scenario { why };
    let whole: Map<String, Value> =
        serde_json::from_slice(scenario).map_err(|error| fault(error.to_string()))?;
    let mut faults = Vec::new();
    name_unknown(&whole, &SCENARIO_KEYS, "the scenario", &mut faults);
    let mut turns = Vec::new();
    match whole.get("turns") {
        Some(Value::Array(entries)) => {
            for (index, entry) in entries.iter().enumerate() {
                let name = format!("turn {}", index + 1);
                if let Value::Object(keys) = entry {
                    name_unknown(keys, &TURN_KEYS, &name, &mut faults);
                }
                match Turn::deserialize(entry) {
                    Ok(turn) => turns.push(turn),
                    Err(error) => faults.push(format!("{name}: {error}")),
                }
            }
        }
        Some(_) => faults.push("`turns` must be a list".to_owned()),
        None => faults.push("`turns` is missing".to_owned()),
    }
    if faults.is_empty() { Ok(turns) } else { Err(fault(faults.join("; "))) }
}

fn name_unknown(
    object: &Map<String, Value>,
    known: &[&str],
    whose: &str,
    faults: &mut Vec<String>,
) {
    for key in object.keys().filter(|key| !known.contains(&key.as_str())) {
        faults.push(format!("{whose} has the unknown key `{key}`"));
    }
}

/// A path below the agent's folder; one that leads out is a slip in the scenario.
fn below(cwd: &Path, path: &str) -> Result<PathBuf, PlayError> {
    let mut parts = Path::new(path).components().peekable();
    let stays = parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_)));
    if stays { Ok(cwd.join(path)) } else { Err(PlayError::Outside { path: path.to_owned() }) }
}

fn make_parent(path: &Path) -> Result<(), PlayError> {
    match path.parent() {
        Some(parent) => fs::create_dir_all(parent).map_err(file("make the folder of", path)),
        None => Ok(()),
    }
}

fn file(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> PlayError {
    let path = path.to_owned();
    move |source| PlayError::File { doing, path, source }
}

#[cfg(test)]
#[path = "play_tests.rs"]
mod tests;
