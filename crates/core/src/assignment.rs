//! What a task file asks for beyond what flags can say: the route, the cases that the tests must hold, what each turn is
//! told, what is read first. Part of the brief; nothing here is judged, only remembered.

use crate::brief::ContextFile;
use crate::words::{Phase, TestId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assignment {
    #[serde(default)]
    pub route: Route,
    #[serde(default)]
    pub origin: Origin,
    /// Each must be the name of a new test.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<String>,
    /// Files whose text comes before everything else in each prompt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read_first: Vec<ContextFile>,
    /// What the task says about the turns of one phase.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub orders: BTreeMap<Phase, String>,
    /// What the work covers, in the task's own words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub scope: String,
    /// The name by which another task can go on from this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// A list of things to do in which this task has its line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub todo: Option<ContextFile>,
}

impl Assignment {
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}

/// Which gates a task goes through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Route {
    /// Failing tests first.
    #[default]
    Tdd,
    /// One turn that does the work; what passed before must still pass.
    Plain,
    /// Code, test, audit, until all pass: as on the plain way, and without a review.
    Cycle,
}

impl Route {
    /// Whether failing tests come first.
    pub fn has_red_gate(self) -> bool {
        match self {
            Self::Tdd => true,
            Self::Plain | Self::Cycle => false,
        }
    }

    pub fn is_reviewed(self) -> bool {
        match self {
            Self::Tdd | Self::Plain => true,
            Self::Cycle => false,
        }
    }

    /// The wire value.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tdd => "tdd",
            Self::Plain => "plain",
            Self::Cycle => "cycle",
        }
    }
}

/// Where the task came from, which says how its end is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// A person, on the command line or in a text.
    #[default]
    Person,
    /// Another program, which reads the end as a section with a marker.
    Orchestrator,
}

/// Whether a test's name says what a case says: the same words, whatever stands between them.
pub fn names_case(id: &TestId, case: &str) -> bool {
    let wanted = words(case);
    if wanted.is_empty() {
        return false;
    }
    let bare = |name: &str| words(name.split('[').next().unwrap_or(name));
    // The case may be the whole name or its end: what is before it is the file, the module or the group.
    bare(id.as_str()).ends_with(&wanted) || bare(id.name()) == wanted
}

/// Words in small letters, without a `test` in front.
fn words(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut small = false;
    for c in text.chars() {
        // `rejectsEmpty` is two words.
        if (!c.is_alphanumeric() || (c.is_uppercase() && small)) && !word.is_empty() {
            found.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        small = c.is_lowercase() || c.is_ascii_digit();
    }
    if !word.is_empty() {
        found.push(word);
    }
    if found.len() > 1 && found.first().is_some_and(|first| first == "test") {
        found.remove(0);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_known_by_its_words() {
        for (id, case) in [
            ("tests/test_a.py::test_rejects_empty", "test_rejects_empty"),
            ("tests/test_a.py::test_rejects_empty", "rejects empty"),
            ("tests/test_a.py::TestParser::test_rejects_empty[1]", "Rejects empty"),
            ("src/a.test.ts > parser > rejects empty input", "rejects empty input"),
            ("calc::tests::rejects_empty", "rejects_empty"),
            ("pkg TestRejectsEmpty", "test_rejects_empty"),
            ("AppTest::rejectsEmpty", "rejects empty"),
        ] {
            assert!(names_case(&TestId::new(id), case), "{id} for {case}");
        }
        for (id, case) in [
            ("tests/test_a.py::test_rejects_empty_line", "rejects empty"),
            ("tests/test_empty.py::test_other", "empty"),
            ("tests/test_a.py::test_a", ""),
        ] {
            assert!(!names_case(&TestId::new(id), case), "{id} for {case}");
        }
    }
}
