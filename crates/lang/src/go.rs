//! What Go sources say: tests and their shapes, imports, modules.

pub mod imports;
pub mod items;
pub mod modules;
mod shape;
pub(crate) mod switch;
