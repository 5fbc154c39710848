//! What users get of a project, built by its own tools beside the tree, and the tree made to hold no more than that: what
//! the package leaves out is not there, what it does not declare can't be imported by it, and what it is entered by answers.
//! Plans and reads, starts nothing. What can't be built is told with its reason, and nothing is changed then.

mod cargo;
mod node;
mod python;

use crate::ask::{Ask, Plan, Step, StepEnd, StepOutput};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;

/// One build of what users get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    pub plan: Plan,
    pub step: Step,
    /// What children see besides, where it is built.
    pub env: Vec<(String, OsString)>,
    /// The folder of the project in the tree.
    pub root: String,
    pub kind: Kind,
}

/// Whose package it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Python,
    Script,
    Crate,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    /// Files of the tree that the package does not have.
    pub without: BTreeSet<String>,
    /// Files that are other for its users.
    pub with: Vec<(String, Vec<u8>)>,
    /// Why it could not be built.
    pub why: Option<String>,
}

/// Plans the build; none where there is no package. `paths` are the files of the tree, `ask.scratch` is empty.
pub fn packing(runner: &str, ask: &Ask, paths: &[String]) -> Option<Packing> {
    match runner {
        "pytest" => python::plan(ask, paths),
        "node" | "vitest" | "jest" => node::plan(runner, ask, paths),
        "cargo" => cargo::plan(ask),
        _ => None,
    }
}

/// Reads what the step left.
pub fn packed(packing: &Packing, ask: &Ask, paths: &[String], done: &StepOutput) -> Packed {
    let not_built = |why: String| Packed { why: Some(why), ..Packed::default() };
    if done.end != StepEnd::Exited(0) {
        return not_built(done.tail().lines().next_back().unwrap_or_default().to_owned());
    }
    match packing.kind {
        Kind::Python => python::read(packing, paths, done),
        Kind::Script => node::read(done),
        Kind::Crate => Ok(cargo::read(packing, ask, paths, done)),
    }
    .unwrap_or_else(not_built)
}

/// A folder for the work beside the tree.
fn room(ask: &Ask) -> PathBuf {
    ask.scratch.join("shop")
}
