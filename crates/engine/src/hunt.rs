//! What a hunt needs of the engine: its notebook in the journal, what a run showed of a bug, where nobody looks.

mod lines;
mod notebook;
mod sighting;

pub use lines::lines_of_base;
pub use notebook::{Ledger, LedgerError};
pub use sighting::{run_notes, sighting};
