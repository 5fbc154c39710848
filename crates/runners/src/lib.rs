//! Test tools: plan a command, read its output into a report. Pure: nothing here starts a process. The only
//! files that are read are the reports below an ask's scratch folder and the sources below its tree; nothing
//! is written.

mod ask;
mod cargo;
mod cargo_build;
mod cargo_missing;
mod cargo_read;
mod deciding;
mod detect;
mod junit;
mod libtest;
mod nextest_read;
mod pytest;
mod pytest_lines;
mod pytest_read;
mod pytest_reason;
mod python_items;
mod python_modules;
mod python_shape;
mod rust_items;
mod rust_panic;
mod rust_shape;
mod split;
mod syntax;
mod tree;
mod zone;

pub use ask::{Ask, Nextest, Plan, Runner, Selection, Step, StepEnd, StepOutput, Tools, base_env};
pub use cargo::Cargo;
pub use deciding::deciding_part;
pub use detect::{Found, UnknownCommand, UserCommand, by_name, detect, from_command};
pub use pytest::Pytest;
pub use split::{RustSplit, join_rust, split_rust};
pub use tree::{FolderTree, MemoryTree, Tree};
pub use zone::{Zone, zone};
