//! `cargo xtask test`: what the tests need, then the tests. One command on a machine that has nothing but Rust.

use crate::tree::root;
use anyhow::{Context, Result};
use std::ffi::OsStr;
use std::process::{Command, ExitCode};

pub fn run(more: &[&str]) -> Result<ExitCode> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let tests = [&["nextest", "run", "--workspace"], more].concat();
    Ok(if call("scripts/setup".as_ref(), &[])? && call(&cargo, &tests)? {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
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
}
