//! The evidence pack as data: what is written as `evidence.json` and read back by `proctor verify PACK`. Version 1; fields
//! are added, never given another meaning.

use anyhow::{Context, Result};
use proctor_core::branch::Mutant;
use proctor_core::brief::{Hang, Percent, ProjectSpec, RunnerSpec};
use proctor_core::concern::Raised;
use proctor_core::cost::PhaseCost;
use proctor_core::event::{Approver, Baseline};
use proctor_core::generality::Observed;
use proctor_core::proof::Point;
use proctor_core::run::{Landed, Spent};
use proctor_core::verdict::{Check, Verdict};
use proctor_core::words::{BlobId, Millis, Phase, RunId, TaskId, TaskType, TestId};
use proctor_engine::dependencies::Dependencies;
use proctor_engine::evidence::{CommandEnd, GateKind, GateOutcome, Printed};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

pub const SCHEMA: u32 = 1;

/// What is longer is named by its hash, and is a file of its own in the tar.
pub const INLINE: usize = 64 * 1024;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pack {
    pub schema: u32,
    /// The version of Proctor that made it.
    pub proctor: String,
    pub platform: String,
    pub run: RunId,
    pub task: Task,
    pub status: String,
    pub reason: String,
    pub verdict: Verdict,
    pub base: Point,
    /// What was proven green; none where nothing is.
    pub proven: Option<Point>,
    pub landed: Option<Landed>,
    pub approved: Vec<Approval>,
    /// What a person must look at and nobody has accepted. Not in packs of earlier versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub raised: Vec<Raised>,
    /// What a person took of it, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepted: Vec<Acceptance>,
    pub sealed: Sealed,
    pub green: Option<Green>,
    pub settings: Settings,
    pub tools: BTreeMap<String, String>,
    pub baseline: Option<Baseline>,
    pub checks: Vec<Check>,
    pub mutants: Vec<Mutant>,
    /// What the assertions of the new tests saw on both sides. Not in packs of earlier versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observed: Vec<Observed>,
    pub gates: Vec<GateRow>,
    pub commands: Vec<Command>,
    pub files: Vec<FileRow>,
    #[serde(default)]
    pub dependencies: Dependencies,
    pub tests_diff: Output,
    pub code_diff: Output,
    pub spent: Spent,
    /// The same by phase. Not in packs of earlier versions.
    #[serde(default)]
    pub spent_by_phase: BTreeMap<Phase, PhaseCost>,
    pub effects: Vec<EffectRow>,
    pub history: Vec<Told>,
    /// What should be here and is not.
    pub missing: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    pub id: TaskId,
    pub kind: TaskType,
    pub description: String,
    pub details: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Approval {
    pub by: Approver,
    pub tree: proctor_core::words::TreeId,
    pub when: Millis,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Acceptance {
    pub raised: Vec<Raised>,
    pub why: String,
    pub when: Millis,
}

/// The tests that the work was held against.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Sealed {
    pub red: Vec<TestId>,
    pub guards: Vec<TestId>,
    pub others: Vec<TestId>,
    pub changed: Vec<TestId>,
    /// Of all of these what the coder was not shown.
    #[serde(default)]
    pub held_out: Vec<TestId>,
}

impl Sealed {
    pub fn all(&self) -> impl Iterator<Item = &TestId> {
        self.red.iter().chain(&self.guards).chain(&self.others)
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Green {
    pub passed: u32,
    pub coverage: Option<Percent>,
}

/// What a replay needs to know beside the commits. The rest is in the base's `proctor.toml`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Settings {
    pub targets: Vec<String>,
    pub subdir: String,
    pub runner: RunnerSpec,
    pub projects: Vec<ProjectSpec>,
    pub hang: Hang,
}

/// What one gate measured.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GateRow {
    pub effect: u32,
    pub gate: GateKind,
    pub outcome: GateOutcome,
    pub said: Vec<String>,
    /// The blob that the journal names.
    pub evidence: BlobId,
    /// Its place in the tar.
    pub file: String,
    pub measure: Option<Value>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Command {
    pub effect: u32,
    pub step: String,
    pub name: String,
    pub argv: Vec<String>,
    pub cwd: String,
    /// Names alone.
    pub env: Vec<String>,
    pub started: Millis,
    pub took_ms: u64,
    #[serde(flatten)]
    pub end: CommandEnd,
    pub stdout: Output,
    pub stderr: Output,
}

/// A text that was measured by its bytes, and is shown without secrets and paths of the machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Output {
    #[serde(flatten)]
    pub was: Printed,
    pub shown: Shown,
    /// Its place in the tar, where it has one.
    pub file: Option<String>,
    pub text: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shown {
    AsItWas,
    /// Something in it was masked.
    Masked,
    /// Only its hash is here.
    Not,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRow {
    pub path: String,
    pub part: Part,
    pub added: Option<u64>,
    pub deleted: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    Tests,
    Code,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EffectRow {
    pub no: u32,
    pub step: String,
    pub began: Millis,
    pub took_ms: Option<u64>,
    pub tokens: u64,
    pub micro_usd: u64,
}

/// A fact of the run's history in words.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Told {
    pub seq: u64,
    pub at: Millis,
    pub lines: Vec<String>,
}

/// The pack as text; it ends with a new line.
pub fn json(pack: &Pack) -> Result<String> {
    let text = serde_json::to_string_pretty(pack).context("the pack can't be written as JSON")?;
    Ok(format!("{text}\n"))
}
