//! Trees that are mounted over a clean checkout, from outside: what is told about a change must be what is told where
//! every tree is written out. A repository is large enough for a mount by files that nobody reads.

use proctor_testkit::{Ran, RepoBuilder, TestEnv, missing};
use proctor_world::child::Keeper;
use proctor_world::overlay::{Kind, Possible, WORTH_A_MOUNT, possible};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

fn env() -> TestEnv {
    TestEnv::new(env!("CARGO_BIN_EXE_proctor")).limit(Duration::from_mins(4))
}

/// How mounts can be had below a home. Not every kernel lets it, CI's neither.
fn mounts(env: &TestEnv) -> Option<Kind> {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_proctor"));
    let keeper = Keeper { program, args: vec!["keep".into()] };
    match possible(&keeper, env.home()) {
        Possible::Yes(kind) => Some(kind),
        Possible::No(why) => {
            println!("skipped: no overlay can be mounted here: {why}");
            None
        }
    }
}

#[derive(Clone, Copy)]
enum Size {
    Small,
    Large,
}

fn fill(repo: &RepoBuilder, size: Size) {
    let count = match size {
        Size::Small => 3,
        Size::Large => WORTH_A_MOUNT + 50,
    };
    for n in 0..count {
        repo.file(&format!("data/{}/{n}.txt", n / 500), "");
    }
}

fn verify(env: &TestEnv, repo: &RepoBuilder, more: &[&str]) -> Ran {
    let all = [&["verify", "--base", "main", "--head", "work", "--format", "json"], more].concat();
    env.proctor(repo.path(), &all)
}

#[track_caller]
fn told(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|why| panic!("{why}: {ran:?}"))
}

/// What must not depend on how a tree was made.
#[track_caller]
fn essence(ran: &Ran) -> Value {
    let told = told(ran);
    let checks: Vec<Value> = told["checks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|check| json!([check["name"], check["status"]]))
        .collect();
    json!({ "verdict": told["verdict"], "checks": checks, "tests": told["tests"] })
}

/// The clean checkouts that a home holds: there are some only where a tree was mounted over one.
fn clean_checkouts(env: &TestEnv) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(env.home().join("trees")) else { return Vec::new() };
    let paths = entries.flatten().map(|entry| entry.path().join("tree"));
    paths.filter(|path| path.is_dir()).collect()
}

const PY: &str = "def clamp(n, low):\n    return n\n";
const PY_FIXED: &str = "def clamp(n, low):\n    if n < low:\n        return low\n    return n\n";
const PY_OLD: &str = "from calc import clamp\n\n\ndef test_same():\n    assert clamp(5, 3) == 5\n";
const PY_NEW: &str = "from calc import clamp\n\n\ndef test_low():\n    assert clamp(1, 3) == 3\n";

const RS_MANIFEST: &str = "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
const RS_LOCK: &str = "version = 4\n\n[[package]]\nname = \"calc\"\nversion = \"0.1.0\"\n";
const RS: &str = "pub fn clamp(n: i64, _low: i64) -> i64 {\n    n\n}\n";
const RS_FIXED: &str =
    "pub fn clamp(n: i64, low: i64) -> i64 {\n    if n < low { low } else { n }\n}\n";
const RS_OLD: &str = "#[test]\nfn same() {\n    assert_eq!(calc::clamp(5, 3), 5);\n}\n";
const RS_NEW: &str = "#[test]\nfn low() {\n    assert_eq!(calc::clamp(1, 3), 3);\n}\n";

const GO: &str = "package calc\n\nfunc Clamp(n, low int) int {\n\treturn n\n}\n";
const GO_FIXED: &str = "package calc\n\nfunc Clamp(n, low int) int {\n\tif n < low {\n\t\treturn low\n\t}\n\treturn n\n}\n";

fn go_test(name: &str, n: i32, wanted: i32) -> String {
    format!(
        "package calc\n\nimport \"testing\"\n\nfunc Test{name}(t *testing.T) {{\n\tif got := Clamp({n}, 3); got != {wanted} {{\n\t\tt.Fatalf(\"got %d\", got)\n\t}}\n}}\n"
    )
}

const JS_PACKAGE: &str =
    "{\"name\": \"calc\", \"type\": \"module\", \"scripts\": {\"test\": \"node --test\"}}\n";
const JS: &str = "export const clamp = (n, low) => n;\n";
const JS_FIXED: &str = "export const clamp = (n, low) => (n < low ? low : n);\n";

fn js_test(name: &str, n: i32, wanted: i32) -> String {
    format!(
        "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport {{ clamp }} from './calc.js';\ntest('{name}', () => {{ assert.equal(clamp({n}, 3), {wanted}); }});\n"
    )
}

/// The same small fix in the languages of all these tools, each in a project of its own.
fn many_tools(size: Size) -> RepoBuilder {
    let repo = RepoBuilder::new();
    fill(&repo, size);
    repo.file("py/calc.py", PY)
        .file("py/tests/test_same.py", PY_OLD)
        .file("py/pyproject.toml", "[tool.pytest.ini_options]\npythonpath = [\".\"]\n")
        .file("rs/Cargo.toml", RS_MANIFEST)
        .file("rs/Cargo.lock", RS_LOCK)
        .file("rs/src/lib.rs", RS)
        .file("rs/tests/same.rs", RS_OLD)
        .file("go/go.mod", "module example.com/calc\n\ngo 1.19\n")
        .file("go/calc.go", GO)
        .file("go/same_test.go", &go_test("Same", 5, 5))
        .file("js/package.json", JS_PACKAGE)
        .file("js/calc.js", JS)
        .file("js/same.test.js", &js_test("same", 5, 5))
        .commit("base");
    repo.git(&["checkout", "--quiet", "-b", "work"]);
    repo.file("py/calc.py", PY_FIXED)
        .file("py/tests/test_low.py", PY_NEW)
        .file("rs/src/lib.rs", RS_FIXED)
        .file("rs/tests/low.rs", RS_NEW)
        .file("go/calc.go", GO_FIXED)
        .file("go/low_test.go", &go_test("Low", 1, 3))
        .file("js/calc.js", JS_FIXED)
        .file("js/low.test.js", &js_test("low", 1, 3))
        .commit("fix");
    repo
}

#[test]
fn the_verdict_on_a_mounted_tree_is_the_one_on_a_written_tree_with_every_tool() {
    if ["pytest", "cargo", "go", "node"].into_iter().any(missing) {
        return;
    }
    let (small, large) = (env(), env());
    if mounts(&large).is_none() {
        return;
    }
    let most = ["--only", "red-replay", "green", "regression", "coverage"];
    let written = essence(&verify(&small, &many_tools(Size::Small), &most));
    let mounted = essence(&verify(&large, &many_tools(Size::Large), &most));
    for name in ["red-replay", "green", "regression", "coverage"] {
        let passed = json!([name, "pass"]);
        assert!(written["checks"].as_array().unwrap().contains(&passed), "{name}: {written}");
    }
    assert_eq!(mounted, written);
    assert_eq!(clean_checkouts(&small), Vec::<PathBuf>::new());
    assert_eq!(clean_checkouts(&large).len(), 1, "all trees share the clean checkout of the base");
}

/// All trials of one run share cargo's products, and the replay comes after the change: what is as in the base again
/// has an old time then.
#[test]
fn cargo_builds_what_is_back_as_in_the_base_again() {
    let env = env();
    if missing("cargo") || mounts(&env).is_none() {
        return;
    }
    let repo = RepoBuilder::new();
    fill(&repo, Size::Large);
    // Neither the source nor what it includes lies in the package's folder.
    repo.file("rs/Cargo.toml", &format!("{RS_MANIFEST}\n[lib]\npath = \"../core/lib.rs\"\n"))
        .file("rs/Cargo.lock", RS_LOCK)
        .file("core/lib.rs", "pub const LIMIT: &str = include_str!(\"../texts/limit.txt\");\n")
        .file("texts/limit.txt", "1")
        .file("rs/tests/old.rs", "#[test]\nfn old() {\n    assert!(calc::LIMIT.len() < 3);\n}\n")
        .commit("base");
    repo.git(&["checkout", "--quiet", "-b", "work"]);
    repo.file("texts/limit.txt", "2")
        .file("rs/tests/new.rs", "#[test]\nfn new() {\n    assert_eq!(calc::LIMIT, \"2\");\n}\n")
        .commit("fix");
    let told = essence(&verify(&env, &repo, &["--only", "red-replay", "green", "regression"]));
    for name in ["red-replay", "green", "regression"] {
        assert!(told["checks"].as_array().unwrap().contains(&json!([name, "pass"])), "{told}");
    }
    assert_eq!(clean_checkouts(&env).len(), 1);
}

/// Takes the cover off where its rights allow that, and mends the base: then the new test would pass without the change.
const HOSTILE: &str = r#"
import ctypes
from pathlib import Path

home = next(folder for folder in Path.cwd().parents if (folder / "gates").is_dir())
ctypes.CDLL(None).umount2(bytes(home / "trees"), 2)
for base in (home / "trees").glob("*/tree/calc.py"):
    base.write_text((Path.cwd() / "calc.py").read_text())
"#;

#[test]
fn a_clean_checkout_that_a_test_run_has_changed_is_not_used_again() {
    // The sandbox would stop the attack already.
    let unbounded = || env().env("PROCTOR_SANDBOX", "none");
    let (small, large) = (unbounded(), unbounded());
    if missing("pytest") {
        return;
    }
    let Some(kind) = mounts(&large) else { return };
    let change = |size| {
        let repo = RepoBuilder::new();
        fill(&repo, size);
        repo.file("calc.py", PY).file("tests/test_same.py", PY_OLD).commit("base");
        repo.git(&["checkout", "--quiet", "-b", "work"]);
        let test = format!("{HOSTILE}\n{PY_NEW}");
        repo.file("calc.py", PY_FIXED).file("tests/test_low.py", &test).commit("fix");
        repo
    };
    let proof = ["--only", "red-replay", "green", "regression"];
    let written = essence(&verify(&small, &change(Size::Small), &proof));
    assert!(written["checks"].as_array().unwrap().contains(&json!(["red-replay", "pass"])));
    let repo = change(Size::Large);
    assert_eq!(essence(&verify(&large, &repo, &proof)), written);
    let left = clean_checkouts(&large).pop().unwrap().join("calc.py");
    match kind {
        Kind::Root | Kind::ContainerRoot => {
            assert_eq!(fs::read_to_string(&left).unwrap(), PY_FIXED, "the attack works, for root");
        }
        // Whoever may write there, from outside.
        Kind::User => fs::write(&left, PY_FIXED).unwrap(),
    }
    // Another process finds what the first one left.
    assert_eq!(essence(&verify(&large, &repo, &proof)), written);
}
