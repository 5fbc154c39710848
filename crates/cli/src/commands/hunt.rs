//! `proctor hunt`: looks for bugs, proves each with a failing test, fixes each; and writes the notebook out.

use crate::args::Format;
use crate::args::hunt::{HuntArgs, HuntCommand};
use crate::out;
use crate::show::hunt::Shown;
use anyhow::Result;
use proctor_desk::hunt::{self as chase, ledger};
use proctor_desk::surroundings::Surroundings;
use proctor_desk::told::usage;
use std::path::Path;

pub fn hunt(around: &Surroundings, args: &HuntArgs) -> Result<u8> {
    if let Some(HuntCommand::Export { into }) = &args.command {
        return export(around, &around.cwd.join(into));
    }
    let summary = chase::hunt(
        around,
        &args.meant(),
        &Shown { format: args.format, home: around.home.clone() },
    )?;
    match args.format {
        Format::Json => out::json(&summary.json().to_string()),
        Format::Text => {
            for line in summary.text() {
                out::data(&out::coloured(&line));
            }
        }
    }
    if let Some(file) = &args.html {
        let path = around.cwd.join(file);
        std::fs::write(&path, summary.html()).map_err(|why| {
            usage(format!(
                "--html {}: {why}\nhint: name a file that can be written",
                path.display()
            ))
        })?;
    }
    Ok(summary.code)
}

fn export(around: &Surroundings, folder: &Path) -> Result<u8> {
    let book = ledger(around)?.export(folder)?;
    out::talk(&format!(
        "{} bugs, {} fixes, {} entry points in {}",
        book.bugs.len(),
        book.fixes.len(),
        book.queue.len(),
        folder.display()
    ));
    Ok(0)
}
