//! Opens the database file and brings it to the format that this program knows. Steps only ever get added; one
//! that was released never changes.

use crate::error::JournalError;
use rusqlite::{Connection, ErrorCode, TransactionBehavior};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

const BUSY: Duration = Duration::from_secs(10);

/// Step `n` leads from format `n` to `n + 1`.
const STEPS: &[&str] = &["
    CREATE TABLE event (
        run  TEXT    NOT NULL,
        seq  INTEGER NOT NULL,
        at   INTEGER NOT NULL,
        body TEXT    NOT NULL,
        PRIMARY KEY (run, seq)
    ) STRICT;
    CREATE TABLE run (
        id          TEXT    NOT NULL PRIMARY KEY,
        created     INTEGER NOT NULL,
        updated     INTEGER NOT NULL,
        last_seq    INTEGER NOT NULL,
        task        TEXT    NOT NULL,
        kind        TEXT    NOT NULL,
        description TEXT    NOT NULL,
        repo        TEXT    NOT NULL,
        branch      TEXT    NOT NULL,
        status      TEXT    NOT NULL,
        stage       TEXT    NOT NULL,
        reason      TEXT    NOT NULL,
        open        INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX run_by_task ON run (task);
    CREATE TABLE inbox (
        id     INTEGER PRIMARY KEY AUTOINCREMENT,
        run    TEXT    NOT NULL,
        at     INTEGER NOT NULL,
        body   TEXT    NOT NULL,
        answer TEXT
    ) STRICT;
    CREATE INDEX inbox_pending ON inbox (run, id) WHERE answer IS NULL;
    CREATE TABLE note (
        run  TEXT    NOT NULL,
        id   INTEGER NOT NULL,
        at   INTEGER NOT NULL,
        kind TEXT    NOT NULL,
        text TEXT    NOT NULL,
        PRIMARY KEY (run, id)
    ) STRICT;
"];

/// The format that this program writes.
fn known() -> i64 {
    i64::try_from(STEPS.len()).unwrap_or(i64::MAX)
}

/// Opens or makes the database at `path`.
pub(crate) fn open(path: &Path) -> Result<Connection, JournalError> {
    let failed = |source| JournalError::from_sql(path, "open", source);
    let mut conn = Connection::open(path).map_err(failed)?;
    conn.busy_timeout(BUSY).map_err(failed)?;
    // Looked at before anything is written: a newer file must stay as it is.
    refuse_newer(path, version(&conn).map_err(failed)?)?;
    // Counts for a new file only. A step changes a few pages by a few hundred bytes: small pages write less.
    conn.pragma_update(None, "page_size", 1024).map_err(failed)?;
    use_wal(&conn).map_err(failed)?;
    conn.pragma_update(None, "synchronous", "FULL").map_err(failed)?;
    bring_up(&mut conn, path)?;
    conn.set_prepared_statement_cache_capacity(32);
    Ok(conn)
}

/// `SQLite` takes an empty file, and one of a single byte, for a new database, and fills up a last page that was
/// cut. Each of these is a loss, and to go on without a word would hide it.
pub(crate) fn refuse_cut(home: &Path, path: &Path) -> Result<(), JournalError> {
    let holds_any = |folder: &Path| fs::read_dir(folder).is_ok_and(|mut all| all.next().is_some());
    let length = fs::metadata(path).map(|meta| meta.len());
    let why = match length {
        Ok(0) if holds_any(&home.join("runs")) => "it is empty, though runs were recorded here",
        Ok(1) => "only its first byte is left",
        Ok(length) if ends_inside_a_page(path, length) => "its end was cut off",
        Ok(_) | Err(_) => return Ok(()),
    };
    Err(JournalError::Damaged { path: path.to_owned(), why: why.to_owned() })
}

/// Whether the file is not made of whole pages. While there is a write-ahead log this means nothing: a full disk
/// can stop a page half-way into the file, and the log still holds it.
fn ends_inside_a_page(path: &Path, length: u64) -> bool {
    let log = path.with_extension("db-wal");
    if fs::metadata(log).is_ok_and(|meta| meta.len() > 0) {
        return false;
    }
    let mut header = [0; 18];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut header));
    // The page size stands at byte 16; 1 means 65536. What is no database at all, SQLite itself refuses.
    match (read, u16::from_be_bytes([header[16], header[17]])) {
        (Err(_), _) | (Ok(()), 0) => false,
        (Ok(()), 1) => !length.is_multiple_of(65_536),
        (Ok(()), size) => !length.is_multiple_of(u64::from(size)),
    }
}

fn version(conn: &Connection) -> rusqlite::Result<i64> {
    conn.pragma_query_value(None, "user_version", |row| row.get(0))
}

fn refuse_newer(path: &Path, found: i64) -> Result<(), JournalError> {
    if found > known() {
        return Err(JournalError::Newer { path: path.to_owned(), found, known: known() });
    }
    if found < 0 {
        return Err(JournalError::Damaged {
            path: path.to_owned(),
            why: format!("its format is {found}"),
        });
    }
    Ok(())
}

/// Turns the write-ahead log on. `SQLite` answers "busy" at once, without its usual patience, when two processes
/// do this to a new file at the same time, so the patience is here.
fn use_wal(conn: &Connection) -> rusqlite::Result<()> {
    let begun = Instant::now();
    loop {
        match conn.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())) {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && begun.elapsed() < BUSY =>
            {
                std::thread::sleep(Duration::from_millis(5));
            }
            result => return result,
        }
    }
}

fn bring_up(conn: &mut Connection, path: &Path) -> Result<(), JournalError> {
    let failed = |source| JournalError::from_sql(path, "bring the format up to date", source);
    if version(conn).map_err(failed)? == known() {
        return Ok(());
    }
    let step = conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    // Read again under the lock: another process may have done the work meanwhile.
    let found = version(&step).map_err(failed)?;
    refuse_newer(path, found)?;
    if found == 0 {
        let tables: i64 = step
            .query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))
            .map_err(failed)?;
        if tables > 0 {
            return Err(JournalError::Damaged {
                path: path.to_owned(),
                why: "it is a database, but not a journal of Proctor".to_owned(),
            });
        }
    }
    let done = usize::try_from(found).unwrap_or(usize::MAX);
    for sql in STEPS.iter().skip(done) {
        step.execute_batch(sql).map_err(failed)?;
    }
    step.pragma_update(None, "user_version", known()).map_err(failed)?;
    step.commit().map_err(failed)
}
