//! Rust: cargo with or without nextest.

mod build;
pub(crate) mod cargo;
mod course;
mod cover;
pub(crate) mod detect;
mod doc;
mod harness;
mod libtest;
mod missing;
mod nextest;
pub(crate) mod own;
mod panic;
mod read;
mod shellwords;
pub(crate) mod steps;
mod surroundings;
