//! The hands: processes, time limits, git, file hashes. The only crate that spawns a child or writes outside the journal.

pub mod bell;
pub mod beside;
pub mod cat_file;
mod checkout;
pub mod child;
pub mod clone;
pub mod console;
pub mod desk;
pub mod detach;
pub mod discreet;
mod draft;
pub mod files;
pub mod forge;
pub mod git;
pub mod http;
pub mod include;
pub mod keeper;
mod known;
pub mod landing;
pub mod leftovers;
pub mod listing;
pub mod mirror;
pub mod objects;
pub mod opened;
pub mod overlay;
pub mod packages;
pub mod partner;
pub mod ports;
mod processes;
pub mod remote;
pub mod replay;
pub mod repo;
pub mod sandbox;
pub mod seat;
pub mod shadow;
mod shelf;
pub mod slots;
pub mod snapshot;
pub mod steps;
pub mod stock;
pub mod tree;
pub mod tripwire;
pub mod venv;
pub mod warm;
pub mod worktree;

/// A terminal's far end is not for children. Not every system can say so as it opens one.
#[cfg(target_os = "linux")]
const OWN: rustix::pty::OpenptFlags = rustix::pty::OpenptFlags::CLOEXEC;
#[cfg(not(target_os = "linux"))]
const OWN: rustix::pty::OpenptFlags = rustix::pty::OpenptFlags::empty();
