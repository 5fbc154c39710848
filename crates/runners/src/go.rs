//! Go: `go test`, and what its sources say about tests.

mod compiler;
mod cover;
pub(crate) mod detect;
mod events;
mod imports;
mod items;
mod listing;
mod missing;
mod modules;
mod read;
mod reason;
mod rounds;
mod selection;
mod shape;
mod surroundings;
pub(crate) mod test;
