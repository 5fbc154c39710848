//! What a demo plays: a small library with a bug, and a scripted agent that goes wrong at every gate once before
//! it gets it right. The same story in each language; the texts of a language are in a file of their own.

use crate::demo::Lang;
use crate::demo::{javascript, python, rust};
use serde_json::{Value, json};

/// The agent's name in the small repository's proctor.toml.
pub const AGENT: &str = "scripted";

/// The bug in a sentence.
pub const BUG: &str = "median of [1, 2, 3, 4] is 3, and 2.5 would be right";
pub const DETAILS: &str =
    "The median of a list of even length is the mean of the two values in its middle.";
pub const FIRST_COMMIT: &str = "median of a list, with a test";
/// Stands in the new test where the answer stands that it expects.
const WANTED: &str = "WANTED";

pub struct Lesson {
    /// The test tool.
    pub runner: &'static str,
    /// What the repository holds at first, beside code, tests and settings.
    pub files: &'static [(&'static str, &'static str)],
    /// The file with the bug, and the file with its tests.
    pub code: &'static str,
    pub test: &'static str,
    pub old_code: &'static str,
    pub old_tests: &'static str,
    /// What is added to the tests, with `WANTED` for the answer.
    pub new_test: &'static str,
    pub answers: Answers,
    /// Still wrong.
    pub wrong_code: &'static str,
    /// Passes every test, and breaks what no test looks at.
    pub careless_code: &'static str,
    pub good_code: &'static str,
    /// Why the reviewer does not like the careless one.
    pub objection: &'static str,
}

/// What the new test expects: what the code says today, which is no proof of a bug; what is right; and what the wrong code
/// would pass with.
pub struct Answers {
    pub today: &'static str,
    pub right: &'static str,
    pub bent: &'static str,
}

impl Lesson {
    pub fn of(lang: Lang) -> Self {
        match lang {
            Lang::Rust => rust::LESSON,
            Lang::Python => python::LESSON,
            Lang::Javascript => javascript::LESSON,
        }
    }

    /// What the repository holds at first.
    pub fn files(&self) -> Vec<(&'static str, String)> {
        let settings = format!(
            "runner = \"{}\"\n\n[agents.{AGENT}]\nkind = \"script\"\nfile = \"../scenario.json\"\n",
            self.runner
        );
        let own = [
            ("proctor.toml", settings.as_str()),
            (self.code, self.old_code),
            (self.test, self.old_tests),
        ];
        self.files.iter().copied().chain(own).map(|(path, text)| (path, text.to_owned())).collect()
    }

    /// The test file with a new test that expects this answer.
    fn tests(&self, answer: &str) -> String {
        format!("{}{}", self.old_tests, self.new_test.replace(WANTED, answer))
    }

    /// The scenario file of the scripted agent.
    pub fn scenario(&self) -> String {
        let mut turns = self.testing();
        turns.extend(self.coding());
        turns.push(json!({
            "phase": "refactor",
            "say": ["Nothing to tidy here."],
            "output": {"refactored": false, "notes": ""},
        }));
        turns.extend(self.reviewing());
        format!("{:#}\n", json!({"turns": turns}))
    }

    fn testing(&self) -> Vec<Value> {
        let turn = |say: &str, text: &str| {
            json!({
                "phase": "write_tests",
                "say": [say],
                "write": {self.test: text},
                "output": {"status": "PREPARED_FOR_FIX", "test_file_path": self.test, "notes": ""},
            })
        };
        vec![
            at(
                1,
                turn(
                    "A test for a list of four: I'll expect what median gives me today.",
                    &self.tests(self.answers.today),
                ),
            ),
            turn(
                "So it has to fail on today's code. I'll expect the right answer, 2.5.",
                &self.tests(self.answers.right),
            ),
        ]
    }

    fn coding(&self) -> Vec<Value> {
        let turn = |say: &str, code: &str, what: &str| {
            json!({
                "phase": "implement",
                "say": [say],
                "write": {self.code: code},
                "output": {"status": "READY_FOR_REVIEW", "fix_description": what, "notes": ""},
            })
        };
        let mut bending = at(
            1,
            turn(
                "I'll take the lower one of the two in the middle, and make the test expect 2.",
                self.wrong_code,
                "takes the lower middle value",
            ),
        );
        bending["write"][self.test] = json!(self.tests(self.answers.bent));
        vec![
            bending,
            at(
                2,
                turn(
                    "The test is as it was. Then I'll have to take the mean of the two.",
                    self.careless_code,
                    "takes the mean of the two middle values",
                ),
            ),
            turn(
                "Right, nothing in the middle means nothing to give back.",
                self.good_code,
                "takes the mean of the two middle values, and an empty list has none",
            ),
        ]
    }

    fn reviewing(&self) -> Vec<Value> {
        vec![
            at(
                1,
                json!({
                    "phase": "review",
                    "say": ["Reading the diff. All tests pass, but what of an empty list?"],
                    "output": {"status": "REJECTED", "reason": self.objection, "notes": ""},
                }),
            ),
            json!({
                "phase": "review",
                "say": ["Reading the diff again. That holds."],
                "output": {"status": "SUCCESS", "reason": null, "notes": ""},
            }),
        ]
    }
}

/// The same turn, for one attempt only.
fn at(attempt: u32, mut turn: Value) -> Value {
    turn["attempt"] = json!(attempt);
    turn
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_agents::play::{PlayEnv, play};
    use proctor_core::words::Phase;

    #[test]
    fn the_player_finds_every_turn_of_the_story() {
        for lang in [Lang::Rust, Lang::Python, Lang::Javascript] {
            let scenario = Lesson::of(lang).scenario();
            for (phase, attempts) in [
                (Phase::WriteTests, 2),
                (Phase::Implement, 3),
                (Phase::Refactor, 2),
                (Phase::Review, 2),
            ] {
                for attempt in 1..=attempts {
                    let env = PlayEnv {
                        phase,
                        task: String::new(),
                        attempt,
                        ask: 1,
                        cwd: ".".into(),
                        output: None,
                    };
                    assert!(play(scenario.as_bytes(), &env).is_ok(), "{lang:?} {phase}");
                }
            }
        }
    }
}
