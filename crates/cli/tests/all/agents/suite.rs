//! Each program runs the tests of each language with its own shell tool, inside the sandbox, and is shown what a gate sees:
//! packages that only the checkout has, build tools with their caches, the project's own code and not an installed one.

use super::bench::Bench;
use proctor_testkit::{RepoBuilder, Script, missing};
use serde_json::json;
use std::path::Path;
use std::process::Command;

/// A language: what a gate must have, what an agent types, what it must be shown.
struct Suite {
    speed: Speed,
    needs: &'static str,
    command: &'static str,
    shown: &'static str,
}

/// Whether something is compiled first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Speed {
    Quick,
    Slow,
}

const SUITES: [Suite; 4] = [
    Suite {
        speed: Speed::Quick,
        needs: "pytest",
        command: "python -m pytest -q tests",
        shown: " passed in",
    },
    Suite {
        speed: Speed::Slow,
        needs: "cargo",
        command: "cargo test --offline --lib",
        shown: "1 passed",
    },
    Suite { speed: Speed::Slow, needs: "go", command: "go test ./shop/...", shown: "ok" },
    Suite { speed: Speed::Quick, needs: "node", command: "node --test", shown: "pass 1" },
];

/// All of them, or those in which nothing is compiled.
fn suites(most: Speed) -> Vec<&'static Suite> {
    let wanted = |suite: &&Suite| most == Speed::Slow || suite.speed == Speed::Quick;
    SUITES.iter().filter(wanted).filter(|suite| !missing(suite.needs)).collect()
}

/// A project in four languages. What Python and node import is in the checkout alone.
fn grow(repo: &RepoBuilder) {
    repo.file("tests/test_lent.py", "import os\n\nimport calc, lent\n\n\ndef test_lent():\n    assert lent.ANSWER == 42 and calc.__file__.startswith(os.getcwd())\n")
        .file("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n")
        .file("src/lib.rs", "#[test]\nfn price() {\n    assert_eq!(1, 1);\n}\n")
        .file("go.mod", "module shop\n\ngo 1.19\n")
        .file("shop/shop.go", "package shop\n\nfunc Price() int { return 1 }\n")
        .file("shop/shop_test.go", "package shop\n\nimport \"testing\"\n\nfunc TestPrice(t *testing.T) {\n\tif Price() != 1 {\n\t\tt.Fatal()\n\t}\n}\n")
        .file("package.json", "{\"name\": \"shop\", \"scripts\": {\"test\": \"node --test\"}}\n")
        .file("test/price.test.js", "const test = require('node:test');\nconst assert = require('node:assert');\ntest('price', () => assert.equal(require('lent'), 42));\n")
        .file(".gitignore", ".venv\nnode_modules\ntarget\nCargo.lock\n__pycache__\n")
        .commit("a project in four languages");
    let lent = repo.path().join("node_modules/lent");
    std::fs::create_dir_all(&lent).unwrap();
    std::fs::write(lent.join("package.json"), "{\"name\": \"lent\", \"main\": \"index.js\"}\n")
        .unwrap();
    std::fs::write(lent.join("index.js"), "module.exports = 42;\n").unwrap();
    let mut venv = Command::new("python3");
    venv.args(["-m", "venv", "--system-site-packages", ".venv"]).current_dir(repo.path());
    assert!(venv.output().is_ok_and(|out| out.status.success()), "python3 -m venv");
    std::fs::write(site_of(repo.path()).join("lent.py"), "ANSWER = 42\n").unwrap();
}

fn site_of(repo: &Path) -> std::path::PathBuf {
    let lib = std::fs::read_dir(repo.join(".venv/lib")).unwrap().flatten().next().unwrap();
    lib.path().join("site-packages")
}

fn script(most: Speed) -> Script {
    let runs = suites(most).iter().fold(Script::new(), |script, suite| script.shell(suite.command));
    runs.answer(json!({"refactored": false, "notes": "looked"}))
}

/// Lets the agent look, and reads what its program told the model.
fn sees(bench: &Bench, most: Speed) {
    grow(&bench.repo);
    let ran = bench.env.call(bench.repo.path()).args(&["agent", "try", "it", "run the tests"]);
    let ran = ran.run();
    let told = bench.model.asked().last().map(ToString::to_string).unwrap_or_default();
    assert_eq!(bench.model.left(), 0, "the whole script was played\n{ran}\n{told}");
    for suite in suites(most) {
        assert!(told.contains(suite.shown), "{}: {}\n{ran}\n{told}", suite.command, suite.shown);
    }
    assert!(!told.contains("No module named"), "{told}");
}

fn program_sees(kind: &str) {
    if let Some(bench) = Bench::of(kind, script(Speed::Slow), "") {
        sees(&bench, Speed::Slow);
    }
}

fn api_sees(provider: &str, most: Speed) {
    if let Some(bench) = Bench::api(provider, script(most), "") {
        sees(&bench, most);
    }
}

#[cfg(test)]
mod slow {
    use super::*;

    #[test]
    fn a_model_by_its_api_runs_the_suites_that_compile_nothing() {
        api_sees("anthropic", Speed::Quick);
    }

    #[test]
    fn a_model_by_its_api_runs_the_suites() {
        api_sees("anthropic", Speed::Slow);
    }

    #[test]
    fn a_model_by_another_api_runs_the_suites() {
        api_sees("openai", Speed::Slow);
    }

    #[test]
    fn claude_runs_the_suites() {
        program_sees("claude");
    }

    #[test]
    fn codex_runs_the_suites() {
        program_sees("codex");
    }

    #[test]
    fn gemini_runs_the_suites() {
        program_sees("gemini");
    }

    #[test]
    fn opencode_runs_the_suites() {
        program_sees("opencode");
    }

    #[test]
    fn goose_runs_the_suites() {
        program_sees("goose");
    }

    #[test]
    fn claude_over_acp_runs_the_suites() {
        program_sees("acp_claude");
    }

    #[test]
    fn gemini_over_acp_runs_the_suites() {
        program_sees("acp_gemini");
    }

    #[test]
    fn codex_over_acp_runs_the_suites() {
        program_sees("acp_codex");
    }

    #[test]
    fn opencode_over_acp_runs_the_suites() {
        program_sees("acp_opencode");
    }

    #[test]
    fn goose_over_acp_runs_the_suites() {
        program_sees("acp_goose");
    }
}
