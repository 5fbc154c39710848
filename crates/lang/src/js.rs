//! What JavaScript and TypeScript sources say: tests and their shapes, names, imports, packages.

pub mod definers;
mod expectation;
pub mod imports;
pub mod items;
pub mod names;
mod packages;
mod paths;
pub mod script;
mod shape;
mod titles;
