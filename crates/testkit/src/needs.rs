//! Whether a tool that a test needs is there. On a person's machine a test without its tool is skipped and
//! says so; in CI it fails, so that nothing is ever skipped there.

use crate::env::base_env;
use std::path::{Path, PathBuf};
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

/// The same for a program that `scripts/setup` put at a place of its own.
pub fn missing_file(tool: &str, path: &Path) -> bool {
    if path.exists() {
        return false;
    }
    assert!(
        std::env::var_os("CI").is_none_or(|value| value != "true"),
        "{tool} is not installed, and in CI no test may be skipped\nhint: scripts/setup installs it"
    );
    eprintln!("skipped: {tool} is not installed; scripts/setup installs it");
    true
}

/// A coding agent's program that `scripts/setup-agents` installed; none where it is not there, and then the test is
/// skipped like any other without its tool.
pub fn coding_agent(name: &str) -> Option<PathBuf> {
    let cache = || {
        let own = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        own.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))
    };
    let place = std::env::var_os("PROCTOR_TEST_AGENTS")
        .map(PathBuf::from)
        .or_else(|| Some(cache()?.join("proctor-test-agents")));
    let program = place.map(|place| place.join("bin").join(name)).filter(|path| path.exists());
    if program.is_none() {
        assert!(
            std::env::var_os("CI").is_none_or(|value| value != "true"),
            "{name} is not installed, and in CI no test may be skipped\nhint: scripts/setup-agents installs it"
        );
        eprintln!("skipped: {name} is not installed; scripts/setup-agents installs it");
    }
    program
}

fn works(tool: &str) -> bool {
    let line: &[&str] = match tool {
        "pytest" => &["python3", "-s", "-m", "pytest", "--version"],
        "cargo-nextest" => &["cargo", "nextest", "--version"],
        "go" => &["go", "version"],
        "tmux" => &["tmux", "-V"],
        "openssl" => &["openssl", "version"],
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
