//! Test tools: plan a command, read its output into a report. Pure: nothing here starts a process. The only
//! files that are read are the reports below an ask's scratch folder and the sources below its tree; nothing
//! is written.

mod ask;
mod at_hand;
mod detect;
mod foreign;
mod go;
mod java;
mod js;
mod json_lines;
mod junit;
mod lcov;
mod lint;
mod outside;
mod packed;
mod python;
mod rust;

pub use ask::{
    Ask, Batch, Coverage, Covered, Footing, Manner, Meets, Nextest, Order, Plan, Programs, Runner,
    Selection, Step, StepEnd, StepOutput, Tools, Variant, base_env,
};
pub use at_hand::AtHand;
pub use detect::{
    Found, RUNNERS, UnknownCommand, UserCommand, by_name, detect, from_command, is_manifest,
    sources_of,
};
pub use foreign::{Foreign, foreign};
pub use js::described::package_of;
pub use lint::{LintAsk, Linter, Seat, is_lint_rules, sarif};
pub use outside::{Outside, OutsideEnd, outside, read_outside};
pub use packed::{Packed, Packing, packed, packing};
pub use python::detect::only_unittest;
pub use rust::own::OwnArtifacts;
