//! Rust: cargo with or without nextest, and what its sources say about tests.

mod build;
pub(crate) mod cargo;
mod course;
mod cover;
pub(crate) mod detect;
mod doc;
mod harness;
pub(crate) mod items;
mod libtest;
mod missing;
pub(crate) mod modules;
mod nextest;
pub(crate) mod own;
mod panic;
mod read;
mod shape;
mod shellwords;
pub(crate) mod split;
pub(crate) mod steps;
mod surroundings;
