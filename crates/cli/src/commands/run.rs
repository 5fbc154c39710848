//! `proctor run FILE`: a task that stands in a file.

use crate::args::Format;
use crate::args::task::FileArgs;
use crate::commands::start::start;
use crate::out;
use anyhow::Result;
use proctor_core::assignment::Route;
use proctor_core::chronicle::refused_marker;
use proctor_desk::surroundings::Surroundings;
use proctor_desk::task::file::{is_json_file, order};
use serde_json::json;

pub fn run(around: &Surroundings, args: FileArgs) -> Result<u8> {
    if args.check {
        return check(around, args);
    }
    let (format, json) = (args.run.format, is_json_file(&args.file));
    let shown = args.run.shown();
    let begun = order(around, args.meant()).and_then(|order| start(around, order, shown));
    // What an orchestrator reads ends with a marker, also where nothing could begin.
    if let (Err(error), Format::Text, true) = (&begun, format, json) {
        out::data(refused_marker(&format!("{error:#}")).trim_end());
    }
    begun
}

/// Says whether a file is a task. Nothing is created, and no repository is needed.
fn check(around: &Surroundings, args: FileArgs) -> Result<u8> {
    let (file, format) = (args.file.display().to_string(), args.run.format);
    let order = order(around, args.meant())?;
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
