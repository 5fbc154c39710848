//! The list of runs: a projection that is written with every append, so that listing never replays a history.

use crate::error::JournalError;
use crate::journal::{Journal, from_sql, to_sql};
use proctor_core::words::{Millis, RunId};
use rusqlite::{OptionalExtension, Params, Row, Transaction, params};
use serde::Serialize;

/// What a list shows of a run. The words are the caller's; nothing here is read back into a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Headline {
    pub task: String,
    pub kind: String,
    pub description: String,
    pub repo: String,
    pub branch: String,
    pub status: String,
    pub stage: String,
    pub reason: String,
    /// Not ended: it may go on.
    pub open: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunRow {
    #[serde(rename = "run")]
    pub id: RunId,
    pub created: Millis,
    pub updated: Millis,
    pub last_seq: u64,
    #[serde(flatten)]
    pub head: Headline,
}

/// Which runs are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listing {
    All,
    Open,
}

const COLUMNS: &str = "SELECT id, created, updated, last_seq, \
     task, kind, description, repo, branch, status, stage, reason, open FROM run";
const NEWEST_FIRST: &str = "ORDER BY created DESC, rowid DESC";

impl Journal {
    /// The runs, newest first.
    pub fn runs(&self, filter: Listing) -> Result<Vec<RunRow>, JournalError> {
        match filter {
            Listing::All => self.select_runs("", []),
            Listing::Open => self.select_runs("WHERE open <> 0", []),
        }
    }

    /// The newest run of a repository.
    pub fn newest_of(&self, repo: &str) -> Result<Option<RunRow>, JournalError> {
        self.conn
            .query_row(
                &format!("{COLUMNS} WHERE repo = ?1 {NEWEST_FIRST} LIMIT 1"),
                [repo],
                read_row,
            )
            .optional()
            .map_err(|source| self.sql("look for a run", source))
    }

    /// The run that a person means by an id, its beginning or its end, or a task's id.
    pub fn find(&self, text: &str) -> Result<RunRow, JournalError> {
        let text = text.trim();
        let exact = self
            .conn
            .query_row(&format!("{COLUMNS} WHERE id = ?1"), [text], read_row)
            .optional()
            .map_err(|source| self.sql("look for a run", source))?;
        if let Some(row) = exact {
            return Ok(row);
        }
        let unknown = || JournalError::Unknown { text: text.to_owned() };
        if text.is_empty() {
            return Err(unknown());
        }
        let mut rows = Vec::new();
        for means in ["task = ?1", "substr(id, 1, length(?1)) = ?1", "substr(id, -length(?1)) = ?1"]
        {
            rows = self.select_runs(&format!("WHERE {means}"), [text])?;
            if !rows.is_empty() {
                break;
            }
        }
        if rows.len() > 1 {
            return Err(JournalError::Ambiguous {
                text: text.to_owned(),
                candidates: rows.into_iter().map(|row| row.id).collect(),
            });
        }
        rows.pop().ok_or_else(unknown)
    }

    fn select_runs(
        &self,
        condition: &str,
        values: impl Params,
    ) -> Result<Vec<RunRow>, JournalError> {
        let failed = |source| self.sql("list the runs", source);
        self.conn
            .prepare_cached(&format!("{COLUMNS} {condition} {NEWEST_FIRST}"))
            .map_err(failed)?
            .query_map(values, read_row)
            .map_err(failed)?
            .collect::<Result<Vec<_>, _>>()
            .map_err(failed)
    }
}

/// Writes a run's line; `created` stays what it was.
pub(crate) fn project(
    tx: &Transaction<'_>,
    run: &RunId,
    last_seq: u64,
    at: Millis,
    head: &Headline,
) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "INSERT INTO run (id, created, updated, last_seq,
             task, kind, description, repo, branch, status, stage, reason, open)
         VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
         ON CONFLICT (id) DO UPDATE SET
             updated = excluded.updated, last_seq = excluded.last_seq, task = excluded.task,
             kind = excluded.kind, description = excluded.description, repo = excluded.repo,
             branch = excluded.branch, status = excluded.status, stage = excluded.stage,
             reason = excluded.reason, open = excluded.open",
    )?
    .execute(params![
        run.as_str(),
        to_sql(at.0),
        to_sql(last_seq),
        head.task,
        head.kind,
        head.description,
        head.repo,
        head.branch,
        head.status,
        head.stage,
        head.reason,
        head.open,
    ])
    .map(|_| ())
}

fn read_row(row: &Row<'_>) -> rusqlite::Result<RunRow> {
    Ok(RunRow {
        id: RunId::new(row.get::<_, String>(0)?),
        created: Millis(from_sql(row.get(1)?)),
        updated: Millis(from_sql(row.get(2)?)),
        last_seq: from_sql(row.get(3)?),
        head: Headline {
            task: row.get(4)?,
            kind: row.get(5)?,
            description: row.get(6)?,
            repo: row.get(7)?,
            branch: row.get(8)?,
            status: row.get(9)?,
            stage: row.get(10)?,
            reason: row.get(11)?,
            open: row.get(12)?,
        },
    })
}
