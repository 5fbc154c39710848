//! What is known of the repository whose tests are run, and how they are. Nothing of a task, an agent or a run.

use proctor_core::brief::{Brief, Hang, Limits, ProjectSpec, Repo, RunnerSpec, SandboxSpec, Setup};

#[derive(Clone, Debug)]
pub struct Setting {
    pub repo: Repo,
    pub runner: RunnerSpec,
    /// Folders with a test tool of their own, as the configuration names them.
    pub projects: Vec<ProjectSpec>,
    pub setup: Setup,
    pub sandbox: SandboxSpec,
    pub hang: Hang,
    /// How often the suite runs on the base at least.
    pub baseline_runs: u8,
    /// How long the tests of one run may take.
    pub test_ms: u64,
}

impl Setting {
    /// What a brief says of it.
    pub fn of(brief: &Brief, limits: &Limits) -> Self {
        Self {
            repo: brief.repo.clone(),
            runner: brief.runner.clone(),
            projects: brief.projects.clone(),
            setup: brief.setup.clone(),
            sandbox: brief.sandbox.clone(),
            hang: brief.rules.hang,
            baseline_runs: brief.rules.baseline_runs,
            test_ms: limits.test_ms,
        }
    }
}
