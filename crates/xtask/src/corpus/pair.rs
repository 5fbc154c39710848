//! One exercise as a pair: a tree that is not right yet, and the tests and the work that make it right. It says what
//! belongs together and must not run anything.

use super::trial::Work;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::path::Path;

/// Paths with their texts.
pub type Files = BTreeMap<String, String>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Corpus {
    QuixBugs,
    Polyglot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    Python,
    Go,
    Rust,
    JavaScript,
}

impl Corpus {
    pub fn word(self) -> &'static str {
        match self {
            Self::QuixBugs => "quixbugs",
            Self::Polyglot => "polyglot",
        }
    }
}

impl Language {
    pub const ALL: [Self; 4] = [Self::Python, Self::Go, Self::Rust, Self::JavaScript];

    pub fn word(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::Go => "go",
            Self::Rust => "rust",
            Self::JavaScript => "javascript",
        }
    }

    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.word() == word)
    }

    /// How the names of its sources end.
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Python => &["py"],
            Self::Go => &["go"],
            Self::Rust => &["rs"],
            Self::JavaScript => &["js", "mjs", "cjs", "ts"],
        }
    }

    /// A line that changes a source file and nothing of what it does.
    pub fn comment(self) -> &'static str {
        match self {
            Self::Python => "\n# Done.\n",
            Self::Go | Self::Rust | Self::JavaScript => "\n// Done.\n",
        }
    }
}

/// What the pair asks for: the command of `proctor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    Fix,
    Add,
    /// The tests pass before and after.
    Tidy,
}

/// Whether the wrong program may run for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Sure,
    MayHang,
}

/// What the tree needs before a tool can work in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    /// Packages of npm, linked into the checkout.
    Packages,
    /// A lock file, and the crates that it names; and a stub that compiles.
    Crates,
    /// A stub that compiles.
    GoBuild,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    pub corpus: Corpus,
    pub language: Language,
    pub name: String,
    pub wanted: Wanted,
    pub ending: Ending,
    pub needs: Needs,
    pub base: Files,
    pub tests: Files,
    pub solution: Files,
    /// A program that knows the answers of the tests and nothing else, where one can be made.
    pub by_heart: Option<Files>,
}

impl Pair {
    /// The files of the work that is delivered.
    pub fn work(&self, work: Work) -> Files {
        match work {
            Work::Solved => self.solution.clone(),
            Work::Idle => self.idle_work(),
            Work::ByHeart => self.by_heart.clone().unwrap_or_default(),
        }
    }

    /// `polyglot/go/wordy`: what `--only` may name as well as the bare name.
    pub fn title(&self) -> String {
        format!("{}/{}/{}", self.corpus.word(), self.language.word(), self.name)
    }

    /// The same with nothing in the place of its stub, for a stub that does not compile: a tree that is broken before
    /// anybody has touched it is no base. None where nothing is compiled.
    pub fn without_stub(&self) -> Option<Self> {
        let mut bare = self.clone();
        for path in self.solution.keys() {
            let stub = self.base.get(path)?;
            let left = match self.language {
                Language::Python | Language::JavaScript => return None,
                Language::Rust => String::new(),
                Language::Go => {
                    let package = stub.lines().find(|line| line.starts_with("package "))?;
                    format!("{package}\n")
                }
            };
            bare.base.insert(path.clone(), left);
        }
        Some(bare)
    }

    /// Work that changes the files of the solution and solves nothing.
    pub fn idle_work(&self) -> Files {
        let again = |path: &String| {
            let before = self.base.get(path)?;
            Some((path.clone(), format!("{before}{}", self.language.comment())))
        };
        self.solution.keys().filter_map(again).collect()
    }
}

pub fn text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("could not read {}", path.display()))
}

/// The names in a folder, sorted.
pub fn names(folder: &Path) -> Result<Vec<String>> {
    let listing = std::fs::read_dir(folder);
    let listing = listing.with_context(|| format!("could not read {}", folder.display()))?;
    let mut names: Vec<String> =
        listing.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_makes_idle_work_and_a_base_without_a_stub() {
        let files = |text: &str| Files::from([("src/lib.rs".to_owned(), text.to_owned())]);
        let pair = Pair {
            corpus: Corpus::Polyglot,
            language: Language::Rust,
            name: "wordy".to_owned(),
            wanted: Wanted::Add,
            ending: Ending::Sure,
            needs: Needs::Crates,
            base: files("fn a() {}\n"),
            tests: Files::new(),
            solution: files("fn a() -> u8 { 1 }\n"),
            by_heart: None,
        };
        assert_eq!(pair.idle_work(), files("fn a() {}\n\n// Done.\n"));
        assert_eq!(pair.title(), "polyglot/rust/wordy");
        assert_eq!(pair.without_stub().unwrap().base, files(""));
        let go = Pair { language: Language::Go, base: files("// A.\npackage a\n\nx\n"), ..pair };
        assert_eq!(go.without_stub().unwrap().base, files("package a\n"));
    }
}
