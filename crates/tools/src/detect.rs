//! Which test tools a tree is made for and in which folders, and what a user's own test command means. What a
//! language's files say is that language's own; here is only how the folders of a repository are gone through.

use crate::ask::Runner;
use crate::{go, java, js, python, rust};
pub use proctor_lang::is_manifest;
use proctor_lang::tree::{Tree, below, parent, upward};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A test tool that fits a folder of the tree, and by what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub runner: &'static str,
    /// Relative to the tree's root; empty for the root itself.
    pub dir: String,
    /// `cargo: Cargo.toml`.
    pub why: String,
}

/// A user's test command, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserCommand {
    pub runner: &'static str,
    /// The program as the user named it, where it matters which: a python or a cargo.
    pub program: Option<PathBuf>,
    pub extra_args: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownCommand {
    #[error("the test command is empty\nhint: give one of {KNOWN_COMMANDS}")]
    Empty,
    #[error(
        "the test command `{command}` is not one that Proctor can read the results of\n\
         hint: {KNOWN_COMMANDS} are accepted, without a shell; any other command that writes JUnit XML works with \
         `runner = \"junit\"` and `report = \"…\"` in proctor.toml"
    )]
    Unknown { command: String },
    #[error(
        "the argument `{argument}` of `{command}` is not accepted, since it would leave out tests or change their report\n\
         hint: {accepted} are accepted"
    )]
    Argument { command: String, argument: String, accepted: &'static str },
}

const KNOWN_COMMANDS: &str = "`pytest …`, `python -m pytest …`, `python -m unittest …`, `cargo test …`, `cargo nextest run …`, `go test …`, \
                              `vitest run …`, `jest …`, `mocha …`, `ava …`, `jasmine …`, `tap …`, `tape …`, `uvu …`, \
                              `playwright test …`, `bun test …`, `deno test …`, `node --test …`, `mvn test`";

/// Every test tool by name.
pub const RUNNERS: [&str; 18] = [
    "pytest",
    "unittest",
    "cargo",
    "go",
    "vitest",
    "jest",
    "mocha",
    "ava",
    "jasmine",
    "tap",
    "tape",
    "uvu",
    "playwright",
    "bun",
    "deno",
    "node",
    "maven",
    "junit",
];

pub fn by_name(name: &str) -> Option<Box<dyn Runner>> {
    match name {
        "pytest" => Some(Box::new(python::pytest::Pytest)),
        "unittest" => Some(Box::new(python::unittest::Unittest)),
        "cargo" => Some(Box::new(rust::cargo::Cargo)),
        "go" => Some(Box::new(go::test::GoTest)),
        "vitest" => Some(Box::new(js::vitest::Vitest)),
        "jest" => Some(Box::new(js::jest::Jest)),
        "node" => Some(Box::new(js::node::NodeTest)),
        "maven" => Some(Box::new(java::maven::Maven)),
        "junit" => Some(Box::new(java::junit::Junit)),
        name => {
            let described =
                js::described::by_name(name).map(|one| Box::new(one) as Box<dyn Runner>);
            described.or_else(|| Some(Box::new(js::runtime::by_name(name)?)))
        }
    }
}

/// What one folder's own files say: the tool and by what. A folder may speak for several languages.
fn claims(tree: &dyn Tree, dir: &str) -> Vec<(&'static str, String)> {
    [
        rust::detect::claims(tree, dir),
        python::detect::claims(tree, dir),
        go::detect::claims(tree, dir),
        js::detect::claims(tree, dir),
        java::detect::claims(tree, dir),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Tools of one language: a folder that has one speaks for what lies below it.
fn language(runner: &str) -> &'static str {
    match runner {
        "pytest" | "unittest" => "python",
        "cargo" => "rust",
        "go" => "go",
        "vitest" | "jest" | "node" | "bun" | "deno" => "js",
        name if js::described::by_name(name).is_some() => "js",
        _ => "java",
    }
}

/// The tools that the files of a tree speak for: those of the folder itself first, then those of folders below it, as
/// far as no folder above them has a tool of the same language.
pub fn detect(tree: &dyn Tree, subdir: &str) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for dir in folders(tree, subdir) {
        for (runner, why) in claims(tree, &dir) {
            let spoken_for = found.iter().any(|f| {
                language(f.runner) == language(runner)
                    && covers_nested(tree, f, &dir)
                    && upward(&dir).contains(&f.dir.as_str())
            });
            if !spoken_for {
                let why = format!("{runner}: {why}");
                found.push(Found { runner, dir: dir.clone(), why });
            }
        }
    }
    if found.is_empty() {
        let why = python::detect::untested(tree, subdir);
        let dir = subdir.trim_end_matches('/').to_owned();
        found.extend(why.map(|why| Found { runner: "pytest", dir, why: format!("pytest: {why}") }));
    }
    found
}

/// Whether a folder's tool also runs the tests of a folder below it. A Go module never reaches into another one.
fn covers_nested(tree: &dyn Tree, found: &Found, dir: &str) -> bool {
    match found.runner {
        "go" => go::detect::reaches(tree, &found.dir, dir),
        _ => true,
    }
}

/// The folder and those below it that hold a manifest of some language, from the top down.
fn folders(tree: &dyn Tree, subdir: &str) -> Vec<String> {
    const MANIFESTS: [&str; 11] = [
        "Cargo.toml",
        "pyproject.toml",
        "setup.py",
        "setup.cfg",
        "pytest.ini",
        "go.mod",
        "go.work",
        "package.json",
        "deno.json",
        "deno.jsonc",
        "pom.xml",
    ];
    let top = subdir.trim_end_matches('/');
    let inside = below(top, "");
    let nested: BTreeSet<(usize, String)> = tree
        .paths()
        .iter()
        .filter(|path| path.starts_with(&inside))
        .filter(|path| MANIFESTS.contains(&path.rsplit('/').next().unwrap_or(path)))
        .map(|path| parent(path))
        .filter(|dir| *dir != top && !is_vendored(dir))
        .map(|dir| (dir.matches('/').count(), dir.to_owned()))
        .collect();
    std::iter::once(top.to_owned()).chain(nested.into_iter().map(|(_, dir)| dir)).collect()
}

/// The endings of the sources that a tool's tests are about.
pub fn sources_of(runner: &str) -> &'static [&'static str] {
    match language(runner) {
        "python" => &["py"],
        "rust" => &["rs"],
        "go" => &["go"],
        "js" => &proctor_lang::zone::SCRIPTS,
        _ => &["java"],
    }
}

/// Copies of other people's code, and samples that tests work on, are no projects of this repository.
fn is_vendored(dir: &str) -> bool {
    dir.split('/').any(|part| {
        matches!(
            part,
            "node_modules" | "vendor" | "third_party" | "testdata" | "fixtures" | "tests" | "test"
        )
    })
}

/// What a user's own test command means: the tool, its program, and arguments to add.
pub fn from_command(argv: &[String]) -> Result<UserCommand, UnknownCommand> {
    let words: Vec<&str> = argv.iter().map(String::as_str).collect();
    if words.is_empty() {
        return Err(UnknownCommand::Empty);
    }
    [
        python::detect::command(&words),
        rust::detect::command(&words),
        go::detect::command(&words),
        js::detect::command(&words),
        java::detect::command(&words),
    ]
    .into_iter()
    .flatten()
    .next()
    .unwrap_or_else(|| Err(UnknownCommand::Unknown { command: argv.join(" ") }))
}

/// The program's bare name, and its path where it was given by one.
pub(crate) fn program_of(word: &str) -> (&str, Option<PathBuf>) {
    let name = word.rsplit('/').next().unwrap_or(word);
    (name, (name != word).then(|| PathBuf::from(word)))
}

/// Which arguments of a user's own command are let through.
pub(crate) struct Arguments {
    pub(crate) alone: &'static [&'static str],
    /// Take the word that follows, or a value after `=`.
    pub(crate) valued: &'static [&'static str],
    /// Only change what is shown: left out.
    pub(crate) dropped: &'static [&'static str],
    /// For people: what is accepted.
    pub(crate) accepted: &'static str,
}

impl Arguments {
    pub(crate) fn keep(&self, args: &[&str], command: &str) -> Result<Vec<String>, UnknownCommand> {
        let mut kept = Vec::new();
        let mut words = args.iter();
        while let Some(word) = words.next() {
            let head = word.split('=').next().unwrap_or(word);
            if self.dropped.contains(word) {
                continue;
            }
            if self.valued.contains(word) {
                kept.push((*word).to_owned());
                kept.extend(words.next().map(|value| (*value).to_owned()));
            } else if self.alone.contains(word)
                || (head.len() < word.len() && self.valued.contains(&head))
            {
                kept.push((*word).to_owned());
            } else {
                return Err(UnknownCommand::Argument {
                    command: command.to_owned(),
                    argument: (*word).to_owned(),
                    accepted: self.accepted,
                });
            }
        }
        Ok(kept)
    }
}

#[cfg(test)]
#[path = "detect_tests.rs"]
mod tests;
