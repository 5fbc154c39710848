//! The naive gate: the bare test command on head, and nothing but its exit code.

use super::case::Case;
use crate::tools::installed;
use proctor_testkit::{TestEnv, missing};
use std::path::Path;
use std::process::{Command, Stdio};

/// What `scripts/setup-more` installs.
pub(crate) const MORE: [&str; 6] = ["ava", "jasmine", "tap", "tape", "uvu", "playwright"];

/// Whether the tool of these cases is there; in CI it must be.
pub(crate) fn can_run(runner: &str) -> bool {
    match runner {
        "pytest" => !missing("pytest"),
        "cargo" => !missing("cargo"),
        "go" => !missing("go"),
        "node" => !missing("node"),
        "vitest" | "jest" | "mocha" => !missing("node") && crate::tools::has_packages(),
        "unittest" => !missing("python3"),
        other if MORE.contains(&other) => !missing("node") && crate::tools::has_more_packages(),
        other => panic!("no case is for {other}"),
    }
}

/// What the command exits with in a checkout of head that is its own.
pub(crate) fn naive(env: &TestEnv, case: &Case) -> i32 {
    let repo = case.repo();
    if needs_packages(&case.says.runner) {
        installed(&repo, &case.says.runner);
    }
    let line: &[&str] = match case.says.runner.as_str() {
        "pytest" => &["python3", "-m", "pytest", "-q"],
        "cargo" => &["cargo", "test", "--quiet", "--offline"],
        "go" => &["go", "test", "./..."],
        "vitest" => &["node", "node_modules/vitest/vitest.mjs", "run"],
        "jest" => &["node", "node_modules/jest/bin/jest.js"],
        "mocha" => &["node", "node_modules/mocha/bin/mocha.js"],
        "ava" => &["node", "node_modules/ava/entrypoints/cli.mjs"],
        "jasmine" => &["node", "node_modules/jasmine/bin/jasmine.js"],
        "tap" => &["node", "node_modules/tap/dist/esm/run.mjs", "--disable-coverage"],
        "tape" => &["node", "node_modules/tape/bin/tape", "test/*.js"],
        "uvu" => &["node", "node_modules/uvu/bin.js", "test"],
        "playwright" => &["node", "node_modules/@playwright/test/cli.js", "test"],
        "unittest" => &["python3", "-m", "unittest"],
        _ => &["node", "--test"],
    };
    let status = Command::new(line[0])
        .args(&line[1..])
        .current_dir(repo.path().join(&case.says.folder))
        .env_clear()
        .envs(env.vars().iter().map(|(name, value)| (name, value)))
        // A home of each test's own would have Go build its standard library again and again.
        .env("GOCACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cases-go-cache"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match status {
        Ok(status) => status.code().unwrap_or(-1),
        Err(why) => panic!("{}: {} did not start: {why}", case.name, line[0]),
    }
}

pub(crate) fn needs_packages(runner: &str) -> bool {
    matches!(runner, "vitest" | "jest" | "mocha") || MORE.contains(&runner)
}
