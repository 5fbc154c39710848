//! Which lines ran, by coverage.py around pytest. Its own configuration is used, never the project's: what the project
//! leaves out of its numbers could be what was changed. Judges no test.

use crate::ask::{Ask, Coverage, Covered, Step, StepEnd, StepOutput, base_env};
use crate::lcov;
use proctor_lang::zone::has_ending;
use proctor_lang::{Zone, zone};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const PROBE: &str = "coverage-probe";
const EXPORT: &str = "coverage-lcov";

/// No line is left out by a remark in the source. Where the cheap way to look on is not there, the other one does. What
/// is left out ends with the files that hold nothing but tests.
const CONFIGURATION: &str = "[report]
include_namespace_packages = true
exclude_lines =
    a^
[run]
disable_warnings = no-sysmon
omit =
    */.venv/*
    */venv/*
    */.tox/*
    */.nox/*
    */site-packages/*
";

/// In Python 3.12 and later coverage.py can look at each line once: with other ways a suite takes twice its time.
pub(crate) const CORE: (&str, &str) = ("COVERAGE_CORE", "sysmon");
/// So many files of tests are left out by name, and folders below each other are looked into.
const MOST_FILES: usize = 2000;
const DEEPEST: usize = 12;

fn folder(ask: &Ask) -> PathBuf {
    ask.scratch.join("coverage")
}

fn configuration(ask: &Ask) -> PathBuf {
    folder(ask).join("own.rc")
}

/// Where coverage.py keeps what it sees, also when the project's own tools start it.
pub(crate) fn numbers(ask: &Ask) -> PathBuf {
    folder(ask).join("seen")
}

fn lcov_file(ask: &Ask) -> PathBuf {
    folder(ask).join("lcov.info")
}

pub(crate) fn files(ask: &Ask) -> Vec<(PathBuf, Vec<u8>)> {
    match ask.coverage {
        Coverage::Off => Vec::new(),
        Coverage::Measured => {
            let mut tests = Vec::new();
            tests_below(ask, &ask.workdir(), 0, &mut tests);
            let mut text = CONFIGURATION.to_owned();
            for path in tests {
                // Writing into a string can't fail.
                let _ = writeln!(text, "    {path}");
            }
            vec![(configuration(ask), text.into_bytes())]
        }
    }
}

/// The files of tests below a folder. Which of their lines run is nobody's question, and they are most of what runs.
fn tests_below(ask: &Ask, folder: &Path, depth: usize, found: &mut Vec<String>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name());
        let Ok(kind) = entry.file_type() else { continue };
        if found.len() >= MOST_FILES {
            return;
        }
        let is_foreign = name == "node_modules" || name == "site-packages";
        let is_hidden = name.to_string_lossy().starts_with('.');
        if kind.is_dir() && depth < DEEPEST && !is_hidden && !is_foreign {
            tests_below(ask, &path, depth + 1, found);
        }
        let Some(text) = path.to_str().filter(|_| kind.is_file()) else { continue };
        let inside = path.strip_prefix(&ask.tree).ok().and_then(Path::to_str).unwrap_or_default();
        let is_test = has_ending(text, "py") && zone(inside) == Zone::Test;
        // In a name these stand for other letters.
        if is_test && !text.contains(['*', '?', '[', '\n']) {
            found.push(text.to_owned());
        }
    }
}

/// Asks whether coverage.py is there. Outside the tree, where nothing else could answer.
pub(crate) fn probe(ask: &Ask) -> Step {
    outside(ask, PROBE, &["--version".into()])
}

pub(crate) fn export(ask: &Ask) -> Step {
    let args = [
        "lcov".into(),
        "--ignore-errors".into(),
        option("--rcfile=", configuration(ask)),
        option("--data-file=", numbers(ask)),
        "-o".into(),
        lcov_file(ask).into(),
    ];
    outside(ask, EXPORT, &args)
}

fn outside(ask: &Ask, label: &str, words: &[OsString]) -> Step {
    let mut argv: Vec<OsString> =
        vec![ask.tools.program("python").into(), "-m".into(), "coverage".into()];
    argv.extend_from_slice(words);
    Step { label: label.to_owned(), argv, cwd: folder(ask), env: base_env(ask) }
}

/// What stands before `-m pytest`.
pub(crate) fn around(ask: &Ask) -> Vec<OsString> {
    vec![
        "-m".into(),
        "coverage".into(),
        "run".into(),
        option("--rcfile=", configuration(ask)),
        option("--data-file=", numbers(ask)),
        option("--source=", ask.workdir()),
    ]
}

fn option(name: &str, path: PathBuf) -> OsString {
    let mut text = OsString::from(name);
    text.push(path);
    text
}

/// Whether the probe found the tool.
pub(crate) fn is_there(done: &[StepOutput]) -> bool {
    done.iter().any(|step| step.label == PROBE && step.end == StepEnd::Exited(0))
}

pub(crate) fn read(ask: &Ask, done: &[StepOutput]) -> Covered {
    let Some(probe) = done.iter().find(|step| step.label == PROBE) else {
        return Covered::Unreadable { why: "coverage was not measured".to_owned() };
    };
    match &probe.end {
        StepEnd::Exited(0) => {}
        StepEnd::Exited(_) => {
            let python = ask.tools.program("python");
            return Covered::ToolMissing {
                tool: "coverage.py".to_owned(),
                install: format!("{} -m pip install coverage", python.display()),
            };
        }
        StepEnd::Signalled(_) | StepEnd::TimedOut | StepEnd::CouldNotStart(_) => {
            return Covered::Unreadable { why: format!("python broke: {:?}", probe.end) };
        }
    }
    match done.iter().find(|step| step.label == EXPORT) {
        Some(step) if step.end == StepEnd::Exited(0) => {
            lcov::read(ask, &lcov_file(ask), &folder(ask))
        }
        Some(step) => {
            Covered::Unreadable { why: format!("coverage.py told nothing\n{}", step.tail()) }
        }
        None => Covered::Unreadable { why: "pytest did not come to its end".to_owned() },
    }
}
