//! What Java sources say: tests and their shapes.

pub mod checks;
pub mod items;
mod shape;
