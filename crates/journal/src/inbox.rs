//! The inbox: what people and other programs ask of a run. Faces post and wait for the answer; the engine reads
//! and answers. A request is never deleted, so an approval survives a crash.

use crate::error::JournalError;
use crate::journal::{Journal, encode, to_sql};
use proctor_core::words::{Millis, RunId};
use rusqlite::{Connection, OptionalExtension, params};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct InboxId(pub i64);

impl fmt::Display for InboxId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Answer {
    Accepted,
    Refused { why: String },
}

impl Journal {
    /// Leaves a request for whoever drives the run.
    pub fn post<R: Serialize>(
        &self,
        run: &RunId,
        request: &R,
        at: Millis,
    ) -> Result<InboxId, JournalError> {
        let failed = |source| self.sql("post a request", source);
        let body = encode(run, "a request", request)?;
        let tx = self.write()?;
        tx.prepare_cached("INSERT INTO inbox (run, at, body) VALUES (?1, ?2, ?3)")
            .map_err(failed)?
            .execute(params![run.as_str(), to_sql(at.0), body])
            .map_err(failed)?;
        let id = InboxId(tx.last_insert_rowid());
        tx.commit().map_err(failed)?;
        Ok(id)
    }

    /// The requests that have no answer yet, oldest first. One that can't be read is an error that holds its id,
    /// so that it can be refused and the others seen.
    pub fn pending<R: DeserializeOwned>(
        &self,
        run: &RunId,
    ) -> Result<Vec<(InboxId, R)>, JournalError> {
        let failed = |source| self.sql("read the inbox", source);
        let mut select = self
            .conn
            .prepare_cached(
                "SELECT id, body FROM inbox WHERE run = ?1 AND answer IS NULL ORDER BY id",
            )
            .map_err(failed)?;
        let mut rows = select.query([run.as_str()]).map_err(failed)?;
        let mut requests = Vec::new();
        while let Some(row) = rows.next().map_err(failed)? {
            let id = InboxId(row.get(0).map_err(failed)?);
            let body: String = row.get(1).map_err(failed)?;
            let request = serde_json::from_str(&body).map_err(|error| JournalError::Request {
                run: run.clone(),
                id,
                why: error.to_string(),
            })?;
            requests.push((id, request));
        }
        Ok(requests)
    }

    /// Answers a request. The first answer stands: a second one changes nothing.
    pub fn answer(&self, id: InboxId, answer: &Answer) -> Result<(), JournalError> {
        set_answer(&self.conn, &self.path, id, answer)
    }

    /// The answer to a request, once there is one.
    pub fn answer_of(&self, id: InboxId) -> Result<Option<Answer>, JournalError> {
        let failed = |source| self.sql("read an answer", source);
        let found: Option<(String, Option<String>)> = self
            .conn
            .prepare_cached("SELECT run, answer FROM inbox WHERE id = ?1")
            .map_err(failed)?
            .query_row([id.0], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()
            .map_err(failed)?;
        let Some((run, answer)) = found else {
            return Err(JournalError::NoRequest { id });
        };
        answer.map(|text| serde_json::from_str(&text)).transpose().map_err(|error| {
            JournalError::Request {
                run: RunId::new(run),
                id,
                why: format!("its answer is broken: {error}"),
            }
        })
    }
}

/// Writes an answer where there is none; inside a transaction of the caller's or in one of its own.
pub(crate) fn set_answer(
    conn: &Connection,
    path: &Path,
    id: InboxId,
    answer: &Answer,
) -> Result<(), JournalError> {
    let failed = |source| JournalError::from_sql(path, "answer a request", source);
    let text = serde_json::to_string(answer).map_err(|error| JournalError::Request {
        run: RunId::new(""),
        id,
        why: error.to_string(),
    })?;
    let changed = conn
        .prepare_cached("UPDATE inbox SET answer = coalesce(answer, ?2) WHERE id = ?1")
        .map_err(failed)?
        .execute(params![id.0, text])
        .map_err(failed)?;
    match changed {
        0 => Err(JournalError::NoRequest { id }),
        _ => Ok(()),
    }
}
