//! `proctor evidence RUN`: what a run rests on, as a summary, a page, JSON, or a tar to replay elsewhere.

use crate::args::verify::EvidenceArgs;
use crate::out;
use anyhow::{Context, Result};
use proctor_desk::evidence::of_run;
use proctor_desk::run::run_id::meant;
use proctor_desk::surroundings::Surroundings;
use proctor_desk::told::{UNFIT, told};
use proctor_engine::evidence::Printed;
use proctor_journal::Journal;
use std::path::Path;

pub fn evidence(around: &Surroundings, args: &EvidenceArgs) -> Result<u8> {
    let journal = Journal::open(around.home.root())?;
    let id = meant(&journal, around, args.run.as_deref())?.id;
    let shop = around.shop()?;
    let made = of_run(&shop, &journal, &id)?;
    if let Some(file) = &args.tar {
        let bytes = made.to_tar(&shop)?;
        write(&around.cwd.join(file), &bytes)?;
        // In the manner of sha256sum: noted elsewhere, it shows later that the pack is still the same.
        out::data(&format!("{}  {}", Printed::of(&bytes).sha256, file.display()));
        return Ok(0);
    }
    let text = if args.html {
        made.to_html()
    } else if args.json {
        made.to_json()?
    } else {
        made.to_text()
    };
    match &args.output {
        Some(file) => write(&around.cwd.join(file), text.as_bytes())?,
        None if args.html || args.json => out::raw(text.as_bytes()),
        None => {
            for line in text.lines() {
                out::data(&out::coloured(line));
            }
        }
    }
    Ok(0)
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(path, bytes)
        .with_context(|| format!("{} can't be written", path.display()))
        .map_err(|error| told(UNFIT, format!("{error:#}")))
}
