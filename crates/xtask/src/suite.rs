//! `cargo xtask test`: what the tests need, then the tests. One command on a machine that has nothing but Rust. What could not be
//! installed is named, and so are the tests that were skipped for it; in CI either is a failure.

use crate::tree::root;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, ExitCode};

/// The report that `.config/nextest.toml` asks for.
const REPORT: &str = "target/nextest/default/junit.xml";
/// How many of the slowest are named.
const SLOWEST: usize = 10;

pub fn run(words: &[&str]) -> Result<ExitCode> {
    let (ready, more) = match words {
        ["--ready", more @ ..] => (true, more),
        more => (false, more),
    };
    let strict = std::env::var_os("CI").is_some_and(|value| value == "true");
    let mut talk = std::io::stdout();
    if !ready && !call("scripts/setup".as_ref(), &[])? {
        if strict {
            return Ok(ExitCode::FAILURE);
        }
        writeln!(
            talk,
            "Tests that need what is missing are skipped; they are counted at the end."
        )?;
    }
    let report = root()?.join(REPORT);
    // The last run's says nothing about this one.
    let _ = std::fs::remove_file(&report);
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let passed = call(&cargo, &[&["nextest", "run", "--workspace"], more].concat())?;
    for line in told(&std::fs::read_to_string(&report).unwrap_or_default()) {
        writeln!(talk, "{line}")?;
    }
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What was skipped and why, and what took longest.
fn told(report: &str) -> Vec<String> {
    let (mut why, mut slow) = (BTreeMap::<&str, usize>::new(), Vec::<(f64, &str)>::new());
    for test in report.split("<testcase ").skip(1) {
        let word = |name: &str| test.split_once(&format!("{name}=\""))?.1.split('"').next();
        let time = word("time").and_then(|time| time.parse().ok()).unwrap_or_default();
        slow.push((time, word("name").unwrap_or_default()));
        let reason = test.split(['\n', '>', '<']).find_map(|line| line.strip_prefix("skipped: "));
        if let Some(reason) = reason {
            *why.entry(reason).or_default() += 1;
        }
    }
    let mut lines = Vec::new();
    let count: usize = why.values().sum();
    if count > 0 {
        lines.push(format!("Skipped on this machine: {count} tests"));
        lines.extend(why.iter().map(|(reason, count)| format!("  {count:4}  {reason}")));
    }
    slow.sort_by(|a, b| b.0.total_cmp(&a.0));
    if slow.len() > SLOWEST {
        lines.push("The slowest:".to_owned());
        lines.extend(slow[..SLOWEST].iter().map(|(time, name)| format!("  {time:6.1}s  {name}")));
    }
    lines
}

/// Whether a program of this machine, or one of the workspace's own, ends well.
fn call(program: &OsStr, words: &[&str]) -> Result<bool> {
    let root = root()?;
    let own = root.join(program);
    let found = if own.is_file() { own.as_os_str() } else { program };
    let ended = Command::new(found).args(words).current_dir(&root).status();
    let shown = program.to_string_lossy();
    Ok(ended.with_context(|| format!("`{shown}` can't be started"))?.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_fails_is_told_from_one_that_is_not_there() {
        assert!(call("cargo".as_ref(), &["--version"]).unwrap());
        assert!(!call("cargo".as_ref(), &["no-such-command"]).unwrap());
        assert!(call("scripts/no-such".as_ref(), &[]).is_err());
    }

    #[test]
    fn what_was_skipped_is_counted_by_its_reason() {
        let case = |name: &str, out: &str| {
            format!(
                "<testcase name=\"{name}\" classname=\"x\" time=\"1.5\"><system-err>{out}</system-err></testcase>\n"
            )
        };
        let report = case("a", "skipped: go is not installed\n")
            + &case("b", "words\nskipped: go is not installed\n")
            + &case("c", "ok\n");
        let lines = told(&report);
        assert_eq!(lines, ["Skipped on this machine: 2 tests", "     2  go is not installed"]);
        assert_eq!(told(""), Vec::<String>::new());
    }

    #[test]
    fn the_slowest_come_first() {
        let cases: Vec<String> =
            (0..12).map(|at| format!("<testcase name=\"t{at}\" time=\"{at}.0\">")).collect();
        let lines = told(&cases.concat());
        assert_eq!((lines.len(), lines[1].as_str()), (SLOWEST + 1, "    11.0s  t11"));
    }
}
