use super::*;
use serde_json::json;

fn edge(from: &str, to: &str, dev: bool) -> Crates {
    Crates {
        names: vec![from.to_owned(), to.to_owned()],
        edges: vec![Edge { from: from.to_owned(), to: to.to_owned(), dev }],
    }
}

fn places(path: &str, text: &str) -> Vec<String> {
    let faults = check(&Tree::of(&[(path, text)]), &Crates::default());
    faults.into_iter().map(|fault| fault.place).collect()
}

#[test]
fn the_edges_of_the_design_are_accepted() {
    for (from, to, dev) in [
        ("proctor-journal", "proctor-core", false),
        ("proctor-engine", "proctor-world", false),
        ("proctor-tools", "proctor-lang", false),
        ("proctor-experiments", "proctor-lang", false),
        ("proctor-tools", "proctor-experiments", true),
        ("proctor", "proctor-engine", false),
        ("proctor", "proctor-testkit", true),
        ("proctor-engine", "proctor-testkit", true),
    ] {
        assert_eq!(edges(&edge(from, to, dev)), [], "{from} -> {to}");
    }
}

#[test]
fn an_edge_that_goes_up_or_sideways_is_refused_with_what_is_allowed() {
    for (from, to, dev) in [
        ("proctor-core", "proctor-journal", false),
        ("proctor-core", "proctor-journal", true),
        ("proctor-tools", "proctor-world", false),
        ("proctor-tools", "proctor-experiments", false),
        ("proctor-experiments", "proctor-tools", false),
        ("proctor-experiments", "proctor-tools", true),
        ("proctor-lang", "proctor-tools", false),
        ("proctor-world", "proctor-engine", true),
        ("proctor", "proctor-testkit", false),
        ("proctor-testkit", "proctor-core", false),
        ("proctor", "xtask", true),
    ] {
        assert_eq!(edges(&edge(from, to, dev)).len(), 1, "{from} -> {to}");
    }
    let fault = &edges(&edge("proctor-agents", "proctor-world", false))[0];
    assert_eq!(fault.place, "crates/agents/Cargo.toml");
    assert_eq!(fault.accepted, "proctor-core");
}

#[test]
fn a_crate_without_a_row_is_a_fault() {
    let crates = Crates { names: vec!["proctor-cloud".to_owned()], edges: vec![] };
    assert_eq!(edges(&crates)[0].place, "crates/cloud/Cargo.toml");
}

#[test]
fn what_cargo_says_is_read_for_our_own_crates_alone() {
    let metadata = json!({"packages": [
        {"name": "proctor-core", "dependencies": [{"name": "serde", "kind": null}]},
        {"name": "proctor", "dependencies": [
            {"name": "proctor-core", "kind": null},
            {"name": "proctor-core", "kind": "dev"},
        ]},
    ]});
    let crates = Crates::read(&metadata);
    assert_eq!(crates.names, ["proctor-core", "proctor"]);
    let dev: Vec<bool> = crates.edges.iter().map(|edge| edge.dev).collect();
    assert_eq!(dev, [false, true]);
}

#[test]
fn only_world_starts_a_child() {
    let spawning = "use std::process::Command;\nfn f() { Command::new(\"x\"); }\n";
    assert_eq!(places("crates/world/src/a.rs", spawning), [""; 0]);
    assert_eq!(places("crates/testkit/src/a.rs", spawning), [""; 0]);
    assert_eq!(places("crates/cli/tests/all/a.rs", spawning), [""; 0]);
    assert_eq!(
        places("crates/cli/src/a.rs", spawning),
        ["crates/cli/src/a.rs:1", "crates/cli/src/a.rs:2"]
    );
}

#[test]
fn a_child_in_a_group_is_seen_and_one_in_a_text_is_not() {
    for code in [
        "use std::process::{Command, Stdio};",
        "use std::process::{ExitCode, Command};",
        "use std::process::{\n    ExitCode,\n    Command as Child,\n};",
        "let c = process::Command::new(x);",
    ] {
        assert_eq!(places("crates/engine/src/a.rs", code).len(), 1, "{code}");
    }
    for code in [
        "use std::process::{ExitCode, Stdio};",
        "use std::process::ExitCode;",
        "// Command::new",
        "let s = \"std::process::Command\";",
        "let c = clap::Command::new(\"proctor\");",
        "let c = MyCommand::new();",
        "#[cfg(test)]\nmod tests {\n    use std::process::Command;\n}",
    ] {
        assert_eq!(places("crates/engine/src/a.rs", code), [""; 0], "{code}");
    }
}

#[test]
fn core_has_no_world() {
    for code in [
        "use std::fs;",
        "let v = std::env::var(x);",
        "use std::{collections::BTreeMap, fs};",
        "use std::{env::var, fmt};",
        "use std::{\n    fmt,\n    fs::File,\n};",
        "use std::time::{Duration, Instant};",
        "let t = SystemTime::now();",
        "std::process::exit(1);",
        "std::thread::spawn(f);",
    ] {
        assert_eq!(places("crates/core/src/a.rs", code).len(), 1, "{code}");
        let elsewhere = places("crates/journal/src/a.rs", code);
        assert_eq!(elsewhere, [""; 0], "{code}");
    }
    for code in [
        "use std::time::Duration;",
        "use std::{collections::BTreeMap, fmt};",
        "use std::{sync::process, fmt};\nlet fs = 1;",
        "/// Unlike `std::fs`, this reads nothing.",
        "let instant = 1;",
    ] {
        assert_eq!(places("crates/core/src/a.rs", code), [""; 0], "{code}");
    }
}

#[test]
fn the_fleet_uses_what_every_face_uses_and_no_more() {
    let manifest = |name: &str| {
        format!(
            "[dependencies]\nproctor-desk = {{ path = \"x\" }}\n{name} = {{ path = \"x\" }}\n\n[dev-dependencies]\nproctor-testkit = {{ path = \"x\" }}\n"
        )
    };
    assert_eq!(places("fleet/Cargo.toml", &manifest("proctor-engine")), Vec::<String>::new());
    assert_eq!(places("fleet/Cargo.toml", &manifest("proctor-lab")), ["fleet/Cargo.toml"]);
}
