//! The hands: processes, time limits, git, file hashes. The only crate that spawns a child or writes outside the journal.

pub mod cat_file;
mod checkout;
pub mod child;
pub mod clone;
pub mod detach;
mod draft;
pub mod files;
pub mod git;
pub mod include;
pub mod keeper;
mod known;
pub mod landing;
pub mod leftovers;
pub mod listing;
pub mod objects;
pub mod packages;
pub mod ports;
mod processes;
pub mod replay;
pub mod repo;
pub mod shadow;
mod shelf;
pub mod snapshot;
pub mod tree;
pub mod venv;
pub mod warm;
pub mod worktree;
