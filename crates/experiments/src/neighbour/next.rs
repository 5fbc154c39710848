//! The value beside a literal, of the same kind: a number some steps further, a text with one letter more or another
//! digit. Also a literal's value with its sign, and lists of them. Knows no test.

use proctor_lang::literal::{self, Kind, Number, Worth, stepped};
use proctor_lang::syntax;
use std::collections::BTreeSet;
use tree_sitter::Node;

/// How often a neighbour that is taken is passed over.
const MOST_TRIES: i128 = 8;

/// Which of a literal's neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    Next,
    Other,
    /// As different as one of its kind can be: more before it and behind it, another sign.
    Wild,
}

impl Which {
    /// How far a number's neighbour is. One and two would often be inputs of the same test.
    pub(super) fn step(self) -> i128 {
        match self {
            Self::Next => 3,
            Self::Other | Self::Wild => 8,
        }
    }

    /// Another letter of the same case, or another digit but zero.
    fn of_kind(self, c: char) -> Option<char> {
        let (digits, letters) = match self {
            Self::Next => (('4', '7'), ('k', 'm')),
            Self::Other | Self::Wild => (('8', '3'), ('t', 'w')),
        };
        let (first, second) = match c {
            '0'..='9' => digits,
            'a'..='z' => letters,
            'A'..='Z' => (letters.0.to_ascii_uppercase(), letters.1.to_ascii_uppercase()),
            _ => return None,
        };
        Some(if c == first { second } else { first })
    }
}

/// A literal's value with the minus before it.
pub(super) fn value(node: Node<'_>, source: &str) -> Option<String> {
    let value = literal::value(node, source)?;
    let minus = literal::kind(node) == Some(Kind::Number)
        && node.parent().is_some_and(|p| {
            matches!(p.kind(), "unary_operator" | "unary_expression")
                && syntax::text(p, source).starts_with('-')
        });
    Some(if minus { format!("-{value}") } else { value })
}

/// The value of a list of literals: `[1, "a"]`. None where anything else is in it.
pub(super) fn list_value(node: Node<'_>, source: &str) -> Option<String> {
    let elements = elements(node)?;
    let values: Option<Vec<String>> = elements.into_iter().map(|n| any_value(n, source)).collect();
    values.filter(|v| !v.is_empty()).map(|v| format!("[{}]", v.join(", ")))
}

pub(super) fn any_value(node: Node<'_>, source: &str) -> Option<String> {
    match node.kind() {
        "unary_operator" | "unary_expression" | "literal_element" | "parenthesized_expression" => {
            any_value(syntax::children(node).pop()?, source)
        }
        _ => value(node, source).or_else(|| list_value(node, source)),
    }
}

/// The elements of a list, a tuple, an array, or a slice of Go's.
pub(super) fn elements(node: Node<'_>) -> Option<Vec<Node<'_>>> {
    let list = match node.kind() {
        "list" | "tuple" | "set" | "array" | "tuple_expression" | "literal_value"
        | "array_initializer" => node,
        "array_expression" if node.child_by_field_name("length").is_none() => node,
        "composite_literal" => node.child_by_field_name("body")?,
        _ => return None,
    };
    let inner = syntax::children(list).into_iter().filter(|n| !n.kind().contains("comment"));
    Some(inner.collect())
}

/// The text of a literal beside this one, and none of the values that are taken: what the tests ask already is no
/// other input.
pub(super) fn beside(
    node: Node<'_>,
    source: &str,
    which: Which,
    taken: &BTreeSet<String>,
) -> Option<String> {
    let text = syntax::text(node, source);
    match literal::kind(node)? {
        Kind::Number => {
            let number = Number::read(text)?;
            let moved = |by: i128| {
                number.with(match number.worth {
                    Worth::Whole(n) => Worth::Whole(stepped(n, by * scale(n))),
                    Worth::Float(x) => {
                        // Of what stands before the point.
                        let whole = format!("{x:.0}").parse().unwrap_or(0);
                        Worth::Float(x + literal::whole_as_float(by * scale(whole)))
                    }
                })
            };
            if which == Which::Wild {
                return Some(match number.worth {
                    Worth::Whole(n) if n > 0 && text.ends_with(|c: char| c.is_ascii_digit()) => {
                        format!("-{text}")
                    }
                    _ => moved(1_003),
                });
            }
            let is_free =
                |new: &String| Number::read(new).is_none_or(|n| !taken.contains(&n.shown()));
            let steps = (0..MOST_TRIES).map(|n| which.step() + 10 * n);
            Some(steps.map(moved).find(is_free).unwrap_or_else(|| moved(which.step())))
        }
        Kind::Text if literal::has_holes(node) => None,
        Kind::Text => {
            let range = literal::inside(text)?;
            if which == Which::Wild {
                let inner = format!("Ae9 {} 7eA", text.get(range.clone())?);
                return Some(format!(
                    "{}{inner}{}",
                    text.get(..range.start)?,
                    text.get(range.end..)?
                ));
            }
            let mut inner = longer(text.get(range.clone())?, which)?;
            for _ in 0..MOST_TRIES {
                if !taken.contains(&format!("\"{inner}\"")) {
                    break;
                }
                inner = longer(&inner, which)?;
            }
            Some(format!("{}{inner}{}", text.get(..range.start)?, text.get(range.end..)?))
        }
        Kind::Letter => {
            let range = literal::inside(text)?;
            let mut letters = text.get(range.clone())?.chars();
            let (letter, None) = (letters.next()?, letters.next()) else {
                return None;
            };
            let other = which.of_kind(letter)?;
            Some(format!("{}{other}{}", text.get(..range.start)?, text.get(range.end..)?))
        }
        Kind::Truth | Kind::Nothing => None,
    }
}

/// A few steps are nothing to a large number: what comes out of it may be rounded. Years stay years.
fn scale(number: i128) -> i128 {
    let digits = number.unsigned_abs().checked_ilog10().unwrap_or(0);
    if digits < 5 { 1 } else { 10_i128.pow((digits - 1).min(18)) }
}

/// A text with one letter more, in the case of its last one. All digits stay digits; a date, a version or the like
/// gets another last digit. A text without letters and digits is doubled.
pub(super) fn longer(text: &str, which: Which) -> Option<String> {
    if text.is_empty() {
        return None;
    }
    // An escape's letter is no letter of the text.
    if text.contains('\\') || text.contains('%') || text.contains('{') {
        let first = text.chars().next().filter(char::is_ascii_alphabetic)?;
        return Some(format!("{}{text}", which.of_kind(first)?));
    }
    let Some((at, last)) = text.char_indices().rfind(|(_, c)| c.is_alphanumeric()) else {
        return Some(text.repeat(2));
    };
    let end = at + last.len_utf8();
    let (before, after) = (text.get(..at)?, text.get(end..)?);
    let digits = text.chars().all(|c| c.is_ascii_digit());
    if last.is_ascii_digit() && !digits {
        return Some(format!("{before}{}{after}", which.of_kind(last)?));
    }
    let more = which.of_kind(last).unwrap_or('k');
    Some(format!("{before}{last}{more}{after}"))
}
