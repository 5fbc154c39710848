//! What may be asked of a run beside its task: what flags say, the front matter of a spec, or a form. Owns how two such
//! lists go together; what they mean is made of them at intake.

use crate::config::value::Least;
use crate::text::amount::Usd;
use proctor_core::brief::LandMode;
use proctor_core::words::TaskType;
use std::num::NonZeroU32;

#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that a person sets")]
pub struct RunFlags {
    /// Files that the agent should look at first.
    pub files: Vec<String>,
    /// Files whose text goes into the prompts.
    pub context: Vec<String>,
    /// Paths or names that do not exist yet and that the tests may miss.
    pub targets: Vec<String>,
    /// Test files that a person brings.
    pub tests: Vec<String>,
    pub test_count: Option<u32>,

    /// The agent of proctor.toml that takes every role.
    pub agent: Option<String>,
    /// A program as the agent.
    pub agent_cmd: Option<String>,
    /// `ROLE=AGENT`.
    pub roles: Vec<String>,
    /// How many coders work at once.
    pub parallel: Option<NonZeroU32>,

    pub test_cmd: Option<String>,
    pub runner: Option<String>,
    pub subdir: Option<String>,
    pub coverage: Option<Least>,
    pub hangs: bool,
    pub strict_red: bool,
    pub allow_changed_tests: bool,
    pub no_refactor: bool,

    pub base: Option<String>,
    pub land: Option<LandMode>,
    pub branch: Option<String>,
    /// Approved beforehand.
    pub yes: bool,

    pub max_cost: Option<Usd>,
    /// In milliseconds.
    pub max_time: Option<u64>,
    pub max_calls: Option<u32>,
    pub max_tokens: Option<u64>,
}

impl RunFlags {
    /// These flags over what a file says. Lists add up; a switch that is on in either is on.
    #[must_use]
    pub fn over(self, file: Self) -> Self {
        let both = |mut ours: Vec<String>, theirs: Vec<String>| {
            ours.splice(0..0, theirs);
            ours
        };
        Self {
            files: both(self.files, file.files),
            context: both(self.context, file.context),
            targets: both(self.targets, file.targets),
            tests: both(self.tests, file.tests),
            test_count: self.test_count.or(file.test_count),
            // An agent that was typed in one way is not mixed with one that the file names in another.
            agent: if self.agent_cmd.is_some() { None } else { self.agent.or(file.agent) },
            agent_cmd: self.agent_cmd,
            roles: both(self.roles, file.roles),
            parallel: self.parallel.or(file.parallel),
            // So with the test tool.
            test_cmd: if self.runner.is_some() {
                self.test_cmd
            } else {
                self.test_cmd.or(file.test_cmd)
            },
            runner: self.runner.or(file.runner),
            subdir: self.subdir.or(file.subdir),
            coverage: self.coverage.or(file.coverage),
            hangs: self.hangs || file.hangs,
            strict_red: self.strict_red || file.strict_red,
            allow_changed_tests: self.allow_changed_tests || file.allow_changed_tests,
            no_refactor: self.no_refactor || file.no_refactor,
            base: self.base.or(file.base),
            land: self.land.or(file.land),
            branch: self.branch.or(file.branch),
            yes: self.yes || file.yes,
            max_cost: self.max_cost.or(file.max_cost),
            max_time: self.max_time.or(file.max_time),
            max_calls: self.max_calls.or(file.max_calls),
            max_tokens: self.max_tokens.or(file.max_tokens),
        }
    }
}

pub fn task_type(text: &str) -> Result<TaskType, String> {
    TaskType::ALL
        .into_iter()
        .find(|kind| kind.name() == text)
        .ok_or_else(|| "the types are bug_fix, feature and refactor".to_owned())
}

pub fn land_mode(text: &str) -> Result<LandMode, String> {
    match text {
        "squash" => Ok(LandMode::Squash),
        "merge" => Ok(LandMode::Merge),
        "rebase" => Ok(LandMode::Rebase),
        "branch" => Ok(LandMode::Branch),
        "pr" => Ok(LandMode::Pr),
        _ => Err("the ways to land are squash, merge, rebase, branch and pr".to_owned()),
    }
}
