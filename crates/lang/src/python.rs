//! What Python sources say: tests and their shapes, modules.

pub mod items;
pub mod modules;
mod shape;
