//! Which test shows which requirement. `docs/requirements.md` lists the requirements; tests name them, in their name
//! (`s1_20_…`) or in a comment right above (`S1-20`). `cargo xtask requirements` writes the tests into the list, and the
//! check finds holes, names that are not in the list, and a list that is not up to date.

use crate::fault::Fault;
use crate::tree::{Tree, has_ending, root};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::ExitCode;

const LIST: &str = "docs/requirements.md";
/// How many tests of one requirement are named.
const MOST: usize = 3;

/// `S1-20`: document and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Id(u32, u32);

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "S{}-{}", self.0, self.1)
    }
}

/// Writes the tests into the list.
pub fn write() -> Result<ExitCode> {
    let root = root()?;
    let tree = Tree::read(&root)?;
    let text = tree.text(LIST).with_context(|| format!("{LIST} is not there"))?;
    let new = filled(text, &shown(&tree));
    std::fs::write(root.join(LIST), &new).with_context(|| format!("{LIST} can't be written"))?;
    let holes: Vec<String> = rows(&new)
        .filter(|row| row.tests.is_empty() && !is_measured(row))
        .map(|row| row.id.to_string())
        .collect();
    let mut out = std::io::stdout();
    if holes.is_empty() {
        writeln!(out, "every requirement has a test")?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "without a test: {}", holes.join(", "))?;
    Ok(ExitCode::FAILURE)
}

pub fn check(tree: &Tree) -> Vec<Fault> {
    let Some(text) = tree.text(LIST) else {
        return vec![Fault::error(LIST, "the list of requirements is not there", "the list")];
    };
    let found = shown(tree);
    let mut faults = Vec::new();
    let is_shown = |row: &Row<'_>| found.contains_key(&row.id) || is_measured(row);
    for row in rows(text).filter(|row| !is_shown(row)) {
        faults.push(Fault::error(
            format!("{LIST}:{}", row.line),
            format!("no test shows {}", row.id),
            format!(
                "a test whose name begins with s{}_{}, or with `{}` in the comment above it",
                row.id.0, row.id.1, row.id
            ),
        ));
    }
    for (id, tests) in &found {
        if !rows(text).any(|row| row.id == *id) {
            let (place, name) = tests.first().cloned().unwrap_or_default();
            faults.push(Fault::error(
                place,
                format!("{name} names {id}, which is not a requirement"),
                format!("an id of {LIST}"),
            ));
        }
    }
    if faults.is_empty() && filled(text, &found) != text {
        faults.push(Fault::error(
            LIST,
            "it is not up to date",
            "what `cargo xtask requirements` writes",
        ));
    }
    faults
}

/// One line of the list: `| S1-20 | words | tests |`.
struct Row<'a> {
    line: usize,
    id: Id,
    words: &'a str,
    tests: &'a str,
}

/// A matter of speed: machines are noisy, so that no test asserts a time.
fn is_measured(row: &Row<'_>) -> bool {
    row.words.contains("`cargo xtask bench ")
}

fn rows(text: &str) -> impl Iterator<Item = Row<'_>> {
    (1..).zip(text.lines()).filter_map(|(line, text)| row(line, text))
}

fn row(line: usize, text: &str) -> Option<Row<'_>> {
    let mut cells = text.strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim);
    let (id, words, tests) = (cells.next()?, cells.next()?, cells.next()?);
    Some(Row { line, id: *ids(id, 'S', '-').first()?, words, tests })
}

fn filled(text: &str, found: &BTreeMap<Id, Vec<(String, String)>>) -> String {
    let line = |(number, text): (usize, &str)| match row(number, text) {
        None => text.to_owned(),
        Some(Row { id, words, .. }) => {
            let tests = found.get(&id).map(Vec::as_slice).unwrap_or_default();
            let names: Vec<String> =
                tests.iter().take(MOST).map(|(_, name)| format!("`{name}`")).collect();
            let more = match tests.len().saturating_sub(MOST) {
                0 => String::new(),
                n => format!(" and {n} more"),
            };
            format!("| {id} | {words} | {}{more} |", names.join(", ")).replace("|  |", "| |")
        }
    };
    (1..).zip(text.lines()).map(line).collect::<Vec<_>>().join("\n") + "\n"
}

/// The tests that name a requirement, each with its place.
fn shown(tree: &Tree) -> BTreeMap<Id, Vec<(String, String)>> {
    let mut found: BTreeMap<Id, Vec<(String, String)>> = BTreeMap::new();
    for (path, text) in tree.texts() {
        if !path.starts_with("crates/")
            || path.starts_with("crates/xtask/")
            || !has_ending(path, "rs")
        {
            continue;
        }
        for (line, name, comment) in tests(text) {
            let mut named = ids(name, 's', '_');
            named.extend(ids(&comment, 'S', '-'));
            named.sort();
            named.dedup();
            for id in named {
                found.entry(id).or_default().push((format!("{path}:{line}"), name.to_owned()));
            }
        }
    }
    for tests in found.values_mut() {
        tests.sort_by(|a, b| a.1.cmp(&b.1));
        tests.dedup_by(|a, b| a.1 == b.1);
    }
    found
}

/// Each test of a source: its line, its name, and the comments right above it.
fn tests(text: &str) -> Vec<(usize, &str, String)> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| **line == "#[test]") {
        let _ = line;
        let above = lines.get(..at).unwrap_or_default().iter().rev();
        let head: Vec<&str> = above
            .take_while(|line| line.starts_with("//") || line.starts_with("#["))
            .copied()
            .collect();
        let mut below = lines.iter().enumerate().skip(at + 1).take(6);
        let named = below.find_map(|(n, line)| {
            let rest = line.strip_prefix("fn ")?;
            Some((n + 1, rest.split(['(', '<']).next()?))
        });
        let between: Vec<&str> = lines
            .iter()
            .skip(at + 1)
            .take_while(|line| !line.starts_with("fn "))
            .take(6)
            .copied()
            .collect();
        if let Some((number, name)) = named {
            found.push((number, name, [head, between].concat().join(" ")));
        }
    }
    found
}

/// Every `S1-20` or `s1_20` in a text, as words of their own.
fn ids(text: &str, letter: char, joint: char) -> Vec<Id> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(letter) {
        let before = text.get(..at).and_then(|part| part.chars().next_back());
        if before.is_some_and(char::is_alphanumeric) {
            continue;
        }
        let rest = text.get(at + 1..).unwrap_or_default();
        let Some((document, rest)) = rest.split_once(joint) else { continue };
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        if let (Ok(document @ 0..=9), Ok(number)) = (document.parse(), digits.parse()) {
            found.push(Id(document, number));
        }
    }
    found
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn ids_stand_in_names_and_in_the_comment_above() {
        let source = "// Shows S0-3 and S1-44.\n#[test]\nfn s1_20_and_s1_2_a_path() {}\n\n#[test]\nfn other() {}\n";
        let found = tests(source);
        assert_eq!(found.len(), 2);
        let (line, name, comment) = &found[0];
        assert_eq!((*line, *name), (3, "s1_20_and_s1_2_a_path"));
        assert_eq!(ids(name, 's', '_'), [Id(1, 20), Id(1, 2)]);
        assert_eq!(ids(comment, 'S', '-'), [Id(0, 3), Id(1, 44)]);
        assert_eq!(found[1].2, "");
    }

    #[test]
    fn the_list_is_filled_and_what_is_no_row_stays() {
        let text = "# A\n| id | words | tests |\n| --- | --- | --- |\n| S1-2 | a path | old |\n| S1-3 | none | |\n";
        let found = BTreeMap::from([(Id(1, 2), vec![("a.rs:1".to_owned(), "s1_2_x".to_owned())])]);
        let new = filled(text, &found);
        assert_eq!(
            new,
            "# A\n| id | words | tests |\n| --- | --- | --- |\n| S1-2 | a path | `s1_2_x` |\n| S1-3 | none | |\n"
        );
        assert_eq!(filled(&new, &found), new);
    }
}
