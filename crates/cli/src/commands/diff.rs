//! `proctor diff RUN`: what a run changed against its base.

use crate::args::DiffArgs;
use crate::out;
use anyhow::Result;
use proctor_core::event::Event;
use proctor_core::run::Run;
use proctor_desk::run::changes::Changes;
use proctor_desk::run::run_id::meant;
use proctor_desk::surroundings::Surroundings;
use proctor_desk::text::harmless::harmless;
use proctor_journal::Journal;
use proctor_lang::{Zone, zone};
use std::io::IsTerminal;

pub fn diff(around: &Surroundings, args: &DiffArgs) -> Result<u8> {
    let journal = Journal::open(around.home.root())?;
    let id = meant(&journal, around, args.run.as_deref())?.id;
    let history = journal.history::<Event>(&id)?;
    let run = Run::replay(history.iter().map(|recorded| &recorded.body));
    let changes = match &run {
        Some(run) => Changes::of(&around.home, run)?,
        None => None,
    };
    let Some(changes) = changes else {
        out::talk(&format!("Run {id} has no tree of its own yet."));
        return Ok(0);
    };
    let mut paths = Vec::new();
    if args.tests || args.code {
        paths = changes
            .files()?
            .into_iter()
            .map(|file| file.path)
            .filter(|path| (zone(path) == Zone::Test) == args.tests)
            .collect();
        if paths.is_empty() {
            return Ok(0);
        }
    }
    let bytes = changes.diff(&paths)?;
    if std::io::stdout().is_terminal() {
        // A file may hold anything; a terminal must not obey it.
        out::raw(harmless(&String::from_utf8_lossy(&bytes)).as_bytes());
    } else {
        out::raw(&bytes);
    }
    Ok(0)
}
