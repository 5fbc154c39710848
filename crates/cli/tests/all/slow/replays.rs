//! Evidence carried to another machine and replayed there, with each tool whose runs a pack may hold besides pytest. The
//! work is that of an honest case.

use proctor_testkit::{RepoBuilder, Scenario, TestEnv, missing};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

fn env() -> TestEnv {
    TestEnv::new(env!("CARGO_BIN_EXE_proctor")).limit(Duration::from_mins(5))
}

/// The files of one side of an honest case.
fn files(case: &str, side: &str) -> Vec<(String, String)> {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/honest").join(case).join(side);
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
                found.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// A run that landed the work of a case, as a pack that is replayed in another home without the repository.
fn carried_and_replayed(case: &str, tool: &str) {
    let repo = RepoBuilder::new();
    for (path, text) in files(case, "base") {
        repo.file(&path, &text);
    }
    repo.file(".gitignore", "/target/\nnode_modules\n").commit("base");
    let head = files(case, "head");
    let is_test = |path: &str| path.contains("test");
    let of = |tests: bool| -> Vec<(&str, &str)> {
        let wanted = head.iter().filter(|(path, _)| is_test(path) == tests);
        wanted.map(|(path, text)| (path.as_str(), text.as_str())).collect()
    };
    let scenario =
        Scenario::new().tests(1, &of(true)).code(1, &of(false)).refactor_nothing().review_ok();
    let here = env();
    let call = here.call(repo.path()).mock(&scenario);
    call.args(&["add", "the work of a case", "--id", "work", "--yes"]).run().expect_code(0);
    let pack = here.user_home().join("pack.tar");
    let call = here.call(repo.path()).args(&["evidence", "work", "--tar"]).arg(&pack);
    call.run().expect_code(0);

    let there = env();
    let call = there.call(there.user_home()).arg("verify").arg(&pack);
    let ran = call.args(&["--format", "json"]).run();
    let answer: Value =
        serde_json::from_str(&ran.stdout).unwrap_or_else(|why| panic!("{why}: {ran}"));
    assert_eq!((ran.code, &answer["verdict"]), (0, &"proven".into()), "{tool}: {ran}");
    assert!(answer["reason"].as_str().unwrap().starts_with("the same came out"), "{ran}");
}

#[test]
fn a_pack_of_cargo_is_replayed_elsewhere() {
    if missing("cargo") || missing("cargo-nextest") {
        return;
    }
    carried_and_replayed("cargo-new-function", "cargo");
}

#[test]
fn a_pack_of_go_is_replayed_elsewhere() {
    if missing("go") {
        return;
    }
    carried_and_replayed("go-new-function", "go");
}

#[test]
fn a_pack_of_node_is_replayed_elsewhere() {
    if missing("node") {
        return;
    }
    carried_and_replayed("node-new-function", "node");
}
