//! Notes: an agent's chatter and the program's own remarks, for people who watch. They prove nothing, may be
//! trimmed, and the last few may be lost in a power cut.

use crate::error::JournalError;
use crate::journal::{Journal, from_sql, to_sql};
use proctor_core::words::{Millis, RunId};
use rusqlite::params;
use serde::Serialize;

/// How many notes of a run are kept.
pub const KEPT: u64 = 20_000;
/// How long a note's text may be, in bytes.
pub const LONGEST: usize = 8 * 1024;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    /// Counts from 1 in each run and never goes back, also when old notes are trimmed.
    pub id: u64,
    pub at: Millis,
    pub kind: String,
    pub text: String,
}

impl Journal {
    /// Adds a note; the oldest one goes when there are too many.
    pub fn note(
        &self,
        run: &RunId,
        at: Millis,
        kind: &str,
        text: &str,
    ) -> Result<(), JournalError> {
        // Chatter is not worth a wait for the disk at every line. In WAL mode this can lose the newest notes,
        // never a fact: the next append syncs everything before it.
        self.sync("NORMAL")?;
        let written = self.insert_note(run, at, kind, text);
        self.sync("FULL")?;
        written
    }

    /// The notes of a run after note `id`, oldest first; 0 asks for all that are kept.
    pub fn notes_since(&self, run: &RunId, id: u64) -> Result<Vec<Note>, JournalError> {
        let failed = |source| self.sql("read the notes", source);
        self.conn
            .prepare_cached(
                "SELECT id, at, kind, text FROM note WHERE run = ?1 AND id > ?2 ORDER BY id",
            )
            .map_err(failed)?
            .query_map(params![run.as_str(), to_sql(id)], |row| {
                Ok(Note {
                    id: from_sql(row.get(0)?),
                    at: Millis(from_sql(row.get(1)?)),
                    kind: row.get(2)?,
                    text: row.get(3)?,
                })
            })
            .map_err(failed)?
            .collect::<Result<Vec<_>, _>>()
            .map_err(failed)
    }

    fn insert_note(
        &self,
        run: &RunId,
        at: Millis,
        kind: &str,
        text: &str,
    ) -> Result<(), JournalError> {
        let failed = |source| self.sql("add a note", source);
        let tx = self.write()?;
        let last: i64 = tx
            .prepare_cached("SELECT coalesce(max(id), 0) FROM note WHERE run = ?1")
            .map_err(failed)?
            .query_row([run.as_str()], |row| row.get(0))
            .map_err(failed)?;
        let id = last + 1;
        tx.prepare_cached("INSERT INTO note (run, id, at, kind, text) VALUES (?1, ?2, ?3, ?4, ?5)")
            .map_err(failed)?
            .execute(params![run.as_str(), id, to_sql(at.0), kind, cut(text)])
            .map_err(failed)?;
        // Ids have no holes, so this finds the one note too many without counting.
        tx.prepare_cached("DELETE FROM note WHERE run = ?1 AND id <= ?2")
            .map_err(failed)?
            .execute(params![run.as_str(), id - to_sql(KEPT)])
            .map_err(failed)?;
        tx.commit().map_err(failed)
    }

    fn sync(&self, level: &str) -> Result<(), JournalError> {
        self.conn
            .pragma_update(None, "synchronous", level)
            .map_err(|source| self.sql("set how writes are synced", source))
    }
}

/// Cuts a text at `LONGEST` bytes, between characters, and shows that it was cut.
fn cut(text: &str) -> String {
    const MARK: &str = "…";
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    let mut end = LONGEST - MARK.len();
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{MARK}", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_synced_in_full_also_after_a_note() {
        let home = tempfile::tempdir().unwrap();
        let journal = Journal::open(home.path()).unwrap();
        let setting = |name: &str| -> String {
            let text = |row: &rusqlite::Row<'_>| Ok(format!("{:?}", row.get_ref(0)?));
            journal.conn.pragma_query_value(None, name, text).unwrap()
        };
        assert_eq!(setting("synchronous"), "Integer(2)");
        journal.note(&RunId::new("r1"), Millis(1), "agent", "x").unwrap();
        assert_eq!(setting("synchronous"), "Integer(2)");
        assert_eq!(setting("busy_timeout"), "Integer(10000)");
        assert!(home.path().join("journal.db-wal").exists());
    }
}
