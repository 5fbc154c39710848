//! What a run left behind when Proctor and a keeper were both killed.
//!
//! Owns: finding and ending the processes that carry a run's token in their environment, and what descends from them.
//! It must not go by name, command line or folder: only a run's own children carry its token.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{getpid, getuid};

use crate::processes::{self, Entry};

/// The variable that each child of a run has in its environment; its value is known to that run alone.
pub const TOKEN: &str = "PROCTOR_TOKEN";

/// How long `sweep` waits for what it ended to be gone.
const PATIENCE: Duration = Duration::from_secs(2);

/// Ends every process of this user that carries the token, with its descendants, and says how many there were.
///
/// This process itself is spared. Returns when they are gone, after two seconds at the most.
pub fn sweep(token: &str) -> usize {
    if token.is_empty() {
        return 0;
    }
    let wanted = format!("{TOKEN}={token}");
    end_all(|table| {
        let carriers: Vec<&Entry> = table.iter().filter(|entry| carries(entry, &wanted)).collect();
        let roots = carriers.iter().map(|entry| entry.number()).collect();
        // A child that cleaned its environment is known by its parent.
        let mut found = processes::descendants(table, &roots);
        found.extend(carriers);
        found
    })
}

/// Ends what is left of a keeper's session. Its number must not be free for others: the keeper is not reaped yet.
pub(crate) fn sweep_session(keeper: i32) -> usize {
    end_all(|table| {
        table.iter().filter(|entry| entry.session == keeper && entry.number() != keeper).collect()
    })
}

/// Looks again after each round: between two looks a process can fork.
fn end_all(pick: impl Fn(&[Entry]) -> Vec<&Entry>) -> usize {
    let began = Instant::now();
    let mut ended = BTreeSet::new();
    loop {
        let mut table = processes::all();
        // Taken out before anything is picked, so that what this process started is not reached through it either.
        table.retain(|entry| entry.pid != getpid());
        let found: Vec<&Entry> = pick(&table).into_iter().filter(|entry| entry.lives()).collect();
        if found.is_empty() || began.elapsed() > PATIENCE {
            return ended.len();
        }
        for entry in found {
            entry.end();
            ended.insert(entry.number());
        }
        thread::sleep(Duration::from_millis(1));
    }
}

fn carries(entry: &Entry, wanted: &str) -> bool {
    let folder = entry.folder();
    let ours = fs::metadata(&folder).is_ok_and(|found| found.uid() == getuid().as_raw());
    ours && fs::read(folder.join("environ")).is_ok_and(|environ| {
        environ.split(|byte| *byte == 0).any(|variable| variable == wanted.as_bytes())
    })
}
