//! What Proctor keeps and nobody needs any more: caches first, then worktrees of runs that have ended, then rescue refs past
//! their age. Owns what is old enough to go. Must never remove work that is saved nowhere else, nor touch a run that may go on.

mod caches;
mod rescues;
mod worktrees;

use crate::surroundings::Surroundings;
use crate::text::clock;
use anyhow::Result;
use proctor_core::words::Millis;
use proctor_engine::Home;
use proctor_journal::{Journal, Lease, Listing, RunRow};
use proctor_world::stock;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

const DAY: u64 = 24 * 60 * 60 * 1000;

/// What a person asks for.
#[derive(Clone, Copy, Debug)]
pub struct GcAsk {
    pub act: Act,
    /// How long a cache must have been unused, in milliseconds.
    pub unused: u64,
    /// How long ago a run must have ended for its rescue refs to go, in milliseconds.
    pub rescued: u64,
}

impl GcAsk {
    pub const UNUSED: u64 = 14 * DAY;
    pub const RESCUED: u64 = 90 * DAY;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Removes what is old enough.
    Clear,
    /// Only says what would go.
    Look,
}

/// What something is, in the order in which it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sort {
    Cache,
    Worktree,
    Rescue,
}

impl Sort {
    pub fn plural(self) -> &'static str {
        match self {
            Self::Cache => "caches",
            Self::Worktree => "worktrees",
            Self::Rescue => "rescue refs",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "fate", rename_all = "kebab-case")]
pub enum Fate {
    Removed,
    WouldGo,
    Stays { why: String },
}

/// One thing that was looked at, told where it goes, and where it is old enough and stays all the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Swept {
    pub sort: Sort,
    pub what: String,
    pub bytes: u64,
    /// When it was used last.
    pub used: Millis,
    #[serde(flatten)]
    pub fate: Fate,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sums {
    /// How many bytes went, or would go.
    pub freed: u64,
    /// How many bytes are left, by what they are.
    pub left: BTreeMap<&'static str, u64>,
    /// How many bytes are free on the disk.
    pub free: u64,
}

/// Cleans up; `tell` hears of each thing that goes.
pub fn gc(around: &Surroundings, ask: GcAsk, tell: &mut dyn FnMut(&Swept)) -> Result<Sums> {
    let home = &around.home;
    let mut sums = Sums::default();
    if home.root().is_dir() {
        let mut sweep = Sweep { home, ask, now: clock::now(), runs: runs(home)?, freed: 0, tell };
        caches::sweep(&mut sweep)?;
        worktrees::sweep(&mut sweep)?;
        rescues::sweep(&mut sweep)?;
        sums.freed = sweep.freed;
        for (name, folders) in LEFT {
            let bytes = folders.iter().map(|folder| stock::room(&home.root().join(folder))).sum();
            sums.left.insert(name, bytes);
        }
    }
    sums.free = stock::free(home.root())?;
    Ok(sums)
}

/// What is told of what is left, and where it lies.
const LEFT: [(&str, &[&str]); 5] = [
    (
        "caches",
        &[
            "warm",
            "packages",
            "trees",
            "baselines",
            "verdicts",
            "trials",
            "gates",
            "packs",
            "cache",
        ],
    ),
    ("worktrees", &["worktrees"]),
    ("repositories", &["repos"]),
    ("evidence", &["runs", "blobs", "hunts"]),
    ("journal", &["journal.db", "journal.db-wal"]),
];

fn runs(home: &Home) -> Result<BTreeMap<String, RunRow>> {
    if !home.root().join("journal.db").is_file() {
        return Ok(BTreeMap::new());
    }
    let rows = Journal::open(home.root())?.runs(Listing::All)?;
    Ok(rows.into_iter().map(|row| (row.id.to_string(), row)).collect())
}

/// One time of cleaning up.
struct Sweep<'a> {
    home: &'a Home,
    ask: GcAsk,
    now: Millis,
    runs: BTreeMap<String, RunRow>,
    freed: u64,
    tell: &'a mut dyn FnMut(&Swept),
}

impl Sweep<'_> {
    /// A run that ended for good, and that nobody drives.
    fn ended(&self, id: &str) -> Option<&RunRow> {
        let row = self.runs.get(id).filter(|row| !row.head.open)?;
        matches!(Lease::held(self.home.root(), &row.id), Ok(None)).then_some(row)
    }

    fn is_older(&self, used: Millis, age: u64) -> bool {
        self.now.0.saturating_sub(used.0) >= age
    }

    /// Lets something go, by `remove`; what can't be removed stays and says why.
    fn let_go(&mut self, swept: Swept, remove: impl FnOnce() -> Result<Fate>) {
        let fate = match self.ask.act {
            Act::Look => Fate::WouldGo,
            Act::Clear => remove().unwrap_or_else(|why| Fate::Stays { why: format!("{why:#}") }),
        };
        if !matches!(fate, Fate::Stays { .. }) {
            self.freed = self.freed.saturating_add(swept.bytes);
        }
        (self.tell)(&Swept { fate, ..swept });
    }

    fn stays(&mut self, swept: Swept, why: &str) {
        (self.tell)(&Swept { fate: Fate::Stays { why: why.to_owned() }, ..swept });
    }
}

/// When a folder or anything directly in it changed last.
fn changed(path: &Path) -> Millis {
    let time = |path: &Path| std::fs::symlink_metadata(path).and_then(|about| about.modified());
    let inside = stock::entries(path).unwrap_or_default();
    let inside = inside.iter().filter_map(|(_, about)| about.modified().ok());
    millis(inside.chain(time(path)).max().unwrap_or(UNIX_EPOCH))
}

fn millis(time: SystemTime) -> Millis {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
