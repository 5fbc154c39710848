//! How cargo runs end, with nextest and without: both must say the same.

use crate::stage::{Stage, cargo, end, reason};
use proctor_core::report::{CaseEnd, Reason, RunEnd};
use proctor_core::words::TestId;
use proctor_tools::{Nextest, Programs, Step, StepEnd, StepOutput};

const BOTH: [Nextest; 2] = [Nextest::Absent, Nextest::Installed];
const MANIFEST: &str = "[package]\nname = \"demo-pkg\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";

const LIB: &str = "pub fn add(a: i32, b: i32) -> i32 { a - b }
pub fn boom() -> i32 { todo!() }
pub fn div(a: i32, b: i32) -> i32 { a / b }
#[cfg(test)]
mod tests {
    use super::*;
    #[test] fn adds() { assert_eq!(add(1, 2), 3, \"sum\"); }
    #[test] fn holds() { assert_eq!(add(1, 0), 1); println!(\"printed\"); }
    #[test] #[ignore = \"slow\"] fn slow() {}
    #[test] fn booms() { assert_eq!(boom(), 1); }
    #[test] fn divides() { assert_eq!(div(1, 0), 1); }
    #[test] fn returns() -> Result<(), String> { Err(\"no\".into()) }
    #[test] #[should_panic] fn should() {}
    #[test] #[should_panic(expected = \"never\")] fn should_say() { boom(); }
    #[test] fn reads() { std::fs::read(\"/no/such/file\").unwrap(); }
    #[test] fn in_thread() { assert!(std::thread::spawn(|| panic!(\"inner\")).join().is_ok()); }
}
";

fn each(files: &[(&str, &str)], check: impl Fn(&mut Stage)) {
    for nextest in BOTH {
        if let Some(mut stage) = cargo(nextest, files) {
            check(&mut stage);
        }
    }
}

fn demo() -> Vec<(&'static str, &'static str)> {
    vec![
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", LIB),
        ("src/main.rs", "fn main() {}\n#[test] fn in_main() { assert!(1 + 1 == 2); }\n"),
        ("src/bin/tool.rs", "fn main() {}\n#[test] fn in_tool() { assert!(1 + 1 == 2); }\n"),
        ("tests/integ.rs", "#[test] fn sums() { assert_eq!(demo_pkg::add(3, 0), 3); }\n"),
    ]
}

#[test]
fn ids_ends_and_reasons_are_the_same_both_ways() {
    each(&demo(), |stage| {
        let report = stage.finished();
        let tree = proctor_lang::FolderTree::new(&stage.ask.tree);
        let mut ids: Vec<TestId> = stage
            .runner
            .items(&tree, &demo().iter().map(|f| f.0.to_owned()).collect::<Vec<_>>())
            .into_iter()
            .map(|i| i.id)
            .collect();
        ids.sort();
        assert_eq!(report.cases.keys().cloned().collect::<Vec<_>>(), ids);
        for id in [
            "demo-pkg tests::holds",
            "demo-pkg::bin/demo-pkg in_main",
            "demo-pkg::bin/tool in_tool",
            "demo-pkg::integ sums",
        ] {
            assert_eq!(end(&report, id), &CaseEnd::Passed, "{id}");
        }
        assert!(matches!(end(&report, "demo-pkg tests::slow"), CaseEnd::Skipped { .. }));
        for id in ["adds", "returns", "should", "should_say", "in_thread"] {
            let found = reason(&report, &format!("demo-pkg tests::{id}"));
            assert!(matches!(found, Reason::Assertion { .. }), "{id}: {found:?}");
        }
        for (id, line) in [("booms", 2), ("divides", 3)] {
            let found = reason(&report, &format!("demo-pkg tests::{id}"));
            assert!(
                matches!(found, Reason::Panic { place: Some(p), .. } if p.file == "src/lib.rs" && p.line == Some(line)),
                "{found:?}"
            );
        }
        let found = reason(&report, "demo-pkg tests::reads");
        assert!(matches!(found, Reason::Other { place: Some(_), .. }), "{found:?}");
        let Reason::Assertion { message, .. } = reason(&report, "demo-pkg tests::adds") else {
            unreachable!()
        };
        assert_eq!(message, "assertion `left == right` failed: sum\n  left: -1\n right: 3");
    });
}

#[test]
fn only_the_asked_tests_run() {
    for nextest in BOTH {
        let Some(stage) = cargo(nextest, &demo()) else { continue };
        let report = stage.only(&["demo-pkg tests::adds", "demo-pkg::integ sums"]).finished();
        assert_eq!(
            report.cases.keys().map(TestId::as_str).collect::<Vec<_>>(),
            ["demo-pkg tests::adds", "demo-pkg::integ sums"]
        );
    }
}

#[test]
fn only_the_integration_tests_that_are_asked_for_are_built_where_nobody_else_needs_the_build() {
    let broken = [demo(), vec![("tests/broken.rs", "#[test] fn no() { demo_pkg::none() }\n")]];
    for nextest in BOTH {
        let ids = ["demo-pkg::integ sums"];
        let Some(stage) = cargo(nextest, &broken.concat()) else { continue };
        let mut stage = stage.only(&ids);
        let report = stage.finished();
        assert_eq!(report.cases.keys().map(TestId::as_str).collect::<Vec<_>>(), ids);
        let kept = Programs::Kept(stage.ask.scratch.clone());
        for (programs, manifest) in [
            (kept, MANIFEST.to_owned()),
            (Programs::ThrownAway, format!("{MANIFEST}autotests = true\n")),
        ] {
            stage.ask.programs = programs;
            stage.write("Cargo.toml", &manifest);
            let report = stage.run();
            assert!(matches!(report.end, RunEnd::CollectFailed { .. }), "{report:?}");
        }
    }
}

#[test]
fn leaving_the_process_with_success_is_suspect() {
    let files = [
        ("Cargo.toml", MANIFEST),
        (
            "src/lib.rs",
            "#[test] fn a_leaves() { std::process::exit(0); }\n#[test] fn fails() { assert!(1 > 2); }\n",
        ),
    ];
    each(&files, |stage| {
        let report = stage.run();
        assert!(
            matches!(&report.end, RunEnd::Suspect { note } if note.contains("demo-pkg")),
            "{:?}",
            report.end
        );
    });
}

#[test]
fn no_tests_is_its_own_end() {
    each(&[("Cargo.toml", MANIFEST), ("src/lib.rs", "pub fn a() {}\n")], |stage| {
        assert_eq!(stage.run().end, RunEnd::NoTests);
    });
}

/// Runs a step; one that is no build only for a second.
fn for_a_second(step: &Step) -> StepOutput {
    let builds = step.label.starts_with("cargo");
    let mut argv = step.argv.clone();
    if !builds && step.label != "nextest list" {
        let limit = ["timeout", "--signal=KILL", "1"].map(std::ffi::OsString::from);
        argv.splice(0..0, limit);
    }
    let output = std::process::Command::new(&argv[0])
        .args(&argv[1..])
        .current_dir(&step.cwd)
        .env_clear()
        .envs(&step.env)
        .output()
        .unwrap();
    let end = output.status.code().map_or(StepEnd::TimedOut, StepEnd::Exited);
    StepOutput { label: step.label.clone(), end, stdout: output.stdout, stderr: output.stderr }
}

#[test]
fn a_run_at_its_time_limit_says_so() {
    // It ends by itself where nobody ends it: nextest's own child outlives it.
    let lib = "#[test] fn hangs() { for _ in 0..9 { std::thread::park_timeout(std::time::Duration::from_secs(1)); } }\n";
    each(&[("Cargo.toml", MANIFEST), ("src/lib.rs", lib)], |stage| {
        let plan = stage.runner.plan(&stage.ask);
        for (path, bytes) in &plan.files {
            std::fs::write(path, bytes).unwrap();
        }
        let mut done = Vec::new();
        while let Some(step) = stage.runner.next(&stage.ask, &done) {
            done.push(for_a_second(&step));
        }
        let end = stage.runner.read(&stage.ask, &done).end;
        match stage.ask.tools.nextest {
            Nextest::Absent => {
                assert_eq!(end, RunEnd::TimedOut { running: Some(TestId::new("demo-pkg hangs")) });
            }
            // nextest writes what happened in a binary only once the binary is done.
            Nextest::Installed => assert_eq!(end, RunEnd::TimedOut { running: None }),
        }
    });
}

#[test]
fn a_binary_that_dies_is_a_crash_or_that_tests_failure() {
    let files = [
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", "#[test] fn dies() { std::process::abort(); }\n"),
    ];
    each(&files, |stage| {
        let report = stage.run();
        match stage.ask.tools.nextest {
            Nextest::Absent => assert!(
                matches!(&report.end, RunEnd::Crashed { note } if note.contains("demo-pkg dies")),
                "{report:?}"
            ),
            Nextest::Installed => assert!(
                matches!(reason(&report, "demo-pkg dies"), Reason::Other { .. }),
                "{report:?}"
            ),
        }
    });
}

#[test]
fn cargo_that_can_not_begin_is_a_crash_with_its_words() {
    each(&[("Cargo.toml", "[package\n"), ("src/lib.rs", "")], |stage| {
        let end = stage.run().end;
        assert!(matches!(&end, RunEnd::Crashed { note } if note.contains("Cargo.toml")), "{end:?}");
    });
    let wants = format!("{MANIFEST}[dependencies]\nno-such-crate-anywhere = \"1\"\n");
    each(&[("Cargo.toml", &wants), ("src/lib.rs", "")], |stage| {
        let end = stage.run().end;
        assert!(
            matches!(&end, RunEnd::Crashed { note } if note.contains("no-such-crate-anywhere")),
            "{end:?}"
        );
    });
}

#[test]
fn a_workspace_is_tested_whole_and_places_start_at_the_tree() {
    let files = [
        ("ws/Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"3\"\n"),
        ("ws/a/Cargo.toml", &MANIFEST.replace("demo-pkg", "a")),
        ("ws/b/Cargo.toml", &MANIFEST.replace("demo-pkg", "b")),
        (
            "ws/a/src/lib.rs",
            "#[test] fn t() { assert!(std::path::Path::new(\"src/lib.rs\").exists()); }\n",
        ),
        ("ws/b/src/lib.rs", "#[test] fn t() { assert!(1 > 2); }\n"),
    ];
    each(&files, |stage| {
        stage.ask.subdir = "ws".to_owned();
        let report = stage.finished();
        assert!(report.passed(&TestId::new("a t")));
        assert_eq!(
            reason(&report, "b t").place().map(|p| p.file.as_str()),
            Some("ws/b/src/lib.rs")
        );
    });
}
