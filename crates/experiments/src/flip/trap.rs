//! Traps: a test in which every assertion fails as soon as it is reached. One that still passes has asserted nothing:
//! its assertions stand in a loop over nothing, in a branch that is not taken, in a callback that nobody calls, or in a
//! block that swallows what they say. Owns where the traps go. It must not say which tests need one.

use proctor_lang::edit::Edit;
use proctor_lang::syntax;
use proctor_lang::{Language, test_at};
use tree_sitter::Node;

/// What the trap says.
const WORDS: &str = "reached";

/// A trap before each assertion of the test that begins at this line; empty where no assertion was found.
pub fn traps(file: &str, source: &str, line: u32) -> Vec<Edit> {
    let Some(language) = Language::of(file) else {
        return Vec::new();
    };
    let Some(parsed) = language.parse(source) else {
        return Vec::new();
    };
    let Some(test) = test_at(language, parsed.root_node(), source, line) else {
        return Vec::new();
    };
    let mut found: Vec<Edit> = Vec::new();
    syntax::walk(test, &|_| true, &mut |node| {
        let Some(kind) = assertion(language, node, source) else {
            return;
        };
        if let Some(edit) = trap(language, spot(language, node, kind, test), source)
            && !found.contains(&edit)
        {
            found.push(edit);
        }
    });
    found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Asks something.
    Asks,
    /// Fails whenever it is run: what asks is the condition around it.
    Fails,
}

fn assertion(language: Language, node: Node<'_>, source: &str) -> Option<Kind> {
    let field = |name| syntax::field(node, name, source);
    match (language, node.kind()) {
        (Language::Python, "assert_statement") => Some(Kind::Asks),
        (Language::Python, "call") => match last(field("function")) {
            "fail" => Some(Kind::Fails),
            name if name.starts_with("assert") => Some(Kind::Asks),
            "raises" | "warns" => Some(Kind::Asks),
            _ => None,
        },
        (Language::Rust, "macro_invocation") => match last(field("macro")) {
            "panic" | "unreachable" => Some(Kind::Fails),
            name if name.contains("assert") => Some(Kind::Asks),
            _ => None,
        },
        (Language::Go, "call_expression") => {
            let (holder, name) = field("function").rsplit_once('.')?;
            match name {
                "Error" | "Errorf" | "Fatal" | "Fatalf" | "Fail" | "FailNow" => Some(Kind::Fails),
                _ if matches!(holder, "assert" | "require") => Some(Kind::Asks),
                _ => None,
            }
        }
        (Language::Java, "method_invocation") => match field("name") {
            "fail" => Some(Kind::Fails),
            name if name.starts_with("assert") || name == "verify" => Some(Kind::Asks),
            _ => None,
        },
        (Language::Script(_), "throw_statement") => Some(Kind::Fails),
        (Language::Script(_), "call_expression") => {
            let function = field("function");
            let root = function.split(['.', '(']).next().unwrap_or_default();
            match last(function) {
                "fail" => Some(Kind::Fails),
                _ if matches!(root, "expect" | "assert") => Some(Kind::Asks),
                name if name.starts_with("assert") => Some(Kind::Asks),
                _ => None,
            }
        }
        _ => None,
    }
}

fn last(path: &str) -> &str {
    path.rsplit(['.', ':']).next().unwrap_or_default()
}

/// The statement that holds an assertion; for one that fails whenever it is run, the condition around it.
fn spot<'t>(language: Language, assertion: Node<'t>, kind: Kind, test: Node<'t>) -> Node<'t> {
    let mut at = assertion;
    while let Some(parent) = at.parent().filter(|_| at != test) {
        if is_block(parent) {
            match condition(parent).filter(|_| kind == Kind::Fails) {
                Some(around) => at = around,
                None => return at,
            }
            continue;
        }
        if is_bare_body(language, parent, at) {
            return at;
        }
        at = parent;
    }
    at
}

/// `x => expect(x).toBe(1)`, `|x| assert!(x)`: the body is no statement.
fn is_bare_body(language: Language, parent: Node<'_>, node: Node<'_>) -> bool {
    let function = match language {
        Language::Script(_) => "arrow_function",
        Language::Rust => "closure_expression",
        Language::Python | Language::Go | Language::Java => return false,
    };
    parent.kind() == function && parent.child_by_field_name("body") == Some(node)
}

fn is_block(node: Node<'_>) -> bool {
    matches!(node.kind(), "block" | "statement_block" | "statement_list")
}

/// The whole of the conditions that a block stands behind.
fn condition(block: Node<'_>) -> Option<Node<'_>> {
    let mut at = block.parent()?;
    if is_block(at) {
        at = at.parent()?;
    }
    if !is_condition(at) {
        return None;
    }
    while let Some(parent) = at.parent().filter(|n| is_condition(*n) || n.kind() == "else_clause") {
        at = parent;
    }
    Some(at)
}

fn is_condition(node: Node<'_>) -> bool {
    matches!(node.kind(), "if_statement" | "if_expression" | "elif_clause" | "else_clause")
        || is_choice(node.kind())
        || (node.kind() == "expression_statement"
            && node
                .named_child(0)
                .is_some_and(|n| matches!(n.kind(), "if_expression" | "match_expression")))
}

/// A choice between several cases, and its parts.
fn is_choice(kind: &str) -> bool {
    matches!(
        kind,
        "expression_switch_statement"
            | "type_switch_statement"
            | "select_statement"
            | "expression_case"
            | "type_case"
            | "communication_case"
            | "default_case"
            | "match_expression"
            | "match_block"
            | "match_arm"
    )
}

fn trap(language: Language, spot: Node<'_>, source: &str) -> Option<Edit> {
    let is_body = spot.parent().is_some_and(|p| is_bare_body(language, p, spot));
    if !is_body && !spot.parent().is_some_and(is_block) {
        return None;
    }
    let range = spot.byte_range();
    let start = range.start;
    let line_start = source.get(..start)?.rfind('\n').map_or(0, |n| n + 1);
    let indent = source.get(line_start..start)?;
    let text = match language {
        Language::Script(_) if is_body => {
            let old = syntax::text(spot, source);
            format!("(() => {{ throw new Error('{WORDS}'); }})() ?? ({old})")
        }
        Language::Script(_) => format!("if (true) throw new Error('{WORDS}'); "),
        Language::Python if indent.trim().is_empty() => {
            format!("raise AssertionError('{WORDS}')\n{indent}")
        }
        Language::Python => format!("raise AssertionError('{WORDS}'); "),
        Language::Rust if is_body => {
            let old = syntax::text(spot, source);
            format!("{{ if true {{ panic!(\"{WORDS}\"); }} {old} }}")
        }
        Language::Rust => format!("if true {{ panic!(\"{WORDS}\"); }} "),
        Language::Go => format!("if true {{ panic(\"{WORDS}\") }}; "),
        Language::Java => format!("if (true) throw new AssertionError(\"{WORDS}\"); "),
    };
    let to = if is_body { range.end } else { start };
    let what = "every assertion fails as soon as it is reached".to_owned();
    Some(Edit { line: syntax::line(spot), from: start, to, text, what })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trapped(file: &str, source: &str, test: &str) -> String {
        let at = source.find(test).unwrap();
        let line = u32::try_from(source[..at].matches('\n').count() + 1).unwrap();
        Edit::applied(source, &traps(file, source, line))
    }

    #[test]
    fn a_trap_stands_where_the_assertion_stands_and_nowhere_before() {
        let python = "def test_a():\n    for x in f():\n        assert x\n    with raises(E):\n        g()\n    if h(): fail('no')\n";
        insta::assert_snapshot!(trapped("test_a.py", python, "def"), @r"
        def test_a():
            for x in f():
                raise AssertionError('reached')
                assert x
            raise AssertionError('reached')
            with raises(E):
                g()
            raise AssertionError('reached')
            if h(): fail('no')
        ");
        let script = "test('a', () => {\n  for (const x of f()) {\n    assert.equal(x, 1);\n  }\n  f().forEach((x) => expect(x).toBe(1));\n  if (g()) { throw new Error('no'); }\n});\n";
        insta::assert_snapshot!(trapped("a.test.js", script, "test"), @r"
        test('a', () => {
          for (const x of f()) {
            if (true) throw new Error('reached'); assert.equal(x, 1);
          }
          f().forEach((x) => (() => { throw new Error('reached'); })() ?? (expect(x).toBe(1)));
          if (true) throw new Error('reached'); if (g()) { throw new Error('no'); }
        });
        ");
        let go = "package a\nfunc TestA(t *testing.T) {\n\tfor _, x := range f() {\n\t\tif x != 1 {\n\t\t\tt.Fatal(x)\n\t\t} else if y {\n\t\t\tt.Error(x)\n\t\t}\n\t}\n}\n";
        insta::assert_snapshot!(trapped("a_test.go", go, "func"), @r#"
        package a
        func TestA(t *testing.T) {
        	for _, x := range f() {
        		if true { panic("reached") }; if x != 1 {
        			t.Fatal(x)
        		} else if y {
        			t.Error(x)
        		}
        	}
        }
        "#);
        let rust = "#[test]\nfn a() {\n    for x in f() {\n        assert_eq!(x, 1);\n    }\n    if g() { panic!(); }\n}\n";
        insta::assert_snapshot!(trapped("tests/a.rs", rust, "fn a"), @r#"
        #[test]
        fn a() {
            for x in f() {
                if true { panic!("reached"); } assert_eq!(x, 1);
            }
            if true { panic!("reached"); } if g() { panic!(); }
        }
        "#);
    }

    #[test]
    fn what_fails_in_a_case_of_a_choice_is_asked_by_the_choice() {
        let go = "package a\nfunc TestA(t *testing.T) {\n\tfor _, x := range f() {\n\t\tswitch {\n\t\tcase x < 1, x > 2:\n\t\t\tt.Error(x)\n\t\t}\n\t}\n\tselect {\n\tcase <-done:\n\tcase <-late:\n\t\tt.Fatal()\n\t}\n}\n";
        let trapped_go = trapped("a_test.go", go, "func");
        for choice in ["switch {", "select {"] {
            let trap = format!("if true {{ panic(\"reached\") }}; {choice}");
            assert!(trapped_go.contains(&trap), "{trapped_go}");
        }
        assert_eq!(trapped_go.matches("reached").count(), 2, "{trapped_go}");
        let rust = "#[test]\nfn a() {\n    for x in f() {\n        match x {\n            Ok(_) => {}\n            Err(why) => {\n                panic!(\"{why}\");\n            }\n        }\n    }\n}\n";
        let trapped_rust = trapped("tests/a.rs", rust, "fn a");
        assert!(
            trapped_rust.contains("if true { panic!(\"reached\"); } match x {"),
            "{trapped_rust}"
        );
    }

    #[test]
    fn what_a_closure_asserts_is_reached_when_it_is_called() {
        let rust = "#[test]\nfn a() {\n    let check = |x: u8| assert_eq!(x, 1);\n    f().for_each(|x| check(x));\n}\n";
        let trapped = trapped("tests/a.rs", rust, "fn a");
        let body = "|x: u8| { if true { panic!(\"reached\"); } assert_eq!(x, 1) };";
        assert!(trapped.contains(body), "{trapped}");
    }

    #[test]
    fn a_test_without_assertions_of_its_own_gets_none() {
        assert_eq!(traps("test_a.py", "def test_a():\n    check(f())\n", 1), []);
        assert_eq!(traps("a.txt", "def test_a():\n    check(f())\n", 1), []);
    }
}
