//! What Java sources say: tests and their shapes.

pub mod items;
mod shape;
