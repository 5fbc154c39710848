//! Any command that writes `JUnit` XML. The command is the user's own; its exit code, its reports and the numbers in
//! them must agree, else the run is suspect. Tests can't be selected: all are run, and those asked for are kept.

use super::cases::{self, Judge, Naming, any_bad};
use super::reports;
use crate::ask::{Ask, Covered, Plan, Runner, Step, StepEnd, StepOutput, base_env};
use crate::at_hand::AtHand;
use crate::junit::{self, JunitReport};
use proctor_core::item::TestItem;
use proctor_core::report::{RunEnd, TestReport};
use proctor_lang::child_file;
use proctor_lang::java::items;
use proctor_lang::tree::Tree;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, Default)]
pub struct Junit;

impl Runner for Junit {
    fn name(&self) -> &'static str {
        "junit"
    }

    fn programs(&self) -> &'static [&'static str] {
        &[]
    }

    fn plan(&self, ask: &Ask) -> Plan {
        Plan { files: Vec::new(), folders: vec![ask.home(), ask.temp()] }
    }

    fn stale(&self, ask: &Ask) -> Vec<PathBuf> {
        reports::find(ask, &ask.tools.reports)
    }

    fn next(&self, ask: &Ask, done: &[StepOutput]) -> Option<Step> {
        let (program, words) = ask.tools.command.split_first()?;
        if !done.is_empty() {
            return None;
        }
        let own = reports::own_file(ask).to_string_lossy().into_owned();
        let mut argv: Vec<OsString> = vec![located(ask, program).into()];
        argv.extend(words.iter().map(|w| OsString::from(w.replace(reports::PLACEHOLDER, &own))));
        Some(Step { label: "tests".to_owned(), argv, cwd: ask.workdir(), env: base_env(ask) })
    }

    fn read(&self, ask: &Ask, done: &[StepOutput]) -> TestReport {
        let Some(step) = done.last() else {
            let note =
                "no test command is set: give `command` and `report` in proctor.toml".to_owned();
            return TestReport::empty(RunEnd::Crashed { note });
        };
        let found = Found::read(ask, &reports::find(ask, &ask.tools.reports));
        let all = Judge::new(ask, Naming::AnyTool).cases(&found.report.cases);
        let end = verdict(step, &found, &all);
        TestReport { end, cases: cases::asked(ask, all) }
    }

    fn coverage(&self, _ask: &Ask, _done: &[StepOutput]) -> Covered {
        let why = "a JUnit report does not say which lines ran".to_owned();
        Covered::Unreadable { why }
    }

    fn at_hand(&self, ask: &Ask) -> AtHand {
        let words: Vec<&str> = ask.tools.command.iter().map(String::as_str).collect();
        AtHand::of(ask, "", &words)
    }

    fn items(&self, tree: &dyn Tree, paths: &[String]) -> Vec<TestItem> {
        items::items(tree, paths)
    }
}

/// A program by its bare name on the `PATH` that tests get, or by a path seen from the workdir.
pub(super) fn located(ask: &Ask, program: &str) -> PathBuf {
    if program.contains('/') {
        return ask.workdir().join(program);
    }
    if let Some(known) = ask.tools.programs.get(program) {
        return known.clone();
    }
    let path = ask.extra_env.get("PATH").map(String::as_str).unwrap_or_default();
    std::env::split_paths(path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_absolute() && file.is_file())
        .unwrap_or_else(|| PathBuf::from(program))
}

/// The reports of a run, put together.
#[derive(Default)]
pub(super) struct Found {
    pub(super) files: usize,
    pub(super) report: JunitReport,
    /// The first report that is no report.
    pub(super) unreadable: Option<String>,
}

impl Found {
    pub(super) fn read(ask: &Ask, files: &[PathBuf]) -> Self {
        let mut found = Self { files: files.len(), ..Self::default() };
        for file in files {
            match read_file(file) {
                Ok(report) => {
                    found.report.cases.extend(report.cases);
                    found.report.disagreements.extend(report.disagreements);
                }
                Err(why) => {
                    let note =
                        format!("the report {} can't be read: {why}", cases::shown(ask, file));
                    found.unreadable.get_or_insert(note);
                }
            }
        }
        found
    }

    /// What alone makes the reports not to be believed.
    pub(super) fn suspicion(&self) -> Option<String> {
        self.unreadable.clone().or_else(|| self.report.disagreements.first().cloned())
    }
}

fn read_file(file: &Path) -> Result<JunitReport, String> {
    junit::read_report(&child_file::read(file).map_err(|e| e.to_string())?)
}

fn verdict(step: &StepOutput, found: &Found, all: &cases::Cases) -> RunEnd {
    let code = match &step.end {
        StepEnd::Exited(code) => *code,
        StepEnd::TimedOut => return RunEnd::TimedOut { running: None },
        StepEnd::Signalled(signal) => {
            let note = format!("the test command was ended by signal {signal}\n{}", step.tail());
            return RunEnd::Crashed { note };
        }
        StepEnd::CouldNotStart(why) => {
            let note = format!("the test command could not be started: {why}");
            return RunEnd::Crashed { note };
        }
    };
    if found.files == 0 {
        let note =
            format!("the test command ended with {code} and wrote no report\n{}", step.tail());
        return RunEnd::Crashed { note };
    }
    if let Some(note) = found.suspicion() {
        return RunEnd::Suspect { note };
    }
    if all.is_empty() {
        return RunEnd::NoTests;
    }
    if any_bad(all) == (code == 0) {
        let counts = proctor_core::report::Counts::of(all.values());
        let note = format!("the test command ended with {code}, but its report says: {counts}");
        return RunEnd::Suspect { note };
    }
    RunEnd::Finished
}
