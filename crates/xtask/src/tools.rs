//! The checks that other tools make: rustfmt and clippy. Their own output is read, so that each finding is
//! listed with its place like every other fault.

use crate::fault::Fault;
use anyhow::{Context, Result};
use std::path::Path;
use std::process::Command;

pub fn fmt(root: &Path) -> Result<Vec<Fault>> {
    let ended = cargo(root, &["fmt", "--all", "--", "--check", "--color=never"])?;
    Ok(ended.faults(&root.display().to_string(), diffs))
}

pub fn clippy(root: &Path) -> Result<Vec<Fault>> {
    let ended = cargo(
        root,
        &[
            "clippy",
            "--workspace",
            "--all-targets",
            "--locked",
            "--message-format=short",
            "--color=never",
            "--",
            "-D",
            "warnings",
        ],
    )?;
    Ok(ended.faults(&root.display().to_string(), findings))
}

struct Ended {
    command: String,
    passed: bool,
    output: String,
}

impl Ended {
    fn faults(self, root: &str, read: fn(&str, &str) -> Vec<Fault>) -> Vec<Fault> {
        if self.passed {
            return Vec::new();
        }
        let mut faults = read(root, &self.output);
        if faults.is_empty() {
            let lines: Vec<&str> = self.output.lines().collect();
            let tail = lines[lines.len().saturating_sub(20)..].join("\n    ");
            faults.push(Fault::error(
                self.command,
                format!("it failed:\n    {tail}"),
                "that it passes",
            ));
        }
        faults
    }
}

fn cargo(root: &Path, args: &[&str]) -> Result<Ended> {
    let command = format!("cargo {}", args.join(" "));
    let out = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(args)
        .current_dir(root)
        .output()
        .with_context(|| format!("`{command}` did not start"))?;
    Ok(Ended {
        command,
        passed: out.status.success(),
        output: String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned(),
    })
}

/// Lines such as `Diff in /path/to/workspace/crates/x/src/a.rs:12:`.
fn diffs(root: &str, output: &str) -> Vec<Fault> {
    let lines = output.lines().filter_map(|line| line.strip_prefix("Diff in "));
    lines
        .map(|place| {
            let place = place.trim_end().trim_end_matches(':');
            let place = place.strip_prefix(root).unwrap_or(place);
            Fault::error(
                place.trim_start_matches('/'),
                "rustfmt would write this differently",
                "what `cargo fmt --all` makes of it",
            )
        })
        .collect()
}

/// Lines such as `crates/x/src/a.rs:12:5: error: unused variable`, each one once.
fn findings(_root: &str, output: &str) -> Vec<Fault> {
    let mut faults: Vec<Fault> = Vec::new();
    for line in output.lines() {
        let Some((place, what)) = line.split_once(": ") else {
            continue;
        };
        let is_place = place.contains(".rs:") && !place.contains(' ');
        let is_finding = what.starts_with("error") || what.starts_with("warning");
        if !(is_place && is_finding) {
            continue;
        }
        let fault =
            Fault::error(place, what, "no finding of clippy; never an `allow` without a reason");
        // The library and its tests are compiled apart and say the same twice.
        if !faults.contains(&fault) {
            faults.push(fault);
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(faults: &[Fault]) -> Vec<&str> {
        faults.iter().map(|fault| fault.place.as_str()).collect()
    }

    #[test]
    fn a_difference_of_rustfmt_has_its_place() {
        let output = "Diff in /ws/crates/x/src/a.rs:12:\n-a\n+b\nDiff in /ws/crates/y.rs:3:\n";
        assert_eq!(places(&diffs("/ws", output)), ["crates/x/src/a.rs:12", "crates/y.rs:3"]);
    }

    #[test]
    fn a_finding_of_clippy_is_listed_once() {
        let line = "crates/x/src/a.rs:1:5: error: unused variable: `y`\n";
        let output =
            format!("    Checking x v0.1.0 (/ws/x)\n{line}{line}error: could not compile `x`\n");
        let faults = findings("/ws", &output);
        assert_eq!(places(&faults), ["crates/x/src/a.rs:1:5"]);
        assert_eq!(faults[0].what, "error: unused variable: `y`");
    }

    #[test]
    fn a_failure_without_a_place_shows_the_end_of_the_output() {
        let ended = Ended {
            command: "cargo clippy".to_owned(),
            passed: false,
            output: "error: the lock file needs to be updated\n".to_owned(),
        };
        let faults = ended.faults("/ws", findings);
        assert!(faults[0].what.contains("lock file"), "{faults:?}");
    }

    #[test]
    fn a_tool_that_passed_has_no_faults_whatever_it_said() {
        let ended = Ended {
            command: "cargo clippy".to_owned(),
            passed: true,
            output: "a.rs:1:1: warning: x\n".to_owned(),
        };
        assert_eq!(ended.faults("/ws", findings), []);
    }
}
