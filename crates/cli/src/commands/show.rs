//! `proctor show RUN`: how a run stands, what was proven, where things are and what to do next.

use crate::args::{Format, ShowArgs};
use crate::out;
use anyhow::Result;
use proctor_core::event::Event;
use proctor_desk::run::run_id::meant;
use proctor_desk::run::sight::look;
use proctor_desk::surroundings::Surroundings;
use proctor_journal::Journal;

pub fn show(around: &Surroundings, args: &ShowArgs) -> Result<u8> {
    let journal = Journal::open(around.home.root())?;
    let id = meant(&journal, around, args.run.as_deref())?.id;
    if args.prompts {
        let history = journal.history::<Event>(&id)?;
        super::prompts::list(&around.home, &id, &history, args.format.format);
        return Ok(0);
    }
    let seen = look(&around.home, &journal, &id)?;
    let sight = seen.sight(&around.home, &id);
    match args.format.format {
        Format::Text => {
            for line in sight.lines() {
                out::data(&out::coloured(&line));
            }
        }
        Format::Json => out::json(&sight.json()?.to_string()),
    }
    Ok(0)
}
