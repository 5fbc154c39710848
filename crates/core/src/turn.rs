//! What an agent's turn returns: the JSON schema of each phase, and the claim read from it. A claim can end a
//! turn early or reject; it can never make anything pass.

use crate::words::{Phase, TaskType};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

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
}

impl Claim {
    /// The note that belongs to the run's story.
    pub fn notes(&self) -> &str {
        match self {
            Self::TestsWritten { notes, .. }
            | Self::Implemented { notes, .. }
            | Self::Refactored { notes }
            | Self::ReviewPassed { notes } => notes,
            Self::Discarded { why } | Self::TestDisputed { why } | Self::ReviewRejected { why } => {
                why
            }
        }
    }
}

impl Claim {
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
    let mut faults = Vec::new();
    let mut text = |key: &str| match object.get(key) {
        Some(Value::String(s)) => s.clone(),
        Some(other) => {
            faults.push(format!("`{key}` must be a string, not {other}"));
            String::new()
        }
        None => {
            faults.push(format!("`{key}` is missing"));
            String::new()
        }
    };
    let optional = |key: &str| match object.get(key) {
        Some(Value::String(s)) => Ok(Some(s.clone())),
        Some(Value::Null) => Ok(None),
        Some(other) => Err(format!("`{key}` must be a string or null, not {other}")),
        None => Err(format!("`{key}` is missing")),
    };
    let claim = match phase {
        Phase::WriteTests => {
            let (status, notes) = (text("status"), text("notes"));
            let path = optional("test_file_path").unwrap_or_else(|fault| {
                faults.push(fault);
                None
            });
            match (status.as_str(), kind) {
                ("PREPARED_FOR_FIX", _) => {
                    Some(Claim::TestsWritten { test_file_path: path, notes })
                }
                ("DISCARDED", TaskType::BugFix) => Some(Claim::Discarded { why: notes }),
                ("DISCARDED", _) => {
                    faults.push("`status` DISCARDED is for bug_fix tasks only".to_owned());
                    None
                }
                _ => unknown(&mut faults, &status, "PREPARED_FOR_FIX or DISCARDED"),
            }
        }
        Phase::Implement => {
            let (status, notes) = (text("status"), text("notes"));
            let description = text("fix_description");
            match status.as_str() {
                "READY_FOR_REVIEW" => Some(Claim::Implemented { description, notes }),
                "TEST_DISPUTED" => {
                    Some(Claim::TestDisputed { why: first_filled(notes, description) })
                }
                "DISCARDED" => Some(Claim::Discarded { why: first_filled(notes, description) }),
                _ => unknown(&mut faults, &status, "READY_FOR_REVIEW, TEST_DISPUTED or DISCARDED"),
            }
        }
        Phase::Refactor => {
            let notes = text("notes");
            if !object.get("refactored").is_some_and(Value::is_boolean) {
                faults.push("`refactored` must be true or false".to_owned());
            }
            Some(Claim::Refactored { notes })
        }
        Phase::Review => {
            let (status, notes) = (text("status"), text("notes"));
            let reason = optional("reason").unwrap_or_else(|fault| {
                faults.push(fault);
                None
            });
            let reason = reason.filter(|r| !r.trim().is_empty());
            match (status.as_str(), reason) {
                ("SUCCESS", _) => Some(Claim::ReviewPassed { notes }),
                ("REJECTED", Some(why)) => Some(Claim::ReviewRejected { why }),
                ("REJECTED", None) => {
                    faults.push("`reason` must say why when `status` is REJECTED".to_owned());
                    None
                }
                _ => unknown(&mut faults, &status, "SUCCESS or REJECTED"),
            }
        }
    };
    match claim {
        Some(claim) if faults.is_empty() => Ok(claim),
        _ => Err(faults.join("; ")),
    }
}

fn unknown(faults: &mut Vec<String>, status: &str, known: &str) -> Option<Claim> {
    if !status.is_empty() {
        faults.push(format!("`status` must be {known}, not {status:?}"));
    }
    None
}

fn first_filled(first: String, second: String) -> String {
    if first.trim().is_empty() { second } else { first }
}
