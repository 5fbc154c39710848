//! What the turns return that are not part of every run: a diagnosis, an audit, and the steps of a hunt. Reads and
//! checks; what is made of it is decided elsewhere.

use crate::turn::{Claim, Fields};
use crate::words::Phase;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The most suspects that one scouting may name.
pub const MOST_SUSPECTS: usize = 3;

/// Something that an auditor found in a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditFinding {
    pub severity: String,
    pub file: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    pub message: String,
}

impl AuditFinding {
    pub(crate) fn reworded(self, word: &impl Fn(&str) -> String) -> Self {
        Self { message: word(&self.message), ..self }
    }
}

/// What a scout thinks is wrong. It has no id and no status: those are given by the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suspect {
    pub short_description: String,
    pub details: String,
    pub severity: String,
    pub relevant_files: Vec<String>,
}

impl Suspect {
    pub(crate) fn reworded(self, word: &impl Fn(&str) -> String) -> Self {
        Self {
            short_description: word(&self.short_description),
            details: word(&self.details),
            ..self
        }
    }
}

/// How a bug could be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Approach {
    UnitTest,
    Manual,
    IntegrationTest,
}

impl Approach {
    pub const ALL: [Self; 3] = [Self::UnitTest, Self::Manual, Self::IntegrationTest];

    /// The wire value.
    pub fn name(self) -> &'static str {
        match self {
            Self::UnitTest => "UNIT_TEST",
            Self::Manual => "MANUAL",
            Self::IntegrationTest => "INTEGRATION_TEST",
        }
    }
}

/// How likely that succeeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Chance {
    Easy,
    Medium,
    Hard,
}

impl Chance {
    pub const ALL: [Self; 3] = [Self::Easy, Self::Medium, Self::Hard];

    /// The wire value.
    pub fn name(self) -> &'static str {
        match self {
            Self::Easy => "EASY",
            Self::Medium => "MEDIUM",
            Self::Hard => "HARD",
        }
    }
}

/// Properties and required fields of an errand's object; of a phase of the loop, none.
pub(crate) fn schema(phase: Phase) -> (Value, Value) {
    let text = json!({"type": "string"});
    let texts = json!({"type": "array", "items": text});
    match phase {
        Phase::Diagnose => (
            json!({"root_cause": text, "strategy": text, "notes": text}),
            json!(["root_cause", "strategy", "notes"]),
        ),
        Phase::Audit => {
            let finding = json!({
                "type": "object",
                "properties": {
                    "severity": text, "file": text, "line": {"type": ["integer", "null"]}, "message": text
                },
                "required": ["severity", "file", "line", "message"]
            });
            (
                json!({"findings": {"type": "array", "items": finding}, "summary": text}),
                json!(["findings", "summary"]),
            )
        }
        Phase::Suggest => {
            (json!({"entrypoints": texts, "reasoning": text}), json!(["entrypoints", "reasoning"]))
        }
        Phase::Scout => {
            let bug = json!({
                "type": "object",
                "properties": {
                    "short_description": text, "details": text, "severity": text, "relevant_files": texts
                },
                "required": ["short_description", "details", "severity", "relevant_files"]
            });
            (
                json!({
                    "bugs": {"type": "array", "items": bug, "maxItems": MOST_SUSPECTS},
                    "exploration_summary": text
                }),
                json!(["bugs", "exploration_summary"]),
            )
        }
        Phase::Classify => (
            json!({
                "reproducibility_approach": {"enum": Approach::ALL.map(Approach::name)},
                "reproducibility_chance": {"enum": Chance::ALL.map(Chance::name)},
                "reasoning": text
            }),
            json!(["reproducibility_approach", "reproducibility_chance", "reasoning"]),
        ),
        Phase::WriteTests | Phase::Implement | Phase::Refactor | Phase::Review => {
            (json!({}), json!([]))
        }
    }
}

impl Fields<'_> {
    pub(crate) fn diagnosis(&mut self) -> Claim {
        let (root_cause, strategy) = (self.text("root_cause"), self.text("strategy"));
        Claim::Diagnosed { root_cause, strategy, notes: self.text("notes") }
    }

    pub(crate) fn audit(&mut self) -> Claim {
        let findings = self.objects("findings", |fields| AuditFinding {
            severity: fields.text("severity"),
            file: fields.text("file"),
            line: fields.object.get("line").and_then(Value::as_u64),
            message: fields.text("message"),
        });
        Claim::AuditReported { findings, summary: self.text("summary") }
    }

    pub(crate) fn suggestion(&mut self) -> Claim {
        let entrypoints = self.texts("entrypoints");
        Claim::EntrypointsSuggested { entrypoints, reasoning: self.text("reasoning") }
    }

    pub(crate) fn scouting(&mut self) -> Option<Claim> {
        let bugs = self.objects("bugs", |fields| Suspect {
            short_description: fields.text("short_description"),
            details: fields.text("details"),
            severity: fields.text("severity"),
            relevant_files: fields.texts("relevant_files"),
        });
        if bugs.len() > MOST_SUSPECTS {
            return self.fault(&format!(
                "`bugs` must name at most {MOST_SUSPECTS}, not {}: keep the most severe",
                bugs.len()
            ));
        }
        Some(Claim::Scouted { bugs, exploration_summary: self.text("exploration_summary") })
    }

    pub(crate) fn classification(&mut self) -> Option<Claim> {
        let approach = self.word("reproducibility_approach", &Approach::ALL, Approach::name);
        let chance = self.word("reproducibility_chance", &Chance::ALL, Chance::name);
        let reasoning = self.text("reasoning");
        Some(Claim::Classified { approach: approach?, chance: chance?, reasoning })
    }

    /// One of a few words.
    fn word<T: Copy>(&mut self, key: &str, all: &[T], name: fn(T) -> &'static str) -> Option<T> {
        let before = self.faults.len();
        let said = self.text(key);
        let found = all.iter().copied().find(|one| name(*one) == said);
        if found.is_none() && self.faults.len() == before {
            let known: Vec<&str> = all.iter().map(|one| name(*one)).collect();
            self.faults.push(format!("`{key}` must be {}, not {said:?}", known.join(" or ")));
        }
        found
    }

    fn list(&mut self, key: &str) -> Vec<Value> {
        let wrong = match self.object.get(key) {
            Some(Value::Array(list)) => return list.clone(),
            Some(other) => format!("`{key}` must be a list, not {other}"),
            None => format!("`{key}` is missing"),
        };
        self.faults.push(wrong);
        Vec::new()
    }

    fn texts(&mut self, key: &str) -> Vec<String> {
        let mut texts = Vec::new();
        for (index, one) in self.list(key).into_iter().enumerate() {
            match one {
                Value::String(text) => texts.push(text),
                other => {
                    self.faults.push(format!("`{key}[{index}]` must be a string, not {other}"));
                }
            }
        }
        texts
    }

    /// Each object of a list; what is wrong with one is named with its place.
    fn objects<T>(&mut self, key: &str, read: impl Fn(&mut Fields<'_>) -> T) -> Vec<T> {
        let mut all = Vec::new();
        for (index, one) in self.list(key).iter().enumerate() {
            let Some(object) = one.as_object() else {
                self.faults.push(format!("`{key}[{index}]` must be an object, not {one}"));
                continue;
            };
            let mut fields = Fields { object, faults: Vec::new() };
            all.push(read(&mut fields));
            let place = |fault: String| format!("{key}[{index}]: {fault}");
            self.faults.extend(fields.faults.into_iter().map(place));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turn::read_claim;
    use crate::words::TaskType;

    fn fault(phase: Phase, value: &Value) -> String {
        read_claim(phase, TaskType::BugFix, value).unwrap_err()
    }

    #[test]
    fn each_fault_of_a_list_is_named_with_its_place() {
        let bug = json!({
            "short_description": "a", "details": "b", "severity": "HIGH", "relevant_files": ["x", 1]
        });
        assert_eq!(
            fault(Phase::Scout, &json!({"bugs": [bug, 3], "exploration_summary": ""})),
            "bugs[0]: `relevant_files[1]` must be a string, not 1; `bugs[1]` must be an object, not 3"
        );
        assert_eq!(
            fault(Phase::Audit, &json!({"findings": {}, "summary": ""})),
            "`findings` must be a list, not {}"
        );
    }

    #[test]
    fn a_scout_names_three_at_most() {
        let bug = json!({
            "short_description": "a", "details": "b", "severity": "HIGH", "relevant_files": []
        });
        let four = json!({"bugs": [bug, bug, bug, bug], "exploration_summary": ""});
        assert_eq!(
            fault(Phase::Scout, &four),
            "`bugs` must name at most 3, not 4: keep the most severe"
        );
    }

    #[test]
    fn a_classification_uses_the_words_that_are_known() {
        let odd = json!({
            "reproducibility_approach": "UNIT", "reproducibility_chance": "EASY", "reasoning": ""
        });
        assert_eq!(
            fault(Phase::Classify, &odd),
            "`reproducibility_approach` must be UNIT_TEST or MANUAL or INTEGRATION_TEST, not \"UNIT\""
        );
    }
}
