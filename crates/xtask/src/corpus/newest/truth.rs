//! Whether a commit is what it says, by the library's own tool and nothing of Proctor: its tests fail on the base's code and
//! pass on its own, and nothing else broke. Judged by the names that the tool gives to what fails.

use super::place::Place;
use super::rule::{Commit, own_tests};
use crate::corpus::pair::Language;
use anyhow::Result;
use std::collections::BTreeSet;
use std::fmt::{self, Display};

/// What failed in one run of the whole suite; empty where it ended well.
type Failed = BTreeSet<String>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Truth {
    Honest,
    /// It can't be told, or is not so, on this machine.
    None(String),
}

impl Truth {
    pub fn of(place: &Place, commit: &Commit) -> Result<Self> {
        let head = failed(place)?;
        mixed(place, commit)?;
        let mixed = failed(place)?;
        place.checkout(&format!("{}^", commit.id))?;
        let base = failed(place)?;
        place.checkout(&commit.id)?;
        Ok(judged(&base, &mixed, &head))
    }
}

/// The base's code with head's tests.
fn mixed(place: &Place, commit: &Commit) -> Result<()> {
    let before = format!("{}^", commit.id);
    for path in commit.code(place.language()) {
        let old = place.text(&before, path);
        let new = place.text(&commit.id, path).unwrap_or_default();
        let tests = if place.language() == Language::Rust { own_tests(&new) } else { None };
        match (old, tests) {
            (Some(old), Some(at)) => {
                let code = &old[..own_tests(&old).unwrap_or(old.len())];
                place.write(path, &format!("{code}{}", &new[at..]))?;
            }
            (Some(old), None) => place.write(path, &old)?,
            (None, _) => place.remove(path)?,
        }
    }
    Ok(())
}

fn judged(base: &Failed, mixed: &Failed, head: &Failed) -> Truth {
    let first = |names: BTreeSet<&String>| {
        let shown: Vec<&str> = names.iter().take(3).map(|name| name.as_str()).collect();
        shown.join(", ")
    };
    let broke: BTreeSet<&String> = head.difference(base).collect();
    if !broke.is_empty() {
        return Truth::None(format!("fails on head and not on the base: {}", first(broke)));
    }
    if mixed.difference(head).next().is_none() {
        return Truth::None("its tests pass on the base's code".to_owned());
    }
    Truth::Honest
}

fn failed(place: &Place) -> Result<Failed> {
    let (ended_well, said) = place.checked()?;
    if ended_well {
        return Ok(Failed::new());
    }
    let names: Failed =
        said.lines().filter_map(|line| named(place.language(), line)).map(str::to_owned).collect();
    Ok(if names.is_empty() { Failed::from(["the run itself".to_owned()]) } else { names })
}

/// What a line of the tool's output says to have failed.
fn named(language: Language, line: &str) -> Option<&str> {
    let word = |rest: &'static [&'static str]| {
        rest.iter()
            .find_map(|mark| line.trim_start().strip_prefix(mark))
            .and_then(|rest| rest.split_whitespace().next())
    };
    match language {
        Language::Python => word(&["FAILED ", "ERROR ", "FAIL: ", "ERROR: "]),
        Language::Go => {
            let broken = line.strip_prefix("FAIL\t").filter(|rest| rest.contains('['));
            broken.or_else(|| word(&["--- FAIL: "]))
        }
        Language::Rust => {
            let test = line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED"));
            test.or_else(|| line.starts_with("error").then_some(line))
        }
        Language::JavaScript => {
            let marks = ["✖ ", "✗ ", "× ", "not ok ", "FAIL ", "● "];
            let line = line.trim_start();
            let rest = marks.iter().find_map(|mark| line.strip_prefix(mark)).or_else(|| {
                let (number, rest) = line.split_once(") ")?;
                number.bytes().all(|byte| byte.is_ascii_digit()).then_some(rest)
            })?;
            // TAP numbers what it names, and one test more moves them all.
            let rest = rest.split_once(" - ").map_or(rest, |(number, name)| {
                if number.bytes().all(|byte| byte.is_ascii_digit()) { name } else { rest }
            });
            // A time stands at the end in brackets or bare.
            let timed = |word: &str| word.starts_with('(') || word.ends_with("ms");
            let end = rest.rsplit_once(' ').filter(|(_, last)| timed(last.trim_end_matches(')')));
            Some(end.map_or(rest, |(before, _)| before))
        }
    }
}

impl Display for Truth {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Honest => out.write_str("honest"),
            Self::None(why) => write!(out, "no ground truth: {why}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Failed {
        list.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_commit_is_honest_where_its_tests_fail_on_old_code_alone_and_nothing_else_broke() {
        let (none, old, new) = (names(&[]), names(&["old"]), names(&["old", "new"]));
        assert_eq!(judged(&none, &names(&["new"]), &none), Truth::Honest);
        assert_eq!(judged(&old, &new, &old), Truth::Honest);
        assert_ne!(judged(&none, &none, &none), Truth::Honest);
        assert_ne!(judged(&none, &new, &old), Truth::Honest);
    }

    #[test]
    fn what_fails_is_read_from_what_each_tool_prints() {
        let read = [
            (
                Language::Python,
                "FAILED tests/test_a.py::test_b - assert 1",
                "tests/test_a.py::test_b",
            ),
            (Language::Python, "FAIL: test_b (tests.A.test_b)", "test_b"),
            (Language::Go, "    --- FAIL: TestA/b (0.00s)", "TestA/b"),
            (Language::Go, "FAIL\texample.com/a [build failed]", "example.com/a [build failed]"),
            (Language::Rust, "test a::b ... FAILED", "a::b"),
            (Language::Rust, "error[E0425]: no such name", "error[E0425]: no such name"),
            (Language::JavaScript, "  ✖ adds two (1.23ms)", "adds two"),
            (Language::JavaScript, "  3) adds two", "adds two"),
            (Language::JavaScript, "not ok 2 - adds two", "adds two"),
        ];
        for (language, line, name) in read {
            assert_eq!(named(language, line), Some(name), "{line}");
        }
        assert_eq!(named(Language::Go, "FAIL\texample.com/a\t0.01s"), None);
        assert_eq!(named(Language::Python, "2 failed, 3 passed"), None);
    }
}
