//! `proctor watch [RUN]`: all runs live in the terminal.

use crate::args::WatchArgs;
use anyhow::Result;
use proctor_desk::surroundings::Surroundings;

pub fn watch(around: &Surroundings, args: &WatchArgs) -> Result<u8> {
    proctor_tui::watch(around, args.run.as_deref())
}
