//! The loop: decide, record, carry out. It owns the lease of the runs that it drives and nothing else: what is
//! true is in the journal, what is decided is decided by `core`.

mod carry;
mod context;
mod crash;
pub mod dependencies;
mod drive;
pub mod evidence;
mod home;
mod notebook;
mod process;
mod sighting;
mod signals;
mod watch;

pub use carry::errand::{Errand, ErrandEnd, run_errand};
pub use carry::is_enough;
pub use carry::lines::lines_of_base;
pub use carry::tryout::{Tried, try_agent};
pub use carry::verify::{Grounds, VerifyAsk, VerifyEnd, unjudged, verify, verify_with_grounds};
pub use context::{EngineError, Shop};
pub use drive::{create, drive, load};
pub use home::Home;
pub use notebook::{Ledger, LedgerError};
pub use process::chronicle;
pub use sighting::{run_notes, sighting};
pub use signals::Signals;
pub use watch::{Silent, Watch};
