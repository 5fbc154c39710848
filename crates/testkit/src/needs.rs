//! Whether a tool that a test needs is there. On a person's machine a test without its tool is skipped and
//! says so; in CI it fails, so that nothing is ever skipped there.

use crate::env::base_env;
use std::process::{Command, Stdio};

/// True where the tool can't be used: `if missing("pytest") { return; }`. The question is put the way Proctor
/// puts it: with a clean environment and without the user's own packages.
pub fn missing(tool: &str) -> bool {
    if works(tool) {
        return false;
    }
    assert!(
        std::env::var_os("CI").is_none_or(|value| value != "true"),
        "{tool} is not installed, and in CI no test may be skipped\nhint: scripts/setup installs it"
    );
    eprintln!("skipped: {tool} is not installed");
    true
}

fn works(tool: &str) -> bool {
    let line: &[&str] = match tool {
        "pytest" => &["python3", "-s", "-m", "pytest", "--version"],
        "cargo-nextest" => &["cargo", "nextest", "--version"],
        "go" => &["go", "version"],
        other => &[other, "--version"],
    };
    Command::new(line[0])
        .args(&line[1..])
        .env_clear()
        .envs(base_env())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
