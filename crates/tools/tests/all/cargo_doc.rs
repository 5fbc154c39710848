//! Doctests, beside nextest and without it.

use crate::stage::{Stage, cargo, end, reason};
use proctor_core::report::{CaseEnd, Reason, RunEnd, TestReport};
use proctor_core::words::TestId;
use proctor_tools::{Nextest, Selection};

const MANIFEST: &str = "[package]\nname = \"demo-pkg\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
const LIB: &str = "//! ```
//! assert_eq!(demo_pkg::add(1, 1), 2);
//! ```
/// ```
/// assert_eq!(demo_pkg::add(1, 1), 2);
/// ```
/// ```should_panic
/// demo_pkg::boom();
/// ```
/// ```compile_fail
/// let x: i32 = \"\";
/// ```
/// ```no_run
/// loop {}
/// ```
/// ```ignore
/// never
/// ```
/// ```text
/// no test
/// ```
pub fn add(a: i32, b: i32) -> i32 { a + b }
/// ```
/// assert_eq!(demo_pkg::add(1, 1), 3);
/// ```
/// ```
/// demo_pkg::boom();
/// ```
/// ```
/// demo_pkg::nope();
/// ```
/// ```compile_fail
/// demo_pkg::add(1, 2);
/// ```
pub fn boom() { inner::boom() }
#[doc = include_str!(\"../README.md\")]
pub mod inner;
#[test] fn unit() { assert_eq!(add(1, 2), 3); }
";
const INNER: &str = "pub fn boom() { panic!(\"no\") }\n";
const README: &str = "# Read\n\n```\nassert!(demo_pkg::add(1, 2) == 3);\n```\n";

pub fn files() -> [(&'static str, &'static str); 4] {
    [("Cargo.toml", MANIFEST), ("src/lib.rs", LIB), ("src/inner.rs", INNER), ("README.md", README)]
}

fn labels(stage: &Stage) -> Vec<&str> {
    stage.outputs.iter().map(|s| s.label.as_str()).collect()
}

fn ids(report: &TestReport) -> Vec<&str> {
    report.cases.keys().map(TestId::as_str).collect()
}

#[test]
fn doctests_have_their_ends_and_ids_without_lines() {
    for nextest in [Nextest::Absent, Nextest::Installed] {
        let Some(mut stage) = cargo(nextest, &files()) else { return };
        let report = stage.finished();
        assert_eq!(end(&report, "demo-pkg unit"), &CaseEnd::Passed);
        for id in [
            "src/lib.rs",
            "src/lib.rs - add",
            "src/lib.rs - add #2",
            "src/lib.rs - add #3",
            "src/lib.rs - add #4",
        ] {
            assert_eq!(end(&report, &format!("demo-pkg::doc {id}")), &CaseEnd::Passed, "{id}");
        }
        let readme = report.cases.iter().find(|(id, _)| id.as_str().contains("README.md")).unwrap();
        assert_eq!(readme.1.end, CaseEnd::Passed);
        let ignored = end(&report, "demo-pkg::doc src/lib.rs - add #5");
        assert!(matches!(ignored, CaseEnd::Skipped { .. }), "{ignored:?}");
        assert!(matches!(
            reason(&report, "demo-pkg::doc src/lib.rs - boom"),
            Reason::Assertion { place: Some(p), .. } if p.line.is_none()
        ));
        assert!(matches!(
            reason(&report, "demo-pkg::doc src/lib.rs - boom #2"),
            Reason::Panic { place: Some(p), .. } if p.to_string() == "src/inner.rs:1"
        ));
        for (id, word) in [("#3", "nope"), ("#4", "compile_fail")] {
            let found = reason(&report, &format!("demo-pkg::doc src/lib.rs - boom {id}"));
            assert!(
                matches!(found, Reason::Other { message, .. } if message.contains(word)),
                "{found:?}"
            );
        }
        assert_eq!(report.cases.len(), 12, "{:?}", ids(&report));
        if nextest == Nextest::Installed {
            continue;
        }
        // An edit above moves no id.
        stage.write("src/lib.rs", &format!("//! Text.\n//!\n{LIB}"));
        assert_eq!(ids(&stage.finished()), ids(&report));
    }
}

#[test]
fn only_asked_doctests_run_and_none_where_none_is_asked_for() {
    let Some(mut stage) = cargo(Nextest::Absent, &files()) else { return };
    let only = |ids: &[&str]| Selection::Ids(ids.iter().map(|i| TestId::new(*i)).collect());
    stage.ask.only = only(&["demo-pkg::doc src/lib.rs - add #2", "demo-pkg::doc src/lib.rs"]);
    let report = stage.finished();
    assert_eq!(ids(&report), ["demo-pkg::doc src/lib.rs", "demo-pkg::doc src/lib.rs - add #2"]);
    assert!(!labels(&stage).contains(&"demo-pkg"), "{:?}", labels(&stage));
    stage.ask.only = only(&["demo-pkg unit"]);
    assert_eq!(ids(&stage.finished()), ["demo-pkg unit"]);
    assert!(!labels(&stage).iter().any(|l| l.contains("doc")), "{:?}", labels(&stage));
    // The user's own command leaves them out.
    stage.ask.only = Selection::All;
    stage.ask.tools.extra_args = vec!["--lib".to_owned()];
    assert_eq!(ids(&stage.finished()), ["demo-pkg unit"]);
    // No code in the docs: no step.
    stage.ask.tools.extra_args.clear();
    stage.write("src/lib.rs", "/// Text.\npub fn a() {}\n#[test] fn unit() { assert!(1 < 2); }\n");
    assert_eq!(ids(&stage.finished()), ["demo-pkg unit"]);
    assert!(!labels(&stage).iter().any(|l| l.contains("doc")), "{:?}", labels(&stage));
}

#[test]
fn doctests_still_run_where_a_test_does_not_compile() {
    let lib = "/// ```\n/// assert!(demo_pkg::yes());\n/// ```\npub fn yes() -> bool { true }\n";
    let test = "#[test] fn t() { demo_pkg::later(); }\n";
    let files = [("Cargo.toml", MANIFEST), ("src/lib.rs", lib), ("tests/new.rs", test)];
    let Some(mut stage) = cargo(Nextest::Installed, &files) else { return };
    let report = stage.run();
    assert!(matches!(report.end, RunEnd::CollectFailed { .. }), "{:?}", report.end);
    assert!(report.passed(&TestId::new("demo-pkg::doc src/lib.rs - yes")), "{report:?}");
    // A library that only compiles as a test is not one that works.
    stage.write("tests/new.rs", "");
    stage.write(
        "src/lib.rs",
        "#[cfg(test)] fn yes() -> bool { true }\n/// ```\n/// demo_pkg::no();\n/// ```\npub fn no() -> bool { !yes() }\n\
         #[test] fn unit() { assert!(!no()); }\n",
    );
    std::fs::remove_file(stage.ask.tree.join("tests/new.rs")).unwrap();
    let report = stage.run();
    let RunEnd::CollectFailed { errors } = &report.end else { panic!("{report:?}") };
    assert!(errors.iter().any(|e| e.place.to_string() == "src/lib.rs:5"), "{errors:?}");
}

#[test]
fn the_doctests_of_a_workspace_are_told_apart_and_nothing_is_built_twice() {
    let doc = "/// ```\n/// assert!(CRATE::yes());\n/// ```\npub fn yes() -> bool { true }\n";
    // A build script that asks to run again once the compiler may use unstable features.
    let script = "fn main() { println!(\"cargo:rerun-if-env-changed=RUSTC_BOOTSTRAP\"); println!(\"cargo:rustc-env=MADE=x y\"); }\n";
    let a =
        format!("{}#[doc = env!(\"MADE\")]\npub fn z() {{}}\n", doc.replace("CRATE", "renamed"));
    let b = doc.replace("CRATE", "b");
    let manifest_a = format!("{}[lib]\nname = \"renamed\"\n", MANIFEST.replace("demo-pkg", "a"));
    let manifest_b = format!(
        "{}[dependencies]\na = {{ path = \"../a\" }}\n",
        MANIFEST.replace("demo-pkg", "b").replace("2024", "2018")
    );
    let files = [
        ("ws/Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"3\"\n"),
        ("ws/a/Cargo.toml", manifest_a.as_str()),
        ("ws/a/build.rs", script),
        ("ws/a/src/lib.rs", a.as_str()),
        ("ws/b/Cargo.toml", manifest_b.as_str()),
        ("ws/b/src/lib.rs", b.as_str()),
    ];
    let Some(mut stage) = cargo(Nextest::Absent, &files) else { return };
    stage.ask.subdir = "ws".to_owned();
    let report = stage.finished();
    assert_eq!(ids(&report), ["a::doc a/src/lib.rs - yes", "b::doc b/src/lib.rs - yes"]);
    assert_eq!(report.counts().passed, 2);
    let find = stage.outputs.iter().find(|s| s.label == "cargo test --doc").unwrap();
    let said = String::from_utf8_lossy(&find.stderr);
    assert!(said.contains("Fresh a v0.1.0"), "{said}");
    // A member alone: only its own, though the other is built too.
    stage.ask.subdir = "ws/b".to_owned();
    assert_eq!(ids(&stage.finished()), ["b::doc b/src/lib.rs - yes"]);
}
