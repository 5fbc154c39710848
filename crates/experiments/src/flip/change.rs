//! Another value for an expected one: the replacements inside an expression after which it can't be equal to what it
//! was. Only structures that are nothing but their parts are looked into.

use proctor_lang::Language;
use proctor_lang::literal::{self, Kind, Number, Worth, stepped, whole_as_float};
use proctor_lang::syntax;
use std::ops::Range;
use tree_sitter::Node;

/// What no honest text ends with.
const MARK: &str = "~another~";

/// How far a changed number is from what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    Next,
    /// Beyond any tolerance.
    Far,
}

pub(super) type Part = (Range<usize>, String);

/// The changes that make another value of an expression; empty where there is nothing to change.
pub(super) fn changes(node: Node<'_>, source: &str, language: Language, reach: Reach) -> Vec<Part> {
    let mut parts = Vec::new();
    Changer { source, language, reach }.collect(node, &mut parts);
    parts
}

/// The text of a range with these parts replaced.
pub(super) fn rewritten(source: &str, range: Range<usize>, parts: &[Part]) -> String {
    let mut text = String::new();
    let mut at = range.start;
    for (part, new) in parts {
        text.push_str(source.get(at..part.start).unwrap_or_default());
        text.push_str(new);
        at = part.end;
    }
    text.push_str(source.get(at..range.end).unwrap_or_default());
    text
}

/// A string literal with more at its end.
pub(super) fn marked(text: &str) -> Option<String> {
    let end = literal::inside(text)?.end;
    Some(format!("{}{MARK}{}", text.get(..end)?, text.get(end..)?))
}

struct Changer<'s> {
    source: &'s str,
    language: Language,
    reach: Reach,
}

impl Changer<'_> {
    fn collect(&self, node: Node<'_>, parts: &mut Vec<Part>) {
        if let Some(kind) = literal::kind(node) {
            let text = syntax::text(node, self.source);
            parts.extend(self.other(text, kind).map(|new| (node.byte_range(), new)));
            return;
        }
        match node.kind() {
            "parenthesized_expression"
            | "reference_expression"
            | "as_expression"
            | "satisfies_expression"
            | "literal_element" => self.each(first(node), parts),
            "unary_operator" | "unary_expression" => {
                let minus = syntax::text(node, self.source).starts_with(['-', '&']);
                self.each(syntax::children(node).into_iter().filter(|_| minus).collect(), parts);
            }
            // Adjacent strings are one.
            "concatenated_string" => {
                self.each(syntax::children(node).pop().into_iter().collect(), parts);
            }
            "list" | "tuple" | "array" | "set" | "dictionary" | "object" => {
                self.display(node, parts);
            }
            _ => match self.language {
                Language::Rust => self.rust(node, parts),
                Language::Go => self.go(node, parts),
                Language::Python | Language::Java | Language::Script(_) => {}
            },
        }
    }

    fn each(&self, nodes: Vec<Node<'_>>, parts: &mut Vec<Part>) {
        for node in nodes {
            self.collect(node, parts);
        }
    }

    /// A collection of a language without types: where nothing in it can be changed, it gets one more.
    fn display(&self, node: Node<'_>, parts: &mut Vec<Part>) {
        let before = parts.len();
        for child in syntax::children(node) {
            match child.kind() {
                // Two changed members of a set may change places.
                _ if node.kind() == "set" => {}
                "pair" => {
                    self.each(child.child_by_field_name("value").into_iter().collect(), parts);
                }
                _ => self.collect(child, parts),
            }
        }
        if parts.len() > before {
            return;
        }
        let keyed = matches!(node.kind(), "dictionary" | "object");
        let at = node.start_byte() + 1;
        let empty = syntax::children(node).is_empty();
        let comma = if empty && node.kind() != "tuple" { "" } else { ", " };
        let new = if keyed { "\"another\": 1" } else { "\"another\"" };
        parts.push((at..at, format!("{new}{comma}")));
    }

    fn rust(&self, node: Node<'_>, parts: &mut Vec<Part>) {
        match node.kind() {
            "array_expression" => {
                let length = node.child_by_field_name("length");
                let inner = syntax::children(node).into_iter().filter(|n| Some(*n) != length);
                self.each(inner.collect(), parts);
            }
            "tuple_expression" => self.each(syntax::children(node), parts),
            "struct_expression" => {
                let fields = node.child_by_field_name("body").map(syntax::children);
                for field in fields.unwrap_or_default() {
                    self.each(field.child_by_field_name("value").into_iter().collect(), parts);
                }
            }
            "call_expression" => {
                let Some(function) = node.child_by_field_name("function") else {
                    return;
                };
                let inner = if function.kind() == "field_expression" {
                    let method = syntax::field(function, "field", self.source);
                    let same =
                        ["to_string", "to_owned", "into", "to_vec", "as_str", "as_bytes", "clone"];
                    function.child_by_field_name("value").filter(|_| same.contains(&method))
                } else {
                    let path = syntax::text(function, self.source);
                    let holds = is_constructor(path);
                    node.child_by_field_name("arguments").filter(|_| holds)
                };
                match inner {
                    Some(inner) if inner.kind() == "arguments" => {
                        self.each(syntax::children(inner), parts);
                    }
                    Some(inner) => self.collect(inner, parts),
                    None => {}
                }
            }
            _ => {}
        }
    }

    fn go(&self, node: Node<'_>, parts: &mut Vec<Part>) {
        match node.kind() {
            "composite_literal" => {
                self.each(node.child_by_field_name("body").into_iter().collect(), parts);
            }
            "literal_value" => self.each(syntax::children(node), parts),
            "keyed_element" => {
                self.each(syntax::children(node).pop().into_iter().collect(), parts);
            }
            "type_conversion_expression" => {
                self.each(node.child_by_field_name("operand").into_iter().collect(), parts);
            }
            "call_expression" => {
                // `int64(3)`, `[]byte("a")`
                let function = syntax::field(node, "function", self.source);
                let types = ["int", "uint", "float", "byte", "rune", "string"];
                if types
                    .iter()
                    .any(|t| function.trim_end_matches(|c: char| c.is_ascii_digit()) == *t)
                {
                    let given = node.child_by_field_name("arguments").map(syntax::children);
                    self.each(given.unwrap_or_default(), parts);
                }
            }
            _ => {}
        }
    }

    fn other(&self, text: &str, kind: Kind) -> Option<String> {
        match kind {
            Kind::Number => {
                let number = Number::read(text)?;
                let worth = match (number.worth, self.reach) {
                    (Worth::Whole(n), Reach::Next) => Worth::Whole(stepped(n, 1)),
                    (Worth::Whole(n), Reach::Far) => {
                        Worth::Whole(n.checked_mul(3)?.checked_add(1000)?)
                    }
                    (Worth::Float(x), Reach::Next) => {
                        Worth::Float(if x.abs() < 1e9 { x + 1.0 } else { x * 2.0 })
                    }
                    (Worth::Float(x), Reach::Far) => Worth::Float(x * 3.0 + whole_as_float(1000)),
                };
                Some(number.with(worth))
            }
            // Its length may be part of its type.
            Kind::Text if self.language == Language::Rust && text.starts_with('b') => {
                next_byte(text)
            }
            Kind::Text => marked(text),
            Kind::Letter => {
                let inner = text.get(literal::inside(text)?)?;
                let other = if inner == "x" { "y" } else { "x" };
                Some(text.replacen(inner, other, usize::from(!inner.is_empty())))
            }
            Kind::Truth => Some(
                match text {
                    "True" => "False",
                    "False" => "True",
                    "true" => "false",
                    _ => "true",
                }
                .to_owned(),
            ),
            Kind::Nothing => match self.language {
                Language::Python | Language::Script(_) => Some("\"another\"".to_owned()),
                Language::Rust | Language::Go | Language::Java => None,
            },
        }
    }
}

fn first(node: Node<'_>) -> Vec<Node<'_>> {
    syntax::children(node).into_iter().filter(|n| !n.kind().contains("comment")).take(1).collect()
}

/// A byte string with another last letter.
fn next_byte(text: &str) -> Option<String> {
    let end = literal::inside(text)?.end;
    let last = text.get(..end)?.chars().last().filter(char::is_ascii_alphanumeric)?;
    // The letter of an escape is no letter.
    let escaped = text.get(..end - 1)?.contains('\\');
    let other = if last == 'x' { 'y' } else { 'x' };
    (!escaped).then(|| format!("{}{other}{}", &text[..end - 1], &text[end..]))
}

/// `Some`, `Money`, `Token::Number`, `String::from`: functions that only put together what they are given.
fn is_constructor(path: &str) -> bool {
    let known = [
        "Box::new",
        "Rc::new",
        "Arc::new",
        "String::from",
        "Vec::from",
        "Cow::from",
        "Some",
        "Ok",
        "Err",
        "HashMap::from",
        "BTreeMap::from",
        "HashSet::from",
        "BTreeSet::from",
    ];
    let last = path.rsplit("::").next().unwrap_or_default();
    known.iter().any(|k| path == *k || path.ends_with(&format!("::{k}")))
        || last.chars().next().is_some_and(char::is_uppercase)
}
