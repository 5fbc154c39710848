//! What says that a folder's tests are pytest's, and what a user's own pytest command means.

use super::pytest::configures_pytest;
use crate::detect::{Arguments, UnknownCommand, UserCommand, program_of};
use proctor_lang::tree::{Tree, below, parent, text, upward};
use proctor_lang::zone::{Zone, has_ending, zone};
use std::path::PathBuf;

pub(crate) fn claims(tree: &dyn Tree, dir: &str) -> Option<(&'static str, String)> {
    evidence(tree, dir).map(|why| ("pytest", why))
}

/// Python sources without a single test yet: the first one has to be run by something.
pub(crate) fn untested(tree: &dyn Tree, subdir: &str) -> Option<String> {
    let folder = below(subdir, "");
    let source =
        tree.paths().into_iter().find(|p| p.starts_with(&folder) && has_ending(p, "py"))?;
    Some(format!("{source} is Python, and there is no test yet"))
}

pub(crate) fn command(words: &[&str]) -> Option<Result<UserCommand, UnknownCommand>> {
    let (first, rest) = words.split_first()?;
    let owned = |list: &[&str]| list.iter().map(|a| (*a).to_owned()).collect::<Vec<String>>();
    if let (python, ["-m", "unittest", more @ ..]) = (program_of(first).0, rest)
        && python.starts_with("python")
    {
        let more = if let ["discover", more @ ..] = more { more } else { more };
        let kept = DISCOVERY.keep(more, &words.join(" "));
        let program = Some(PathBuf::from(first));
        return Some(kept.map(|extra_args| UserCommand { runner: UNITTEST, program, extra_args }));
    }
    let (program, extra_args) = match (program_of(first).0, rest) {
        // The program would be the script: what is needed is its python, which the caller knows.
        ("pytest" | "py.test", more) => (None, owned(more)),
        (python, ["-m", "pytest", more @ ..]) if python.starts_with("python") => {
            (Some(PathBuf::from(first)), owned(more))
        }
        _ => return None,
    };
    Some(Ok(UserCommand { runner: "pytest", program, extra_args }))
}

pub(crate) const UNITTEST: &str = "unittest";

/// Which words of `python -m unittest` are let through.
const DISCOVERY: Arguments = Arguments {
    alone: &[],
    valued: &["-s", "--start-directory", "-p", "--pattern", "-t", "--top-level-directory"],
    dropped: &[
        "-v",
        "--verbose",
        "-q",
        "--quiet",
        "-f",
        "--failfast",
        "-b",
        "--buffer",
        "-c",
        "--catch",
    ],
    accepted: "what is discovered (-s, -p, -t)",
};

/// Whether the tests of a folder are unittest's alone, so that they do without pytest: one that imports unittest, and nothing
/// that speaks of pytest.
pub fn only_unittest(tree: &dyn Tree, dir: &str) -> bool {
    let folder = below(dir, "");
    let sources: Vec<String> = tree
        .paths()
        .into_iter()
        .filter(|path| path.starts_with(&folder) && has_ending(path, "py"))
        .collect();
    let configured = [
        "pytest.ini",
        ".pytest.ini",
        "pytest.toml",
        ".pytest.toml",
        "pyproject.toml",
        "tox.ini",
        "setup.cfg",
    ]
    .iter()
    .any(|name| text(tree, &below(dir, name)).is_some_and(|t| configures_pytest(name, &t)));
    let mut unittest = false;
    for path in &sources {
        let name = path.rsplit('/').next().unwrap_or(path);
        let Some(source) = text(tree, path) else { continue };
        if name == "conftest.py"
            || source.contains("import pytest")
            || source.contains("from pytest")
        {
            return false;
        }
        unittest |= zone(path) == Zone::Test && source.contains("unittest");
    }
    unittest && !configured
}

/// What makes a folder a Python project.
const PROJECTS: [&str; 3] = ["pyproject.toml", "setup.py", "setup.cfg"];

fn evidence(tree: &dyn Tree, subdir: &str) -> Option<String> {
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
    let folder = below(subdir, "");
    // A folder below that is a project of its own speaks for itself.
    let nested: Vec<&str> = paths
        .iter()
        .filter(|p| PROJECTS.contains(&p.rsplit('/').next().unwrap_or(p)))
        .map(|p| parent(p))
        .filter(|dir| dir.starts_with(&folder) && *dir != subdir.trim_end_matches('/'))
        .collect();
    let inside = |p: &&String| {
        p.starts_with(&folder) && !upward(parent(p)).iter().any(|dir| nested.contains(dir))
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
    PROJECTS.iter().map(|n| below(subdir, n)).find(|p| tree.read(p).is_some())
}
