//! A scenario for the scripted agent: what it writes, says and returns in each turn. It knows the file's
//! shape and nothing of how it is played: the first turn that fits phase, attempt and ask is the one.

use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Scenario {
    turns: Vec<Value>,
}

impl Scenario {
    pub fn new() -> Self {
        Self::default()
    }

    /// A turn as it stands in the file: `phase`, then as wanted `attempt`, `ask`, `write`, `append`, `delete`,
    /// `say`, `sleep_ms`, `stdout`, `output`, `exit`.
    pub fn turn(mut self, turn: Value) -> Self {
        assert!(turn["phase"].is_string(), "a turn needs its phase, and this one has none: {turn}");
        self.turns.push(turn);
        self
    }

    /// The tester writes these files.
    pub fn tests(self, attempt: u32, files: &[(&str, &str)]) -> Self {
        let first = files.first().map(|(path, _)| *path);
        self.turn(json!({
            "phase": "write_tests",
            "attempt": attempt,
            "write": texts(files),
            "output": {"status": "PREPARED_FOR_FIX", "test_file_path": first, "notes": "Tests written."},
        }))
    }

    /// The tester says that the bug can't be reproduced.
    pub fn discards(self, attempt: u32, why: &str) -> Self {
        self.turn(json!({
            "phase": "write_tests",
            "attempt": attempt,
            "output": {"status": "DISCARDED", "test_file_path": null, "notes": why},
        }))
    }

    /// The coder writes these files.
    pub fn code(self, attempt: u32, files: &[(&str, &str)]) -> Self {
        self.turn(json!({
            "phase": "implement",
            "attempt": attempt,
            "write": texts(files),
            "output": {
                "status": "READY_FOR_REVIEW",
                "fix_description": "Implemented.",
                "notes": "Code written.",
            },
        }))
    }

    /// The coder says that the test is wrong.
    pub fn disputes(self, attempt: u32, why: &str) -> Self {
        self.turn(json!({
            "phase": "implement",
            "attempt": attempt,
            "output": {"status": "TEST_DISPUTED", "fix_description": "", "notes": why},
        }))
    }

    /// The coder tidies these files.
    pub fn refactor(self, attempt: u32, files: &[(&str, &str)]) -> Self {
        self.turn(json!({
            "phase": "refactor",
            "attempt": attempt,
            "write": texts(files),
            "output": {"refactored": true, "notes": "Tidied."},
        }))
    }

    /// The coder finds nothing to tidy, whenever it is asked.
    pub fn refactor_nothing(self) -> Self {
        self.turn(json!({
            "phase": "refactor",
            "output": {"refactored": false, "notes": "Nothing to tidy."},
        }))
    }

    /// The reviewer agrees, whenever no earlier turn of this scenario fits.
    pub fn review_ok(self) -> Self {
        self.turn(json!({
            "phase": "review",
            "output": {"status": "SUCCESS", "reason": null, "notes": "Reads well."},
        }))
    }

    /// The reviewer rejects this attempt.
    pub fn review_rejects(self, attempt: u32, why: &str) -> Self {
        self.turn(json!({
            "phase": "review",
            "attempt": attempt,
            "output": {"status": "REJECTED", "reason": why, "notes": why},
        }))
    }

    pub fn json(&self) -> Value {
        json!({"turns": self.turns})
    }

    /// Writes the scenario to this file and returns its path.
    pub fn save(&self, path: impl AsRef<Path>) -> PathBuf {
        let path = path.as_ref();
        std::fs::write(path, format!("{:#}\n", self.json())).expect("the scenario file");
        path.to_owned()
    }
}

fn texts(files: &[(&str, &str)]) -> Value {
    let entries = files.iter().map(|(path, text)| ((*path).to_owned(), json!(text)));
    Value::Object(entries.collect::<Map<_, _>>())
}
