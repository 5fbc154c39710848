//! The audit of a change: what linters remark, which of that is new, and what an auditor's finding means. Reads no file
//! and runs nothing.

use crate::errand::AuditFinding;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// What the audit is to use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditSpec {
    #[serde(default)]
    pub linters: Linters,
    /// Commands of the project's own that print SARIF.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<AuditCommand>,
}

impl AuditSpec {
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}

/// Which linters and formatters run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Linters {
    /// Those that the project's own files speak of.
    #[default]
    Found,
    Off,
    /// Of those, only these.
    Only(Vec<String>),
}

impl Linters {
    pub fn wants(&self, name: &str) -> bool {
        match self {
            Self::Found => true,
            Self::Off => false,
            Self::Only(names) => names.iter().any(|n| n == name),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditCommand {
    pub name: String,
    /// Already split; run at the top of the tree.
    pub argv: Vec<String>,
}

/// What a linter says about a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Remark {
    pub tool: String,
    /// From the top of the tree. Empty where it is about no file.
    pub file: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    pub message: String,
    /// The text of the line, by which it is known again when lines move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.file.as_str(), self.line) {
            ("", _) => {}
            (file, None) => write!(f, "{file}: ")?,
            (file, Some(line)) => write!(f, "{file}:{line}: ")?,
        }
        match &self.rule {
            Some(rule) => write!(f, "{} ({} {rule})", self.message, self.tool),
            None => write!(f, "{} ({})", self.message, self.tool),
        }
    }
}

/// What is remarked on `after` and was not on `before`. Lines move and numbers in messages with them, so a remark is
/// known by what it says and by the text of its line; where as many of a kind were there before, none is new.
pub fn fresh(before: &[Remark], after: &[Remark]) -> Vec<Remark> {
    let mut known: BTreeMap<_, Vec<&str>> = BTreeMap::new();
    for remark in before {
        known.entry(kind(remark)).or_default().push(&remark.text);
    }
    let mut groups: BTreeMap<_, Vec<&Remark>> = BTreeMap::new();
    for remark in after {
        groups.entry(kind(remark)).or_default().push(remark);
    }
    let mut new: Vec<Remark> = Vec::new();
    for (kind, remarks) in groups {
        let mut old = known.remove(&kind).unwrap_or_default();
        let (more, mut left) = (remarks.len().saturating_sub(old.len()), Vec::new());
        for remark in remarks {
            match old.iter().position(|text| *text == remark.text) {
                Some(at) => drop(old.swap_remove(at)),
                None => left.push(remark.clone()),
            }
        }
        // The last ones: what is written is mostly written below.
        let skipped = left.len().saturating_sub(more);
        new.extend(left.into_iter().skip(skipped));
    }
    new.sort();
    new
}

/// What tells one sort of remark from another.
fn kind(remark: &Remark) -> (&str, &str, Option<&str>, String) {
    let said = remark.message.chars().filter(|c| !c.is_ascii_digit()).collect();
    (&remark.tool, &remark.file, remark.rule.as_deref(), said)
}

impl AuditFinding {
    /// Whether it asks for a change. What is only worth knowing is shown and sends nothing back.
    pub fn asks_for_a_change(&self) -> bool {
        let word = self.severity.trim().to_ascii_lowercase();
        !["info", "information", "informational", "note", "none"].contains(&word.as_str())
    }
}

impl fmt::Display for AuditFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: ", self.file)?,
            None if self.file.is_empty() => {}
            None => write!(f, "{}: ", self.file)?,
        }
        write!(f, "{} ({})", self.message, self.severity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remark(line: u64, message: &str, text: &str) -> Remark {
        Remark {
            tool: "ruff".to_owned(),
            file: "a.py".to_owned(),
            line: Some(line),
            rule: Some("F401".to_owned()),
            message: message.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn what_only_moved_is_not_new() {
        let before = [remark(3, "`os` imported but unused, line 3", "import os")];
        let after = [remark(7, "`os` imported but unused, line 7", "import os")];
        assert_eq!(fresh(&before, &after), []);
    }

    #[test]
    fn one_more_of_a_kind_is_new_and_it_is_the_one_that_was_not_there() {
        let before = [remark(3, "unused", "import os")];
        let after = [remark(3, "unused", "import re"), remark(4, "unused", "import os")];
        assert_eq!(fresh(&before, &after), [after[0].clone()]);
        assert_eq!(fresh(&after, &before), []);
    }

    #[test]
    fn a_line_that_was_rewritten_and_is_as_bad_as_before_is_not_new() {
        let before = [remark(3, "line too long (90 > 88)", "x = 1")];
        let after = [remark(3, "line too long (97 > 88)", "x = 12")];
        assert_eq!(fresh(&before, &after), []);
    }

    #[test]
    fn a_remark_reads_as_a_place_and_what_is_wrong_there() {
        assert_eq!(remark(3, "unused", "").to_string(), "a.py:3: unused (ruff F401)");
        let finding = AuditFinding {
            severity: "high".to_owned(),
            file: "a.py".to_owned(),
            line: Some(2),
            message: "SQL from input".to_owned(),
        };
        assert_eq!(finding.to_string(), "a.py:2: SQL from input (high)");
        assert!(finding.asks_for_a_change());
        assert!(!AuditFinding { severity: "Info".to_owned(), ..finding }.asks_for_a_change());
    }
}
