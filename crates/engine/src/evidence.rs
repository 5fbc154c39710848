//! What a run left behind, read back: journal, blobs, logs. Reads and changes nothing; what it means was judged when it
//! was measured.

mod masks;

pub use masks::Masks;

use crate::context::EngineError;
use crate::home::Home;
use proctor_core::event::{Event, Usage};
use proctor_core::run::Run;
use proctor_core::words::{BlobId, Millis, RunId};
use proctor_journal::{Blobs, Journal, Recorded};
use proctor_world::files::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The file beside the logs of an effect that says what was run, one line a child.
pub(crate) const COMMANDS: &str = "commands.jsonl";

/// A child as it was run. Of its environment only the names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandRecord {
    /// What its logs are called.
    pub name: String,
    /// Paths of this machine are masked, here and in `cwd`.
    pub argv: Vec<String>,
    pub cwd: String,
    pub env: Vec<String>,
    /// How its bounds were enforced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<String>,
    pub started: Millis,
    pub took_ms: u64,
    #[serde(flatten)]
    pub end: CommandEnd,
    pub stdout: Printed,
    pub stderr: Printed,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "kebab-case")]
pub enum CommandEnd {
    Exited { exit: i32 },
    Signalled { signal: i32 },
    TimedOut,
    Cancelled,
    CouldNotStart { why: String },
}

impl std::fmt::Display for CommandEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exited { exit } => write!(f, "exit {exit}"),
            Self::Signalled { signal } => write!(f, "signal {signal}"),
            Self::TimedOut => f.write_str("ended at its time limit"),
            Self::Cancelled => f.write_str("cancelled"),
            Self::CouldNotStart { why } => write!(f, "could not start: {why}"),
        }
    }
}

/// What a child wrote into one of its outputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Printed {
    pub bytes: u64,
    pub sha256: String,
}

impl Printed {
    pub fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, sha256: hex(&Sha256::digest(bytes)) }
    }

    /// The same of a file, without holding it in memory.
    pub(crate) fn read(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; 64 * 1024];
        let mut bytes = 0;
        loop {
            let count = match file.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            hasher.update(buffer.get(..count).unwrap_or_default());
            bytes += count as u64;
        }
        Ok(Self { bytes, sha256: hex(&hasher.finalize()) })
    }
}

/// Everything that is known of a run.
#[derive(Debug)]
pub struct Evidence {
    pub run: Run,
    pub history: Vec<Recorded<Event>>,
    pub effects: Vec<EffectRecord>,
    pub gates: Vec<Gate>,
    /// What should be here and is not, each with why.
    pub missing: Vec<String>,
}

/// An effect with what was run for it.
#[derive(Debug)]
pub struct EffectRecord {
    pub no: u32,
    pub label: &'static str,
    pub began: Millis,
    /// Without an end it was cut off.
    pub took_ms: Option<u64>,
    pub usage: Usage,
    pub commands: Vec<CommandRecord>,
}

/// What a gate measured.
#[derive(Debug)]
pub struct Gate {
    pub effect: u32,
    /// The event that it led to.
    pub seq: u64,
    pub kind: GateKind,
    pub outcome: GateOutcome,
    pub evidence: BlobId,
    /// The blob: JSON.
    pub bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GateKind {
    Baseline,
    Red,
    Green,
}

impl GateKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Red => "red",
            Self::Green => "green",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GateOutcome {
    Measured,
    Proven,
    Refused,
}

impl GateOutcome {
    pub fn name(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Proven => "proven",
            Self::Refused => "refused",
        }
    }
}

/// Reads what a run left.
pub fn gather(home: &Home, journal: &Journal, id: &RunId) -> Result<Evidence, EngineError> {
    let history = journal.history::<Event>(id).map_err(EngineError::Journal)?;
    let run = Run::replay(history.iter().map(|recorded| &recorded.body))
        .ok_or_else(|| EngineError::NoBrief { run: id.clone() })?;
    let mut missing = Vec::new();
    let effects = effects(home, id, &history, &mut missing);
    let gates = gates(home, &history, &mut missing);
    Ok(Evidence { run, history, effects, gates, missing })
}

/// What a child printed, where its log still holds the recorded bytes.
pub fn printed(home: &Home, id: &RunId, effect: u32, file: &str, was: &Printed) -> Option<Vec<u8>> {
    let bytes = fs::read(home.logs(id, effect).join(file)).ok()?;
    (Printed::of(&bytes) == *was).then_some(bytes)
}

fn effects(
    home: &Home,
    id: &RunId,
    history: &[Recorded<Event>],
    missing: &mut Vec<String>,
) -> Vec<EffectRecord> {
    let mut found: Vec<EffectRecord> = Vec::new();
    for recorded in history {
        match &recorded.body {
            Event::EffectBegan { no, effect } => found.push(EffectRecord {
                no: *no,
                label: effect.label(),
                began: recorded.at,
                took_ms: None,
                usage: Usage::default(),
                commands: commands(&home.logs(id, *no).join(COMMANDS), missing),
            }),
            Event::EffectEnded { no, took_ms, usage } => {
                if let Some(effect) = found.iter_mut().find(|effect| effect.no == *no) {
                    (effect.took_ms, effect.usage) = (Some(*took_ms), *usage);
                }
            }
            _ => {}
        }
    }
    found
}

fn commands(path: &Path, missing: &mut Vec<String>) -> Vec<CommandRecord> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        // An effect that starts nothing has none.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
        Err(error) => {
            missing.push(format!("a record of commands can't be read: {error}"));
            return Vec::new();
        }
    };
    let (found, faults) = read_commands(&text);
    missing.extend(faults);
    found
}

/// The commands of a record, and what is wrong with the lines that hold none.
pub fn read_commands(text: &str) -> (Vec<CommandRecord>, Vec<String>) {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    for line in text.lines().filter(|line| !line.is_empty()) {
        match serde_json::from_str(line) {
            Ok(command) => found.push(command),
            // A power cut leaves half a line.
            Err(error) => faults.push(format!("a recorded command can't be read: {error}")),
        }
    }
    (found, faults)
}

fn gates(home: &Home, history: &[Recorded<Event>], missing: &mut Vec<String>) -> Vec<Gate> {
    let mut found = Vec::new();
    let mut effect = 0;
    for recorded in history {
        if let Event::EffectBegan { no, .. } = &recorded.body {
            effect = *no;
        }
        let Some((kind, outcome, evidence)) = measured(&recorded.body) else { continue };
        let read = Blobs::open(home.root()).and_then(|blobs| blobs.get(evidence));
        match read {
            Ok(bytes) => found.push(Gate {
                effect,
                seq: recorded.seq,
                kind,
                outcome,
                evidence: evidence.clone(),
                bytes,
            }),
            Err(error) => missing.push(format!("what a gate measured can't be read: {error}")),
        }
    }
    found
}

fn measured(event: &Event) -> Option<(GateKind, GateOutcome, &BlobId)> {
    use GateKind::{Baseline, Green, Red};
    use GateOutcome::{Measured, Proven, Refused};
    match event {
        Event::Prepared { baseline, .. } | Event::Rebased { baseline, .. } => {
            Some((Baseline, Measured, &baseline.report))
        }
        Event::RedProven { evidence, .. } => Some((Red, Proven, evidence)),
        Event::RedRefused { evidence, .. } => Some((Red, Refused, evidence.as_ref()?)),
        Event::GreenProven { evidence, .. } => Some((Green, Proven, evidence)),
        Event::TestsTooThin { evidence, .. } | Event::AddedRefused { evidence, .. } => {
            Some((Green, Refused, evidence))
        }
        Event::GreenRefused { evidence, .. } | Event::RefactoringUndone { evidence, .. } => {
            Some((Green, Refused, evidence.as_ref()?))
        }
        _ => None,
    }
}
