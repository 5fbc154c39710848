//! Which lines ran, measured by the real compiler and its LLVM tools.

use crate::stage::{Stage, cargo, end, skipped};
use proctor_core::report::CaseEnd;
use proctor_tools::{Coverage, Covered, Nextest, StepEnd};

const MANIFEST: &str = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
const LIB: &str = "/// ```
/// assert_eq!(demo::by_doc(), 3);
/// ```
pub fn by_doc() -> i32 {
    3
}
pub fn some(a: i32) -> i32 {
    if a > 1 {
        return 5;
    }
    a
}
pub fn none() -> i32 {
    4
}
#[test]
fn unit() {
    assert_eq!(some(0), 0);
}
";

fn lines(stage: &Stage) -> Covered {
    stage.runner.coverage(&stage.ask, &stage.outputs)
}

#[test]
fn lines_that_tests_programs_and_doctests_ran_are_hit() {
    let files = [
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", LIB),
        ("src/main.rs", "fn main() {\n    println!(\"{}\", demo::some(7));\n}\n"),
        (
            "tests/p.rs",
            "#[test] fn runs() { assert!(std::process::Command::new(env!(\"CARGO_BIN_EXE_demo\")).status().unwrap().success()); }\n",
        ),
    ];
    for nextest in [Nextest::Absent, Nextest::Installed] {
        let Some(mut stage) = cargo(nextest, &files) else { return };
        stage.ask.coverage = Coverage::Measured;
        let report = stage.finished();
        assert_eq!(end(&report, "demo::p runs"), &CaseEnd::Passed);
        let covered = match lines(&stage) {
            Covered::Lines(lines) => lines,
            Covered::ToolMissing { tool, install } => {
                skipped(&format!("{tool} ({install})"));
                return;
            }
            other @ Covered::Unreadable { .. } => panic!("{other:?}"),
        };
        let lib = &covered.files["src/lib.rs"];
        assert!([4, 5, 8, 9, 11, 18].iter().all(|l| lib.hit.contains(l)), "{lib:?}");
        assert_eq!(lib.missed.iter().copied().collect::<Vec<_>>(), [13, 14, 15], "{lib:?}");
        assert!(covered.files["src/main.rs"].hit.contains(&2), "{covered:?}");
        assert!(covered.files.keys().all(|file| !file.starts_with('/')), "{covered:?}");
        assert!(!stage.ask.tree.join("default.profraw").exists());
    }
}

#[test]
fn a_missing_tool_and_a_broken_one_are_told_apart() {
    let files = [("Cargo.toml", MANIFEST), ("src/lib.rs", LIB)];
    let Some(mut stage) = cargo(Nextest::Absent, &files) else { return };
    stage.ask.coverage = Coverage::Measured;
    stage.finished();
    let merge = stage.outputs.iter().position(|s| s.label == "llvm-profdata merge").unwrap();
    stage.outputs.truncate(merge + 1);
    stage.outputs[merge].end = StepEnd::Exited(1);
    assert!(matches!(lines(&stage), Covered::Unreadable { .. }));
    stage.outputs[merge].end = StepEnd::CouldNotStart("no such file".to_owned());
    let Covered::ToolMissing { tool, install } = lines(&stage) else { panic!() };
    assert_eq!(
        (tool.as_str(), install.as_str()),
        ("llvm-tools", "rustup component add llvm-tools")
    );
    // The tests' own verdict does not depend on it.
    assert_eq!(stage.runner.next(&stage.ask, &stage.outputs), None);
    let report = stage.runner.read(&stage.ask, &stage.outputs);
    assert_eq!(end(&report, "demo unit"), &CaseEnd::Passed);
}
