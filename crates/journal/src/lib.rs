//! The memory: events, inbox, notes, blobs and the lease, all below one home folder. It stores what it is given
//! and decides nothing: it knows no event by name and never looks inside a body.

pub mod blobs;
pub mod error;
pub mod inbox;
pub mod journal;
pub mod lease;
pub mod notes;
pub mod runs;
mod schema;

pub use blobs::{BlobError, Blobs};
pub use error::{AppendError, JournalError};
pub use inbox::{Answer, InboxId};
pub use journal::{Journal, Recorded};
pub use lease::{Lease, LeaseError};
pub use notes::Note;
pub use runs::{Headline, Listing, RunRow};
