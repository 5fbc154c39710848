//! Python: pytest, and what its sources say about tests.

mod batch;
mod coverage;
pub(crate) mod detect;
pub(crate) mod items;
mod lines;
mod modules;
pub(crate) mod pytest;
mod read;
mod reason;
pub(crate) mod roots;
mod shape;
mod surroundings;
