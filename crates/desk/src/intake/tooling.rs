//! The test tools and the set-up as flags and configuration name them. Checks what is named; finds nothing by itself.

use crate::config::value::Texts;
use crate::config::{Config, ProjectTable};
use crate::intake::luggage::Luggage;
use crate::text::shell_words;
use crate::told::usage;
use anyhow::Result;
use proctor_core::brief::{ProjectSpec, RunnerSpec, Setup};
use proctor_core::intake::check_path;

/// A folder of the repository, from its top; empty for the top itself.
pub fn folder(text: &str) -> Result<String> {
    if matches!(text, "" | "." | "./") {
        return Ok(String::new());
    }
    check_path(text)
        .ok()
        .filter(|path| !path.starts_with('/'))
        .map(|path| path.trim_end_matches('/').to_owned())
        .ok_or_else(|| {
            usage(format!(
                "the folder {text:?} can't be used\nhint: give it from the top of the repository, such as services/api"
            ))
        })
}

/// The test tool as a person names it on the command line.
#[derive(Clone, Copy)]
pub struct Named<'a> {
    pub runner: &'a Option<String>,
    pub test_cmd: &'a Option<String>,
}

/// The test tool as flags and configuration name it for the whole repository.
pub fn runner(flags: Named<'_>, config: &Config) -> Result<RunnerSpec> {
    let command = match (flags.test_cmd, &config.test_cmd) {
        (Some(text), _) => Some(shell_words::split(text).map_err(|fault| {
            usage(format!("--test-cmd {text:?} can't be split into words: {fault}\nhint: quote as in a shell; no shell is run"))
        })?),
        // A tool that was named on the command line is not run by a command from the file.
        (None, Some(_)) if flags.runner.is_some() => None,
        (None, Some(words)) => Some(words.split("test_cmd").map_err(usage)?),
        (None, None) => None,
    };
    let name = flags.runner.as_ref().or(config.runner.as_ref());
    checked(RunnerSpec {
        name: name.cloned(),
        command,
        report: config.report.as_ref().map(Texts::list).unwrap_or_default(),
    })
}

/// The projects that the configuration names, each with its own tool.
pub fn projects(config: &Config) -> Result<Vec<ProjectSpec>> {
    let project = |table: &ProjectTable| -> Result<ProjectSpec> {
        let command = table.test_cmd.as_ref().map(|words| words.split("test_cmd")).transpose();
        let runner = checked(RunnerSpec {
            name: table.runner.clone(),
            command: command.map_err(usage)?,
            report: table.report.as_ref().map(Texts::list).unwrap_or_default(),
        })?;
        Ok(ProjectSpec { dir: folder(&table.dir)?, runner })
    };
    config.project.iter().map(project).collect()
}

/// A test tool that exists, with a command that it can be.
pub fn checked(spec: RunnerSpec) -> Result<RunnerSpec> {
    if let Some(name) = &spec.name
        && proctor_tools::by_name(name).is_none()
    {
        return Err(usage(format!(
            "there is no test tool `{name}`\nhint: known are {}",
            proctor_tools::RUNNERS.join(", ")
        )));
    }
    let junit = spec.name.as_deref() == Some("junit");
    if junit && (spec.command.is_none() || spec.report.is_empty()) {
        return Err(usage(
            "the test tool junit needs a command and a place for its reports\nhint: write test_cmd = [\"my-tool\", \"--junit={report}\"] and report = \"{report}\" into proctor.toml",
        ));
    }
    if !junit && !spec.report.is_empty() {
        return Err(usage(
            "`report` is for the test tool junit alone\nhint: write runner = \"junit\" beside it, or leave it out",
        ));
    }
    if let Some(argv) = spec.command.as_ref().filter(|_| !junit) {
        let meant = proctor_tools::from_command(argv).map_err(usage)?;
        if let Some(name) = spec.name.as_ref().filter(|name| name.as_str() != meant.runner) {
            return Err(usage(format!(
                "the test command is for {}, and the test tool is said to be {name}\nhint: leave one of them out",
                meant.runner
            )));
        }
    }
    Ok(spec)
}

pub fn setup(config: &Config) -> Result<Setup> {
    let run = config.setup.run.iter().flatten();
    Ok(Setup {
        copy: Luggage::names(&config.setup.copy.clone().unwrap_or_default())?,
        run: run.map(|words| words.split("setup.run").map_err(usage)).collect::<Result<_>>()?,
        env_pass: config.setup.env_pass.clone().unwrap_or_default(),
        env: config.setup.env.clone().unwrap_or_default(),
        ports: config.setup.ports.unwrap_or_default(),
    })
}
