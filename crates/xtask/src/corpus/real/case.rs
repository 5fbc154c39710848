//! A real commit of a library with the ways in which its work can be brought, as a table says it: name and commit of
//! others, edits of our own. It reads the tables and must not look at a repository.

use crate::corpus::pair::Language;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// The tables, one a language.
const TABLES: [(Language, &str); 4] = [
    (Language::Python, include_str!("python.toml")),
    (Language::Go, include_str!("go.toml")),
    (Language::Rust, include_str!("rust.toml")),
    (Language::JavaScript, include_str!("javascript.toml")),
];

/// How the work of a commit is brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// The commit itself.
    Honest,
    /// Head's tests, and a comment in the production code of the base.
    Idle,
    /// The commit itself, and an old assertion less.
    Weakened,
    /// Head's production code with the base's tests.
    Untested,
    /// Hard-coded, keyed on whole inputs.
    Whole,
    /// Hard-coded, keyed on a part of an input.
    Parts,
    /// Hard-coded, keyed on names and shapes.
    Names,
}

impl Way {
    pub const ALL: [Self; 7] = [
        Self::Honest,
        Self::Idle,
        Self::Weakened,
        Self::Untested,
        Self::Whole,
        Self::Parts,
        Self::Names,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Self::Honest => "honest",
            Self::Idle => "idle",
            Self::Weakened => "weakened",
            Self::Untested => "untested",
            Self::Whole => "whole",
            Self::Parts => "parts",
            Self::Names => "names",
        }
    }

    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|way| way.word() == word)
    }

    pub fn is_hard_coded(self) -> bool {
        matches!(self, Self::Whole | Self::Parts | Self::Names)
    }
}

/// One change of a file of the base, in words of our own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    pub path: String,
    /// The line that the anchor is looked for from on.
    #[serde(rename = "in")]
    pub within: Option<String>,
    /// A piece of the line that the text stands after, before, or in the place of. With none of them it stands at the
    /// end, and the file is made where there is none.
    pub after: Option<String>,
    pub before: Option<String>,
    pub instead: Option<String>,
    pub text: String,
}

/// What the tests of a library need besides the checkout, made once and kept.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Library {
    pub name: String,
    /// `OWNER+NAME`, the folder of its repository.
    pub repo: String,
    /// Commands for `sh`, run in the kept folder; `TREE` names a checkout of the commit.
    #[serde(default)]
    pub prepare: Vec<String>,
    /// Folders of the kept one that stand first in `PATH`.
    #[serde(default)]
    pub path: Vec<String>,
    /// Folders of the kept one that are linked into the checkout, and belong to no commit.
    #[serde(default)]
    pub link: Vec<String>,
    /// What is copied from the kept folder into both commits.
    #[serde(default)]
    pub bring: Vec<String>,
    /// Files of our own in both commits.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Files that both commits leave out, where they have them.
    #[serde(default)]
    pub without: Vec<String>,
    /// Edits of our own in both commits, where their anchor is found: a test that takes minutes is none by another name.
    #[serde(default)]
    pub both: Vec<Edit>,
    /// Where tests are: paths, or folders that end with a slash.
    pub tests: Vec<String>,
    /// The library's own test tool, for `sh` in a checkout.
    pub check: String,
    /// How a truth check is run: the file that it stands in, and the command.
    pub truth: Truth,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Truth {
    pub file: String,
    pub run: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub name: String,
    pub library: String,
    pub commit: String,
    /// A program that ends well where the work was done, with an input that no test has.
    pub truth: String,
    /// What stands in the place of the library's own command.
    pub check: Option<String>,
    pub whole: Vec<Edit>,
    pub parts: Vec<Edit>,
    pub names: Vec<Edit>,
}

impl Case {
    /// The edits of a hard-coded way.
    pub fn edits(&self, way: Way) -> &[Edit] {
        match way {
            Way::Whole => &self.whole,
            Way::Parts => &self.parts,
            Way::Names => &self.names,
            Way::Honest | Way::Idle | Way::Weakened | Way::Untested => &[],
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    library: Vec<Library>,
    case: Vec<Case>,
}

/// A case with its library.
#[derive(Clone, Debug)]
pub struct Known {
    pub language: Language,
    pub library: Library,
    pub case: Case,
}

/// Everything that the tables hold, in their order.
pub fn all() -> Result<Vec<Known>> {
    let mut known = Vec::new();
    let mut names = BTreeSet::new();
    for (language, text) in TABLES {
        let read: Read = toml::from_str(text)
            .with_context(|| format!("the table of {} can't be read", language.word()))?;
        for case in read.case {
            let library = read.library.iter().find(|library| library.name == case.library);
            let library = library.with_context(|| format!("{} has no library", case.name))?;
            if !names.insert(case.name.clone()) {
                bail!("two cases are called {}", case.name);
            }
            known.push(Known { language, library: library.clone(), case });
        }
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_can_be_read_and_no_library_has_more_than_three_commits() {
        let known = all().unwrap();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for Known { library, case, .. } in &known {
            *counts.entry(&library.repo).or_default() += 1;
            for way in Way::ALL.into_iter().filter(|way| way.is_hard_coded()) {
                assert!(!case.edits(way).is_empty(), "{} {}", case.name, way.word());
            }
            assert_eq!(case.commit.len(), 40, "{}", case.name);
        }
        assert!(counts.values().all(|count| *count <= 3), "{counts:?}");
    }

    #[test]
    fn a_way_is_known_by_its_word() {
        for way in Way::ALL {
            assert_eq!(Way::of(way.word()), Some(way));
        }
        assert_eq!(Way::of("half"), None);
    }
}
