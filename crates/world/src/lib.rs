//! The hands: processes, time limits, git, file hashes. The only crate that spawns a child or writes outside the journal.

pub mod cat_file;
mod checkout;
pub mod child;
pub mod detach;
pub mod files;
pub mod git;
pub mod keeper;
mod known;
pub mod landing;
pub mod leftovers;
pub mod listing;
pub mod objects;
mod processes;
pub mod replay;
pub mod repo;
pub mod shadow;
pub mod snapshot;
pub mod tree;
pub mod worktree;
