//! Functions that give one answer to whatever they are given: nothing of their parameters, of their object or of the
//! program goes into it.

use super::deaf::{FUNCTIONS, Function, functions, gives_back, parameters};
use proctor_lang::literal;
use proctor_lang::syntax;
use std::collections::BTreeSet;
use tree_sitter::Node;

/// What makes a value of a value, and knows nothing.
const MAKERS: [&str; 27] = [
    "int",
    "str",
    "float",
    "len",
    "list",
    "dict",
    "tuple",
    "set",
    "bool",
    "sum",
    "round",
    "abs",
    "min",
    "max",
    "sorted",
    "range",
    "Number",
    "String",
    "Array",
    "Some",
    "Ok",
    "Err",
    "vec",
    "from",
    "to_string",
    "to_owned",
    "format",
];
/// What is still to be written says so itself.
const TO_DO: [&str; 4] =
    ["NotImplementedError", "NotImplementedException", "todo", "unimplemented"];

/// The names of those that begin on these lines.
pub(super) fn constant(root: Node<'_>, source: &str, lines: &BTreeSet<u32>) -> Vec<String> {
    let fixed = bound(root, source, Some(lines));
    let mut found = Vec::new();
    for Function { node, name, body } in functions(root, source, lines) {
        if takes_something(node, source) && (gives_back(body) || raises(body)) {
            let mut known = fixed.clone();
            known.extend(bound(body, source, None));
            let given = parameters(node, source);
            known.retain(|name| !given.contains(name));
            if of_nothing(body, source, &known) {
                found.push(name);
            }
        }
    }
    found
}

/// Whether it could be given anything. A function of JavaScript's that has no parameters gets what it is given all the same.
fn takes_something(function: Node<'_>, source: &str) -> bool {
    let script =
        matches!(function.kind(), "arrow_function" | "function_expression" | "method_definition")
            || source.get(function.start_byte()..).is_some_and(|t| t.starts_with("function"));
    let fields = ["parameters", "parameter"];
    let all = fields.iter().find_map(|field| function.child_by_field_name(field));
    let own = |n: &Node<'_>| {
        let text = syntax::text(*n, source).trim_start_matches(['&', '*']);
        matches!(text.trim_start_matches("mut "), "self" | "cls" | "this")
    };
    script || all.is_some_and(|all| syntax::children(all).iter().any(|n| !own(n)))
}

fn raises(body: Node<'_>) -> bool {
    let mut found = false;
    syntax::walk(body, &|n| !FUNCTIONS.contains(&n.kind()), &mut |n| {
        found |= matches!(n.kind(), "raise_statement" | "throw_statement");
    });
    found
}

/// The names that get a value that says itself what it is.
fn bound(within: Node<'_>, source: &str, lines: Option<&BTreeSet<u32>>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    syntax::walk(within, &|_| true, &mut |n| {
        let is_asked = lines.is_none_or(|lines| lines.contains(&syntax::line(n)));
        let value = ["right", "value"].iter().find_map(|field| n.child_by_field_name(field));
        let named = ["left", "name", "pattern"].iter().find_map(|f| n.child_by_field_name(f));
        let binds = n.kind().contains("assignment")
            || n.kind().contains("declarat")
            || n.kind().ends_with("_item")
            || n.kind().ends_with("_spec");
        if let (true, true, Some(value), Some(named)) = (is_asked, binds, value, named)
            && of_nothing(value, source, &BTreeSet::new())
        {
            found.insert(syntax::text(named, source).trim_start_matches("mut ").to_owned());
        }
    });
    found
}

/// Whether nothing but literals, what is known and what makes values of them is in it.
fn of_nothing(node: Node<'_>, source: &str, known: &BTreeSet<String>) -> bool {
    let mut found = true;
    let into = |n: Node<'_>| {
        literal::kind(n).is_none_or(|_| literal::has_holes(n))
            && !matches!(n.kind(), "raise_statement" | "throw_statement")
    };
    syntax::walk(node, &into, &mut |n| {
        let text = syntax::text(n, source);
        let is_name = n.named_child_count() == 0
            && (n.kind().contains("identifier") || matches!(n.kind(), "self" | "this" | "super"));
        found &= !is_name || known.contains(text) || MAKERS.contains(&text);
        // What a format of Rust's names is text to the parser.
        found &= n.kind() != "string_literal" || !text.contains('{');
        found &= !matches!(n.kind(), "await_expression" | "yield");
        let raised = matches!(n.kind(), "raise_statement" | "throw_statement");
        found &= !raised || !TO_DO.iter().any(|word| text.contains(word));
    });
    found
}

#[cfg(test)]
mod tests {
    use super::super::constant;
    use std::collections::BTreeSet;

    fn found(file: &str, source: &str) -> Vec<String> {
        let lines: BTreeSet<u32> = (1..=20).collect();
        constant(file, source, &lines)
    }

    #[test]
    fn one_answer_to_all_is_told() {
        for (file, source) in [
            ("a.py", "def sub(a, b):\n    return 3\n"),
            (
                "a.py",
                "def sub(a, b):\n    \"\"\"a less b\"\"\"\n    result = 1 + 2\n    return result\n",
            ),
            ("a.py", "ANSWER = [2, 4]\n\n\ndef sub(a):\n    return list(ANSWER)\n"),
            ("a.py", "class A:\n    def sub(self, a):\n        return 'Hello, Bob!'\n"),
            ("a.py", "def sub(a, b):\n    raise ZeroDivisionError('no')\n"),
            ("a.js", "export const sub = () => 3;\n"),
            ("a.js", "function sub(a, b) {\n  return [2, 4];\n}\n"),
            ("a.ts", "export function sub(a: number): string {\n  return 'x';\n}\n"),
            ("a.go", "package a\n\nfunc sub(a, b int) int {\n\treturn 3\n}\n"),
            ("a.go", "package a\n\nfunc sub(_ int) string { return \"x\" }\n"),
            ("a.rs", "pub fn sub(_a: i64, _: i64) -> i64 {\n    3\n}\n"),
            ("a.rs", "pub fn sub(_a: &[u8]) -> Vec<u8> {\n    vec![20, 40]\n}\n"),
            ("a.rs", "pub fn sub(_a: &str) -> String {\n    format!(\"Hello, Bob!\")\n}\n"),
            (
                "a.rs",
                "impl A {\n    fn sub(&self, n: u8) -> Option<u8> {\n        Some(3)\n    }\n}\n",
            ),
        ] {
            assert_eq!(found(file, source), ["sub"], "{source}");
        }
    }

    #[test]
    fn what_looks_at_anything_is_not() {
        for (file, source) in [
            ("a.py", "def sub(a, b):\n    return a - b\n"),
            ("a.py", "def sub():\n    return 3\n"),
            ("a.py", "class A:\n    def sub(self):\n        return 3\n"),
            ("a.py", "class A:\n    def sub(self, a):\n        return self.n\n"),
            ("a.py", "def sub(a):\n    return clock()\n"),
            ("a.py", "def sub(a):\n    raise NotImplementedError\n"),
            ("a.py", "def sub(a):\n    pass\n"),
            ("a.js", "function sub() {\n  return arguments.length;\n}\n"),
            ("a.js", "const sub = (f) => (n) => f(n);\n"),
            ("a.go", "package a\n\nfunc sub(a int) int { return a + 1 }\n"),
            ("a.rs", "fn sub(a: i64) -> i64 {\n    todo!()\n}\n"),
            ("a.rs", "fn sub(a: &str) -> String {\n    format!(\"Hello, {a}!\")\n}\n"),
            ("a.rs", "fn sub(a: u8) -> Vec<u8> {\n    vec![a, 2]\n}\n"),
            ("a.rs", "fn sub(&self) -> i64 {\n    3\n}\n"),
        ] {
            assert_eq!(found(file, source), Vec::<String>::new(), "{source}");
        }
    }
}
