//! `proctor run FILE…`: tasks that stand in files, one or many.

use crate::args::Format;
use crate::args::task::FileArgs;
use crate::commands::batch::batch;
use crate::commands::start::start;
use crate::out;
use anyhow::Result;
use proctor_core::assignment::Route;
use proctor_core::chronicle::refused_marker;
use proctor_desk::surroundings::Surroundings;
use proctor_desk::task::file::{FileAsk, is_json_file, order, orders};
use serde_json::json;

pub fn run(around: &Surroundings, args: FileArgs) -> Result<u8> {
    let (check, jobs, shown) = (args.check, args.jobs, args.run.shown());
    let asks = args.meant();
    if check {
        return asks.into_iter().try_fold(0, |_, ask| checked(around, ask, shown.format));
    }
    let [ask] = &asks[..] else {
        return batch(around, (orders(around, asks)?, jobs), shown);
    };
    let json = is_json_file(&ask.file);
    let begun = order(around, ask.clone()).and_then(|order| start(around, order, shown));
    // What an orchestrator reads ends with a marker, also where nothing could begin.
    if let (Err(error), Format::Text, true) = (&begun, shown.format, json) {
        out::data(refused_marker(&format!("{error:#}")).trim_end());
    }
    begun
}

/// Says whether a file is a task. Nothing is created, and no repository is needed.
fn checked(around: &Surroundings, ask: FileAsk, format: Format) -> Result<u8> {
    let file = ask.file.display().to_string();
    let order = order(around, ask)?;
    for remark in &order.asked.remarks {
        out::talk(remark);
    }
    let route = order.asked.assignment.route;
    match format {
        Format::Text => {
            let way = match route {
                Route::Tdd => "failing tests first",
                Route::Plain => "one turn, no red gate",
                Route::Cycle => "code, test, audit",
            };
            out::data(&format!("{file} is a task: {} ({}, {way})", order.task, order.kind));
            out::data(&format!("  {}", order.description));
        }
        Format::Json => out::json(
            &json!({
                "event": "task-checked", "file": file, "task": order.task, "type": order.kind,
                "description": order.description, "route": route
            })
            .to_string(),
        ),
    }
    Ok(0)
}
