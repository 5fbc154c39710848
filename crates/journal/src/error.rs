//! What can go wrong with the journal, in words for people. Every error names the file, run or row it is about.

use proctor_core::words::RunId;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum JournalError {
    #[error(
        "the folder {} can't be used: {source}\nhint: check that you may write there, or point PROCTOR_HOME elsewhere",
        path.display()
    )]
    Folder { path: PathBuf, source: io::Error },

    #[error(
        "{} was written by a newer Proctor (format {found}, this one knows {known})\nhint: upgrade Proctor, or point PROCTOR_HOME at another folder",
        path.display()
    )]
    Newer { path: PathBuf, found: i64, known: i64 },

    #[error(
        "the journal {} is damaged: {why}\nhint: put a copy of it back, or move the file away to begin a new journal; your repositories are not affected",
        path.display()
    )]
    Damaged { path: PathBuf, why: String },

    #[error(
        "the journal {} was locked by another process for too long\nhint: see which proctor is still at work, then try again",
        path.display()
    )]
    Busy { path: PathBuf },

    #[error(
        "the disk that holds the journal {} is full\nhint: make room, then `proctor resume`; nothing recorded was lost",
        path.display()
    )]
    Full { path: PathBuf },

    #[error("could not {doing} in the journal {}: {source}", path.display())]
    Sql { path: PathBuf, doing: &'static str, source: rusqlite::Error },

    #[error("{what} of run {run} can't be written as JSON: {source}")]
    Encode { run: RunId, what: &'static str, source: serde_json::Error },

    #[error(
        "event {seq} of run {run} can't be read: {why}\nhint: it may come from a newer Proctor; upgrade, or look at it with `proctor log {run}`"
    )]
    Event { run: RunId, seq: u64, why: String },

    #[error(
        "the history of run {run} has a gap: event {expected} should follow, {found} does\nhint: the journal was changed by another program; put a copy of it back"
    )]
    Gap { run: RunId, expected: u64, found: u64 },

    #[error("request {id} for run {run} can't be read: {why}")]
    Request { run: RunId, id: crate::InboxId, why: String },

    #[error("there is no request {id} in the inbox")]
    NoRequest { id: crate::InboxId },

    #[error("no run or task is called {text:?}\nhint: `proctor list` shows what there is")]
    Unknown { text: String },

    #[error(
        "{text:?} could be any of {}\nhint: write the run's id in full",
        candidates.iter().map(RunId::as_str).collect::<Vec<_>>().join(", ")
    )]
    Ambiguous { text: String, candidates: Vec<RunId> },
}

/// Why events were not appended.
#[derive(Debug, Error)]
pub enum AppendError {
    /// Someone else appended first. Not a fault: read `since` and decide again.
    #[error(
        "run {run} moved on: its last event was expected to be {expected} and is {found}\nhint: another proctor drives this run; `proctor list` shows it"
    )]
    Moved { run: RunId, expected: u64, found: u64 },
    #[error(transparent)]
    Journal(JournalError),
}

impl JournalError {
    /// Sorts what `SQLite` says into what a person can act on.
    pub(crate) fn from_sql(path: &Path, doing: &'static str, source: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        let path = path.to_owned();
        match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
                Self::Damaged { path, why: source.to_string() }
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { path },
            Some(ErrorCode::DiskFull) => Self::Full { path },
            _ => Self::Sql { path, doing, source },
        }
    }
}
