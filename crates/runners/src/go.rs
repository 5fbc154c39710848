//! Go: `go test`, and what its sources say about tests.

mod compiler;
mod cover;
pub(crate) mod detect;
mod events;
pub(crate) mod imports;
pub(crate) mod items;
mod listing;
mod missing;
pub(crate) mod modules;
mod read;
mod reason;
mod rounds;
mod selection;
mod shape;
mod surroundings;
pub(crate) mod test;
