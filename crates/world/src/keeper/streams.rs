//! What a child reads and writes: files, or a terminal that is copied into them.

use super::Order;
use super::terminal::Line;
use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::Stdio;

pub(super) struct Streams {
    pub(super) stdin: Stdio,
    pub(super) stdout: File,
    pub(super) stderr: File,
}

impl Streams {
    pub(super) fn open(order: &Order) -> Result<Self, String> {
        Ok(Self {
            stdin: match &order.stdin_file {
                None => Stdio::null(),
                Some(path) => given(path).map_err(|why| no_file(path, &why))?.into(),
            },
            stdout: log(&order.stdout_file)?,
            stderr: log(&order.stderr_file)?,
        })
    }

    /// The same on terminals, where the order says so: what is written there goes on into the files.
    pub(super) fn on(self, order: &Order) -> Result<(Self, Vec<Line>), String> {
        let wanted = order.bounds.as_ref().is_some_and(|bounds| bounds.otherwise.terminal);
        if !wanted {
            return Ok((self, Vec::new()));
        }
        let told = |why: io::Error| format!("could not give it a terminal: {why}");
        let (out, line) = Line::open(self.stdout).map_err(told)?;
        let (err, other) = Line::open(self.stderr).map_err(told)?;
        let stdin = if order.stdin_file.is_some() {
            self.stdin
        } else {
            out.try_clone().map_err(told)?.into()
        };
        Ok((Self { stdin, stdout: out, stderr: err }, vec![line, other]))
    }
}

/// What a child reads. A terminal among it is the child's to take, and not ours.
pub(crate) fn given(path: &OsStr) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(NOT_OURS).open(path)
}

/// Where it writes, at the end: a child that opens its own stdout again can't write over what is there.
pub(crate) fn taken(path: &OsStr) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).custom_flags(NOT_OURS).open(path)
}

#[expect(clippy::cast_possible_wrap, reason = "flags are bits")]
const NOT_OURS: i32 = rustix::fs::OFlags::NOCTTY.bits() as i32;

fn log(path: &OsStr) -> Result<File, String> {
    taken(path).map_err(|why| no_file(path, &why))
}

pub(super) fn no_file(path: &OsStr, why: &io::Error) -> String {
    format!("could not start the child: could not open {}: {why}", Path::new(path).display())
}
