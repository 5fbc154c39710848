//! Outputs of the real tools, recorded, read without any tool. `record` writes them anew (see `fixtures/README.md`).

use crate::stage::{Stage, cargo, pytest, replay};
use proctor_runners::{Nextest, StepEnd, StepOutput};
use std::path::PathBuf;

const MANIFEST: &str = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
const LIB: &str = "pub fn add(a: i32, b: i32) -> i32 { a - b }\npub fn later() -> i32 { todo!() }\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test] fn adds() { assert_eq!(add(1, 2), 3); }\n    #[test] fn holds() { assert_eq!(add(1, 0), 1); }\n    #[test] fn waits() { later(); }\n    #[test] #[ignore] fn slow() {}\n}\n";
const PYTHON: &str = "import pytest, shop\ndef test_holds(): assert shop.add(1, 0) == 1\ndef test_adds(): assert shop.add(1, 2) == 3\ndef test_missing(): shop.basket()\ndef test_breaks(): shop.div(1)\n@pytest.mark.skip(reason='later')\ndef test_skipped(): pass\n@pytest.fixture\ndef broken(): raise ValueError('no')\ndef test_setup(broken): pass\n";
const SHOP: &str = "def add(a, b): return a - b\ndef div(a): return a / 0\n";

type Files = Vec<(&'static str, &'static str)>;

/// Each scene: its name, its tool, its tree.
fn scenes() -> Vec<(&'static str, Tool, Files)> {
    vec![
        ("pytest-mixed", Tool::Pytest, vec![("shop.py", SHOP), ("tests/test_a.py", PYTHON)]),
        (
            "pytest-collect",
            Tool::Pytest,
            vec![
                ("shop.py", SHOP),
                ("tests/test_a.py", "from shop import basket\ndef test_a(): assert basket()\n"),
                ("tests/test_b.py", "def test_b(:\n"),
            ],
        ),
        (
            "pytest-left",
            Tool::Pytest,
            vec![("test_a.py", "import os\ndef test_a(): os._exit(0)\n")],
        ),
        (
            "nextest-mixed",
            Tool::Cargo(Nextest::Installed),
            vec![("Cargo.toml", MANIFEST), ("src/lib.rs", LIB)],
        ),
        (
            "nextest-left",
            Tool::Cargo(Nextest::Installed),
            vec![
                ("Cargo.toml", MANIFEST),
                ("src/lib.rs", "#[test] fn leaves() { std::process::exit(0); }\n"),
            ],
        ),
        (
            "libtest-mixed",
            Tool::Cargo(Nextest::Absent),
            vec![("Cargo.toml", MANIFEST), ("src/lib.rs", LIB)],
        ),
        (
            "libtest-left",
            Tool::Cargo(Nextest::Absent),
            vec![
                ("Cargo.toml", MANIFEST),
                ("src/lib.rs", "#[test] fn leaves() { std::process::exit(0); }\n"),
            ],
        ),
        (
            "cargo-missing",
            Tool::Cargo(Nextest::Absent),
            vec![
                ("Cargo.toml", MANIFEST),
                ("src/lib.rs", "pub struct Cart;\n"),
                (
                    "tests/new.rs",
                    "use demo::{Cart, basket};\n#[test] fn t() { assert!(Cart.is_empty()); basket(); }\n",
                ),
            ],
        ),
    ]
}

#[derive(Clone, Copy)]
enum Tool {
    Pytest,
    Cargo(Nextest),
}

fn folder(scene: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(scene)
}

/// A text with the folders of the recording machine taken out.
fn masked(stage: &Stage, bytes: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(bytes).replace(&stage.root(), "@ROOT@");
    for (mark, instead) in [
        ("/lib/python3", "/usr"),
        ("/.rustup/toolchains/", ""),
        ("/toolchains/", ""),
        ("/bin/python3", "/usr"),
    ] {
        let mut from = 0;
        while let Some(at) = text[from..].find(mark).map(|at| at + from) {
            // The path that leads to the mark begins after the last character that is not part of a path.
            let start = text[..at]
                .rfind(|c: char| !(c.is_alphanumeric() || "/._-".contains(c)))
                .map_or(0, |s| s + 1);
            text.replace_range(start..at, instead);
            from = start + instead.len() + mark.len();
        }
    }
    text
}

/// Writes the fixtures anew, and only when it is asked to: `PROCTOR_RECORD=1`.
#[test]
fn the_recorded_scenes_can_be_recorded_again() {
    if std::env::var_os("PROCTOR_RECORD").is_none() {
        assert!(
            scenes().iter().all(|(name, ..)| folder(name).is_dir()),
            "a scene was never recorded"
        );
        return;
    }
    for (name, tool, files) in scenes() {
        let stage = match tool {
            Tool::Pytest => pytest(&files),
            Tool::Cargo(nextest) => cargo(nextest, &files),
        };
        let Some(mut stage) = stage else { continue };
        stage.run();
        let folder = folder(name);
        std::fs::remove_dir_all(&folder).ok();
        std::fs::create_dir_all(&folder).unwrap();
        for file in ["pytest.jsonl", "junit.xml"] {
            if let Ok(bytes) = std::fs::read(stage.ask.scratch.join(file)) {
                std::fs::write(folder.join(file), masked(&stage, &bytes)).unwrap();
            }
        }
        let steps: Vec<serde_json::Value> = stage.outputs.iter().map(|step| {
            let StepEnd::Exited(code) = step.end else { panic!("{:?}", step.end) };
            serde_json::json!({"label": step.label, "exit": code, "stdout": masked(&stage, &step.stdout), "stderr": masked(&stage, &step.stderr)})
        }).collect();
        std::fs::write(
            folder.join("steps.json"),
            serde_json::to_string_pretty(&steps).unwrap() + "\n",
        )
        .unwrap();
    }
}

#[test]
fn recorded_outputs_are_read_without_a_tool() {
    for (name, tool, files) in scenes() {
        let folder = folder(name);
        let stage = match tool {
            Tool::Pytest => replay("pytest", Nextest::Absent, &files),
            Tool::Cargo(nextest) => replay("cargo", nextest, &files),
        };
        for file in ["pytest.jsonl", "junit.xml"] {
            if let Ok(text) = std::fs::read_to_string(folder.join(file)) {
                std::fs::write(stage.ask.scratch.join(file), text.replace("@ROOT@", &stage.root()))
                    .unwrap();
            }
        }
        let text = std::fs::read_to_string(folder.join("steps.json")).unwrap();
        let steps: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
        let bytes = |step: &serde_json::Value, key: &str| {
            step[key].as_str().unwrap().replace("@ROOT@", &stage.root()).into_bytes()
        };
        let outputs: Vec<StepOutput> = steps
            .iter()
            .map(|step| StepOutput {
                label: step["label"].as_str().unwrap().to_owned(),
                end: StepEnd::Exited(i32::try_from(step["exit"].as_i64().unwrap()).unwrap()),
                stdout: bytes(step, "stdout"),
                stderr: bytes(step, "stderr"),
            })
            .collect();
        let mut report = stage.runner.read(&stage.ask, &outputs);
        for case in report.cases.values_mut() {
            case.took_ms = None;
        }
        let shown = format!("{report:#?}").replace(&stage.root(), "@ROOT@");
        insta::assert_snapshot!(name, shown);
    }
}
