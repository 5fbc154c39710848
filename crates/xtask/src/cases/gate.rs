//! A gate: something that is shown a branch and says yes or no.

use crate::cases::case::Case;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub enum Gate {
    /// The bare test command on head, and nothing but how it ended.
    ExitCode,
    /// The report that the test tool writes: at least one test, and none that failed, broke or was skipped.
    Report,
    Proctor(PathBuf),
    /// A line for `sh`, in a checkout of head, with BASE, HEAD and RUNNER; it accepts by ending with 0.
    Command(String),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Word {
    Accepted,
    Refused,
    /// It can't run this tool.
    Silent,
}

impl Word {
    pub fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Refused => "refused",
            Self::Silent => "not run",
        }
    }

    fn of(accepts: bool) -> Self {
        if accepts { Self::Accepted } else { Self::Refused }
    }
}

impl Gate {
    pub fn name(&self) -> String {
        match self {
            Self::ExitCode => "exit code of the test command".to_owned(),
            Self::Report => "report of the test tool".to_owned(),
            Self::Proctor(_) => "`proctor verify`".to_owned(),
            Self::Command(line) => format!("`{line}`"),
        }
    }

    pub fn ask(&self, case: &Case) -> Result<Word> {
        let repo = case.repo()?;
        let place = repo.path().join(&case.folder);
        match self {
            Self::ExitCode => {
                let Some(line) = bare(&case.runner) else { return Ok(Word::Silent) };
                Ok(Word::of(ended_well(&place, line)?))
            }
            Self::Report => {
                let folder = tempfile::tempdir()?;
                let file = folder.path().join("report.xml");
                let Some(line) = reporting(&case.runner, &file) else { return Ok(Word::Silent) };
                ended_well(&place, &line)?;
                Ok(Word::of(is_clean(&std::fs::read_to_string(&file).unwrap_or_default())))
            }
            Self::Proctor(program) => {
                let home = tempfile::tempdir()?;
                let mut command = Command::new(program);
                command.args(["verify", "--base", "main", "--head", "work"]).args(case.flags());
                command.env("PROCTOR_HOME", home.path()).current_dir(repo.path());
                Ok(Word::of(quiet(command)?))
            }
            Self::Command(line) => {
                let mut command = Command::new("sh");
                command.args(["-c", line]).current_dir(&place).env("RUNNER", &case.runner);
                for (name, rev) in [("BASE", "main"), ("HEAD", "work")] {
                    command.env(name, repo.git(&["rev-parse", rev]).trim());
                }
                Ok(Word::of(quiet(command)?))
            }
        }
    }
}

/// What a person types; words for `sh`.
fn bare(runner: &str) -> Option<&'static str> {
    Some(match runner {
        "pytest" => "python3 -m pytest -q",
        "unittest" => "python3 -m unittest",
        "cargo" => "cargo test --quiet --offline",
        "go" => "go test ./...",
        "node" => "node --test",
        "vitest" => "node node_modules/vitest/vitest.mjs run",
        "jest" => "node node_modules/jest/bin/jest.js",
        "mocha" => "node node_modules/mocha/bin/mocha.js",
        _ => return None,
    })
}

/// The same with a report in the form of `JUnit`; none where the tool writes none by itself.
fn reporting(runner: &str, file: &Path) -> Option<String> {
    let file = file.display();
    Some(match runner {
        "pytest" => format!("python3 -m pytest -q --junitxml={file}"),
        "node" => format!("node --test --test-reporter=junit --test-reporter-destination={file}"),
        "vitest" => {
            format!("node node_modules/vitest/vitest.mjs run --reporter=junit --outputFile={file}")
        }
        "mocha" => format!(
            "node node_modules/mocha/bin/mocha.js --reporter=xunit --reporter-option output={file}"
        ),
        _ => return None,
    })
}

fn ended_well(place: &Path, line: &str) -> Result<bool> {
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(place);
    quiet(command)
}

fn quiet(mut command: Command) -> Result<bool> {
    let ended = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    Ok(ended
        .with_context(|| format!("{} did not start", command.get_program().display()))?
        .success())
}

fn is_clean(report: &str) -> bool {
    report.contains("<testcase")
        && !["<failure", "<error", "<skipped"].iter().any(|word| report.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_without_tests_or_with_one_that_failed_is_refused() {
        assert!(is_clean("<testsuite><testcase name=\"a\"/></testsuite>"));
        for report in [
            "",
            "<testsuite/>",
            "<testcase><failure/></testcase>",
            "<testcase><skipped/></testcase>",
        ] {
            assert!(!is_clean(report), "{report}");
        }
    }
}
