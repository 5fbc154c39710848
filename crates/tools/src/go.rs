//! Go: `go test`.

mod compiler;
mod cover;
pub(crate) mod detect;
mod events;
mod kept;
mod listing;
mod missing;
mod read;
mod reason;
mod rounds;
mod selection;
mod surroundings;
pub(crate) mod test;
