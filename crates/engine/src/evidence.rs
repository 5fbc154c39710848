//! What a run left behind, read back: journal, blobs, logs. Reads and changes nothing; what it means was judged when it
//! was measured.

use proctor_lab::COMMANDS;
pub use proctor_lab::{CommandEnd, CommandRecord, Masks, Printed};

use crate::context::EngineError;
use proctor_core::event::{Event, Usage};
use proctor_core::run::Run;
use proctor_core::words::{BlobId, Millis, RunId};
use proctor_journal::{Blobs, Journal, Recorded};
use proctor_lab::Home;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::{fs, io};

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
