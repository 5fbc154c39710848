//! Values that code does not compare itself: the keys of a data file, and lists that are folded into one text.

use super::Decision;
use proctor_lang::literal::{self, Kind, is_trivial};
use proctor_lang::syntax;
use serde_json::Value;
use std::collections::BTreeSet;
use tree_sitter::Node;

/// A text with fewer words is no list.
const FEWEST: usize = 4;

/// The keys of a data file, as one table. Any file may hold one, whatever its name is.
pub(super) fn decisions(text: &str) -> Vec<Decision> {
    let mut words = BTreeSet::new();
    match serde_json::from_str(text) {
        Ok(value) => keys(&value, &mut words),
        Err(_) => words.extend(text.lines().filter_map(first_word)),
    }
    let named = values(words);
    if named.is_empty() { Vec::new() } else { vec![Decision { all: named.clone(), named }] }
}

fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(pairs) => {
            for (key, value) in pairs {
                found.insert(key.clone());
                keys(value, found);
            }
        }
        Value::Array(rows) => {
            for row in rows {
                // A row's first cell is its key.
                match row.as_array().and_then(|cells| cells.first()) {
                    Some(Value::String(key)) => drop(found.insert(key.clone())),
                    Some(Value::Number(key)) => drop(found.insert(key.to_string())),
                    _ => keys(row, found),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn first_word(line: &str) -> Option<String> {
    let first = line.split(['=', ':', ',', '\t', '|', ';']).next()?;
    Some(first.trim().trim_matches(['"', '\'']).to_owned())
}

/// Lists within one text on these lines: `"3:6 4:10 10:55"`.
pub(super) fn folded(root: Node<'_>, source: &str, lines: &BTreeSet<u32>) -> Vec<Decision> {
    let mut found = Vec::new();
    syntax::walk(root, &|_| true, &mut |n| {
        if literal::kind(n) != Some(Kind::Text) || !lines.contains(&syntax::line(n)) {
            return;
        }
        let text = syntax::text(n, source);
        let inner = literal::inside(text).and_then(|range| text.get(range)).unwrap_or_default();
        let split = |c: char| c.is_whitespace() || matches!(c, ',' | ':' | ';' | '=' | '|' | '\\');
        let words = inner.split(split).filter(|w| !w.is_empty()).map(str::to_owned);
        let words: BTreeSet<String> = words.collect();
        for words in [words, phrases(inner)] {
            if words.len() >= FEWEST {
                let named = values(words);
                found.push(Decision { all: named.clone(), named });
            }
        }
    });
    found
}

/// What stands between quotes within a text; where nothing does, what stands between its signs: `"New York|NY|Bonn|BN"`.
fn phrases(text: &str) -> BTreeSet<String> {
    let between = |quote: char| text.split(quote).skip(1).step_by(2).map(str::to_owned);
    let quoted: BTreeSet<String> = ['\'', '"'].into_iter().flat_map(between).collect();
    if quoted.len() >= FEWEST {
        return quoted;
    }
    let split = |c: char| matches!(c, ',' | ':' | ';' | '=' | '|' | '\t' | '\n' | '\\');
    let parts = text.split(split).map(str::trim).filter(|part| !part.is_empty());
    let parts: BTreeSet<String> = parts.map(str::to_owned).collect();
    // Words by themselves are looked at as such.
    let has_phrase = parts.iter().any(|part| part.contains(char::is_whitespace));
    if has_phrase { parts } else { BTreeSet::new() }
}

/// Words as the values of literals.
fn values(words: BTreeSet<String>) -> BTreeSet<String> {
    let value = |word: String| {
        if word.parse::<i64>().is_ok() { word } else { format!("\"{word}\"") }
    };
    words.into_iter().map(value).filter(|value| !is_trivial(value)).collect()
}
