//! Inputs that lie in a file of cases beside the tests, each with the value beside it. JSON, lines of JSON, and tables
//! of cells are read as marks in a text, so that a file that is odd elsewhere can be used too. Knows no test.

use super::next::{Which, longer};
use proctor_lang::edit::Edit;
use proctor_lang::literal::{is_trivial, stepped};
use proctor_lang::zone::has_ending;
use std::collections::BTreeSet;
use std::ops::Range;

/// One value alone may be shared by chance.
const FEWEST: usize = 2;

/// A file of cases with other values in the place of those that production code repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherCases {
    pub text: String,
    /// The values that both have, as [`super::decisions`] writes them.
    pub shared: BTreeSet<String>,
}

/// Whether values can be read from such a file.
pub fn holds_cases(path: &str) -> bool {
    is_json(path) || is_table(path)
}

fn is_json(path: &str) -> bool {
    ["json", "jsonl", "ndjson"].iter().any(|ending| has_ending(path, ending))
}

fn is_table(path: &str) -> bool {
    ["csv", "tsv"].iter().any(|ending| has_ending(path, ending))
}

/// The file with each value changed by which production code decides, and the small numbers that stand everywhere; none
/// where it holds too few of the former.
pub fn other_cases(path: &str, text: &str, decisive: &BTreeSet<String>) -> Option<OtherCases> {
    let values = if is_json(path) {
        json_values(text)
    } else if is_table(path) {
        cells(text)
    } else {
        return None;
    };
    let mut shared = BTreeSet::new();
    let mut edits = Vec::new();
    for range in values {
        let Some(written) = text.get(range.clone()) else { continue };
        let Some((value, other)) = beside(written) else { continue };
        if is_trivial(&value) {
            // It says nothing about where it comes from, but a case may be made of such values alone.
            if written.parse::<i128>().is_err() {
                continue;
            }
        } else if decisive.contains(&value) {
            shared.insert(value);
        } else {
            continue;
        }
        edits.push(Edit {
            line: 0,
            from: range.start,
            to: range.end,
            text: other,
            what: String::new(),
        });
    }
    (shared.len() >= FEWEST).then(|| OtherCases { text: Edit::applied(text, &edits), shared })
}

/// The value of a mark, and the text of the one beside it.
fn beside(written: &str) -> Option<(String, String)> {
    if let Ok(number) = written.parse::<i128>() {
        return Some((number.to_string(), stepped(number, Which::Next.step()).to_string()));
    }
    let quoted = written.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let inner = quoted.unwrap_or(written);
    // What is escaped is written in another way in a source.
    if inner.contains(['\\', '"']) {
        return None;
    }
    let other = longer(inner, Which::Next)?;
    let other = if quoted.is_some() { format!("\"{other}\"") } else { other };
    Some((format!("\"{inner}\""), other))
}

/// Where the whole numbers and texts of JSON stand, names of fields left out.
fn json_values(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let from = at;
        match byte {
            b'"' => {
                at += 1;
                while bytes.get(at).is_some_and(|b| *b != b'"') {
                    at += if bytes.get(at) == Some(&b'\\') { 2 } else { 1 };
                }
                at += 1;
                let after = bytes.get(at..).unwrap_or_default();
                let names = after.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b':');
                if !names {
                    found.push(from..at);
                }
            }
            b'-' | b'0'..=b'9' => {
                let part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'+');
                while bytes.get(at).is_some_and(part) {
                    at += 1;
                }
                found.push(from..at);
            }
            _ => at += 1,
        }
    }
    found
}

/// Where the cells of a table stand, the row of names left out.
fn cells(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for (n, line) in text.split_inclusive('\n').enumerate() {
        let mut from = start;
        for cell in line.split([',', '\t', ';']) {
            let bare = cell.trim();
            let lead = cell.len() - cell.trim_start().len();
            if n > 0 && !bare.is_empty() {
                found.push(from + lead..from + lead + bare.len());
            }
            from += cell.len() + 1;
        }
        start += line.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(values: &[&str]) -> BTreeSet<String> {
        values.iter().map(|value| (*value).to_owned()).collect()
    }

    #[test]
    fn shared_values_of_lines_of_json_get_neighbours() {
        let text = "[[17, 0], 17]\n[[\"abc\", 37], -5]\n{\"abc\": 37.5}\n";
        let other = other_cases("cases/a.json", text, &set(&["17", "\"abc\"", "37"])).unwrap();
        assert_eq!(other.text, "[[20, 3], 20]\n[[\"abck\", 40], -5]\n{\"abc\": 37.5}\n");
        assert_eq!(other.shared, set(&["17", "\"abc\"", "37"]));
    }

    #[test]
    fn cells_of_a_table_get_neighbours_and_its_head_does_not() {
        let text = "given,17\nabc, 17\n\"x\",9\n";
        let other = other_cases("cases/a.csv", text, &set(&["17", "\"abc\"", "\"given\""]));
        assert_eq!(other.unwrap().text, "given,17\nabck, 20\n\"x\",9\n");
    }

    #[test]
    fn one_shared_value_is_chance_and_odd_text_is_no_trouble() {
        assert_eq!(other_cases("a.json", "[17, 0, 1]", &set(&["17", "0", "1"])), None);
        assert_eq!(other_cases("a.rs", "17 18", &set(&["17", "18"])), None);
        for odd in ["\"", "\"\\", "-", "[\"é\\u00e9", "{\"a\"", "1e400"] {
            assert_eq!(other_cases("a.json", odd, &set(&["17", "18"])), None, "{odd}");
        }
    }
}
