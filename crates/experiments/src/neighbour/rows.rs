//! The cells of a test's tables that are inputs: pytest's `parametrize`, `it.each`, tables of Go, loops of Rust, by the
//! names under which the test gets them.

use proctor_lang::Language;
use proctor_lang::syntax;
use tree_sitter::Node;

/// The cells whose names the test passes on to the code.
pub(super) fn cells<'t>(
    language: Language,
    source: &str,
    test: Node<'t>,
    is_input: &dyn Fn(&str) -> bool,
) -> Vec<Node<'t>> {
    match language {
        Language::Python => parametrized(source, test, is_input),
        Language::Script(_) => each(source, test, is_input),
        Language::Go => table(source, test, is_input),
        Language::Rust => looped(source, test, is_input),
        Language::Java => Vec::new(),
    }
}

fn inner(node: Node<'_>) -> Vec<Node<'_>> {
    syntax::children(node).into_iter().filter(|n| n.kind() != "comment").collect()
}

/// The cells of rows by their columns' names. A single column has no rows of its own.
fn by_name<'t>(
    names: &[String],
    rows: Vec<Node<'t>>,
    is_input: &dyn Fn(&str) -> bool,
) -> Vec<Node<'t>> {
    let mut found = Vec::new();
    for row in rows {
        let cells = match row.kind() {
            "tuple" | "list" | "array" if names.len() > 1 => inner(row),
            // `pytest.param(1, 2, id="…")`
            "call" => {
                let given = row.child_by_field_name("arguments").map(inner).unwrap_or_default();
                given.into_iter().filter(|n| n.kind() != "keyword_argument").collect()
            }
            _ => vec![row],
        };
        found.extend(
            names.iter().zip(cells).filter(|(name, _)| is_input(name)).map(|(_, cell)| cell),
        );
    }
    found
}

fn parametrized<'t>(
    source: &str,
    test: Node<'t>,
    is_input: &dyn Fn(&str) -> bool,
) -> Vec<Node<'t>> {
    let whole = test.parent().filter(|p| p.kind() == "decorated_definition");
    let mut found = Vec::new();
    for decorator in whole.map(inner).unwrap_or_default() {
        let Some(call) = decorator.named_child(0).filter(|n| n.kind() == "call") else {
            continue;
        };
        if !syntax::field(call, "function", source).ends_with("parametrize") {
            continue;
        }
        let given = call.child_by_field_name("arguments").map(inner).unwrap_or_default();
        if let [names, rows, ..] = given.as_slice() {
            let words =
                syntax::text(*names, source).split(|c: char| !(c.is_alphanumeric() || c == '_'));
            let words: Vec<String> = words.filter(|w| !w.is_empty()).map(str::to_owned).collect();
            found.extend(by_name(&words, inner(*rows), is_input));
        }
    }
    found
}

fn each<'t>(source: &str, test: Node<'t>, is_input: &dyn Fn(&str) -> bool) -> Vec<Node<'t>> {
    let table = test
        .child_by_field_name("function")
        .filter(|f| {
            f.kind() == "call_expression"
                && syntax::field(*f, "function", source).rsplit('.').next() == Some("each")
        })
        .and_then(|f| f.child_by_field_name("arguments"))
        .and_then(|a| inner(a).first().copied())
        .filter(|n| n.kind() == "array");
    let callback = test.child_by_field_name("arguments").and_then(|a| inner(a).pop());
    let (Some(table), Some(callback)) = (table, callback) else {
        return Vec::new();
    };
    let patterns = proctor_lang::js::script::parameters(callback);
    // `it.each([{ a: 1, want: 2 }])('…', ({ a, want }) => …)`
    if let [only] = patterns.as_slice()
        && only.kind() == "object_pattern"
    {
        let pairs = inner(table).into_iter().filter(|r| r.kind() == "object").flat_map(inner);
        return pairs
            .filter(|pair| pair.kind() == "pair" && is_input(syntax::field(*pair, "key", source)))
            .filter_map(|pair| pair.child_by_field_name("value"))
            .collect();
    }
    let names: Vec<String> = patterns.iter().map(|p| syntax::text(*p, source).to_owned()).collect();
    by_name(&names, inner(table), is_input)
}

fn table<'t>(source: &str, test: Node<'t>, is_input: &dyn Fn(&str) -> bool) -> Vec<Node<'t>> {
    let (mut rows_named, mut keys_named) = (Vec::new(), Vec::new());
    let mut literals = Vec::new();
    syntax::walk(test, &|_| true, &mut |n| match n.kind() {
        "range_clause" => {
            let left = syntax::field(n, "left", source);
            rows_named.push(left.rsplit(',').next().unwrap_or_default().trim());
            keys_named.push(left.split(',').next().unwrap_or_default().trim());
        }
        "composite_literal" => literals.push(n),
        _ => {}
    });
    let mut found = Vec::new();
    for literal in literals {
        let columns = columns(literal, source);
        let Some(body) = literal.child_by_field_name("body") else {
            continue;
        };
        // `for in, want := range map[string]int{"a": 1}`
        if syntax::field(literal, "type", source).starts_with("map[") {
            let pairs = inner(body).into_iter().filter(|n| n.kind() == "keyed_element").map(inner);
            for (key, value) in pairs.filter_map(|p| Some((*p.first()?, *p.get(1)?))) {
                found.extend(keys_named.iter().any(|name| is_input(name)).then_some(key));
                found.extend(rows_named.iter().any(|name| is_input(name)).then_some(value));
            }
        }
        for row in inner(body).into_iter().filter_map(row_of) {
            for (at, cell) in inner(row).into_iter().enumerate() {
                let parts = inner(cell);
                let (name, value) = match (cell.kind(), parts.as_slice()) {
                    ("keyed_element", [key, value]) => {
                        (syntax::text(*key, source).to_owned(), *value)
                    }
                    _ => (columns.get(at).cloned().unwrap_or_default(), cell),
                };
                if rows_named.iter().any(|row| is_input(&format!("{row}.{name}"))) {
                    found.push(value);
                }
            }
        }
    }
    found
}

/// The inside of a row: `{1, 2}`, `"name": {1, 2}`, `row{1, 2}`, `&row{1, 2}`.
fn row_of(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "literal_value" => Some(node),
        "composite_literal" => node.child_by_field_name("body"),
        "literal_element" | "unary_expression" | "keyed_element" => row_of(inner(node).pop()?),
        _ => None,
    }
}

fn columns(literal: Node<'_>, source: &str) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(kind) = literal.child_by_field_name("type") {
        syntax::walk(kind, &|_| true, &mut |n| {
            if n.kind() == "field_declaration" {
                let mut cursor = n.walk();
                let names = n.children_by_field_name("name", &mut cursor);
                found.extend(names.map(|name| syntax::text(name, source).to_owned()));
            }
        });
    }
    found
}

/// Rust: `for (text, want) in [("a", 1), ("b", 2)]`, also where the list has a name, and rows of fields.
fn looped<'t>(source: &str, test: Node<'t>, is_input: &dyn Fn(&str) -> bool) -> Vec<Node<'t>> {
    let (mut loops, mut lists) = (Vec::new(), Vec::new());
    syntax::walk(test, &|_| true, &mut |n| match n.kind() {
        "for_expression" => loops.push(n),
        "array_expression" => lists.push(n),
        _ => {}
    });
    let mut found = Vec::new();
    for each in loops {
        let Some((pattern, over)) =
            each.child_by_field_name("pattern").zip(each.child_by_field_name("value"))
        else {
            continue;
        };
        let within =
            |n: &&Node<'_>| over.start_byte() <= n.start_byte() && n.end_byte() <= over.end_byte();
        let named = |n: &&Node<'_>| {
            let binding = (0..3).scan(**n, |at, _| {
                *at = at.parent()?;
                Some(*at)
            });
            let mut held = binding
                .filter(|n| matches!(n.kind(), "let_declaration" | "const_item" | "static_item"));
            let name = held.next().map_or("", |n| match syntax::field(n, "pattern", source) {
                "" => syntax::field(n, "name", source),
                name => name,
            });
            let words =
                syntax::text(over, source).split(|c: char| !c.is_alphanumeric() && c != '_');
            !name.is_empty() && words.into_iter().any(|word| word == name)
        };
        let list = lists.iter().find(within).or_else(|| lists.iter().find(named));
        for row in list.map(|list| inner(*list)).unwrap_or_default() {
            found.extend(of_row(source, pattern, row, is_input));
        }
    }
    found
}

/// The cells of one row by what the loop's pattern calls them.
fn of_row<'t>(
    source: &str,
    pattern: Node<'_>,
    row: Node<'t>,
    is_input: &dyn Fn(&str) -> bool,
) -> Vec<Node<'t>> {
    match (pattern.kind(), row.kind()) {
        ("reference_pattern", _) => {
            let inside = inner(pattern).pop();
            inside.map_or_else(Vec::new, |inside| of_row(source, inside, row, is_input))
        }
        (_, "reference_expression") => {
            let inside = inner(row).pop();
            inside.map_or_else(Vec::new, |inside| of_row(source, pattern, inside, is_input))
        }
        ("tuple_pattern", "tuple_expression") => {
            let cells = inner(pattern).into_iter().zip(inner(row));
            cells.flat_map(|(part, cell)| of_row(source, part, cell, is_input)).collect()
        }
        (_, "tuple_expression") => {
            let name = syntax::text(pattern, source);
            let cells = inner(row).into_iter().enumerate();
            cells.filter(|(at, _)| is_input(&format!("{name}.{at}"))).map(|(_, c)| c).collect()
        }
        (_, "struct_expression") => {
            let name = syntax::text(pattern, source);
            let fields = row.child_by_field_name("body").map(inner).unwrap_or_default();
            let given =
                |n: &Node<'_>| is_input(&format!("{name}.{}", syntax::field(*n, "field", source)));
            let values = fields.into_iter().filter(given);
            values.filter_map(|n| n.child_by_field_name("value")).collect()
        }
        _ if is_input(syntax::text(pattern, source)) => vec![row],
        _ => Vec::new(),
    }
}
