//! What the assertions of the new tests saw on both sides, cut to what a face has room for. Every face shows the same:
//! each assertion's own value on base and head, then the other inputs, those that decide first.

use super::Look;
use super::text::paint;
use crate::text::harmless::{one_line, short};
use anstyle::AnsiColor;
use proctor_core::generality::{Answer, Observed, apart};
use proctor_core::verdict::{Finding, Verification};
use serde::Serialize;

/// How much of it a face has room for.
#[derive(Clone, Copy)]
pub struct Room {
    pub tests: usize,
    /// Rows of a test that is suspect, and of another one.
    pub suspect: usize,
    pub shown: usize,
    /// Characters of one value.
    pub value: usize,
}

/// A terminal of 80 columns, with two to spare for who puts it under a title.
pub const TERMINAL: Room = Room { tests: 12, suspect: 30, shown: 5, value: 64 };
/// A finding in a report that other programs read.
const REPORT: Room = Room { tests: 1, suspect: 9, shown: 5, value: 120 };
const INPUT: usize = 20;
const VALUE: usize = 16;

/// A test with the rows that are shown of it.
#[derive(Debug, Serialize)]
pub struct Table {
    pub test: String,
    pub judged: String,
    pub is_suspect: bool,
    pub rows: Vec<Row>,
    /// Rows that there was no room for.
    pub more: usize,
}

#[derive(Debug, Serialize)]
pub struct Row {
    /// With the test's own inputs; `input` is then which assertion it is.
    pub written: bool,
    pub input: String,
    pub base: String,
    pub head: String,
    pub says: String,
    /// The same for somebody who never read of it.
    pub shows: String,
    /// How many other inputs have the same answers.
    pub alike: usize,
}

/// The tests that show a value, suspect ones first, and how many more there are.
pub fn tables(all: &[Observed], room: Room) -> (Vec<Table>, usize) {
    let mut all: Vec<&Observed> = all.iter().filter(|test| !test.answers.is_empty()).collect();
    all.sort_by_key(|test| !test.is_suspect());
    let shown = all.iter().take(room.tests).map(|test| table(test, room)).collect();
    (shown, all.len().saturating_sub(room.tests))
}

fn table(test: &Observed, room: Room) -> Table {
    let assertions = test.assertions();
    let most = if test.is_suspect() { room.suspect } else { room.shown };
    // Each assertion has its own row; what is left of the room goes to their other inputs, fairly.
    let left = most.saturating_sub(assertions.len()) / assertions.len().max(1);
    let mut rows = Vec::new();
    let mut count = 0;
    for seen in &assertions {
        rows.push(row(seen.written, &seen.label, room.value));
        let others = distinct(seen.others.iter().filter(|a| a.says != "nothing"));
        count += 1 + others.len();
        let row = |(answer, alike): &(&Answer, usize)| Row {
            alike: *alike,
            ..row(answer, "", room.value)
        };
        rows.extend(others.iter().take(left).map(row));
    }
    rows.truncate(most);
    Table {
        test: one_line(test.test.as_str()),
        judged: test.judged.clone(),
        is_suspect: test.is_suspect(),
        more: count - rows.len(),
        rows,
    }
}

/// Other inputs with the same answers on both sides are one row, and how many more there are of it.
fn distinct<'a>(answers: impl Iterator<Item = &'a &'a Answer>) -> Vec<(&'a Answer, usize)> {
    let mut rows: Vec<(&Answer, usize)> = Vec::new();
    for answer in answers {
        let same = |row: &Answer| {
            (&row.base, &row.head, &row.says) == (&answer.base, &answer.head, &answer.says)
        };
        match rows.iter_mut().find(|(row, _)| same(row)) {
            Some((_, alike)) => *alike += 1,
            None => rows.push((answer, 0)),
        }
    }
    rows
}

fn row(answer: &Answer, label: &str, most: usize) -> Row {
    let (base, head) = apart(&one_line(&answer.base), &one_line(&answer.head), most);
    Row {
        written: !label.is_empty(),
        input: if label.is_empty() { short(&answer.input, most) } else { label.to_owned() },
        base,
        head,
        says: answer.says.clone(),
        shows: plainly(&answer.says).to_owned(),
        alike: 0,
    }
}

fn plainly(says: &str) -> &str {
    match says {
        "differs" => "the change shows",
        "as on the base" => "no difference",
        "no own answer" => "no answer of its own",
        "one answer" => "the same answer again",
        other => other,
    }
}

/// The rows of the test that a finding is about, for reports that have no place for a table.
pub fn beside(v: &Verification, finding: &Finding) -> Vec<String> {
    let own = v.observations.iter().find(|test| finding.test.as_ref() == Some(&test.test));
    let Some(own) = own.filter(|test| test.is_suspect()) else { return Vec::new() };
    let line = |row: &Row| format!("{}: {} → {} ({})", row.input, row.base, row.head, row.says);
    let mut lines = vec!["what its assertions saw, base → head:".to_owned()];
    lines.extend(table(own, REPORT).rows.iter().map(line));
    lines
}

/// For a terminal. Nothing where nothing was observed.
pub fn lines(all: &[Observed], look: Look) -> Vec<String> {
    let (tables, left) = tables(all, TERMINAL);
    if tables.is_empty() {
        return Vec::new();
    }
    let mut lines = Vec::new();
    for table in &tables {
        let color = match table.judged.as_str() {
            "suspect" => AnsiColor::Yellow,
            "shown" => AnsiColor::Green,
            _ => AnsiColor::BrightBlack,
        };
        lines.push(format!("  {}: {}", table.test, paint(look, color, &table.judged)));
        lines.extend(table.rows.iter().flat_map(|row| row_lines(row, look)));
        if table.is_suspect && table.more > 0 {
            lines.push(format!("    … and {} more inputs", table.more));
        }
    }
    if left > 0 {
        lines.push(format!("  … and {left} more tests"));
    }
    lines
}

/// In columns where the values are short, else under each other.
fn row_lines(row: &Row, look: Look) -> Vec<String> {
    let long = |text: &str, most: usize| text.chars().count() > most;
    let indent = if row.written { "    " } else { "      " };
    let width = if row.written { INPUT + 2 } else { INPUT };
    let value = |text: &str, color: AnsiColor| {
        if row.written { paint(look, color, text) } else { text.to_owned() }
    };
    let (red, green) = (AnsiColor::Red, AnsiColor::Green);
    let Row { input, base, head, says, .. } = row;
    if !long(base, VALUE) && !long(head, VALUE) {
        let input = short(input, width);
        let (base, head) = (format!("{base:VALUE$}"), format!("{head:VALUE$}"));
        let (base, head) = (value(&base, red), value(&head, green));
        return vec![format!("{indent}{input:width$}  {base}  {head}  {says}")];
    }
    vec![
        format!("{indent}{}: {says}", short(input, 80 - indent.len() - says.len() - 2)),
        format!("{indent}  base  {}", value(base, red)),
        format!("{indent}  head  {}", value(head, green)),
    ]
}
