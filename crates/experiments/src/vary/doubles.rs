//! Doubles of a test that give the code what the test gives, and hold something else against it: another expectation, or
//! the test without the statements that use a name. Nothing is run or judged here.

use super::literals::{self, Literal, Value};
use super::other;
use crate::observe::{parsed, span};
use proctor_core::observation::Swap;
use proctor_lang::Language;
use proctor_lang::edit::Edit;
use proctor_lang::literal::stepped;
use proctor_lang::syntax::{children, line, text, walk};
use std::ops::Range;
use tree_sitter::Node;

/// How many expectations of one test are others at most.
const MOST: usize = 6;

/// Statements that can be left out as a whole.
const STATEMENTS: [&str; 7] = [
    "expression_statement",
    "lexical_declaration",
    "variable_declaration",
    "short_var_declaration",
    "assignment_statement",
    "let_declaration",
    "local_variable_declaration",
];

/// One double, and what it changes; places count from the beginning of the test's span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Double {
    pub swap: Swap,
    pub line: u32,
    pub was: String,
    pub now: String,
    pub edits: Vec<Edit>,
}

/// The doubles of the test that begins at this line. `missing` are names that the base lacks.
pub fn doubles(file: &str, source: &str, at: u32, missing: &[String]) -> Vec<Double> {
    let Some((span, language)) = span(file, source, at).zip(Language::of(file)) else {
        return Vec::new();
    };
    let Some(tree) = parsed(language, source) else { return Vec::new() };
    let root = tree.root_node();
    let found = literals::of(language, root, source, &span);
    let expected = found.literals.iter().filter(|l| l.expected && !is_index(root, &l.range));
    let mut all: Vec<Double> =
        expected.filter_map(|literal| swapped(literal, &span, source)).take(MOST).collect();
    let names = missing.iter().filter_map(|name| name.rsplit(['.', ':', '/']).next());
    all.extend(names.filter_map(|name| without(root, source, (&span, language), name)).take(1));
    all
}

fn swapped(literal: &Literal, span: &Range<usize>, source: &str) -> Option<Double> {
    let now = match &literal.value {
        // Small numbers stay small: they may have to fit into a byte.
        Value::Whole(n) if n.unsigned_abs() < 300 => stepped(*n, 41).to_string(),
        Value::Whole(n) if n.unsigned_abs() < 1 << 64 => stepped(*n, n / 2 + 617).to_string(),
        Value::Whole(_) => return None,
        Value::Float(x) => format!("{:?}", x.parse::<f64>().ok()? * 2.0 + 41.5),
        Value::String(said) if said.is_empty() => "Zuqo".to_owned(),
        value @ (Value::String(_) | Value::Letter(_)) => other::all(value, 0)?,
    };
    let was = literal.value.shown();
    let edit = cut(&literal.range, span, literal.written(&now));
    let before = source.get(..literal.range.start)?;
    let line = u32::try_from(before.matches('\n').count() + 1).ok()?;
    (now != was).then(|| Double { swap: Swap::Expectation, line, was, now, edits: vec![edit] })
}

/// The test without the statements that use a name; none where an assertion uses it, or anything that is no statement.
fn without(
    root: Node<'_>,
    source: &str,
    (span, language): (&Range<usize>, Language),
    name: &str,
) -> Option<Double> {
    let nothing = if language == Language::Python { "pass" } else { "" };
    let inside = |n: Node<'_>| n.start_byte() < span.end && n.end_byte() > span.start;
    let mut uses = Vec::new();
    walk(root, &inside, &mut |n| {
        if n.named_child_count() == 0 && text(n, source) == name && n.start_byte() >= span.start {
            uses.push(n);
        }
    });
    let mut found: Vec<Node<'_>> = Vec::new();
    for used in uses {
        let mut at = Some(used);
        while let Some(node) = at.filter(|n| !STATEMENTS.contains(&n.kind())) {
            at = node.parent();
        }
        let statement = at.filter(|n| n.start_byte() >= span.start && !asks(text(*n, source)))?;
        if !found.contains(&statement) {
            found.push(statement);
        }
    }
    let line = line(*found.first()?);
    let edits = found.iter().map(|n| cut(&n.byte_range(), span, nothing.to_owned())).collect();
    let (was, now) = (name.to_owned(), String::new());
    Some(Double { swap: Swap::Without, line, was, now, edits })
}

/// Whether a statement may hold an assertion, or one of its own.
fn asks(said: &str) -> bool {
    let lower = said.to_lowercase();
    ["assert", "expect", "check", "require", "verify", "fatal", "{\n"]
        .iter()
        .any(|word| lower.contains(word))
}

/// Whether a literal says which part of a value is meant.
fn is_index(root: Node<'_>, range: &Range<usize>) -> bool {
    let node = root.descendant_for_byte_range(range.start, range.end);
    let mut at = node;
    while let Some(above) = at.and_then(|n| n.parent()) {
        let kind = above.kind();
        if kind.contains("subscript") || kind.contains("index_expression") || kind.contains("slice")
        {
            let first = children(above).first().map(Node::byte_range);
            return first.is_none_or(|first| !first.contains(&range.start));
        }
        at = Some(above).filter(|n| n.byte_range() == *range || kind == "slice_element");
    }
    false
}

fn cut(range: &Range<usize>, span: &Range<usize>, text: String) -> Edit {
    let (from, to) = (range.start - span.start, range.end - span.start);
    Edit { line: 0, from, to, text, what: String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(file: &str, text: &str, at: u32, missing: &[&str]) -> Vec<String> {
        let missing: Vec<String> = missing.iter().map(|m| (*m).to_owned()).collect();
        let whole = &text[span(file, text, at).unwrap()];
        let all = doubles(file, text, at, &missing);
        all.iter().map(|double| Edit::applied(whole, &double.edits)).collect()
    }

    #[test]
    fn each_expectation_becomes_another_far_from_it() {
        let text =
            "def test_net():\n    assert net(200, 10) == 180\n    assert name(1)[0] == 'ab'\n";
        let made = of("test_a.py", text, 1, &[]);
        assert_eq!(made.len(), 2, "{made:#?}");
        assert!(made[0].contains("net(200, 10) == 221"), "{made:#?}");
        assert!(made[1].contains("name(1)[0] == '") && !made[1].contains("'ab'"), "{made:#?}");
        let all = doubles("test_a.py", text, 1, &[]);
        assert_eq!((all[0].line, all[0].was.as_str()), (2, "180"));
    }

    #[test]
    fn statements_that_use_a_missing_name_are_left_out_where_no_assertion_uses_it() {
        let text = "def test_a():\n    x = [1]\n    shop.reset(x)\n    assert shop.total(x) == 1\n";
        let made = of("test_a.py", text, 1, &["shop.reset"]);
        assert!(made.iter().any(|m| m.contains("    pass\n") && !m.contains("reset")), "{made:#?}");
        assert_eq!(of("test_a.py", text, 1, &["total"]).len(), 1);
        let text = "#[test]\nfn a() {\n    let x = [1];\n    shop::reset(&x);\n    assert_eq!(shop::total(&x), 1);\n}\n";
        let made = of("tests/a.rs", text, 2, &["reset"]);
        assert!(made.iter().any(|m| !m.contains("reset")), "{made:#?}");
    }
}
