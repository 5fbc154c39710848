//! The loop: decide, record, carry out. It owns the lease of the runs that it drives and nothing else: what is
//! true is in the journal, what is decided is decided by `core`.

mod carry;
mod context;
mod crash;
pub mod dependencies;
mod drive;
pub mod evidence;
mod home;
mod process;
mod signals;
mod watch;

pub use carry::is_enough;
pub use carry::tryout::{Tried, try_agent};
pub use carry::verify::{Grounds, VerifyAsk, VerifyEnd, unjudged, verify, verify_with_grounds};
pub use context::{EngineError, Shop};
pub use drive::{create, drive, load};
pub use home::Home;
pub use process::chronicle;
pub use signals::Signals;
pub use watch::{Silent, Watch};
