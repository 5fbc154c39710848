//! What cargo, nextest and libtest left behind for small trees, read without them.

use crate::recorded::scene;
use crate::stage::{cargo, replay};
use proctor_tools::Nextest;
use std::time::Duration;

const MANIFEST: &str = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
const LIB: &str = "pub fn add(a: i32, b: i32) -> i32 { a - b }\npub fn later() -> i32 { todo!() }\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test] fn adds() { assert_eq!(add(1, 2), 3); }\n    #[test] fn holds() { assert_eq!(add(1, 0), 1); }\n    #[test] fn waits() { later(); }\n    #[test] #[ignore] fn slow() {}\n}\n";
const LEAVES: &str = "#[test] fn leaves() { std::process::exit(0); }\n";

fn check(name: &str, nextest: Nextest, files: &[(&str, &str)]) {
    scene(name, || cargo(nextest, files), replay("cargo", nextest, files));
}

#[test]
fn each_way_a_test_can_end() {
    let files = [("Cargo.toml", MANIFEST), ("src/lib.rs", LIB)];
    check("nextest-mixed", Nextest::Installed, &files);
    check("libtest-mixed", Nextest::Absent, &files);
}

#[test]
fn a_test_that_leaves_without_a_report() {
    let files = [("Cargo.toml", MANIFEST), ("src/lib.rs", LEAVES)];
    check("nextest-left", Nextest::Installed, &files);
    check("libtest-left", Nextest::Absent, &files);
}

#[test]
fn names_that_do_not_exist_yet() {
    let test =
        "use demo::{Cart, basket};\n#[test] fn t() { assert!(Cart.is_empty()); basket(); }\n";
    let files =
        [("Cargo.toml", MANIFEST), ("src/lib.rs", "pub struct Cart;\n"), ("tests/new.rs", test)];
    check("cargo-missing", Nextest::Absent, &files);
}

#[test]
fn doctests_of_every_sort() {
    check("libtest-doc", Nextest::Absent, &crate::cargo_doc::files());
}

#[test]
fn a_run_without_tests() {
    let files = [("Cargo.toml", MANIFEST), ("src/lib.rs", "pub fn a() {}\n")];
    check("nextest-none", Nextest::Installed, &files);
    check("libtest-none", Nextest::Absent, &files);
}

#[test]
fn a_run_at_its_time_limit() {
    let lib = "#[test] fn a() {}\n#[test] fn hangs() { for _ in 0..9 { std::thread::park_timeout(std::time::Duration::from_secs(1)); } }\n";
    let files = [("Cargo.toml", MANIFEST), ("src/lib.rs", lib)];
    for (name, nextest) in
        [("nextest-hangs", Nextest::Installed), ("libtest-hangs", Nextest::Absent)]
    {
        let live = || {
            let mut stage = cargo(nextest, &files)?;
            stage.limit = Duration::from_secs(5);
            Some(stage)
        };
        scene(name, live, replay("cargo", nextest, &files));
    }
}

#[test]
fn a_harness_that_tells_nothing() {
    let manifest = format!("{MANIFEST}[[test]]\nname = \"own\"\nharness = false\n");
    let files =
        [("Cargo.toml", manifest.as_str()), ("tests/own.rs", "fn main() {}\n"), ("src/lib.rs", "")];
    check("nextest-own", Nextest::Installed, &files);
}
