//! What is otherwise around a child: the name of the machine, the numbers of its processes, how many cores there are. It is
//! done before rights are given up; what a level has no right to stays as it is.

use super::Otherwise;
use rustix::mount::{MountFlags, mount_bind, mount_remount};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::fs;
use std::path::Path;

const SYSTEM: &str = "/proc/sys";
/// The number that the last process of a namespace got.
const LAST: &str = "/proc/sys/kernel/ns_last_pid";
/// The highest that one may get, since Linux 6.14 in each namespace.
const HIGHEST: &str = "/proc/sys/kernel/pid_max";

/// The first process of a namespace of its own does this, while it has its rights.
pub(super) fn dress(otherwise: &Otherwise) {
    if let Some(host) = &otherwise.host {
        // A level without a name of its own keeps the machine's.
        let _ = rustix::system::sethostname(host.as_bytes());
    }
    if otherwise.one_core {
        stay_on_one();
    }
}

/// Lets the numbers of processes begin after this one. `/proc/sys` can be written, and can't afterwards.
pub(super) fn count_on(otherwise: &Otherwise) -> Result<(), String> {
    let Some(after) = otherwise.after else { return Ok(()) };
    begin_after(Path::new(HIGHEST), Path::new(LAST), after);
    let closed = mount_bind(SYSTEM, SYSTEM)
        .and_then(|()| mount_remount(SYSTEM, MountFlags::BIND | MountFlags::RDONLY, c""));
    closed.map_err(|why| format!("could not close {SYSTEM}: {why}"))
}

/// Where the highest number is this namespace's own and too low, it is raised.
pub(super) fn begin_after(highest: &Path, last: &Path, after: u32) {
    let most = fs::read_to_string(highest).ok().and_then(|text| text.trim().parse::<u32>().ok());
    if most.is_some_and(|most| most < after.saturating_mul(2)) {
        let _ = fs::write(highest, after.saturating_mul(2).to_string());
    }
    let _ = fs::write(last, after.to_string());
}

/// One of the cores that there are.
fn stay_on_one() {
    let Ok(there) = sched_getaffinity(None) else { return };
    let Some(core) = (0..CpuSet::MAX_CPU).find(|core| there.is_set(*core)) else { return };
    let mut one = CpuSet::new();
    one.set(core);
    let _ = sched_setaffinity(None, &one);
}
