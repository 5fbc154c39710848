//! What a throw-away copy of a base commit is set up by: an agent is tried in one, a person sits in one, an examiner writes tests
//! in one. Nothing of it is a task.

use crate::config::Config;
use crate::intake::tooling::{self, Named};
use crate::surroundings::Surroundings;
use anyhow::Result;
use proctor_core::brief::{
    ApprovalPolicy, Brief, LandMode, Landing, Limits, Repo, RequestSpec, Rules,
};
use proctor_core::words::{CommitId, TaskId, TaskType};
use proctor_world::repo::UserRepo;
use std::collections::BTreeMap;

/// What a throw-away copy of a base commit is set up by.
pub fn brief_of(
    around: &Surroundings,
    (repo, base): (&UserRepo, CommitId),
    config: &Config,
    text: &str,
) -> Result<Brief> {
    let fixed = Limits::default();
    Ok(Brief {
        task: TaskId::new("try"),
        kind: TaskType::Feature,
        description: text.to_owned(),
        details: String::new(),
        relevant_files: Vec::new(),
        context: Vec::new(),
        targets: Vec::new(),
        brought_tests: Vec::new(),
        rivals: Vec::new(),
        test_count: None,
        repo: Repo {
            root: repo.root.to_string_lossy().into_owned(),
            git_dir: repo.git_dir.to_string_lossy().into_owned(),
            base,
            subdir: match &config.subdir {
                Some(text) => tooling::folder(text)?,
                None => String::new(),
            },
        },
        rules: Rules::default(),
        limits: Limits {
            turn_ms: config.limits.turn_time.map_or(fixed.turn_ms, |span| span.0),
            silence_ms: config.limits.silence.map_or(fixed.silence_ms, |span| span.0),
            ..fixed
        },
        landing: Landing {
            mode: LandMode::Branch,
            onto: None,
            branch: String::new(),
            approval: ApprovalPolicy::Person,
            author: "Proctor <proctor@localhost>".to_owned(),
            trailers: Vec::new(),
            request: RequestSpec::default(),
        },
        agents: BTreeMap::new(),
        runner: tooling::runner(Named { runner: &None, test_cmd: &None }, config)?,
        projects: tooling::projects(config)?,
        setup: tooling::setup(config)?,
        audit: proctor_core::audit::AuditSpec::default(),
        allowed_secrets: config.secrets.allowed()?,
        sandbox: config.sandbox.spec(around)?,
        assignment: proctor_core::assignment::Assignment::default(),
    })
}
