//! The journal itself: opening it, appending facts, reading them back. `append` is the commit point of the whole
//! program: what it wrote has happened, anything else has not.

use crate::error::{AppendError, JournalError};
use crate::inbox::{self, Answer, InboxId};
use crate::runs::{self, Headline};
use crate::schema;
use proctor_core::words::{Millis, RunId};
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// One connection to the journal. It can be sent to another thread but not shared: open one for each.
#[derive(Debug)]
pub struct Journal {
    pub(crate) conn: Connection,
    pub(crate) path: PathBuf,
}

/// A fact as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Recorded<E> {
    pub seq: u64,
    pub at: Millis,
    pub body: E,
}

impl Journal {
    /// Opens the journal below `home` and makes what is missing: the folder (for its owner alone), `journal.db`,
    /// `blobs/` and `runs/`.
    pub fn open(home: &Path) -> Result<Self, JournalError> {
        if let Some(parent) = home.parent() {
            fs::create_dir_all(parent).map_err(|source| folder(parent, source))?;
        }
        private_folder(home)?;
        private_folder(&home.join("blobs"))?;
        private_folder(&home.join("runs"))?;
        let path = home.join("journal.db");
        schema::refuse_cut(home, &path)?;
        let conn = schema::open(&path)?;
        Ok(Self { conn, path })
    }

    /// Appends events after event `after` of the run and brings the run's line in the list up to date, in one
    /// transaction. With no events nothing is written. Returns the number of the last event.
    pub fn append<E: Serialize>(
        &self,
        run: &RunId,
        after: u64,
        events: &[E],
        at: Millis,
        head: &Headline,
    ) -> Result<u64, AppendError> {
        self.append_in_one(run, after, events, at, |tx, last| {
            self.project(tx, (run, after, last, at), head)
        })
    }

    /// As `append`, for a history that is no run: it stands in no list.
    pub fn append_unlisted<E: Serialize>(
        &self,
        name: &RunId,
        after: u64,
        events: &[E],
        at: Millis,
    ) -> Result<u64, AppendError> {
        self.append_in_one(name, after, events, at, |_, _| Ok(()))
    }

    /// As `append`, and in the same transaction accepts the request that led to these events, so that a crash
    /// can't leave a request carried out and unanswered.
    pub fn append_accepting<E: Serialize>(
        &self,
        run: &RunId,
        after: u64,
        events: &[E],
        at: Millis,
        head: &Headline,
        request: InboxId,
    ) -> Result<u64, AppendError> {
        self.append_in_one(run, after, events, at, |tx, last| {
            self.project(tx, (run, after, last, at), head)?;
            inbox::set_answer(tx, &self.path, request, &Answer::Accepted)
        })
    }

    fn append_in_one<E: Serialize>(
        &self,
        run: &RunId,
        after: u64,
        events: &[E],
        at: Millis,
        also: impl FnOnce(&Transaction<'_>, u64) -> Result<(), JournalError>,
    ) -> Result<u64, AppendError> {
        // Encoded before the transaction begins: the lock is held for as short as can be.
        let bodies = events
            .iter()
            .map(|event| encode(run, "an event", event))
            .collect::<Result<Vec<_>, _>>()
            .map_err(AppendError::Journal)?;
        let failed = |source| AppendError::Journal(self.sql("append", source));
        let tx = self.write().map_err(AppendError::Journal)?;
        let found = last_seq(&tx, run).map_err(failed)?;
        if found != after {
            return Err(AppendError::Moved { run: run.clone(), expected: after, found });
        }
        let mut last = after;
        {
            let mut insert = tx
                .prepare_cached("INSERT INTO event (run, seq, at, body) VALUES (?1, ?2, ?3, ?4)")
                .map_err(failed)?;
            for body in &bodies {
                last += 1;
                insert
                    .execute(params![run.as_str(), to_sql(last), to_sql(at.0), body])
                    .map_err(failed)?;
            }
        }
        also(&tx, last).map_err(AppendError::Journal)?;
        tx.commit().map_err(failed)?;
        Ok(last)
    }

    /// The run's line in the list, where events were added.
    fn project(
        &self,
        tx: &Transaction<'_>,
        (run, after, last, at): (&RunId, u64, u64, Millis),
        head: &Headline,
    ) -> Result<(), JournalError> {
        if last == after {
            return Ok(());
        }
        runs::project(tx, run, last, at, head).map_err(|source| self.sql("append", source))
    }

    /// Every fact of a run, oldest first. A run without facts is an empty history.
    pub fn history<E: DeserializeOwned>(
        &self,
        run: &RunId,
    ) -> Result<Vec<Recorded<E>>, JournalError> {
        self.since(run, 0)
    }

    /// The facts of a run after event `seq`, oldest first.
    pub fn since<E: DeserializeOwned>(
        &self,
        run: &RunId,
        seq: u64,
    ) -> Result<Vec<Recorded<E>>, JournalError> {
        let failed = |source| self.sql("read the history", source);
        let mut select = self
            .conn
            .prepare_cached(
                "SELECT seq, at, body FROM event WHERE run = ?1 AND seq > ?2 ORDER BY seq",
            )
            .map_err(failed)?;
        let mut rows = select.query(params![run.as_str(), to_sql(seq)]).map_err(failed)?;
        let mut events = Vec::new();
        let mut expected = seq;
        while let Some(row) = rows.next().map_err(failed)? {
            let found = from_sql(row.get(0).map_err(failed)?);
            expected += 1;
            if found != expected {
                return Err(JournalError::Gap { run: run.clone(), expected, found });
            }
            let body = row.get_ref(2).map_err(failed)?;
            let body = body
                .as_str()
                .map_err(|error| error.to_string())
                .and_then(|text| serde_json::from_str(text).map_err(|error| error.to_string()))
                .map_err(|why| JournalError::Event { run: run.clone(), seq: found, why })?;
            events.push(Recorded {
                seq: found,
                at: Millis(from_sql(row.get(1).map_err(failed)?)),
                body,
            });
        }
        Ok(events)
    }

    /// A number that changes when another connection wrote something. Cheap enough to ask many times a second;
    /// what this connection writes itself does not change it.
    pub fn changed(&self) -> Result<i64, JournalError> {
        self.conn
            .pragma_query_value(None, "data_version", |row| row.get(0))
            .map_err(|source| self.sql("look for changes", source))
    }

    /// Begins a transaction that holds the write lock from the start: one that read first and wrote later would
    /// fail at once when another wrote in between, however patient it is.
    pub(crate) fn write(&self) -> Result<Transaction<'_>, JournalError> {
        Transaction::new_unchecked(&self.conn, TransactionBehavior::Immediate)
            .map_err(|source| self.sql("begin to write", source))
    }

    pub(crate) fn sql(&self, doing: &'static str, source: rusqlite::Error) -> JournalError {
        JournalError::from_sql(&self.path, doing, source)
    }
}

pub(crate) fn encode<T: Serialize>(
    run: &RunId,
    what: &'static str,
    value: &T,
) -> Result<String, JournalError> {
    serde_json::to_string(value).map_err(|source| JournalError::Encode {
        run: run.clone(),
        what,
        source,
    })
}

/// `SQLite`'s integers are signed; no count or time of ours comes near the edge.
pub(crate) fn to_sql(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(crate) fn from_sql(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

fn last_seq(tx: &Transaction<'_>, run: &RunId) -> rusqlite::Result<u64> {
    tx.prepare_cached("SELECT coalesce(max(seq), 0) FROM event WHERE run = ?1")?
        .query_row([run.as_str()], |row| row.get(0))
        .map(from_sql)
}

fn folder(path: &Path, source: io::Error) -> JournalError {
    JournalError::Folder { path: path.to_owned(), source }
}

fn private_folder(path: &Path) -> Result<(), JournalError> {
    match fs::DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        other => other.map_err(|source| folder(path, source)),
    }
}
