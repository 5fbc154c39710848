//! JavaScript and TypeScript: vitest, jest and `node --test`, and what the sources say about tests.

mod arguments;
mod channel;
pub(crate) mod command;
pub(crate) mod definers;
pub(crate) mod detect;
mod expectation;
mod frames;
mod globs;
pub(crate) mod imports;
pub(crate) mod items;
pub(crate) mod jest;
mod lines;
mod links;
mod missing;
pub(crate) mod names;
pub(crate) mod node;
mod packages;
mod paths;
mod read;
mod reason;
pub(crate) mod script;
mod shape;
mod subject;
mod titles;
pub(crate) mod tool;
pub(crate) mod vitest;
