//! JavaScript and TypeScript: vitest, jest, `node --test`, and tools that a few words describe.

mod arguments;
mod channel;
pub(crate) mod command;
mod copies;
pub(crate) mod described;
pub(crate) mod detect;
mod frames;
mod globs;
pub(crate) mod jest;
mod lines;
mod links;
mod missing;
pub(crate) mod node;
mod read;
mod reason;
pub(crate) mod runtime;
mod subject;
pub(crate) mod tool;
pub(crate) mod vitest;
