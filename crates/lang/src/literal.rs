//! Literals of the languages: which nodes are literals, what they are worth, and structures of them that are
//! nothing but their parts. Whoever changes literals on purpose asks here; nothing is changed here.

use crate::syntax;
use crate::words::Words;
use std::ops::Range;
use tree_sitter::Node;

/// What a literal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Number,
    Text,
    /// One letter in a type of its own.
    Letter,
    Truth,
    /// `None`, `null`, `undefined`, `nil`.
    Nothing,
}

const NUMBERS: Words = Words(
    "integer float number integer_literal float_literal int_literal decimal_integer_literal hex_integer_literal \
    octal_integer_literal binary_integer_literal decimal_floating_point_literal",
);
const TEXTS: Words =
    Words("string template_string string_literal raw_string_literal interpreted_string_literal");

/// What kind of literal a node is by itself.
pub fn kind(node: Node<'_>) -> Option<Kind> {
    Some(match node.kind() {
        kind if NUMBERS.has(kind) => Kind::Number,
        kind if TEXTS.has(kind) => Kind::Text,
        "char_literal" | "rune_literal" | "character_literal" => Kind::Letter,
        "true" | "false" | "boolean_literal" => Kind::Truth,
        "none" | "null" | "undefined" | "nil" | "null_literal" => Kind::Nothing,
        _ => return None,
    })
}

/// The range of what stands between the quotes of a text.
pub fn inside(text: &str) -> Option<Range<usize>> {
    let open = text.find(['"', '\'', '`'])?;
    let quote = text.get(open..=open)?;
    let triple = quote.repeat(3);
    let body = text.get(open..)?;
    if body.len() >= 6 && body.starts_with(&triple) && body.ends_with(&triple) && quote != "`" {
        return Some(open + 3..text.len() - 3);
    }
    let close = text.rfind(quote).filter(|close| *close > open)?;
    Some(open + 1..close)
}

/// A literal's value in one spelling for all languages: integers in decimal digits, floats as Rust writes them, texts
/// between double quotes with their escapes resolved.
pub fn value(node: Node<'_>, source: &str) -> Option<String> {
    let text = syntax::text(node, source);
    match kind(node)? {
        Kind::Number => Number::read(text).map(|n| n.shown()),
        Kind::Text if has_holes(node) => None,
        Kind::Text | Kind::Letter => {
            let inner = text.get(inside(text)?)?;
            let prefix = text.get(..text.find(['"', '\'', '`'])?)?;
            let raw = prefix.contains(['r', 'R'])
                || text.starts_with('`') && node.kind() != "template_string";
            let inner = if raw { inner.to_owned() } else { crate::js::script::unescaped(inner) };
            Some(format!("\"{inner}\""))
        }
        Kind::Truth | Kind::Nothing => Some(text.to_lowercase()),
    }
}

/// Whether other expressions stand in a text.
pub fn has_holes(node: Node<'_>) -> bool {
    syntax::children(node)
        .into_iter()
        .any(|n| matches!(n.kind(), "interpolation" | "template_substitution"))
}

/// A number as a source has it, with the letters that say its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    pub worth: Worth,
    suffix: String,
}

/// The value of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Worth {
    Whole(i128),
    Float(f64),
}

impl Number {
    /// None for what is written in no way that all languages share.
    pub fn read(text: &str) -> Option<Self> {
        let text: String = text.chars().filter(|c| *c != '_').collect();
        let lower = text.to_lowercase();
        let radix = match lower.get(..2) {
            Some("0x") => 16,
            Some("0o") => 8,
            Some("0b") => 2,
            _ => 10,
        };
        if radix != 10 {
            let digits = lower.get(2..)?;
            let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
            let whole = i128::from_str_radix(digits.get(..end)?, radix).ok()?;
            let suffix = text.get(2 + end..)?.to_owned();
            return Some(Self { worth: Worth::Whole(whole), suffix });
        }
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let rest = text.get(digits..)?;
        if !rest.starts_with(['.', 'e', 'E']) {
            // `0755` is eight times something in one language and not in the next.
            let old_octal = digits > 1 && text.starts_with('0');
            let whole = text.get(..digits)?.parse().ok().filter(|_| !old_octal)?;
            let floating = matches!(rest, "f" | "F" | "d" | "D" | "f32" | "f64");
            let worth =
                if floating { Worth::Float(whole_as_float(whole)) } else { Worth::Whole(whole) };
            return Some(Self { worth, suffix: rest.to_owned() });
        }
        let suffix = ["f32", "f64", "f", "F", "d", "D"].into_iter().find(|s| text.ends_with(s));
        let suffix = suffix.unwrap_or_default();
        let float: f64 = text.strip_suffix(suffix)?.parse().ok()?;
        Some(Self { worth: Worth::Float(float), suffix: suffix.to_owned() })
    }

    /// The value alone.
    pub fn shown(&self) -> String {
        match self.worth {
            Worth::Whole(n) => n.to_string(),
            Worth::Float(x) => format!("{x:?}"),
        }
    }

    /// The letters that say its type.
    pub fn suffix(&self) -> &str {
        &self.suffix
    }

    /// Another value in the same type, as a source has it.
    pub fn with(&self, worth: Worth) -> String {
        let other = Self { worth, suffix: self.suffix.clone() };
        format!("{}{}", other.shown(), other.suffix)
    }
}

/// The float that is nearest to a whole number.
#[expect(clippy::cast_precision_loss, reason = "a float literal can't hold more")]
pub fn whole_as_float(whole: i128) -> f64 {
    whole as f64
}

/// A whole number some steps further, or back where a type of few bits would end between.
pub fn stepped(n: i128, step: i128) -> i128 {
    let ends = [7, 8, 15, 16, 31, 32, 63, 64].map(|bits| 1_i128 << bits);
    // `-128` is written as a minus before 128, which is one more than its type holds.
    if ends.iter().any(|end| n <= *end && n + step >= *end) { n - step } else { n + step }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_every_spelling() {
        for (text, shown) in [
            ("1_000", "1000"),
            ("0xffu8", "255"),
            ("0b11", "3"),
            ("7usize", "7"),
            ("10n", "10"),
            ("2.50", "2.5"),
            ("1e3", "1000.0"),
            ("3f64", "3.0"),
            ("3L", "3"),
        ] {
            assert_eq!(Number::read(text).map(|n| n.shown()), Some(shown.to_owned()), "{text}");
        }
        assert_eq!(Number::read("0755"), None);
        assert_eq!(Number::read("0xffu8").unwrap().with(Worth::Whole(7)), "7u8");
    }

    #[test]
    fn steps_stay_within_small_types() {
        assert_eq!(stepped(3, 1), 4);
        assert_eq!(stepped(255, 1), 254);
        assert_eq!(stepped(128, 1), 127);
        assert_eq!(stepped(254, 3), 251);
        assert_eq!(stepped(1000, 3), 1003);
    }

    #[test]
    fn a_text_is_what_stands_between_its_quotes() {
        for (text, inner) in [
            ("\"a\"", "a"),
            ("'''b'''", "b"),
            ("r#\"c\"d\"#", "c\"d"),
            ("`e`", "e"),
            ("b'f'", "f"),
            ("\"\"", ""),
        ] {
            assert_eq!(&text[inside(text).unwrap()], inner, "{text}");
        }
    }
}
