//! Python: pytest, and what its sources say about tests.

mod coverage;
pub(crate) mod detect;
pub(crate) mod items;
mod lines;
mod modules;
pub(crate) mod pytest;
mod read;
mod reason;
mod roots;
mod shape;
mod surroundings;
