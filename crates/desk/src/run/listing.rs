//! The runs that there are, each with its status as it is shown.

use anyhow::Result;
use proctor_core::words::Status;
use proctor_engine::Home;
use proctor_journal::{Journal, Lease, Listing, RunRow};

/// Newest first.
pub fn rows(home: &Home, journal: &Journal, listing: Listing) -> Result<Vec<RunRow>> {
    let mut rows = journal.runs(listing)?;
    for row in &mut rows {
        let held = Lease::held(home.root(), &row.id)?;
        row.head.status = shown_status(row, held);
    }
    Ok(rows)
}

/// A run that should be under way and that nobody drives was interrupted, whatever its last fact says.
pub fn shown_status(row: &RunRow, held: Option<u32>) -> String {
    if row.head.open && held.is_none() && row.head.status == Status::Running.name() {
        Status::Interrupted.name().to_owned()
    } else {
        row.head.status.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_core::words::{Millis, RunId};
    use proctor_journal::Headline;

    fn row(id: &str, status: &str, open: bool) -> RunRow {
        RunRow {
            id: RunId::new(id),
            created: Millis(0),
            updated: Millis(60_000),
            last_seq: 1,
            head: Headline { status: status.to_owned(), open, ..Headline::default() },
        }
    }

    #[test]
    fn an_open_run_that_nobody_drives_is_shown_as_interrupted() {
        let running = row("a", "RUNNING", true);
        assert_eq!(shown_status(&running, None), "INTERRUPTED");
        assert_eq!(shown_status(&running, Some(1)), "RUNNING");
        let waits = row("a", "AWAITING_APPROVAL", true);
        assert_eq!(shown_status(&waits, None), "AWAITING_APPROVAL");
    }
}
