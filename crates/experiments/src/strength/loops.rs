//! How often a test checks: the loops around an assertion, the rows of tables, the ends of counting loops.

use super::around::checks_inside;
use super::model::{Rows, Source, Test};
use super::scope::Scope;
use super::tokens::{Kind, Token, bare, call, depths, number, split};
use proctor_lang::Language;
use proctor_lang::syntax;
use tree_sitter::Node;

/// How often the loops around a node make it, as far as that is written.
pub(super) fn rows(source: &Source<'_>, node: Node<'_>, body: Node<'_>, scope: &Scope) -> Rows {
    let mut rows = Rows::Known(1);
    let mut at = node;
    while at != body
        && let Some(parent) = at.parent()
    {
        if let Some(over) = looped_over(source, parent) {
            rows = rows.times(counted(&scope.spelled_out(&over, parent.start_byte())));
        }
        at = parent;
    }
    rows
}

/// What a loop goes over, as text.
pub(super) fn looped_over(source: &Source<'_>, node: Node<'_>) -> Option<String> {
    match (source.language, node.kind()) {
        (Language::Python, "for_statement" | "for_in_clause")
        | (Language::Script(_), "for_in_statement") => Some(source.field(node, "right").to_owned()),
        (Language::Rust, "for_expression") | (Language::Java, "enhanced_for_statement") => {
            Some(source.field(node, "value").to_owned())
        }
        (Language::Script(_) | Language::Go | Language::Java, "for_statement") => {
            let part = |kind: &str| syntax::children(node).into_iter().find(|n| n.kind() == kind);
            let text = part("range_clause").map_or_else(
                || source.field(part("for_clause").unwrap_or(node), "condition"),
                |range| source.field(range, "right"),
            );
            Some(text.to_owned())
        }
        (_, "while_statement" | "while_expression" | "loop_expression") => Some("?".to_owned()),
        (Language::Script(_), "call_expression") => {
            let function = node.child_by_field_name("function")?;
            let method = source.field(function, "property");
            matches!(method, "forEach" | "map").then(|| source.field(function, "object").to_owned())
        }
        _ => None,
    }
}

/// The number of rounds over something written out; open where it is not.
pub(super) fn counted(over: &[Token]) -> Rows {
    if let Some(rows) = table(over) {
        return Rows::Known(rows.len());
    }
    bound(over).and_then(|n| usize::try_from(n).ok()).map_or(Rows::Open, Rows::Known)
}

/// The rows of a table that is written out: `[1, 2]`, `vec![…]`, `[]struct{…}{…}`, `&[…]`, `[…].iter()`.
pub(super) fn table(over: &[Token]) -> Option<Vec<Vec<Token>>> {
    let mut over = over;
    while let [first, rest @ ..] = over
        && first.is("&")
    {
        over = rest;
    }
    let depths = depths(over);
    let opens: Vec<usize> = (0..over.len())
        .filter(|i| depths[*i] == 0 && (over[*i].is("[") || over[*i].is("{") || over[*i].is("(")))
        .collect();
    let starts_list = over.first().is_some_and(|t| t.is("[") || t.is("(") || t.is("{"));
    let is_vec = over.len() > 2 && over[0].is("vec") && over[1].is("!");
    let is_map = over.first().is_some_and(|t| t.is("map"));
    // Go: the last braces hold the rows. Elsewhere the first brackets do, and what follows only goes over them.
    let go = opens.len() > 1 && (starts_list || is_map) && over.last().is_some_and(|t| t.is("}"));
    let open = if go {
        *opens.last()?
    } else if starts_list || is_vec {
        *opens.first()?
    } else {
        return None;
    };
    let close = (open + 1..over.len())
        .find(|i| depths[*i] == 0 && matches!(over[*i].text.as_str(), "]" | "}" | ")"))?;
    let after = &over[close + 1..];
    let harmless = after.is_empty()
        || after.iter().all(|t| {
            matches!(
                t.text.as_str(),
                "." | "iter"
                    | "into_iter"
                    | "entries"
                    | "items"
                    | "("
                    | ")"
                    | "as"
                    | "const"
                    | "copied"
                    | "cloned"
                    | "values"
            )
        });
    let rows = split(&over[open + 1..close], ",");
    // A range is no table.
    let range = rows.len() == 1 && rows[0].iter().any(|t| t.is("..") || t.is("..=") || t.is("for"));
    (harmless && !range).then(|| rows.into_iter().map(<[Token]>::to_vec).collect())
}

/// Adds the cases and the bounds of the loops in a test that check something.
pub(super) fn note_loops(source: &Source<'_>, body: Node<'_>, scope: &Scope, test: &mut Test) {
    syntax::walk(body, &|_| true, &mut |node| {
        let Some(over) = looped_over(source, node).filter(|_| checks_somehow(source, node)) else {
            return;
        };
        note_cases(&scope.spelled_out(&over, node.start_byte()), test);
    });
}

/// Adds the rows of a table, or the bound of a loop.
pub(super) fn note_cases(over: &[Token], test: &mut Test) {
    if let Some(rows) = table(over) {
        test.cases.extend(rows);
    } else if let Some(bound) = bound(over) {
        test.bounds.push(bound);
    } else {
        test.open_cases = true;
    }
}

/// Whether a node checks something, itself or by a function of the file.
fn checks_somehow(source: &Source<'_>, node: Node<'_>) -> bool {
    let mut found = checks_inside(source, node);
    syntax::walk(node, &|_| true, &mut |n| {
        if matches!(n.kind(), "call" | "call_expression") {
            let name = source.field(n, "function");
            let name = name.rsplit(['.', ':']).next().unwrap_or(name);
            found |= source.functions.get(name).is_some_and(|f| checks_inside(source, *f));
        }
    });
    found
}

/// The upper end of a counting loop: `range(10)`, `0..10`, `i < 10`, `range 10`.
pub(super) fn bound(over: &[Token]) -> Option<u64> {
    let whole = |n: f64| {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // A literal of a loop.
        (0.0..1e15).contains(&n).then_some(n as u64)
    };
    if let Some((called, arguments)) = call(over)
        && called.last().is_some_and(|t| t.is("range"))
    {
        let end = if arguments.len() > 1 { arguments[1] } else { *arguments.first()? };
        return number(end).and_then(whole);
    }
    let over = over.strip_suffix(&[Token { kind: Kind::Mark, text: ";".into() }]).unwrap_or(over);
    for mark in ["..=", "..", "<=", "<"] {
        if let [_, end] = split(bare(over), mark).as_slice() {
            return number(end).and_then(whole);
        }
    }
    number(over).and_then(whole)
}
