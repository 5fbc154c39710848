//! The brief: everything that was settled before a run began. It is the first fact of a history, so that a
//! run can go on from its journal alone; nothing in it changes afterwards except limits that a person raises.

pub use crate::agent::{AgentKind, AgentSpec};
use crate::assignment::Assignment;
use crate::audit::AuditSpec;
use crate::concern::Concern;
use crate::secret::Allowed;
use crate::words::{BlobId, CommitId, Role, TaskId, TaskType};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brief {
    pub task: TaskId,
    pub kind: TaskType,
    pub description: String,
    pub details: String,
    /// Paths that the person named as relevant; the agent is told to look there first.
    pub relevant_files: Vec<String>,
    /// Files whose text goes into the prompts, read and checked at intake.
    pub context: Vec<ContextFile>,
    /// Names or paths that do not exist yet and that the tests may miss.
    pub targets: Vec<String>,
    /// Test files that a person brought: `write_tests` is skipped.
    pub brought_tests: Vec<ContextFile>,
    pub test_count: Option<u32>,
    pub repo: Repo,
    pub rules: Rules,
    pub limits: Limits,
    pub landing: Landing,
    pub agents: BTreeMap<Role, AgentSpec>,
    /// More coders, who work at the same time as the first: whoever is proven first wins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rivals: Vec<AgentSpec>,
    pub runner: RunnerSpec,
    /// Folders with a test tool of their own, as the configuration names them; found by themselves where none is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub projects: Vec<ProjectSpec>,
    pub setup: Setup,
    /// What looks like a secret and is none.
    #[serde(default, skip_serializing_if = "Allowed::is_empty")]
    pub allowed_secrets: Allowed,
    #[serde(default, skip_serializing_if = "SandboxSpec::is_plain")]
    pub sandbox: SandboxSpec,
    #[serde(default, skip_serializing_if = "AuditSpec::is_plain")]
    pub audit: AuditSpec,
    /// What a task file asks for beyond this.
    #[serde(default, skip_serializing_if = "Assignment::is_plain")]
    pub assignment: Assignment,
}

/// A file whose bytes were stored at intake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextFile {
    pub path: String,
    pub blob: BlobId,
}

/// Where the work comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repo {
    /// The user's checkout, or the bare repository itself. Absolute.
    pub root: String,
    /// Its git directory (the common one). Absolute.
    pub git_dir: String,
    pub base: CommitId,
    /// The folder inside the repository where agent and tests work; empty for the root.
    pub subdir: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// Refuse new tests that pass before the work is done.
    pub strict_red: bool,
    pub refactor: RefactorPolicy,
    pub on_regression: OnRegression,
    pub changed_tests: ChangedTests,
    /// How often a result must repeat to count.
    pub repeats: u8,
    /// How often the suite runs on the base at least. What fails there is run again in any case.
    #[serde(default = "once")]
    pub baseline_runs: u8,
    /// The least share of the changed lines, and of the files that are targets, that the tests must run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Percent>,
    #[serde(default)]
    pub hang: Hang,
    #[serde(default, skip_serializing_if = "AfterRed::is_usual")]
    pub after_red: AfterRed,
    #[serde(default)]
    pub probe: Probe,
    /// The largest share of mutants of the changed lines that may survive, where a person said one. Then it is held to;
    /// else more than [`Rules::A_FIFTH`] is sent back, and shown at approval when the tester has no more to add.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub survivors: Option<Percent>,
    /// The share of the new tests that the coder is not shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<Percent>,
    /// What the base accepts beforehand of what only a person can say.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub accepted: BTreeSet<Concern>,
}

impl Rules {
    /// How many mutants may survive where nobody said.
    pub const A_FIFTH: Percent = Percent(2_000);
}

/// What the green gate tries beyond running the tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Probe {
    /// Canaries, tests alone, outside and with other inputs and expectations, mutants.
    #[default]
    Full,
    /// Nothing: the tests' own results are believed.
    Off,
}

fn once() -> u8 {
    1
}

/// What a test means that is still running when its time is up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hang {
    /// Nothing: it may be the machine.
    #[default]
    Unknown,
    /// The task says that hanging is the bug: a new test that hangs is red.
    IsTheBug,
}

/// What follows when the tests are proven red.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AfterRed {
    /// The implementation.
    #[default]
    GoOn,
    /// A pause: whoever began the run looks at the proof first. A hunt does, to tell new bugs from known ones.
    Hold,
}

impl AfterRed {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_usual(&self) -> bool {
        *self == Self::GoOn
    }
}

/// A share in hundredths of a percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Percent(pub u32);

impl Percent {
    /// Rounded down, so that nothing that was asked for is reached by rounding. All of nothing is all.
    pub fn of(part: usize, whole: usize) -> Self {
        let share = (part as u64 * 10_000).checked_div(whole as u64).unwrap_or(10_000);
        Self(u32::try_from(share).unwrap_or(10_000))
    }

    /// How many of a whole that is, rounded to the nearest.
    pub fn part_of(self, whole: usize) -> usize {
        usize::try_from((whole as u64 * u64::from(self.0) + 5_000) / 10_000).unwrap_or(whole)
    }
}

impl std::fmt::Display for Percent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 % 100 {
            0 => write!(f, "{}%", self.0 / 100),
            rest => write!(f, "{}.{rest:02}%", self.0 / 100),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RefactorPolicy {
    Wanted,
    Skipped,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnRegression {
    Halt,
    KeepGreen,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangedTests {
    NeedAPerson,
    Allowed,
}

/// The one table of defaults for every counter and budget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// How often the red gate may send the tests back.
    pub red: u32,
    /// How many fixes follow the first try.
    pub green: u32,
    /// How many reviews there may be.
    pub review: u32,
    /// How many turns there may be that only add tests, because those that are there run too little of the work.
    #[serde(default = "three")]
    pub tests: u32,
    /// How often one turn is asked for usable output.
    pub asks: u32,
    pub agent_calls: u32,
    pub wall_ms: Option<u64>,
    pub tokens: Option<u64>,
    /// Millionths of a US dollar.
    pub micro_usd: Option<u64>,
    pub turn_ms: u64,
    /// How long a coding agent's program may be without any sign of work.
    #[serde(default = "a_quarter")]
    pub silence_ms: u64,
    pub test_ms: u64,
    /// How many bytes of the disk must be free before a step begins.
    #[serde(default = "half_a_gigabyte")]
    pub free_bytes: u64,
}

fn half_a_gigabyte() -> u64 {
    512 * 1024 * 1024
}

fn a_quarter() -> u64 {
    15 * 60 * 1000
}

fn three() -> u32 {
    3
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            red: 3,
            green: 3,
            review: 3,
            tests: three(),
            asks: 3,
            agent_calls: 60,
            wall_ms: None,
            tokens: None,
            micro_usd: None,
            turn_ms: 30 * 60 * 1000,
            silence_ms: a_quarter(),
            test_ms: 300 * 1000,
            free_bytes: half_a_gigabyte(),
        }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            strict_red: false,
            refactor: RefactorPolicy::Wanted,
            on_regression: OnRegression::Halt,
            changed_tests: ChangedTests::NeedAPerson,
            repeats: 2,
            baseline_runs: 1,
            coverage: None,
            hang: Hang::Unknown,
            after_red: AfterRed::GoOn,
            probe: Probe::Full,
            survivors: None,
            held_out: None,
            accepted: BTreeSet::new(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Landing {
    pub mode: LandMode,
    /// The branch that the work lands on; none when the base is not a branch.
    pub onto: Option<String>,
    /// The run's own branch.
    pub branch: String,
    pub approval: ApprovalPolicy,
    /// Who the phase and landing commits are by: `Name <mail>`.
    pub author: String,
    /// Lines at the end of the landed commit's message, such as `Co-authored-by: Name <mail>`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trailers: Vec<String>,
    /// Where a request is made, for [`LandMode::Pr`].
    #[serde(default, skip_serializing_if = "RequestSpec::is_usual")]
    pub request: RequestSpec,
}

/// Where a pull or merge request is made, as far as the remote does not say it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestSpec {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote: Option<String>,
    /// `github` or `gitlab`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub draft: bool,
}

impl RequestSpec {
    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LandMode {
    Squash,
    Merge,
    Rebase,
    Branch,
    /// One commit on a branch of the remote, and a pull or merge request for it.
    Pr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ApprovalPolicy {
    Person,
    /// `--yes`: given beforehand, and recorded.
    Beforehand,
    /// The review of a person on the request, of the very commit that was proven.
    Review,
}

impl Landing {
    /// Whether the work is shown as a request before anybody approved it.
    pub fn is_offered(&self) -> bool {
        let by_review = self.approval == ApprovalPolicy::Review;
        let draft = self.approval == ApprovalPolicy::Person && self.request.draft;
        self.mode == LandMode::Pr && (by_review || draft)
    }
}

/// Which test tool, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunnerSpec {
    /// `pytest`, `cargo`, …; found from the repository's files where none is given.
    pub name: Option<String>,
    /// A command of the user's own, already split.
    pub command: Option<Vec<String>>,
    /// For `junit`: where the command leaves its reports.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub report: Vec<String>,
}

/// A folder of a repository that holds several, with its own test tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectSpec {
    /// Relative to the repository's root; empty for the root itself.
    pub dir: String,
    #[serde(flatten)]
    pub runner: RunnerSpec,
}

/// What a worktree needs before tests can run in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// Files copied from the user's checkout (untracked ones such as local settings).
    pub copy: Vec<String>,
    /// Commands, each already split, run in the worktree and in every gate's tree.
    pub run: Vec<Vec<String>>,
    /// Names of environment variables that tests may see, beside the fixed list.
    pub env_pass: Vec<String>,
    /// Variables with their values, for set-up commands and tests.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// How many free ports on loopback tests need. `PROCTOR_PORT` is the first of the block.
    #[serde(default, skip_serializing_if = "is_none")]
    pub ports: u16,
}

/// What children may reach beyond what they need anyway, and how much they may use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxSpec {
    /// The least that must work here; below it nothing is run.
    #[serde(default)]
    pub require: Require,
    /// The network of tests and set-up commands.
    #[serde(default)]
    pub network: Reach,
    /// Folders that every child may read. Absolute.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read: Vec<String>,
    /// Bytes of memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Processes and threads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processes: Option<u64>,
    /// Bytes of one file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<u64>,
    /// Processor time of one process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_ms: Option<u64>,
    /// Bytes that must stay free on the disk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disk_free: Option<u64>,
    /// What becomes of an agent's writes to sealed tests.
    #[serde(default, skip_serializing_if = "Seals::is_usual")]
    pub seals: Seals,
}

/// For which coders sealed tests are read-only, where the sandbox can do that: a write fails at once. Whatever changes is
/// compared and put back in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seals {
    /// For coding agents, whose tools tell the model; a program of somebody's own may not be ready for it.
    #[default]
    Known,
    All,
    None,
}

impl Seals {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
    fn is_usual(&self) -> bool {
        *self == Self::Known
    }

    /// Whether a coder of this kind finds them read-only.
    pub fn cover(self, kind: &AgentKind) -> bool {
        let known = match kind {
            AgentKind::Command { .. } | AgentKind::Script { .. } => false,
            AgentKind::Claude(_)
            | AgentKind::Codex(_)
            | AgentKind::Gemini(_)
            | AgentKind::Opencode(_)
            | AgentKind::Goose(_)
            | AgentKind::Api(_)
            | AgentKind::Acp(_) => true,
        };
        match self {
            Self::Known => known,
            Self::All => true,
            Self::None => false,
        }
    }
}

impl SandboxSpec {
    fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}

/// How strong a sandbox must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Require {
    /// Whatever works here will do.
    #[default]
    None,
    /// Files are kept apart.
    Files,
    /// Files, network, processes and resources are.
    Strong,
}

impl Require {
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Files => "files",
            Self::Strong => "strong",
        }
    }
}

/// How far a child's network goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reach {
    #[default]
    Loopback,
    Open,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_none(ports: &u16) -> bool {
    *ports == 0
}
