//! What is given and what is expected in tests of Java, and the rows of their tables.

use super::literals::{Literal, Value};
use proctor_lang::java::checks::{Asks, Role, arguments, check, is_plain};
use proctor_lang::literal::{Number, Worth, inside};
use proctor_lang::syntax::{children, field, text, walk};
use std::ops::Range;
use tree_sitter::Node;

/// For each parameter of the test in a span, whether it is only held against an answer.
pub(super) fn columns(root: Node<'_>, source: &str, span: &Range<usize>) -> Vec<bool> {
    let mut found = Vec::new();
    let meets = |n: Node<'_>| n.start_byte() < span.end && n.end_byte() > span.start;
    walk(root, &meets, &mut |n| {
        let inside = n.start_byte() >= span.start && n.end_byte() <= span.end;
        let test = n.kind() == "method_declaration" && field(n, "type", source) == "void";
        if inside && test && found.is_empty() {
            let given = n.child_by_field_name("parameters").map(children).unwrap_or_default();
            found =
                given.iter().map(|p| is_expected(n, field(*p, "name", source), source)).collect();
        }
    });
    found
}

/// Whether a parameter stands nowhere but where a check has what it expects.
fn is_expected(method: Node<'_>, name: &str, source: &str) -> bool {
    let Some(body) = method.child_by_field_name("body") else { return false };
    let (mut uses, mut expected) = (0, 0);
    walk(body, &|_| true, &mut |n| {
        let called = n.parent().is_some_and(|p| p.child_by_field_name("name") == Some(n));
        uses += usize::from(n.kind() == "identifier" && !called && text(n, source) == name);
        // The call that a chain ends with has them all.
        let inner = n.parent().is_some_and(|p| p.child_by_field_name("object") == Some(n));
        if let Some(found) = check(n, source).filter(|_| !inner) {
            let is_it =
                |(n, role): &&(Node<'_>, Role)| *role == Role::Expected && text(*n, source) == name;
            expected += found.given.iter().filter(is_it).count();
        }
    });
    uses > 0 && uses == expected
}

/// The children of a node, and whether what stands in them is expected.
pub(super) fn roles<'t>(
    node: Node<'t>,
    source: &str,
    (expected, columns): (bool, &[bool]),
) -> Vec<(Node<'t>, bool)> {
    let all = children(node);
    let with = |expected: bool| all.iter().map(|n| (*n, expected)).collect();
    match node.kind() {
        "method_invocation" => match check(node, source) {
            Some(found) if found.asks == Asks::Other && found.name != "fail" => with(false),
            Some(found) => {
                let given = found.given.into_iter().filter(|(_, role)| *role != Role::Said);
                given.map(|(n, role)| (n, role == Role::Expected)).collect()
            }
            None => called(node, source, (expected, columns)),
        },
        "binary_expression" => {
            let operator = field(node, "operator", source);
            let compares = matches!(operator, "==" | "!=" | "<" | ">" | "<=" | ">=");
            let plain = |n: Node<'_>| expected || compares && is_plain(n, source);
            all.iter().map(|n| (*n, plain(*n))).collect()
        }
        // What is said when it fails comes second.
        "assert_statement" => all.into_iter().take(1).map(|n| (n, expected)).collect(),
        // What is taken out of an answer is no input.
        "array_access" => {
            all.into_iter().enumerate().map(|(n, child)| (child, n > 0 || expected)).collect()
        }
        "lambda_expression" | "variable_declarator" | "assignment_expression" => with(false),
        _ => with(expected),
    }
}

/// A call that is no check: a row of a table, a comparison, or the code.
fn called<'t>(
    call: Node<'t>,
    source: &str,
    (expected, columns): (bool, &[bool]),
) -> Vec<(Node<'t>, bool)> {
    let given = arguments(call);
    let object = call.child_by_field_name("object").map(|o| (o, expected));
    let name = field(call, "name", source);
    let row = matches!(name, "of" | "arguments") && given.len() == columns.len();
    let role = |(n, node): (usize, Node<'t>)| match name {
        _ if row && !expected => (node, columns.get(n) == Some(&true)),
        "equals" => (node, expected || is_plain(node, source)),
        _ => (node, expected),
    };
    object.into_iter().chain(given.into_iter().enumerate().map(role)).collect()
}

/// Whether an annotation gives a test its rows.
pub(super) fn holds_rows(mark: Node<'_>, source: &str) -> bool {
    let name = field(mark, "name", source);
    matches!(name.rsplit('.').next(), Some("ValueSource" | "CsvSource"))
}

/// The cells of rows that are written as text, one string a row.
pub(super) fn cells(mark: Node<'_>, source: &str, columns: &[bool]) -> Option<Vec<Literal>> {
    let name = field(mark, "name", source);
    if mark.kind() != "annotation" || !name.ends_with("CsvSource") {
        return None;
    }
    let list = mark.child_by_field_name("arguments")?;
    let pairs = children(list);
    let value = |key: &str| {
        let pair = pairs.iter().find(|p| field(**p, "key", source) == key)?;
        pair.child_by_field_name("value")
    };
    let said = value("delimiter").or_else(|| value("delimiterString"));
    let delimiter = said.map_or(",", |n| text(n, source).trim_matches(['"', '\'']));
    let rows = value("value").or_else(|| value("textBlock")).unwrap_or(list);
    let mut found = Vec::new();
    walk(rows, &|n| n.kind() != "element_value_pair", &mut |n| {
        let inner = inside(text(n, source)).filter(|_| n.kind() == "string_literal");
        let Some(inner) = inner else { return };
        let mut at = n.start_byte() + inner.start;
        let whole = text(n, source).get(inner).unwrap_or_default();
        let first = n.start_position().row;
        for (line, below) in whole.split_inclusive('\n').zip(0..) {
            let place = (at, first + below);
            found.extend(row(place, line.trim_end_matches('\n'), (delimiter, columns)));
            at += line.len();
        }
    });
    Some(found)
}

/// The cells of one row that begins at a place, in a line.
fn row(
    (start, line): (usize, usize),
    text: &str,
    (delimiter, columns): (&str, &[bool]),
) -> Vec<Literal> {
    let mut found = Vec::new();
    let mut at = start;
    for (n, cell) in text.split(delimiter).enumerate() {
        let before = cell.len() - cell.trim_start().len();
        let bare = cell.trim();
        let quoted = bare.len() > 1 && bare.starts_with('\'') && bare.ends_with('\'');
        let (inner, more) = if quoted { (&bare[1..bare.len() - 1], 1) } else { (bare, 0) };
        let from = at + before + more;
        let number = Number::read(inner).filter(|n| n.suffix().is_empty());
        let value = match number.map(|n| (n.worth, n.shown())) {
            Some((Worth::Whole(n), _)) => Value::Whole(n),
            Some((Worth::Float(_), shown)) => Value::Float(shown),
            None => Value::String(inner.to_owned()),
        };
        let expected = columns.get(n) == Some(&true);
        let around = (String::new(), String::new());
        if !inner.is_empty() {
            let range = from..from + inner.len();
            found.push(Literal { range, value, expected, line, around });
        }
        at += cell.len() + delimiter.len();
    }
    found
}

/// Whether these are the arguments of what makes a list of them.
pub(super) fn makes_list(node: Node<'_>, source: &str) -> bool {
    let Some(call) = node.parent().filter(|p| p.kind() == "method_invocation") else {
        return false;
    };
    let made = (field(call, "object", source), field(call, "name", source));
    node.kind() == "argument_list"
        && matches!(made, ("List" | "Set" | "Stream" | "IntStream", "of") | ("Arrays", "asList"))
}
