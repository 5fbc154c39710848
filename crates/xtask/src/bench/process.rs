//! One process, from start to end: its wall time, and on Linux its own processor time and memory without those of
//! its children. It must not know what the process does.

use anyhow::{Context, Result};
use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::process::{Command, ExitStatus};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How often the memory of a process is looked at. The kernel keeps the peak, so only the last moments of a
/// process can be missed.
const LOOK: Duration = Duration::from_millis(20);

/// A tick of `/proc/PID/stat`: 100 a second on every Linux that we know.
const TICK_MS: f64 = 10.0;

pub struct Ended {
    pub status: ExitStatus,
    pub wall_ms: f64,
    /// Of the process alone, its children not counted.
    pub cpu_ms: Option<f64>,
    /// The most memory that the process alone held.
    pub peak_mb: Option<f64>,
}

/// What is looked at while a process runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Nothing, so that nothing is in its way.
    AtTheEnd,
    AtMemory,
}

/// Runs a command to its end.
pub fn time(command: &mut Command, look: Look) -> Result<Ended> {
    let shown = format!("{}", command.get_program().display());
    let began = Instant::now();
    let mut child = command.spawn().with_context(|| format!("{shown} did not start"))?;
    let pid = Pid::from_child(&child);
    let (ending, ended) = mpsc::channel::<()>();
    let watcher = match look {
        Look::AtTheEnd => None,
        Look::AtMemory => Some(thread::spawn(move || watch(pid, &ended))),
    };
    // Left unreaped for a moment: a process that has ended still tells what it used until someone waits for it.
    let left = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while matches!(waitid(WaitId::Pid(pid), left), Err(Errno::INTR)) {}
    let wall_ms = millis(began.elapsed());
    let cpu_ms = own_cpu_ms(pid);
    drop(ending);
    let peak_mb = watcher.and_then(|watcher| watcher.join().ok()).flatten();
    let status = child.wait().with_context(|| format!("{shown} was lost"))?;
    Ok(Ended { status, wall_ms, cpu_ms, peak_mb })
}

/// Looks at the memory of a process until the other end of the channel is gone.
fn watch(pid: Pid, ended: &Receiver<()>) -> Option<f64> {
    let mut peak = None;
    while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
        let status = std::fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero()));
        peak = status.ok().and_then(|status| peak_mb(&status)).or(peak);
    }
    peak
}

pub fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// User and system time of a process alone, from its line in `/proc`.
fn own_cpu_ms(pid: Pid) -> Option<f64> {
    let line = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    ticks(&line, OWN).map(|ticks| ticks * TICK_MS)
}

/// The same of a process and of all its children that have ended.
pub fn family_cpu_ms(pid: u32) -> Option<f64> {
    let line = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    Some((ticks(&line, OWN)? + ticks(&line, CHILDREN)?) * TICK_MS)
}

/// The same of all children of this process that have ended, and of theirs.
pub fn children_cpu_ms() -> f64 {
    let line = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    ticks(&line, CHILDREN).unwrap_or_default() * TICK_MS
}

/// Where user time stands behind the name; system time follows.
const OWN: usize = 11;
const CHILDREN: usize = 13;

fn ticks(stat: &str, from: usize) -> Option<f64> {
    // The name stands in parentheses and may hold anything, so counting begins after the last of them.
    let (_, after) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = after.split_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some(number(from)? + number(from + 1)?)
}

fn peak_mb(status: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_of_a_process_are_read_behind_its_name() {
        let stat = "41 (a) b) S 1 41 41 0 -1 4194560 500 900 0 0 7 5 300 200 20 0 1 0 99";
        assert_eq!(ticks(stat, OWN), Some(12.0));
        assert_eq!(ticks(stat, CHILDREN), Some(500.0));
        assert_eq!(ticks("41 (a) S 1", OWN), None);
    }

    #[test]
    fn the_peak_is_the_high_water_mark() {
        assert_eq!(peak_mb("VmPeak:\t 9 kB\nVmHWM:\t  2048 kB\nVmRSS:\t 1 kB\n"), Some(2.0));
        assert_eq!(peak_mb("Name:\tgone\n"), None);
    }

    #[test]
    fn a_process_is_timed_to_its_end() {
        let ended = time(&mut Command::new("true"), Look::AtMemory).unwrap();
        assert!(ended.status.success());
        assert!(ended.wall_ms > 0.0);
    }
}
