//! proctor.toml: its keys, their meaning and how a repository's file lies over the user's own. It knows the shape
//! of the file, not where it comes from.

pub mod agent_table;
pub mod audit_table;
pub mod fault;
pub mod notify_table;
pub mod sandbox;
pub mod settings;
pub mod value;

pub use crate::config::agent_table::{AgentTable, AgentWord};
use crate::config::audit_table::AuditTable;
use crate::config::fault::{ConfigFault, explain};
use crate::config::notify_table::NotifyTable;
use crate::config::sandbox::SandboxTable;
use crate::config::value::{Cost, Least, Share, Size, Span, Texts, Words};
use proctor_core::brief::{LandMode, OnRegression, Probe};
use proctor_core::concern::Concern;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The rules of the exam for this repository. Read from the base commit of each run.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(title = "proctor.toml")]
pub struct Config {
    /// The test tool: `pytest`, `unittest`, `cargo`, `go`, `vitest`, `jest`, `mocha`, `ava`, `jasmine`, `tap`, `tape`, `uvu`, `playwright`,
    /// `bun`, `deno`, `node`, `maven` or `junit`. Found from the repository's files where it is not given.
    pub runner: Option<String>,
    /// The command that runs the tests, as one text or as a list of words. No shell is involved.
    pub test_cmd: Option<Words>,
    /// For `junit`: the files, folders or patterns where `test_cmd` leaves its `JUnit` XML. `{report}` in both is a fresh file
    /// outside the tree.
    pub report: Option<Texts>,
    /// Folders with a test tool of their own, in a repository that holds several projects.
    pub project: Vec<ProjectTable>,
    /// The folder inside the repository where agent and tests work.
    pub subdir: Option<String>,
    /// The name of a run's branch. `{run}`, `{task}` and `{type}` are filled in.
    pub branch: Option<String>,
    /// The agent of every role that `[roles]` does not name.
    pub default_agent: Option<String>,
    pub limits: LimitsTable,
    pub gates: GatesTable,
    pub land: LandTable,
    /// Agents by name.
    pub agents: BTreeMap<String, AgentTable>,
    pub roles: RolesTable,
    pub hunt: HuntTable,
    pub setup: SetupTable,
    pub context: ContextTable,
    pub secrets: SecretsTable,
    pub sandbox: SandboxTable,
    pub audit: AuditTable,
    pub tasks: TasksTable,
    pub notify: NotifyTable,
}

/// One project of a repository that holds several.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ProjectTable {
    /// Its folder, from the top of the repository.
    #[schemars(required)]
    pub dir: String,
    /// Its test tool. Found from the folder's files where it is not given.
    pub runner: Option<String>,
    /// The command that runs its tests, in its folder.
    pub test_cmd: Option<Words>,
    /// For `junit`: where the command leaves its reports, seen from its folder.
    pub report: Option<Texts>,
}

/// Counters and budgets.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LimitsTable {
    /// How often the red gate may send the tests back.
    pub red: Option<u32>,
    /// How many fixes follow the first try.
    pub green: Option<u32>,
    /// How many reviews there may be.
    pub review: Option<u32>,
    /// How many turns there may be that only add tests, because those that are there run too little of the work.
    pub tests: Option<u32>,
    /// The most turns that agents may take in a run.
    pub agent_calls: Option<u32>,
    /// The most time that a run may take.
    pub time: Option<Span>,
    /// The most tokens that agents may use in a run.
    pub tokens: Option<u64>,
    /// The most money that agents may cost in a run, in US dollars.
    pub cost_usd: Option<Cost>,
    /// The most time that one turn of an agent may take.
    pub turn_time: Option<Span>,
    /// How long a coding agent may be without any sign of work in a turn.
    pub silence: Option<Span>,
    /// The most time that one run of the tests may take.
    pub test_time: Option<Span>,
    /// How much of the disk must be free before a step of a run begins, such as `512MB`. With less a run pauses.
    pub free_disk: Option<Size>,
}

/// What the gates ask for.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GatesTable {
    /// Refuse new tests that pass before the work is done.
    pub strict_red: Option<bool>,
    /// How often a result must repeat to count (1 to 20).
    #[schemars(range(min = 1, max = 20))]
    pub repeats: Option<u8>,
    /// How often the suite runs on the base commit at least (1 to 20). What fails there is run again in any case.
    #[schemars(range(min = 1, max = 20))]
    pub baseline_runs: Option<u8>,
    /// The least share of the changed lines that the tests must run, such as `>=85%`.
    pub coverage: Option<Least>,
    /// What the green gate tries beyond running the tests: `full` (canaries, other inputs and expectations, mutants and more), or `off`.
    #[schemars(with = "Option<ProbeWord>")]
    pub probe: Option<Probe>,
    /// The largest share of mutants of the changed lines that may survive, such as `20%`.
    pub mutants: Option<Share>,
    /// The share of the new tests that the coder is not shown, such as `25%`. Of those it learns only how many fail.
    pub held_out: Option<Share>,
    /// What happens when the refactoring breaks a test: `halt`, or `keep-green` to go on without it.
    #[schemars(with = "Option<OnRegressionWord>")]
    pub on_regression: Option<OnRegression>,
    /// Kinds of findings that are accepted beforehand, of those that a person must look at else. Counts only on the base
    /// commit of a repository, not in your own settings. `proctor approve --help` lists them.
    #[schemars(with = "Option<Vec<ConcernWord>>")]
    pub accept: Option<BTreeSet<Concern>>,
}

/// How proven work lands. That it may land without a person is never said here, only on the command line.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LandTable {
    /// `squash`, `merge`, `rebase`, `branch` or `pr`.
    #[schemars(with = "Option<LandWord>")]
    pub mode: Option<LandMode>,
    /// The branch that runs start from and land on. The current one where it is not given.
    pub onto: Option<String>,
    /// Lines at the end of the landed commit's message, such as `Co-authored-by: Name <mail>`.
    pub trailers: Option<Vec<String>>,
    /// For `pr`: the remote that gets the branch. The one that the base follows, else `origin`, where it is not given.
    pub remote: Option<String>,
    /// For `pr`: what the remote's host is, where its name does not say it: `github` or `gitlab`.
    pub host: Option<HostWord>,
    /// For `pr`: whether the request is a draft until somebody approved it.
    pub draft: Option<bool>,
    /// Whose word lets the work land: `person` (`proctor approve`), or for `pr` a `pr-review` of the proven commit.
    pub approve_by: Option<ApproveWord>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum ApproveWord {
    Person,
    PrReview,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum HostWord {
    Github,
    Gitlab,
}

impl HostWord {
    pub fn name(self) -> &'static str {
        match self {
            Self::Github => "github",
            Self::Gitlab => "gitlab",
        }
    }
}

/// Which agent takes which role.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RolesTable {
    pub tester: Option<String>,
    pub coder: Option<String>,
    /// Says why the green gate refused, before the coder mends it. Nobody does where it is not named.
    pub diagnostician: Option<String>,
    pub reviewer: Option<String>,
    /// Looks at the change after Proctor's own audit. None where it is not given.
    pub auditor: Option<String>,
    /// Writes three tests from the task's text alone, which the coder is not shown. By default an agent of another role that is not the
    /// coder's, where there is one; `none` for nobody.
    pub examiner: Option<String>,
    /// Looks for bugs in a hunt.
    pub scout: Option<String>,
}

/// Which agent takes which step of a hunt, where it is not the scout: a cheap model may well classify.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct HuntTable {
    pub suggest: Option<String>,
    pub scout: Option<String>,
    pub classify: Option<String>,
}

/// What a worktree needs before tests can run in it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SetupTable {
    /// Untracked files that are copied from your checkout.
    pub copy: Option<Vec<String>>,
    /// Commands that run in the worktree and in every gate's tree, each as one text or as a list of words.
    pub run: Option<Vec<Words>>,
    /// Environment variables that tests may see beside the fixed list.
    pub env_pass: Option<Vec<String>>,
    /// Environment variables with their values, for the set-up commands and the tests.
    pub env: Option<BTreeMap<String, String>>,
    /// How many free ports on loopback the tests need. `PROCTOR_PORT` is the first of the block.
    pub ports: Option<u16>,
}

/// Files whose text goes into every prompt.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ContextTable {
    /// The most tokens that all context files may have together.
    pub max_tokens: Option<u64>,
    pub files: Option<Vec<String>>,
}

/// What looks like a secret and is none.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SecretsTable {
    /// Files, as patterns (`tests/fixtures/**`), and perhaps the one rule that is meant (`docs/api.md: JSON web token`).
    pub allow: Option<Vec<String>>,
}

/// What tasks from files may ask for. Counts only on the base commit of a repository, not in your own settings.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TasksTable {
    /// Whether a test command in a task's `convergence.criteria` may be one for a shell. It needs `runner = "junit"` and
    /// `report`, since only so its results can be read.
    pub shell: Option<bool>,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", inline)]
#[expect(dead_code, reason = "it only lends its shape to the schema")]
enum LandWord {
    Squash,
    Merge,
    Rebase,
    Branch,
    Pr,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", inline)]
#[expect(dead_code, reason = "it only lends its shape to the schema")]
enum OnRegressionWord {
    Halt,
    KeepGreen,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", inline)]
#[expect(dead_code, reason = "it only lends its shape to the schema")]
enum ConcernWord {
    SpecialCased,
    WeakTests,
    ChangedTests,
    ChangedBehaviour,
    TestDetection,
    Configuration,
    SuspiciousCode,
    HiddenCharacters,
    Unread,
    LargeFile,
    BinaryFile,
    OddName,
    Executable,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", inline)]
#[expect(dead_code, reason = "it only lends its shape to the schema")]
enum ProbeWord {
    Full,
    Off,
}

impl Config {
    /// Reads a file's text; `place` names it in errors.
    pub fn parse(text: &str, place: &str) -> Result<Self, ConfigFault> {
        let config: Self = toml::from_str(text).map_err(|error| explain(&error, text, place))?;
        config.check().map_err(|why| ConfigFault {
            place: place.to_owned(),
            line: None,
            why,
            hint: None,
        })?;
        Ok(config)
    }

    /// What the types can't say.
    fn check(&self) -> Result<(), String> {
        for (name, agent) in &self.agents {
            let fault = |why: &str| Err(format!("[agents.{name}] {why}"));
            agent.check().or_else(fault)?;
        }
        self.sandbox.check()?;
        self.audit.check()?;
        self.notify.check()?;
        for project in &self.project {
            if project.dir.trim().is_empty() {
                return Err("[[project]] needs `dir`; `.` is the top of the repository".to_owned());
            }
        }
        for (key, value) in
            [("repeats", self.gates.repeats), ("baseline_runs", self.gates.baseline_runs)]
        {
            if let Some(n) = value.filter(|n| !(1..=20).contains(n)) {
                return Err(format!("[gates] {key} must be 1 to 20, not {n}"));
            }
        }
        for line in self.land.trailers.iter().flatten() {
            let key = line.split_once(": ").map(|(key, _)| key).unwrap_or_default();
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
            if key.is_empty() || !key.chars().all(plain) || line.contains('\n') {
                return Err(format!(
                    "[land] trailers: {line:?} is no trailer; accepted: `Key: value`, such as `Co-authored-by: Name <mail>`"
                ));
            }
        }
        let accepted = self.gates.accept.iter().flatten();
        if let Some(kind) = accepted.into_iter().find(|kind| !kind.is_foreseeable()) {
            return Err(format!(
                "[gates] accept can't hold `{kind}`: what could not be judged is looked at each time"
            ));
        }
        Ok(())
    }

    /// These settings with `over` lying on top: what it says wins, key by key.
    #[must_use]
    pub fn under(self, over: Self) -> Self {
        let mut agents = self.agents;
        agents.extend(over.agents);
        Self {
            runner: over.runner.or(self.runner),
            test_cmd: over.test_cmd.or(self.test_cmd),
            report: over.report.or(self.report),
            project: if over.project.is_empty() { self.project } else { over.project },
            subdir: over.subdir.or(self.subdir),
            branch: over.branch.or(self.branch),
            default_agent: over.default_agent.or(self.default_agent),
            limits: self.limits.under(&over.limits),
            gates: GatesTable {
                strict_red: over.gates.strict_red.or(self.gates.strict_red),
                repeats: over.gates.repeats.or(self.gates.repeats),
                baseline_runs: over.gates.baseline_runs.or(self.gates.baseline_runs),
                coverage: over.gates.coverage.or(self.gates.coverage),
                probe: over.gates.probe.or(self.gates.probe),
                mutants: over.gates.mutants.or(self.gates.mutants),
                held_out: over.gates.held_out.or(self.gates.held_out),
                on_regression: over.gates.on_regression.or(self.gates.on_regression),
                accept: over.gates.accept,
            },
            land: LandTable {
                mode: over.land.mode.or(self.land.mode),
                onto: over.land.onto.or(self.land.onto),
                trailers: over.land.trailers.or(self.land.trailers),
                remote: over.land.remote.or(self.land.remote),
                host: over.land.host.or(self.land.host),
                draft: over.land.draft.or(self.land.draft),
                approve_by: over.land.approve_by.or(self.land.approve_by),
            },
            agents,
            roles: RolesTable {
                tester: over.roles.tester.or(self.roles.tester),
                coder: over.roles.coder.or(self.roles.coder),
                diagnostician: over.roles.diagnostician.or(self.roles.diagnostician),
                reviewer: over.roles.reviewer.or(self.roles.reviewer),
                auditor: over.roles.auditor.or(self.roles.auditor),
                examiner: over.roles.examiner.or(self.roles.examiner),
                scout: over.roles.scout.or(self.roles.scout),
            },
            hunt: HuntTable {
                suggest: over.hunt.suggest.or(self.hunt.suggest),
                scout: over.hunt.scout.or(self.hunt.scout),
                classify: over.hunt.classify.or(self.hunt.classify),
            },
            setup: SetupTable {
                copy: over.setup.copy.or(self.setup.copy),
                run: over.setup.run.or(self.setup.run),
                env_pass: over.setup.env_pass.or(self.setup.env_pass),
                env: over.setup.env.or(self.setup.env),
                ports: over.setup.ports.or(self.setup.ports),
            },
            context: ContextTable {
                max_tokens: over.context.max_tokens.or(self.context.max_tokens),
                files: over.context.files.or(self.context.files),
            },
            secrets: SecretsTable { allow: over.secrets.allow.or(self.secrets.allow) },
            sandbox: self.sandbox.under(over.sandbox),
            audit: self.audit.under(over.audit),
            tasks: over.tasks,
            // Never a repository's: it would start a command on this machine, outside any sandbox.
            notify: self.notify,
        }
    }
}

impl LimitsTable {
    fn under(self, over: &Self) -> Self {
        Self {
            red: over.red.or(self.red),
            green: over.green.or(self.green),
            review: over.review.or(self.review),
            tests: over.tests.or(self.tests),
            agent_calls: over.agent_calls.or(self.agent_calls),
            time: over.time.or(self.time),
            tokens: over.tokens.or(self.tokens),
            cost_usd: over.cost_usd.or(self.cost_usd),
            turn_time: over.turn_time.or(self.turn_time),
            silence: over.silence.or(self.silence),
            test_time: over.test_time.or(self.test_time),
            free_disk: over.free_disk.or(self.free_disk),
        }
    }
}

/// The JSON schema of proctor.toml.
pub fn schema() -> String {
    let schema = schemars::schema_for!(Config);
    format!("{:#}\n", schema.to_value())
}

#[cfg(test)]
mod tests;
