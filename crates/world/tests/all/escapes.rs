//! The suite of escapes: what a child could try to get out of its bounds, one script each, tried as an agent and as a test
//! at every level that works here. The table of what each level stops is in docs/sandbox.md, made from this one.
//!
//! Nothing that is tried harms the machine: each attempt stops at the first sign that it would work.
#![allow(clippy::print_stderr)]

mod attempts;
mod calls;
mod house;

use attempts::{ATTEMPTS, Attempt, Ends};
use calls::CALLS;
use house::{House, Role};
use proctor_world::child::Keeper;
use proctor_world::sandbox::{Level, Strength, Wish, probe};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn keeper() -> Keeper {
    Keeper { program: PathBuf::from(env!("CARGO_BIN_EXE_proctor-keep")), args: Vec::new() }
}

fn attempts() -> impl Iterator<Item = &'static Attempt> {
    ATTEMPTS.iter().chain(&CALLS)
}

/// What must come of an attempt.
fn expected(attempt: &Attempt, level: &Level, role: Role) -> Ends {
    match level.strength() {
        // An agent may use the network: it needs its model.
        Strength::Strong if attempt.network && role == Role::Agent => Ends::Untried,
        Strength::Strong => Ends::Stopped,
        Strength::Files => match attempt.files {
            Ends::Since(..) if attempt.network && role == Role::Agent => Ends::Untried,
            Ends::Since(major, minor) if kernel() >= (major, minor) => Ends::Stopped,
            Ends::Since(..) => Ends::Works,
            ends => ends,
        },
        Strength::None => attempt.none,
    }
}

fn kernel() -> (u32, u32) {
    let about = rustix::system::uname();
    let release = about.release().to_string_lossy().into_owned();
    let mut parts = release.split(['.', '-']).map_while(|part| part.parse().ok());
    (parts.next().unwrap_or(0), parts.next().unwrap_or(0))
}

fn try_all(wish: Wish) {
    let scratch = TempDir::new().unwrap();
    let found = probe(&keeper(), wish, scratch.path());
    if found.level == Level::None && wish != Wish::None {
        eprintln!("skipped: {wish:?} does not work here: {:?}", found.refused);
        assert!(
            std::env::var_os("CI").is_none_or(|value| value != "true"),
            "in CI every level must work\nhint: scripts/setup installs bubblewrap"
        );
        return;
    }
    let mut faults = Vec::new();
    for role in [Role::Agent, Role::Test] {
        let mut house = House::new();
        for attempt in attempts() {
            let expected = expected(attempt, &found.level, role);
            if expected == Ends::Untried {
                continue;
            }
            let (came, said) = house.attempt(attempt, &found.level, role);
            if came != expected {
                faults.push(format!("{} as {role:?}: {came:?}\n{said}", attempt.name));
            }
            if house.is_spoilt() {
                house = House::new();
            }
        }
    }
    assert!(faults.is_empty(), "{}: {}", found.level, faults.join("\n"));
}

#[test]
fn bubblewrap_stops_every_escape() {
    try_all(Wish::Bubblewrap);
}

#[test]
fn own_namespaces_stop_every_escape() {
    try_all(Wish::Namespaces);
}

#[test]
fn landlock_stops_what_goes_by_files() {
    try_all(Wish::Landlock);
}

#[test]
fn the_table_in_the_book_is_the_one_that_is_tried() {
    let mut table =
        String::from("| what is tried | strong | files | none |\n| --- | --- | --- | --- |\n");
    let word = |ends: Ends| match ends {
        Ends::Stopped => "stopped".to_owned(),
        Ends::Works => "works".to_owned(),
        Ends::Since(major, minor) => format!("stopped from Linux {major}.{minor}"),
        Ends::Untried => "not tried".to_owned(),
    };
    for attempt in attempts() {
        let strong = if attempt.network { "stopped ¹" } else { "stopped" };
        writeln!(
            table,
            "| {} | {strong} | {} | {} |",
            attempt.what,
            word(attempt.files),
            word(attempt.none)
        )
        .unwrap();
    }
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/sandbox.md");
    let text = std::fs::read_to_string(book).unwrap();
    assert!(attempts().count() >= 90);
    assert!(text.contains(&table), "docs/sandbox.md must hold this table:\n{table}");
}

#[cfg(test)]
mod slow {
    use super::*;

    /// So that no attempt is stopped only because it does not work anyway.
    #[test]
    fn without_a_sandbox_the_attempts_work() {
        if rustix::process::geteuid().is_root() {
            try_all(Wish::None);
        } else {
            eprintln!("skipped: what works without a sandbox is different for each user");
        }
    }
}
