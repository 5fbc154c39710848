//! Whoever works in the sandbox finds what the gates find: packages, environments, registries, ports.

use crate::rows::{Desk, ONCE, SUB_TEST, with_sub};
use proctor_testkit::{Call, RepoBuilder, TestEnv, missing};
use serde_json::Value;
use std::process::Command;

/// Which levels of the sandbox are tried.
pub const LEVELS: [&str; 3] = ["strong", "landlock", "none"];

pub fn shell(env: &TestEnv, repo: &RepoBuilder, level: &str, command: &[&str]) -> Call {
    let call = env.call(repo.path()).args(&["agent", "shell", "--here", "--"]).args(command);
    // The best that works here, else what is named.
    if level == "strong" { call } else { call.env("PROCTOR_SANDBOX", level) }
}

fn env() -> TestEnv {
    TestEnv::new(env!("CARGO_BIN_EXE_proctor"))
}

/// A package that is in no Python but the checkout's own, and the project itself installed from the checkout.
fn with_venv(repo: &RepoBuilder) {
    let mut venv = Command::new("python3");
    venv.args(["-m", "venv", "--system-site-packages", ".venv"]).current_dir(repo.path());
    assert!(venv.output().is_ok_and(|out| out.status.success()), "python3 -m venv");
    let lib = std::fs::read_dir(repo.path().join(".venv/lib")).unwrap().flatten().next().unwrap();
    let site = lib.path().join("site-packages");
    std::fs::write(site.join("onlyhere.py"), "ANSWER = 42\n").unwrap();
    let src = repo.path().join("src");
    std::fs::write(site.join("__editable__.shop.pth"), format!("{}\n", src.display())).unwrap();
    let bin = repo.path().join(".venv/bin");
    let script =
        format!("#!{}/python\nimport sys, pytest\nsys.exit(pytest.main())\n", bin.display());
    std::fs::write(bin.join("pytest"), script).unwrap();
    let mut mode = Command::new("chmod");
    assert!(mode.arg("755").arg(bin.join("pytest")).status().is_ok_and(|s| s.success()));
}

fn python() -> RepoBuilder {
    let repo = RepoBuilder::new();
    repo.file("src/shop/__init__.py", "PRICE = 1\n")
        .file(
            "tests/test_shop.py",
            "import onlyhere\nimport shop\n\n\ndef test_shop():\n    assert (onlyhere.ANSWER, shop.PRICE) == (42, 1)\n    assert 'worktrees' in shop.__file__, shop.__file__\n",
        )
        .file(".gitignore", ".venv\n")
        .commit("a shop");
    with_venv(&repo);
    repo
}

#[test]
fn a_python_suite_runs_for_an_agent_with_the_packages_of_the_checkout_at_each_level() {
    if missing("pytest") {
        return;
    }
    let (env, repo) = (env(), python());
    let module = &["python", "-m", "pytest"][..];
    for (level, command) in
        LEVELS.map(|level| (level, &["pytest"][..])).into_iter().chain([("strong", module)])
    {
        let ran = shell(&env, &repo, level, command).run().expect_code(0);
        assert!(ran.stdout.contains("1 passed"), "{level}: {ran}");
    }
}

#[test]
fn node_packages_are_there_for_an_agent_at_each_level() {
    if missing("node") {
        return;
    }
    let (env, repo) = (env(), RepoBuilder::new());
    repo.file("package.json", "{\"name\": \"shop\", \"scripts\": {\"test\": \"node --test\"}}\n")
        .file("test/price.test.js", "const test = require('node:test');\nconst assert = require('node:assert');\nconst lent = require('lent');\ntest('price', () => assert.equal(lent, 42));\n")
        .file(".gitignore", "node_modules\n")
        .commit("a shop");
    let lent = repo.path().join("node_modules/lent");
    std::fs::create_dir_all(&lent).unwrap();
    std::fs::write(lent.join("package.json"), "{\"name\": \"lent\", \"main\": \"index.js\"}\n")
        .unwrap();
    std::fs::write(lent.join("index.js"), "module.exports = 42;\n").unwrap();
    for level in LEVELS {
        let ran = shell(&env, &repo, level, &["node", "--test"]).run().expect_code(0);
        assert!(ran.stdout.contains("pass 1"), "{level}: {ran}");
    }
}

#[test]
fn go_and_cargo_find_their_caches_and_build_outside_the_tree_for_an_agent() {
    if !missing("go") {
        let (env, repo) = (env(), RepoBuilder::new());
        repo.file("go.mod", "module shop\n\ngo 1.20\n")
            .file("shop.go", "package shop\n\nfunc Price() int { return 1 }\n")
            .file("shop_test.go", "package shop\n\nimport \"testing\"\n\nfunc TestPrice(t *testing.T) {\n\tif Price() != 1 {\n\t\tt.Fatal()\n\t}\n}\n")
            .commit("a shop");
        let ran = shell(&env, &repo, "strong", &["go", "test", "./..."]).run().expect_code(0);
        assert!(ran.stdout.contains("ok"), "{ran}");
    }
    if !missing("cargo") {
        let (env, repo) = (env(), RepoBuilder::new());
        repo.file(
            "Cargo.toml",
            "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
        )
        .file("src/lib.rs", "#[test]\nfn price() {\n    assert_eq!(1, 1);\n}\n")
        .commit("a shop");
        let ran = shell(&env, &repo, "strong", &["cargo", "test"]).run().expect_code(0);
        assert!(ran.stdout.contains("1 passed"), "{ran}");
    }
}

/// Does the work, and says what its usual test command said before and after.
const WORKER: &str = r#"
import json, os, pathlib, subprocess

def suite():
    done = subprocess.run(["python", "-m", "pytest", "-q"], capture_output=True, text=True)
    return done.stdout[-400:] + done.stderr[-400:]

phase = os.environ["PROCTOR_PHASE"]
before = suite()
if phase == "write_tests":
    pathlib.Path("tests/test_sub.py").write_text(SUB_TEST)
    answer = {"status": "PREPARED_FOR_FIX", "test_file_path": "tests/test_sub.py"}
elif phase == "implement":
    pathlib.Path("calc.py").write_text(CODE)
    answer = {"status": "READY_FOR_REVIEW", "fix_description": ""}
else:
    answer = {"status": "SUCCESS", "reason": None}
answer["notes"] = json.dumps([before, suite()])
pathlib.Path(os.environ["PROCTOR_OUTPUT"]).write_text(json.dumps(answer))
"#;

#[test]
fn an_agent_sees_its_test_fail_and_then_pass_as_the_gate_does() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let texts = [("SUB_TEST", SUB_TEST.to_owned()), ("CODE", with_sub("return a - b"))];
    let source = texts.iter().fold(WORKER.to_owned(), |source, (name, text)| {
        source.replace(&format!("({name})"), &format!("({text:?})"))
    });
    let words = desk.agent(&source);
    let call = desk.call(&["add", "sub", "--yes", "--no-refactor", "--format", "json"]);
    let story = desk.told(call.args(&["--agent-cmd", &words]).run()).ends("SUCCESS", 0);
    let said = |phase: &str| -> Vec<String> {
        let notes = story.turns(phase)[0]["claim"]["notes"].as_str().unwrap().to_owned();
        serde_json::from_str::<Vec<Value>>(&notes)
            .unwrap()
            .iter()
            .map(|text| text.as_str().unwrap().to_owned())
            .collect()
    };
    let tester = said("write_tests");
    assert!(
        !tester[0].contains("error") && tester[1].contains("cannot import name 'sub'"),
        "{tester:?}"
    );
    let coder = said("implement");
    assert!(
        coder[0].contains("cannot import name 'sub'") && !coder[1].contains("error"),
        "{coder:?}"
    );
}
