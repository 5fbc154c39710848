//! `proctor evidence RUN`: what a run rests on, for people and for programs, in one piece that can be carried elsewhere;
//! and `proctor verify PACK`, which replays it. Nothing here judges a run: the pack tells what was recorded.

mod bundle;
mod compare;
mod html;
mod make;
mod pack;
mod parcel;
mod replay;
mod scratch;
mod summary;
pub(crate) mod tar;
mod versions;
mod wash;

pub use replay::verify_pack;

use crate::args_verify::EvidenceArgs;
use crate::out;
use crate::run_id::meant;
use crate::surroundings::Surroundings;
use crate::told::{UNFIT, told};
use anyhow::{Context, Result};
use proctor_engine::evidence::Printed;
use proctor_journal::Journal;
use std::path::Path;

pub fn evidence(around: &Surroundings, args: &EvidenceArgs) -> Result<u8> {
    let journal = Journal::open(around.home.root())?;
    let id = meant(&journal, around, args.run.as_deref())?.id;
    let shop = around.shop()?;
    let made = make::make(&shop, &journal, &id)?;
    if let Some(file) = &args.tar {
        let bytes = parcel::Parcel::of(&shop, &made)?.to_tar()?;
        write(&around.cwd.join(file), &bytes)?;
        // In the manner of sha256sum: noted elsewhere, it shows later that the pack is still the same.
        out::data(&format!("{}  {}", Printed::of(&bytes).sha256, file.display()));
        return Ok(0);
    }
    let text = if args.html {
        html::render(&made.pack)
    } else if args.json {
        pack::json(&made.pack)?
    } else {
        summary::render(&made.pack)
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

/// A pack as it would be read from a stranger.
#[cfg(test)]
pub(crate) fn pack_from(bytes: &[u8]) -> Option<pack::Pack> {
    replay::read(bytes).ok()
}

/// What is shown of it.
#[cfg(test)]
pub(crate) fn pack_texts(pack: &pack::Pack) -> String {
    html::render(pack) + &summary::render(pack)
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(path, bytes)
        .with_context(|| format!("{} can't be written", path.display()))
        .map_err(|error| told(UNFIT, format!("{error:#}")))
}
