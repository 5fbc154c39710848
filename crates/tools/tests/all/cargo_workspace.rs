//! Workspaces and targets of every kind, with nextest and without.

use crate::stage::{Stage, cargo, end, reason};
use proctor_core::report::{CaseEnd, Reason, RunEnd, TestReport};
use proctor_core::words::TestId;
use proctor_lang::FolderTree;
use proctor_tools::{Nextest, Selection};

const BOTH: [Nextest; 2] = [Nextest::Absent, Nextest::Installed];
const WORKSPACE: &str = "[workspace]\nmembers = [\"a\", \"mac\", \"old\"]\ndefault-members = [\"old\"]\nexclude = [\"out\"]\nresolver = \"3\"\n";
const MANIFEST_A: &str = "[package]\nname = \"a-pkg\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\nname = \"renamed\"\n\
    [features]\nextra = []\n[[test]]\nname = \"gated\"\nrequired-features = [\"extra\"]\n\
    [[example]]\nname = \"show\"\ntest = true\n[[bench]]\nname = \"slow\"\nharness = false\n\
    [dependencies]\nmac = { path = \"../mac\" }\nbeside = { path = \"../../beside\" }\n";

fn package(name: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\n")
}

fn ids(report: &TestReport) -> Vec<&str> {
    report.cases.keys().map(TestId::as_str).collect()
}

/// A virtual workspace in a subfolder, with a crate beside it and one that it leaves out.
fn workspace(nextest: Nextest) -> Option<Stage> {
    let macros = format!("{}edition = \"2018\"\n[lib]\nproc-macro = true\n", package("mac"));
    let (old, out, beside) = (package("old"), package("out"), package("beside"));
    let same = "#[cfg(test)] mod tests { #[test] fn same() { assert!(1 < 2); } }\n";
    let files = [
        ("ws/Cargo.toml", WORKSPACE),
        ("ws/a/Cargo.toml", MANIFEST_A),
        (
            "ws/a/src/lib.rs",
            "pub fn f() -> i32 { mac::same!(beside::one()) }\n#[cfg(test)] mod tests { #[test] fn same() { assert_eq!(super::f(), 1); } }\n",
        ),
        (
            "ws/a/src/main.rs",
            "fn main() { println!(\"{}\", renamed::f()); }\n#[test] fn inline() { assert!(1 < 2); }\n",
        ),
        (
            "ws/a/tests/runs.rs",
            "#[test] fn starts() { let out = std::process::Command::new(std::env::var(\"CARGO_BIN_EXE_a-pkg\").unwrap()).output().unwrap(); assert_eq!(out.stdout, b\"1\\n\"); }\n",
        ),
        ("ws/a/tests/gated.rs", "#[test] fn gated() { assert!(1 < 2); }\n"),
        ("ws/a/examples/show.rs", "fn main() {}\n#[test] fn shown() { assert!(1 < 2); }\n"),
        ("ws/a/benches/slow.rs", "fn main() { panic!(\"a bench was run\") }\n"),
        ("ws/mac/Cargo.toml", macros.as_str()),
        (
            "ws/mac/src/lib.rs",
            "#[proc_macro] pub fn same(i: proc_macro::TokenStream) -> proc_macro::TokenStream { i }\n#[test] fn in_macro() { assert!(1 < 2); }\n",
        ),
        ("ws/old/Cargo.toml", old.as_str()),
        ("ws/old/src/lib.rs", same),
        ("ws/out/Cargo.toml", out.as_str()),
        ("ws/out/src/lib.rs", "#[test] fn apart() { assert!(1 > 2); }\n"),
        ("beside/Cargo.toml", beside.as_str()),
        (
            "beside/src/lib.rs",
            "pub fn one() -> i32 { 1 }\n#[test] fn unasked() { assert!(1 > 2); }\n",
        ),
    ];
    let mut stage = cargo(nextest, &files)?;
    "ws".clone_into(&mut stage.ask.subdir);
    Some(stage)
}

#[test]
fn ids_that_no_binary_holds_keep_no_other_test_from_running() {
    for nextest in BOTH {
        let Some(mut stage) = workspace(nextest) else { return };
        stage.ask.subdir = "ws/old".to_owned();
        let only = ["old tests::same", "old::gone t", "old::doc src/lib.rs - gone"];
        stage.ask.only = Selection::Ids(only.iter().map(|i| TestId::new(*i)).collect());
        assert_eq!(ids(&stage.finished()), ["old tests::same"]);
    }
}

#[test]
fn a_harness_of_its_own_is_never_passed_unless_it_tells_its_tests() {
    let manifest = format!(
        "{}edition = \"2024\"\n[[test]]\nname = \"quiet\"\nharness = false\n[[test]]\nname = \"strict\"\nharness = false\n\
         [[test]]\nname = \"broken\"\nharness = false\n[[test]]\nname = \"telling\"\nharness = false\n",
        package("p")
    );
    let telling = "fn main() { let json = std::env::args().any(|a| a == \"json\"); if !json { return; }\n\
        println!(r#\"{{\"type\":\"suite\",\"event\":\"started\",\"test_count\":2}}\"#);\n\
        for (name, end) in [(\"one\", \"ok\"), (\"two\", \"failed\")] {\n\
        println!(r#\"{{\"type\":\"test\",\"event\":\"started\",\"name\":\"{name}\"}}\"#);\n\
        println!(r#\"{{\"type\":\"test\",\"name\":\"{name}\",\"event\":\"{end}\"}}\"#); }\n\
        println!(r#\"{{\"type\":\"suite\",\"event\":\"failed\",\"passed\":1,\"failed\":1,\"ignored\":0}}\"#);\n\
        std::process::exit(101) }\n";
    let files = [
        ("Cargo.toml", manifest.as_str()),
        ("src/lib.rs", "#[test] fn unit() { assert!(1 < 2); }\n"),
        ("tests/quiet.rs", "fn main() { println!(\"test fake ... ok\"); }\n"),
        // It knows no arguments; cargo gives it none.
        ("tests/strict.rs", "fn main() { assert_eq!(std::env::args().count(), 1); }\n"),
        ("tests/broken.rs", "fn main() { panic!(\"it broke\"); }\n"),
        ("tests/telling.rs", telling),
    ];
    for nextest in BOTH {
        let Some(mut stage) = cargo(nextest, &files) else { return };
        let report = stage.finished();
        for id in ["p::quiet (own harness)", "p::strict (own harness)"] {
            let end = end(&report, id);
            assert!(
                matches!(end, CaseEnd::Skipped { why } if why.contains("not judged")),
                "{id} {end:?}"
            );
        }
        let broken = reason(&report, "p::broken (own harness)");
        assert!(
            matches!(broken, Reason::Other { message, .. } if message.contains("it broke")),
            "{broken:?}"
        );
        assert_eq!(end(&report, "p::telling one"), &CaseEnd::Passed);
        assert!(matches!(end(&report, "p::telling two"), CaseEnd::Failed { .. }));
        assert_eq!(end(&report, "p unit"), &CaseEnd::Passed);
        assert_eq!(report.cases.len(), 6, "{:?}", ids(&report));
    }
}

#[test]
fn events_that_are_told_twice_are_suspect() {
    let lib = "extern \"C\" fn last() { println!(\"{{ \\\"type\\\": \\\"suite\\\", \\\"event\\\": \\\"ok\\\", \\\"passed\\\": 1, \\\"failed\\\": 0, \\\"ignored\\\": 0 }}\"); }\n\
        unsafe extern \"C\" { fn atexit(f: extern \"C\" fn()) -> i32; }\n\
        #[test] fn t() { unsafe { atexit(last); } }\n";
    let manifest = format!("{}edition = \"2024\"\n", package("p"));
    let files = [("Cargo.toml", manifest.as_str()), ("src/lib.rs", lib)];
    let Some(mut stage) = cargo(Nextest::Absent, &files) else { return };
    let end = stage.run().end;
    assert!(matches!(&end, RunEnd::Suspect { note } if note.contains("twice")), "{end:?}");
}

#[cfg(test)]
mod slow {
    use super::*;

    #[test]
    fn targets_of_every_kind_are_run_once_and_have_the_ids_that_the_sources_say() {
        let all = [
            "a-pkg tests::same",
            "a-pkg::bin/a-pkg inline",
            "a-pkg::example/show shown",
            "a-pkg::runs starts",
            "mac in_macro",
            "old tests::same",
        ];
        for nextest in BOTH {
            let Some(mut stage) = workspace(nextest) else { return };
            let report = stage.finished();
            assert_eq!(ids(&report), all);
            assert_eq!(report.counts().passed, 6, "{report:?}");
            let tree = FolderTree::new(&stage.ask.tree);
            let paths = ["a/src/lib.rs", "a/src/main.rs", "a/examples/show.rs", "a/tests/runs.rs"];
            let paths: Vec<String> = paths.iter().map(|p| format!("ws/{p}")).collect();
            let items = stage.runner.items(&tree, &paths);
            let mut found: Vec<&str> = items.iter().map(|i| i.id.as_str()).collect();
            found.sort_unstable();
            assert_eq!(found, all[..4]);

            // The rest is cargo's own, whoever runs the tests.
            if nextest == Nextest::Installed {
                continue;
            }
            stage.ask.tools.extra_args = vec!["--features".to_owned(), "a-pkg/extra".to_owned()];
            assert!(ids(&stage.finished()).contains(&"a-pkg::gated gated"));
            stage.ask.tools.extra_args.clear();

            // A member alone, and one that the workspace leaves out.
            stage.ask.subdir = "ws/old".to_owned();
            assert_eq!(ids(&stage.finished()), ["old tests::same"]);
            stage.ask.subdir = "ws/out".to_owned();
            let report = stage.finished();
            let place = reason(&report, "out apart").place().unwrap().to_string();
            assert_eq!(place, "ws/out/src/lib.rs:1");
        }
    }
}
