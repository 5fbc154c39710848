//! What Rust sources say: tests and their shapes, modules, which of it is for tests.

pub mod items;
pub mod modules;
mod shape;
pub mod split;
pub(crate) mod switch;
