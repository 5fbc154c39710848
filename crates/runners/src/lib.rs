//! Test tools: plan a command, read its output into a report. Pure: nothing here starts a process. The only
//! files that are read are the reports below an ask's scratch folder and the sources below its tree; nothing
//! is written.

mod ask;
mod by_hand;
mod canary;
mod child_file;
mod cut;
mod deciding;
mod dependencies;
mod detect;
mod edit;
mod entrances;
mod extended;
mod flip;
mod go;
mod hollowed;
mod idle;
mod java;
mod js;
mod json_lines;
mod junit;
mod lcov;
mod lint;
mod literal;
mod mutate;
mod neighbour;
mod observe;
mod outside;
mod python;
mod rewriting;
mod rust;
mod strength;
mod suspicion;
mod syntax;
mod tree;
mod vary;
mod zone;

pub use ask::{
    Ask, Batch, Coverage, Covered, Footing, Nextest, Order, Plan, Runner, Selection, Step, StepEnd,
    StepOutput, Tools, Variant, base_env,
};
pub use by_hand::by_hand;
pub use canary::with_canaries;
pub use cut::without_tests;
pub use deciding::deciding_part;
pub use dependencies::{dependency_changes, names_dependencies};
pub use detect::{
    Found, RUNNERS, UnknownCommand, UserCommand, by_name, detect, from_command, is_manifest,
    sources_of,
};
pub use edit::Edit;
pub use entrances::{Entrance, entrances, is_code, is_source};
pub use extended::extended;
pub use flip::{flips, traps};
pub use hollowed::hollowed;
pub use idle::is_idle;
pub use lint::{LintAsk, Linter, Seat, is_lint_rules, sarif};
pub use mutate::{SWITCH, Switched, blamed, mutants, slight, switched};
pub use neighbour::{
    Deaf, Decision, Neighbour, OtherCases, all_neighbours, constant, deaf, decisions, echoes,
    holds_cases, is_disguised, is_spelled, lengths, literals, mentioned, neighbours, other_cases,
    small_decisions,
};
pub use observe::{Channel, Observing, Sample, observing, read_channel, span};
pub use outside::{Outside, OutsideEnd, outside, read_outside};
pub use rewriting::rewrites_code;
pub use rust::modules::{RustModule, rust_modules};
pub use rust::own::OwnArtifacts;
pub use rust::split::{RustSplit, join_rust, split_rust};
pub use strength::{is_vacuous, oracle, weakened};
pub use suspicion::{
    Suspicion, SuspicionKind, is_executable_source, is_generated, same_code, suspicions,
};
pub use tree::{FolderTree, MemoryTree, Tree, joined, parent};
pub use vary::{Varying, vary};
pub use zone::{Zone, zone};
