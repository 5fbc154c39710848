//! Refusals that are gone: a condition of the base that did nothing but fail (raise, throw, an error, a panic), whose lines the change takes
//! away and puts nothing in their place; so do decorators and the entries of tables that stand there still. Each can be put back. Found
//! here; whether a test notices is tried.

use crate::ambient::squeezed;
use proctor_lang::edit::Edit;
use proctor_lang::{Language, syntax};
use similar::{DiffTag, TextDiff};
use tree_sitter::Node;

/// A refusal of the base, and the edit of head that puts it back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub text: String,
    /// Where it stood.
    pub line: u32,
    pub back: Edit,
}

pub fn gone(file: &str, base: &str, head: &str) -> Vec<Refusal> {
    let tree = Language::of(file).and_then(|language| language.parse(base));
    let Some(tree) = tree else { return Vec::new() };
    let mut all: Vec<Node<'_>> = Vec::new();
    syntax::walk(tree.root_node(), &|_| true, &mut |node| {
        let is_part = is_decorator(node, (base, head)) || is_entry(node, (base, head));
        if refuses(node, base) || is_part && is_alone_in_its_lines(node, base) {
            all.push(node);
        }
    });
    let rows = |node: &Node<'_>| node.start_position().row..node.end_position().row + 1;
    let starts = starts(head);
    let diff = TextDiff::from_lines(base, head);
    let taken = diff.ops().iter().filter(|op| op.tag() == DiffTag::Delete);
    let mut found = Vec::new();
    for op in taken {
        let (old, at) = (op.old_range(), op.new_range().start);
        let Some(at_byte) = starts.get(at) else { continue };
        let inside = |node: &&Node<'_>| {
            let rows = rows(node);
            old.start <= rows.start && rows.end <= old.end
        };
        for node in all.iter().filter(inside) {
            let text = syntax::text(*node, base);
            // What fails in the same words elsewhere was moved; others may have the same decorator.
            let needle = squeezed(failing(*node).map_or(text, |f| syntax::text(f, base)));
            let most = if is_decorator(*node, (base, head)) { count(base, text) } else { 1 };
            if squeezed(head).matches(&needle).count() >= most {
                continue;
            }
            let lines: String =
                base.split_inclusive('\n').take(rows(node).end).skip(rows(node).start).collect();
            let line = u32::try_from(at + 1).unwrap_or(u32::MAX);
            let what = "a refusal of the base is back".to_owned();
            let back = Edit { line, from: *at_byte, to: *at_byte, text: lines, what };
            // The entries of a table that go together come back together.
            let last: Option<&mut Refusal> = found.last_mut();
            if let Some(last) = last.filter(|l| l.back.from == *at_byte && !refuses(*node, base)) {
                last.back.text.push_str(&back.text);
                continue;
            }
            found.push(Refusal { text: squeezed(text), line: syntax::line(*node), back });
        }
    }
    found
}

/// What stands above a function that head still has, and may guard it.
fn is_decorator(node: Node<'_>, (base, head): (&str, &str)) -> bool {
    let below = node.parent().and_then(|whole| whole.child_by_field_name("definition"));
    let name = below.and_then(|function| function.child_by_field_name("name"));
    let begins = below.zip(name).and_then(|(f, name)| base.get(f.start_byte()..name.end_byte()));
    node.kind() == "decorator" && begins.is_some_and(|begins| head.contains(begins))
}

fn count(text: &str, part: &str) -> usize {
    squeezed(text).matches(&squeezed(part)).count()
}

/// An entry of a table whose beginning head still has.
fn is_entry(node: Node<'_>, (base, head): (&str, &str)) -> bool {
    let Some(table) = node.parent() else { return false };
    let is_list = matches!(table.kind(), "list" | "set" | "array" | "array_expression");
    let entry = matches!(node.kind(), "pair" | "keyed_element") || is_list && node.is_named();
    let begins = base.lines().nth(table.start_position().row).map(squeezed);
    let stays = |begins: String| {
        begins.chars().any(char::is_alphabetic) && head.lines().any(|line| squeezed(line) == begins)
    };
    entry && table.start_position().row < node.start_position().row && begins.is_some_and(stays)
}

/// Whether nothing else stands in the lines of a part, but the comma behind it.
fn is_alone_in_its_lines(node: Node<'_>, source: &str) -> bool {
    let (first, last) = (node.start_position().row, node.end_position().row);
    let lines: Vec<&str> = source.lines().skip(first).take(last + 1 - first).collect();
    let said = lines.join("\n");
    said.trim().trim_end_matches(',') == syntax::text(node, source)
}

/// A condition without another way whose only statement fails.
fn refuses(node: Node<'_>, source: &str) -> bool {
    let is_if = matches!(node.kind(), "if_statement" | "if_expression");
    let otherwise = node.child_by_field_name("alternative").is_some();
    is_if && !otherwise && failing(node).is_some_and(|last| fails(last, source))
}

/// The only statement of a condition.
fn failing(node: Node<'_>) -> Option<Node<'_>> {
    let body = node.child_by_field_name("consequence")?;
    let inner = if matches!(body.kind(), "block" | "statement_block" | "statement_list") {
        let mut own = syntax::children(body);
        // Go has a list of statements inside of its braces.
        if let [list] = own.as_slice()
            && list.kind() == "statement_list"
        {
            own = syntax::children(*list);
        }
        let [only] = own.as_slice() else { return None };
        *only
    } else {
        body
    };
    Some(inner)
}

fn fails(node: Node<'_>, source: &str) -> bool {
    let text = syntax::text(node, source);
    let starts = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
    let returns = || text.starts_with("return") && (text.contains("Err") || text.contains("err"));
    matches!(node.kind(), "raise_statement" | "throw_statement")
        || starts(&["panic(", "panic!(", "bail!(", "throw "])
        || returns()
}

/// Where each line begins, and the end of the text.
pub(crate) fn starts(text: &str) -> Vec<usize> {
    let lines = text.split_inclusive('\n').scan(0, |at, line| {
        *at += line.len();
        Some(*at)
    });
    std::iter::once(0).chain(lines).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_that_is_gone_can_be_put_back() {
        let base = "def f(a):\n    if a < 0:\n        raise ValueError('negative')\n    if a > 9:\n        raise ValueError('large')\n    return a\n";
        let head =
            "def f(a):\n    if a > 9:\n        raise ValueError(f'large: {a}')\n    return a\n";
        let gone = gone("a.py", base, head);
        assert_eq!(gone.len(), 1);
        assert_eq!(
            (gone[0].line, gone[0].text.as_str()),
            (2, "if a < 0: raise ValueError('negative')")
        );
        let back = gone[0].back.apply(head);
        assert!(
            back.starts_with(
                "def f(a):\n    if a < 0:\n        raise ValueError('negative')\n    if a > 9:"
            ),
            "{back}"
        );
    }

    #[test]
    fn decorators_and_entries_of_a_table_can_be_put_back() {
        let base = "ALLOWED = [\n    'get',\n    'head',\n    'post',\n]\n\n\n@signed\n@cached\ndef f(a):\n    return a\n";
        let head = "ALLOWED = [\n    'post',\n]\n\n\n@cached\ndef f(a):\n    return a + 1\n";
        let all = gone("a.py", base, head);
        let texts: Vec<&str> = all.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(texts, ["'get'", "@signed"]);
        assert_eq!(
            all[0].back.apply(head),
            head.replace("    'post',", "    'get',\n    'head',\n    'post',")
        );
        assert_eq!(all[1].back.apply(head), head.replace("@cached", "@signed\n@cached"));
        let others = "@signed\ndef g():\n    return 1\n\n\n";
        assert_eq!(gone("a.py", &format!("{others}{base}"), &format!("{others}{head}")).len(), 2);
        let moved = "import tables\n\n\n@signed\n@cached\ndef f(a):\n    return a\n";
        assert_eq!(gone("a.py", base, moved), []);
        let (base, head) =
            ("const A = {\n  get: 1,\n  put: 2,\n};\n", "const A = {\n  put: 2,\n};\n");
        assert_eq!(gone("a.js", base, head).len(), 1);
    }

    #[test]
    fn the_same_in_other_languages_and_what_moved_is_not_gone() {
        let of = |file: &str, base: &str, head: &str| gone(file, base, head).len();
        assert_eq!(
            of(
                "a.js",
                "function f(a) {\n  if (!a) throw new Error('x');\n  return a;\n}\n",
                "function f(a) {\n  return a;\n}\n"
            ),
            1
        );
        assert_eq!(
            of(
                "a.go",
                "package a\n\nfunc f(a int) error {\n\tif a < 0 {\n\t\treturn ErrRange\n\t}\n\treturn nil\n}\n",
                "package a\n\nfunc f(a int) error {\n\treturn nil\n}\n"
            ),
            1
        );
        assert_eq!(
            of(
                "a.rs",
                "fn f(a: i32) -> Result<i32, E> {\n    if a < 0 {\n        return Err(E::Negative);\n    }\n    Ok(a)\n}\n",
                "fn f(a: i32) -> Result<i32, E> {\n    Ok(a)\n}\n"
            ),
            1
        );
        let base = "def f(a):\n    if a < 0:\n        raise ValueError('negative')\n    return a\n";
        assert_eq!(
            of(
                "a.py",
                base,
                "def check(a):\n    if not a >= 0:\n        raise ValueError('negative')\n\n\ndef f(a):\n    check(a)\n    return a\n"
            ),
            0
        );
    }
}
