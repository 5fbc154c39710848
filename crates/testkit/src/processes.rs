//! The machine's processes as a test sees them: which belong to a `PROCTOR_HOME`, and their end. It must
//! never end a process that no test of ours started.

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::{Duration, Instant};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    pub pid: u32,
    pub command: String,
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.pid, self.command)
    }
}

/// The living processes whose environment names this `PROCTOR_HOME`, or anything inside it.
pub fn processes_with_token(home: &Path) -> Vec<Process> {
    let token = home.as_os_str().as_bytes();
    assert!(token.len() > 1, "`{}` would match every process", home.display());
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let mut found: Vec<Process> = pids
        .filter(|pid| *pid != std::process::id())
        // A process that ended in between, or one of another user, can't be read and is not ours. A zombie
        // has an empty environment.
        .filter(|pid| {
            std::fs::read(format!("/proc/{pid}/environ")).is_ok_and(|env| names(&env, token))
        })
        .map(|pid| Process { pid, command: command_of(pid) })
        .collect();
    found.sort_by_key(|process| process.pid);
    found
}

/// Waits until no process of this `PROCTOR_HOME` is alive, at most `limit`; what is still there is returned.
pub fn processes_left_after(home: &Path, limit: Duration) -> Vec<Process> {
    let began = Instant::now();
    loop {
        let left = processes_with_token(home);
        if left.is_empty() || began.elapsed() >= limit {
            return left;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

pub(crate) fn kill_one(pid: u32) {
    signal_one(pid, Signal::KILL);
}

/// A process that is gone already needs no signal, so the answer is not looked at.
pub(crate) fn signal_one(pid: u32, signal: Signal) {
    if let Some(pid) = known(pid) {
        let _ = kill_process(pid, signal);
    }
}

pub(crate) fn kill_group(pid: u32) {
    if let Some(pid) = known(pid) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

/// A number that a signal may be sent to: 0 and 1 would mean our own group, or everything.
fn known(pid: u32) -> Option<Pid> {
    let raw = i32::try_from(pid).ok().filter(|raw| *raw > 1)?;
    Pid::from_raw(raw)
}

/// Whether the token stands there as a whole path or as the beginning of one.
fn names(env: &[u8], token: &[u8]) -> bool {
    env.windows(token.len()).enumerate().any(|(at, window)| {
        window == token
            && env
                .get(at + token.len())
                .is_none_or(|next| !next.is_ascii_alphanumeric() && !b"_-.".contains(next))
    })
}

fn command_of(pid: u32) -> String {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&line).trim_end_matches('\0').replace('\0', " ")
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_token_is_a_whole_path_or_the_beginning_of_one() {
        assert!(names(b"A=1\0PROCTOR_HOME=/t/x\0B=2\0", b"/t/x"));
        assert!(names(b"HOME=/t/x/runs/1\0", b"/t/x"));
        assert!(names(b"HOME=/t/x", b"/t/x"));
        assert!(!names(b"HOME=/t/xy\0", b"/t/x"));
        assert!(!names(b"", b"/t/x"));
    }
}
