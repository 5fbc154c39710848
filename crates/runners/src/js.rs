//! JavaScript and TypeScript: vitest, jest and `node --test`, and what the sources say about tests.

mod arguments;
mod channel;
mod command;
mod definers;
pub(crate) mod detect;
mod expectation;
mod frames;
mod globs;
pub(crate) mod imports;
pub(crate) mod items;
pub(crate) mod jest;
mod lines;
mod missing;
mod names;
pub(crate) mod node;
mod packages;
mod paths;
mod read;
mod reason;
mod script;
mod shape;
mod subject;
mod titles;
mod tool;
pub(crate) mod vitest;
