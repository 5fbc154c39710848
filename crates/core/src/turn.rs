//! What an agent's turn returns: the JSON schema of each phase, and the claim read from it. A claim can end a
//! turn early or reject; it can never make anything pass.

use crate::errand;
pub use crate::errand::{Approach, AuditFinding, Chance, Suspect};
use crate::words::{Phase, TaskType};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "claim", rename_all = "kebab-case")]
pub enum Claim {
    TestsWritten {
        test_file_path: Option<String>,
        notes: String,
    },
    /// The tester could not reproduce the bug, or the coder found that there is nothing to do.
    Discarded {
        why: String,
    },
    Implemented {
        description: String,
        notes: String,
    },
    /// The appeal: the coder says that the test is wrong.
    TestDisputed {
        why: String,
    },
    Refactored {
        notes: String,
    },
    ReviewPassed {
        notes: String,
    },
    ReviewRejected {
        why: String,
    },
    Diagnosed {
        root_cause: String,
        strategy: String,
        notes: String,
    },
    AuditReported {
        findings: Vec<AuditFinding>,
        summary: String,
    },
    EntrypointsSuggested {
        entrypoints: Vec<String>,
        reasoning: String,
    },
    Scouted {
        bugs: Vec<Suspect>,
        exploration_summary: String,
    },
    Classified {
        approach: Approach,
        chance: Chance,
        reasoning: String,
    },
}

impl Claim {
    /// The note that belongs to the run's story.
    pub fn notes(&self) -> &str {
        match self {
            Self::TestsWritten { notes, .. }
            | Self::Implemented { notes, .. }
            | Self::Refactored { notes }
            | Self::Diagnosed { notes, .. }
            | Self::ReviewPassed { notes } => notes,
            Self::AuditReported { summary, .. } => summary,
            Self::EntrypointsSuggested { reasoning, .. } | Self::Classified { reasoning, .. } => {
                reasoning
            }
            Self::Scouted { exploration_summary, .. } => exploration_summary,
            Self::Discarded { why } | Self::TestDisputed { why } | Self::ReviewRejected { why } => {
                why
            }
        }
    }
}

impl Claim {
    /// What the coder is told, where it is a diagnosis.
    pub fn diagnosis(&self) -> Option<String> {
        match self {
            Self::Diagnosed { root_cause, strategy, .. } => {
                Some(format!("Root cause: {}\n\nStrategy: {}", root_cause.trim(), strategy.trim()))
            }
            _ => None,
        }
    }

    /// Every text of it through a function, such as the removal of secrets.
    #[must_use]
    pub fn reworded(self, word: impl Fn(&str) -> String) -> Self {
        match self {
            Self::TestsWritten { test_file_path, notes } => {
                Self::TestsWritten { test_file_path, notes: word(&notes) }
            }
            Self::Discarded { why } => Self::Discarded { why: word(&why) },
            Self::Implemented { description, notes } => {
                Self::Implemented { description: word(&description), notes: word(&notes) }
            }
            Self::TestDisputed { why } => Self::TestDisputed { why: word(&why) },
            Self::Refactored { notes } => Self::Refactored { notes: word(&notes) },
            Self::ReviewPassed { notes } => Self::ReviewPassed { notes: word(&notes) },
            Self::ReviewRejected { why } => Self::ReviewRejected { why: word(&why) },
            Self::Diagnosed { root_cause, strategy, notes } => Self::Diagnosed {
                root_cause: word(&root_cause),
                strategy: word(&strategy),
                notes: word(&notes),
            },
            Self::AuditReported { findings, summary } => Self::AuditReported {
                findings: findings.into_iter().map(|finding| finding.reworded(&word)).collect(),
                summary: word(&summary),
            },
            Self::EntrypointsSuggested { entrypoints, reasoning } => {
                Self::EntrypointsSuggested { entrypoints, reasoning: word(&reasoning) }
            }
            Self::Scouted { bugs, exploration_summary } => Self::Scouted {
                bugs: bugs.into_iter().map(|bug| bug.reworded(&word)).collect(),
                exploration_summary: word(&exploration_summary),
            },
            Self::Classified { approach, chance, reasoning } => {
                Self::Classified { approach, chance, reasoning: word(&reasoning) }
            }
        }
    }
}

/// The JSON schema that is handed to the agent of this phase.
pub fn schema(phase: Phase, kind: TaskType) -> Value {
    let text = json!({"type": "string"});
    let text_or_null = json!({"type": ["string", "null"]});
    let (properties, required) = match phase {
        Phase::WriteTests => {
            let status = match kind {
                TaskType::BugFix => json!({"enum": ["PREPARED_FOR_FIX", "DISCARDED"]}),
                TaskType::Feature | TaskType::Refactor => json!({"enum": ["PREPARED_FOR_FIX"]}),
            };
            (
                json!({"status": status, "test_file_path": text_or_null, "notes": text}),
                json!(["status", "test_file_path", "notes"]),
            )
        }
        Phase::Implement => (
            json!({
                "status": {"enum": ["READY_FOR_REVIEW", "TEST_DISPUTED", "DISCARDED"]},
                "fix_description": text, "notes": text
            }),
            json!(["status", "fix_description", "notes"]),
        ),
        Phase::Refactor => (
            json!({"refactored": {"type": "boolean"}, "notes": text}),
            json!(["refactored", "notes"]),
        ),
        Phase::Review => (
            json!({"status": {"enum": ["SUCCESS", "REJECTED"]}, "reason": text_or_null, "notes": text}),
            json!(["status", "reason", "notes"]),
        ),
        Phase::Diagnose | Phase::Audit | Phase::Suggest | Phase::Scout | Phase::Classify => {
            errand::schema(phase)
        }
    };
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": phase.name(),
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": true
    })
}

/// Reads a phase's JSON object into a claim. The error names each fault with its field, so that it can be
/// sent back to the agent as it is.
pub fn read_claim(phase: Phase, kind: TaskType, value: &Value) -> Result<Claim, String> {
    let Some(object) = value.as_object() else {
        return Err("the output is not a JSON object".to_owned());
    };
    let mut fields = Fields { object, faults: Vec::new() };
    let claim = match phase {
        Phase::WriteTests => fields.tests(kind),
        Phase::Implement => fields.code(),
        Phase::Refactor => fields.refactoring(),
        Phase::Review => fields.review(),
        Phase::Diagnose => Some(fields.diagnosis()),
        Phase::Audit => Some(fields.audit()),
        Phase::Suggest => Some(fields.suggestion()),
        Phase::Scout => fields.scouting(),
        Phase::Classify => fields.classification(),
    };
    match claim {
        Some(claim) if fields.faults.is_empty() => Ok(claim),
        _ => Err(fields.faults.join("; ")),
    }
}

/// The fields of an agent's object, and what is wrong with them so far.
pub(crate) struct Fields<'a> {
    pub(crate) object: &'a Map<String, Value>,
    pub(crate) faults: Vec<String>,
}

impl Fields<'_> {
    fn tests(&mut self, kind: TaskType) -> Option<Claim> {
        let (status, notes) = (self.text("status"), self.text("notes"));
        let test_file_path = self.text_or_null("test_file_path");
        match (status.as_str(), kind) {
            ("PREPARED_FOR_FIX", _) => Some(Claim::TestsWritten { test_file_path, notes }),
            ("DISCARDED", TaskType::BugFix) => Some(Claim::Discarded { why: notes }),
            ("DISCARDED", TaskType::Feature | TaskType::Refactor) => {
                self.fault("`status` DISCARDED is for bug_fix tasks only")
            }
            _ => self.unknown(&status, "PREPARED_FOR_FIX or DISCARDED"),
        }
    }

    fn code(&mut self) -> Option<Claim> {
        let (status, notes) = (self.text("status"), self.text("notes"));
        let description = self.text("fix_description");
        match status.as_str() {
            "READY_FOR_REVIEW" => Some(Claim::Implemented { description, notes }),
            "TEST_DISPUTED" => Some(Claim::TestDisputed { why: first_filled(notes, description) }),
            "DISCARDED" => Some(Claim::Discarded { why: first_filled(notes, description) }),
            _ => self.unknown(&status, "READY_FOR_REVIEW, TEST_DISPUTED or DISCARDED"),
        }
    }

    fn refactoring(&mut self) -> Option<Claim> {
        let notes = self.text("notes");
        if !self.object.get("refactored").is_some_and(Value::is_boolean) {
            return self.fault("`refactored` must be true or false");
        }
        Some(Claim::Refactored { notes })
    }

    fn review(&mut self) -> Option<Claim> {
        let (status, notes) = (self.text("status"), self.text("notes"));
        let reason = self.text_or_null("reason").filter(|reason| !reason.trim().is_empty());
        match (status.as_str(), reason) {
            ("SUCCESS", _) => Some(Claim::ReviewPassed { notes }),
            ("REJECTED", Some(why)) => Some(Claim::ReviewRejected { why }),
            ("REJECTED", None) => self.fault("`reason` must say why when `status` is REJECTED"),
            _ => self.unknown(&status, "SUCCESS or REJECTED"),
        }
    }

    pub(crate) fn text(&mut self, key: &str) -> String {
        let wrong = match self.object.get(key) {
            Some(Value::String(text)) => return text.clone(),
            Some(other) => format!("`{key}` must be a string, not {other}"),
            None => format!("`{key}` is missing"),
        };
        self.faults.push(wrong);
        String::new()
    }

    pub(crate) fn text_or_null(&mut self, key: &str) -> Option<String> {
        let wrong = match self.object.get(key) {
            Some(Value::String(text)) => return Some(text.clone()),
            Some(Value::Null) => return None,
            Some(other) => format!("`{key}` must be a string or null, not {other}"),
            None => format!("`{key}` is missing"),
        };
        self.faults.push(wrong);
        None
    }

    pub(crate) fn fault(&mut self, what: &str) -> Option<Claim> {
        self.faults.push(what.to_owned());
        None
    }

    fn unknown(&mut self, status: &str, known: &str) -> Option<Claim> {
        // An absent status, or one of another type, is a fault already.
        if self.object.get("status").is_some_and(Value::is_string) {
            self.faults.push(format!("`status` must be {known}, not {status:?}"));
        }
        None
    }
}

fn first_filled(first: String, second: String) -> String {
    if first.trim().is_empty() { second } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_is_named_with_its_field() {
        let read = |phase, value: Value| read_claim(phase, TaskType::Feature, &value).unwrap_err();
        assert_eq!(read(Phase::Review, json!([])), "the output is not a JSON object");
        assert_eq!(
            read(Phase::WriteTests, json!({"status": 3, "test_file_path": 1})),
            "`status` must be a string, not 3; `notes` is missing; `test_file_path` must be a string or null, not 1"
        );
        let discarded = json!({"status": "DISCARDED", "test_file_path": null, "notes": "n"});
        assert_eq!(
            read(Phase::WriteTests, discarded),
            "`status` DISCARDED is for bug_fix tasks only"
        );
        let silent = json!({"status": "REJECTED", "reason": null, "notes": "n"});
        assert_eq!(read(Phase::Review, silent), "`reason` must say why when `status` is REJECTED");
        let odd = json!({"status": "", "fix_description": "d", "notes": "n"});
        assert_eq!(
            read(Phase::Implement, odd),
            "`status` must be READY_FOR_REVIEW, TEST_DISPUTED or DISCARDED, not \"\""
        );
    }

    #[test]
    fn an_example_of_each_schema_reads_as_a_claim_and_more_fields_are_ignored() {
        for (phase, value) in [
            (
                Phase::WriteTests,
                json!({"status": "PREPARED_FOR_FIX", "test_file_path": null, "notes": "", "x": 1}),
            ),
            (
                Phase::Implement,
                json!({"status": "READY_FOR_REVIEW", "fix_description": "", "notes": ""}),
            ),
            (Phase::Refactor, json!({"refactored": false, "notes": ""})),
            (Phase::Review, json!({"status": "SUCCESS", "reason": null, "notes": ""})),
            (Phase::Diagnose, json!({"root_cause": "a", "strategy": "b", "notes": ""})),
            (Phase::Audit, json!({"findings": [], "summary": ""})),
            (Phase::Suggest, json!({"entrypoints": ["src/a.py"], "reasoning": ""})),
            (Phase::Scout, json!({"bugs": [], "exploration_summary": ""})),
            (
                Phase::Classify,
                json!({
                    "reproducibility_approach": "UNIT_TEST", "reproducibility_chance": "EASY", "reasoning": ""
                }),
            ),
        ] {
            read_claim(phase, TaskType::BugFix, &value).unwrap();
            let required = schema(phase, TaskType::BugFix)["required"].as_array().unwrap().len();
            assert!(value.as_object().unwrap().len() >= required);
        }
    }
}
