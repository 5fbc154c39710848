//! The loop: decide, record, carry out. It owns the lease of the runs that it drives and nothing else: what is
//! true is in the journal, what is decided is decided by `core`.

mod afar;
mod baseline;
mod carry;
mod context;
mod coverage;
pub mod dependencies;
mod drive;
pub mod evidence;
pub mod guard;
pub mod hosts;
mod hunt;
mod process;
mod settled;
mod store;
mod verify;
mod watch;

pub use afar::{Afar, Carried, Fact, afar_of, carry_one, follow, is_afar, send_afar};
pub use carry::errand::{Errand, ErrandEnd, run_errand};
pub use carry::examine::examine;
pub use carry::guarded::{RedEnd, prove_red};
pub use carry::sit::{Desk, Sat, Sitting, sit};
pub use carry::tryout::{Tried, try_agent};
pub use context::EngineError;
pub use drive::{create, drive, drive_some, load};
pub use hunt::{Ledger, LedgerError, lines_of_base, run_notes, sighting};
pub use process::chronicle;
pub use proctor_lab::crash;
pub use proctor_lab::{Home, Setting, Shop, Signals, clock_shifter, is_enough, redactor_of};
pub use verify::{Known, VerifyAsk, VerifyEnd, unjudged, verify, verify_with_grounds};
pub use watch::{Silent, Watch};
