//! The table of running processes, as `/proc` shows it.
//!
//! Owns: reading that table, who descends from whom, and sending the last signal to an entry that is still the process
//! it was when it was read. It must not decide who is to be ended. Where there is no `/proc` the table is empty.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

static WITHOUT: AtomicBool = AtomicBool::new(false);

/// From here on this process reads no table, as where the system has none.
pub(crate) fn go_without() {
    WITHOUT.store(true, Ordering::Relaxed);
}

pub(crate) fn is_without() -> bool {
    WITHOUT.load(Ordering::Relaxed)
}

/// One process at the moment when the table was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) pid: Pid,
    pub(crate) parent: i32,
    pub(crate) group: i32,
    pub(crate) session: i32,
    /// When it started, in ticks since the machine did: with the number this is an identity, the number alone is not.
    start: u64,
    zombie: bool,
}

impl Entry {
    pub(crate) fn number(&self) -> i32 {
        self.pid.as_raw_nonzero().get()
    }

    /// Whether it still runs. A zombie has ended and waits only to be reaped.
    pub(crate) fn lives(&self) -> bool {
        !self.zombie && read(self.pid).is_some_and(|now| now.start == self.start && !now.zombie)
    }

    /// Ends it with SIGKILL, unless its number belongs to another process by now.
    pub(crate) fn end(&self) {
        if self.lives() {
            // It may end by itself in between; then there is nothing to do.
            let _ = kill_process(self.pid, Signal::KILL);
        }
    }

    /// Where its folder in `/proc` is.
    pub(crate) fn folder(&self) -> PathBuf {
        PathBuf::from(format!("/proc/{}", self.number()))
    }
}

/// Every process that can be seen.
pub(crate) fn all() -> Vec<Entry> {
    let Some(folder) = fs::read_dir("/proc").ok().filter(|_| !is_without()) else {
        return Vec::new();
    };
    folder
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter_map(Pid::from_raw)
        .filter_map(read)
        .collect()
}

/// What descends from `roots`, the roots themselves not among them, zombies included.
pub(crate) fn descendants<'t>(table: &'t [Entry], roots: &BTreeSet<i32>) -> Vec<&'t Entry> {
    let mut children: BTreeMap<i32, Vec<&Entry>> = BTreeMap::new();
    for entry in table {
        children.entry(entry.parent).or_default().push(entry);
    }
    let mut seen = roots.clone();
    let mut open: Vec<i32> = roots.iter().copied().collect();
    let mut found = Vec::new();
    while let Some(parent) = open.pop() {
        for child in children.get(&parent).into_iter().flatten() {
            let pid = child.number();
            if seen.insert(pid) {
                open.push(pid);
                found.push(*child);
            }
        }
    }
    found
}

fn read(pid: Pid) -> Option<Entry> {
    let line = fs::read(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    parse(pid, &line)
}

/// A tick of the table: a hundred are a second on every Linux that we know.
const TICK: Duration = Duration::from_millis(10);

/// The processor time of a process and of all below it that were waited for. One that ended says it until it is reaped.
pub(crate) fn used_by(number: u32) -> Option<Duration> {
    if is_without() {
        return None;
    }
    let line = fs::read(format!("/proc/{number}/stat")).ok()?;
    Some(TICK * used(&line)?.iter().sum::<u32>())
}

/// The ticks of a process in its own code and the system's, and of what was below it in the same order.
fn used(line: &[u8]) -> Option<[u32; 4]> {
    let after_name = line.iter().rposition(|byte| *byte == b')')? + 1;
    let rest = std::str::from_utf8(line.get(after_name..)?).ok()?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<u32>().ok();
    Some([number(11)?, number(12)?, number(13)?, number(14)?])
}

fn parse(pid: Pid, line: &[u8]) -> Option<Entry> {
    // The second field is the name in parentheses, and a name may hold blanks and parentheses of its own.
    let after_name = line.iter().rposition(|byte| *byte == b')')? + 1;
    let rest = std::str::from_utf8(&line[after_name..]).ok()?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    Some(Entry {
        pid,
        zombie: matches!(*fields.first()?, "Z" | "X" | "x"),
        parent: fields.get(1)?.parse().ok()?,
        group: fields.get(2)?.parse().ok()?,
        session: fields.get(3)?.parse().ok()?,
        start: fields.get(19)?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(pid: i32, parent: i32) -> Entry {
        Entry {
            pid: Pid::from_raw(pid).unwrap(),
            parent,
            group: pid,
            session: pid,
            start: 0,
            zombie: false,
        }
    }

    #[test]
    fn a_name_with_parentheses_does_not_shift_the_fields() {
        let line = b"7 (a) R 1 (b) S 3 4 5 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 4711 0 0";
        let read = parse(Pid::from_raw(7).unwrap(), line).unwrap();
        assert_eq!((read.parent, read.group, read.session, read.start), (3, 4, 5, 4711));
        assert!(!read.zombie);
    }

    #[test]
    fn the_time_of_a_process_has_four_parts() {
        let line = b"41 (a) b) S 1 41 41 0 -1 4194560 500 900 0 0 7 5 300 200 20 0 1 0 99";
        assert_eq!(used(line), Some([7, 5, 300, 200]));
        assert_eq!(used(b"41 (a) S 1"), None);
        assert!(used_by(std::process::id()).is_some() || !cfg!(target_os = "linux"));
    }

    #[test]
    fn descendants_are_found_through_every_generation() {
        let table = [entry(2, 1), entry(3, 2), entry(4, 3), entry(9, 1)];
        let found: Vec<i32> =
            descendants(&table, &BTreeSet::from([2])).iter().map(|entry| entry.number()).collect();
        assert_eq!(found, [3, 4]);
    }

    #[test]
    fn a_circle_of_parents_ends() {
        let table = [entry(2, 3), entry(3, 2)];
        assert_eq!(descendants(&table, &BTreeSet::from([2])).len(), 1);
    }
}
