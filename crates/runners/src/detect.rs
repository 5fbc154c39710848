//! Which test tools a tree is made for, and what a user's own test command means.

use crate::ask::Runner;
use crate::cargo::Cargo;
use crate::pytest::{Pytest, configures_pytest};
use crate::tree::{Tree, below, text};
use crate::zone::has_ending;
use std::path::PathBuf;

/// A test tool that fits the tree, and by what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub runner: &'static str,
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
    #[error(
        "the test command is empty\nhint: give `pytest …`, `python -m pytest …`, `cargo test …` or `cargo nextest run …`"
    )]
    Empty,
    #[error(
        "the test command `{command}` is not one that Proctor can read the results of\n\
         hint: `pytest …`, `python -m pytest …`, `cargo test …` and `cargo nextest run …` are accepted; no shell, no make"
    )]
    Unknown { command: String },
    #[error(
        "the argument `{argument}` of `{command}` is not accepted, since it would leave out tests or change their report\n\
         hint: packages (-p, --workspace, --exclude), features (--features, --all-features, --no-default-features), \
         targets (--lib, --bins, --tests, --test), --release, --locked, --offline and --frozen are accepted"
    )]
    Argument { command: String, argument: String },
}

/// The tools that the files of a tree speak for, best first.
pub fn detect(tree: &dyn Tree, subdir: &str) -> Vec<Found> {
    let mut found = Vec::new();
    if tree.read(&below(subdir, "Cargo.toml")).is_some() {
        found.push(Found {
            runner: "cargo",
            why: format!("cargo: {}", below(subdir, "Cargo.toml")),
        });
    }
    found.extend(
        python(tree, subdir).map(|why| Found { runner: "pytest", why: format!("pytest: {why}") }),
    );
    if found.is_empty() {
        found.extend(untested_python(tree, subdir));
    }
    found
}

/// Python sources without a single test yet: the first one has to be run by something.
fn untested_python(tree: &dyn Tree, subdir: &str) -> Option<Found> {
    let folder = below(subdir, "");
    let source =
        tree.paths().into_iter().find(|p| p.starts_with(&folder) && has_ending(p, "py"))?;
    let why = format!("pytest: {source} is Python, and there is no test yet");
    Some(Found { runner: "pytest", why })
}

fn python(tree: &dyn Tree, subdir: &str) -> Option<String> {
    for name in [
        "pytest.ini",
        ".pytest.ini",
        "pytest.toml",
        ".pytest.toml",
        "pyproject.toml",
        "tox.ini",
        "setup.cfg",
    ] {
        let path = below(subdir, name);
        if let Some(text) = text(tree, &path).filter(|t| configures_pytest(name, t)) {
            return Some(match name {
                "pyproject.toml" if text.contains("[tool.pytest.ini_options]") => {
                    format!("{path} has [tool.pytest.ini_options]")
                }
                "pyproject.toml" => format!("{path} has [tool.pytest]"),
                "tox.ini" => format!("{path} has [pytest]"),
                "setup.cfg" => format!("{path} has [tool:pytest]"),
                _ => path,
            });
        }
    }
    let paths = tree.paths();
    let inside = |p: &&String| {
        subdir.is_empty() || p.starts_with(&format!("{}/", subdir.trim_end_matches('/')))
    };
    let named = |p: &str| p.rsplit('/').next().unwrap_or(p).to_owned();
    let conftest = paths.iter().filter(inside).find(|p| named(p) == "conftest.py");
    let test = paths.iter().filter(inside).find(|p| {
        let name = named(p);
        has_ending(&name, "py") && (name.starts_with("test_") || name.ends_with("_test.py"))
    });
    if let Some(path) = conftest.or(test) {
        return Some(path.clone());
    }
    // A Python project whose first test is still to be written.
    ["pyproject.toml", "setup.py", "setup.cfg"]
        .iter()
        .map(|n| below(subdir, n))
        .find(|p| tree.read(p).is_some())
}

pub fn by_name(name: &str) -> Option<Box<dyn Runner>> {
    match name {
        "pytest" => Some(Box::new(Pytest)),
        "cargo" => Some(Box::new(Cargo)),
        _ => None,
    }
}

/// What a user's own test command means: the tool, its program, and arguments to add.
pub fn from_command(argv: &[String]) -> Result<UserCommand, UnknownCommand> {
    let words: Vec<&str> = argv.iter().map(String::as_str).collect();
    let Some((first, rest)) = words.split_first() else {
        return Err(UnknownCommand::Empty);
    };
    let unknown = || UnknownCommand::Unknown { command: argv.join(" ") };
    let name = first.rsplit('/').next().unwrap_or(first);
    let program = (name != *first).then(|| PathBuf::from(first));
    let owned = |list: &[&str]| list.iter().map(|a| (*a).to_owned()).collect::<Vec<String>>();
    match (name, rest) {
        // The program would be the script: what is needed is its python, which the caller knows.
        ("pytest" | "py.test", more) => {
            Ok(UserCommand { runner: "pytest", program: None, extra_args: owned(more) })
        }
        (python, ["-m", "pytest", more @ ..]) if python.starts_with("python") => Ok(UserCommand {
            runner: "pytest",
            program: Some(PathBuf::from(first)),
            extra_args: owned(more),
        }),
        ("cargo", ["test" | "t", more @ ..] | ["nextest", "run" | "r", more @ ..]) => {
            let extra_args = cargo_args(more, &argv.join(" "))?;
            Ok(UserCommand { runner: "cargo", program, extra_args })
        }
        _ => Err(unknown()),
    }
}

fn cargo_args(args: &[&str], command: &str) -> Result<Vec<String>, UnknownCommand> {
    const ALONE: [&str; 12] = [
        "--workspace",
        "--all",
        "--all-features",
        "--no-default-features",
        "--lib",
        "--bins",
        "--tests",
        "--release",
        "-r",
        "--locked",
        "--offline",
        "--frozen",
    ];
    const VALUED: [&str; 7] =
        ["-p", "--package", "--exclude", "--features", "-F", "--test", "--bin"];
    const DROPPED: [&str; 5] = ["-q", "--quiet", "-v", "--verbose", "--no-fail-fast"];
    let mut kept = Vec::new();
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let head = word.split('=').next().unwrap_or(word);
        if DROPPED.contains(word) {
            continue;
        }
        if VALUED.contains(word) {
            kept.push((*word).to_owned());
            kept.extend(words.next().map(|value| (*value).to_owned()));
        } else if ALONE.contains(word) || (head.len() < word.len() && VALUED.contains(&head)) {
            kept.push((*word).to_owned());
        } else {
            return Err(UnknownCommand::Argument {
                command: command.to_owned(),
                argument: (*word).to_owned(),
            });
        }
    }
    Ok(kept)
}

#[cfg(test)]
#[path = "detect_tests.rs"]
mod tests;
