//! The commands that begin a run: what is asked is checked and created by the desk, then it is driven here or in the
//! background.

use crate::args::Format;
use crate::out;
use crate::show::face::face;
use crate::show::journey::{AtApproval, Journey};
use anyhow::Result;
use proctor_core::words::RunId;
use proctor_desk::intake::draft;
use proctor_desk::run::history::show_since;
use proctor_desk::start::{begin, in_background};
use proctor_desk::surroundings::Surroundings;
use proctor_desk::task::order::Order;
use proctor_journal::Journal;
use serde_json::json;

/// How a person wants to see a run.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    pub format: Format,
    pub place: Place,
}

/// Where it is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Here,
    Background,
    /// Nowhere yet: whoever asked sends it off.
    Nowhere,
}

pub fn start(around: &Surroundings, order: Order, shown: Shown) -> Result<u8> {
    let draft = draft(around, order)?;
    for line in draft.remarks_first(around) {
        out::talk(&line);
    }
    let (shop, run) = begin(around, draft)?;
    let format = shown.format;
    match shown.place {
        Place::Here => {}
        Place::Background => return send_away(around, &run, format),
        Place::Nowhere => {
            out::data(run.as_str());
            return Ok(0);
        }
    }
    {
        let journal = Journal::open(shop.home.root())?;
        let mut face = face(format, &shop.home);
        show_since(&journal, &run, 0, face.as_mut())?;
    }
    let journey = Journey { shop: &shop, format };
    journey.take(&run, AtApproval::Ask)
}

/// Lets a process of its own drive a run, and says so.
pub fn send_away(around: &Surroundings, run: &RunId, format: Format) -> Result<u8> {
    let away = in_background(around, run)?;
    let pid = away.pid;
    match format {
        Format::Text => {
            out::data(run.as_str());
            out::talk(&format!(
                "Process {pid} goes on in the background; `proctor log -f {run}` looks on."
            ));
        }
        Format::Json => out::json(
            &json!({"event": "run-detached", "run": run, "pid": pid, "log": away.log.to_string_lossy()})
                .to_string(),
        ),
    }
    Ok(0)
}
