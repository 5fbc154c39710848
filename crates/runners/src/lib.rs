//! Test tools: plan a command, read its output into a report. Pure: nothing here starts a process. The only
//! files that are read are the reports below an ask's scratch folder and the sources below its tree; nothing
//! is written.

mod ask;
mod deciding;
mod detect;
mod go;
mod java;
mod js;
mod json_lines;
mod junit;
mod lcov;
mod python;
mod rust;
mod syntax;
mod tree;
mod zone;

pub use ask::{
    Ask, Coverage, Covered, Nextest, Plan, Runner, Selection, Step, StepEnd, StepOutput, Tools,
    base_env,
};
pub use deciding::deciding_part;
pub use detect::{
    Found, RUNNERS, UnknownCommand, UserCommand, by_name, detect, from_command, is_manifest,
    sources_of,
};
pub use rust::own::OwnArtifacts;
pub use rust::split::{RustSplit, join_rust, split_rust};
pub use tree::{FolderTree, MemoryTree, Tree};
pub use zone::{Zone, zone};
