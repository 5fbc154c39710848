//! Many tasks side by side: all are checked before any begins, then they are driven here together, or each goes into the
//! background. At the end a table.

use crate::args::Format;
use crate::commands::list::cost;
use crate::commands::start::{Place, Shown, send_away};
use crate::out;
use crate::show::face::face;
use crate::show::finish::finish;
use crate::show::table::table;
use anyhow::Result;
use proctor_core::run::Run;
use proctor_core::words::{RunId, Status};
use proctor_desk::notify::Telling;
use proctor_desk::start::begin_all;
use proctor_desk::surroundings::Surroundings;
use proctor_desk::task::order::Order;
use proctor_desk::text::clock::seconds;
use proctor_desk::text::harmless::{one_line, short};
use proctor_engine::drive_some;
use std::num::NonZeroUsize;

pub fn batch(
    around: &Surroundings,
    (orders, jobs): (Vec<Order>, Option<NonZeroUsize>),
    shown: Shown,
) -> Result<u8> {
    let begun = begin_all(around, orders)?;
    for line in &begun.remarks {
        out::talk(line);
    }
    let format = shown.format;
    match shown.place {
        Place::Here => {}
        Place::Background => {
            return begun.runs.iter().try_fold(0, |_, run| send_away(around, run, format));
        }
        Place::Nowhere => {
            begun.runs.iter().for_each(|run| out::data(run.as_str()));
            return Ok(0);
        }
    }
    let processors = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let jobs = jobs.unwrap_or_else(processors);
    let runs = {
        let mut face = face(format, &begun.shop.home);
        let mut telling = Telling::of(&begun.shop, face.as_mut());
        drive_some(&begun.shop, (&begun.runs, jobs), &mut telling)?
    };
    match format {
        Format::Json => {
            for (id, run) in &runs {
                finish(format, &begun.shop, id, run);
            }
        }
        Format::Text => {
            for line in told(&runs) {
                out::data(&line);
            }
        }
    }
    // Nobody is asked here: what waits is in the table.
    Ok(runs.iter().map(|(_, run)| run.status().exit_code()).find(|code| *code != 0).unwrap_or(0))
}

/// The table, and why something did not land.
fn told(runs: &[(RunId, Run)]) -> Vec<String> {
    let mut cells = vec![["RUN", "STATUS", "TURNS", "TIME", "COST", "TASK"].map(str::to_owned)];
    let mut why = Vec::new();
    for (id, run) in runs {
        cells.push([
            id.to_string(),
            run.status().to_string(),
            run.spent.calls.to_string(),
            seconds(run.spent.wall_ms),
            cost(run.spent.usage),
            short(&run.brief.description, 60),
        ]);
        let reason = run.reason();
        if run.status() != Status::Success && !reason.is_empty() {
            why.push(format!("{id}: {}", one_line(&reason)));
        }
    }
    let landed = runs.iter().filter(|(_, run)| run.status() == Status::Success).count();
    let mut lines = table(&cells);
    lines.extend(why);
    lines.push(format!("{landed} of {} landed", runs.len()));
    lines
}
