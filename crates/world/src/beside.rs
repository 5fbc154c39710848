//! Another program of ours in the same terminal, for programs that hand a command on. It is waited for.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// Shows what it does; gives its exit code, or none where a signal ended it.
pub fn show(
    program: &Path,
    args: &[OsString],
    added: &BTreeMap<OsString, OsString>,
) -> io::Result<Option<i32>> {
    Ok(Command::new(program).args(args).envs(added).status()?.code())
}

/// The same, with what it prints for programs. What it says to people is shown.
pub fn ask(
    program: &Path,
    args: &[OsString],
    added: &BTreeMap<OsString, OsString>,
) -> io::Result<(Option<i32>, String)> {
    let mut command = Command::new(program);
    let output = command.args(args).envs(added).stderr(Stdio::inherit()).output()?;
    Ok((output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned()))
}
