//! Our own binary in the background, for `--detach`.
//!
//! Owns: that start. It must not wait for what it started, and must not be used for children of a run: those have a
//! keeper.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Starts `program` in a process group of its own, with nothing of the terminal: no stdin, and both outputs at the end
/// of `log`. It inherits this process's environment, with `added` on top, since it goes on with what was asked here.
/// Returns its number at once.
pub fn detach(
    program: &Path,
    args: &[OsString],
    added: &BTreeMap<OsString, OsString>,
    log: &Path,
) -> io::Result<u32> {
    let log_file = || {
        OpenOptions::new()
            .append(true)
            .create(true)
            .mode(0o600)
            .open(log)
            .map_err(|why| told("open the log", log, &why))
    };
    let child = Command::new(program)
        .args(args)
        .envs(added)
        .stdin(Stdio::null())
        .stdout(log_file()?)
        .stderr(log_file()?)
        .process_group(0)
        .spawn()
        .map_err(|why| told("start", program, &why))?;
    Ok(child.id())
}

fn told(what: &str, path: &Path, why: &io::Error) -> io::Error {
    io::Error::new(why.kind(), format!("could not {what} {}: {why}", path.display()))
}
