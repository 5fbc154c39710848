//! The end of a command that drove a run: shows it, and gives its exit code.

use crate::args::Format;
use crate::out;
use proctor_core::assignment::Origin;
use proctor_core::run::Run;
use proctor_core::words::RunId;
use proctor_desk::run::ending::{finished, report, summary};
use proctor_engine::{Shop, chronicle};

/// Shows how a run ended here, and gives its exit code.
pub fn finish(format: Format, shop: &Shop, id: &RunId, run: &Run) -> u8 {
    match format {
        Format::Text if run.brief.assignment.origin == Origin::Orchestrator => {
            for line in summary(&shop.home, id, run) {
                out::talk(&out::coloured(&line));
            }
            match chronicle(shop, id) {
                Ok(told) => out::data(report(&shop.home, id, run, &told).trim_end()),
                Err(why) => out::talk(&format!("the summary of run {id} can't be made: {why}")),
            }
        }
        Format::Text => {
            for line in summary(&shop.home, id, run) {
                out::data(&out::coloured(&line));
            }
        }
        Format::Json => match serde_json::to_string(&finished(id, run)) {
            Ok(line) => out::json(&line),
            Err(why) => out::talk(&format!("the end of run {id} can't be shown: {why}")),
        },
    }
    run.status().exit_code()
}
