//! What earlier tasks came to, for one that goes on from them (`cli_execution.resume_from`). A program's own conversation ends
//! with its run and its worktree; what was said in it is told instead. Reads the journal, writes nothing.

use crate::surroundings::Surroundings;
use anyhow::Result;
use proctor_core::event::Event;
use proctor_core::run::Run;
use proctor_journal::{Journal, Listing};
use std::fmt::Write;
use std::path::Path;

/// The text that is added to a task's details; empty where it goes on from none.
pub fn told(
    around: &Surroundings,
    root: &Path,
    sessions: &[String],
    remarks: &mut Vec<String>,
) -> Result<String> {
    let mut text = String::new();
    for session in sessions {
        match find(around, root, session)? {
            Some(run) => text.push_str(&chapter(session, &run)),
            None => remarks.push(format!(
                "No run of this repository is known as {session}: nothing is told of it, and the work begins afresh."
            )),
        }
    }
    Ok(text)
}

/// The newest run of this repository that is known by that name.
fn find(around: &Surroundings, root: &Path, session: &str) -> Result<Option<Run>> {
    if !around.home.root().join("journal.db").is_file() {
        return Ok(None);
    }
    let journal = Journal::open(around.home.root())?;
    let root = root.to_string_lossy();
    for row in journal.runs(Listing::All)?.iter().filter(|row| row.head.repo == root) {
        let history = journal.history::<Event>(&row.id)?;
        let run = Run::replay(history.iter().map(|recorded| &recorded.body));
        if let Some(run) =
            run.filter(|run| run.brief.assignment.session.as_deref() == Some(session))
        {
            return Ok(Some(run));
        }
    }
    Ok(None)
}

fn chapter(session: &str, run: &Run) -> String {
    let brief = &run.brief;
    let mut text = format!(
        "\n\nWhat an earlier task came to ({session}: {}, {}):\n",
        brief.description.trim(),
        run.status()
    );
    for told in run.told.iter().filter(|told| !told.notes.trim().is_empty()) {
        let _ = writeln!(text, "- {}: {}", told.phase, told.notes.trim().replace('\n', " "));
    }
    text
}
