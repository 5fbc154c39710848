//! Tests of the journal as its users see it: real files, real processes.

#![expect(
    clippy::unwrap_used,
    reason = "a test says what is wrong by failing; functions beside the tests are tests too"
)]

mod blobs;
mod damage;
mod history;
mod inbox;
mod lease;
mod notes;
mod processes;
mod runs;

use proctor_core::words::{Millis, RunId};
use proctor_journal::{Headline, Journal};
use tempfile::TempDir;

/// A journal in a folder of its own.
pub struct Bench {
    pub home: TempDir,
    pub journal: Journal,
    pub run: RunId,
}

pub fn bench() -> Bench {
    let home = tempfile::tempdir().unwrap();
    let journal = Journal::open(home.path()).unwrap();
    let run = RunId::new("r1");
    Bench { home, journal, run }
}

pub fn head(status: &str) -> Headline {
    Headline {
        task: "t1".to_owned(),
        status: status.to_owned(),
        open: status == "RUNNING",
        ..Headline::default()
    }
}

impl Bench {
    pub fn append(&self, after: u64, words: &[&str]) -> u64 {
        self.journal.append(&self.run, after, words, Millis(7), &head("RUNNING")).unwrap()
    }

    pub fn words(&self) -> Vec<String> {
        self.journal
            .history::<String>(&self.run)
            .unwrap()
            .into_iter()
            .map(|recorded| recorded.body)
            .collect()
    }

    /// Looks into the file behind the journal's back.
    pub fn raw(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.home.path().join("journal.db")).unwrap()
    }
}
