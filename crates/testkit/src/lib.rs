//! For tests only: small git repositories, scenarios for the scripted agent, and the real binary run in an
//! environment that holds nothing of the machine's user. No crate may depend on this one except as a
//! dev-dependency, and it knows nothing of Proctor's inside: it sees what a user sees.
//!
//! Everything here panics with a full account when something is off, since its callers are tests.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "a fault in a test's own set-up must end that test, loudly"
)]

mod call;
mod damage;
mod env;
mod model;
mod needs;
mod processes;
mod repo;
mod running;
mod scenario;
mod screen;
mod spree;

pub use call::Call;
pub use env::TestEnv;
pub use model::{ModelServer, Script};
pub use needs::{coding_agent, missing, missing_file};
pub use processes::{Process, processes_left_after, processes_with_token};
pub use repo::RepoBuilder;
pub use running::{Ran, Running};
pub use scenario::Scenario;
pub use screen::Screen;
pub use spree::{Feed, Tally, Target};
