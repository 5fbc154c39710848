//! Results that are slightly off: one more, a sign longer, the other truth. A test that asks for the exact result notices
//! each of them, one that asks for something like it does not; so they tell two texts of a test apart.
use proctor_lang::Words;
use proctor_lang::edit::Edit;
use proctor_lang::syntax;
use proctor_lang::{Dialect, Language};
use std::collections::BTreeSet;
use tree_sitter::Node;

const PYTHON: &str = "(lambda v: (not v) if isinstance(v, bool) else v + 1 if isinstance(v, (int, float)) else v + '~' if isinstance(v, str) else v + v[:1] if isinstance(v, (list, tuple)) else v)";
const PLAIN: &str = "((v) => typeof v === 'number' ? v + 1 : typeof v === 'string' ? v + '~' : typeof v === 'boolean' ? !v : Array.isArray(v) ? v.concat(v.slice(0, 1)) : v)";
const TYPED: &str = "((v: any): any => typeof v === 'number' ? v + 1 : typeof v === 'string' ? v + '~' : typeof v === 'boolean' ? !v : Array.isArray(v) ? v.concat(v.slice(0, 1)) : v)";

/// What the functions on these lines return, slightly off, one place at a time.
pub fn slight(file: &str, source: &str, lines: &BTreeSet<u32>) -> Vec<Edit> {
    let Some(language) = super::words::language_of(file) else { return Vec::new() };
    let Some(tree) = language.parse(source) else { return Vec::new() };
    let functions = syntax::nodes(tree.root_node()).filter(|n| is_function(*n));
    let changed = functions.filter(|n| syntax::touches(*n, lines));
    let mut edits: Vec<Edit> = changed.flat_map(|f| returned(language, f, source)).collect();
    edits.sort_by_key(|edit| (edit.from, edit.to));
    edits.dedup();
    edits
}

fn is_function(node: Node<'_>) -> bool {
    Words("function_definition function_item function_declaration method_declaration method_definition arrow_function \
            function_expression").has(node.kind())
}

fn returned(language: Language, function: Node<'_>, source: &str) -> Vec<Edit> {
    let Some(body) = function.child_by_field_name("body") else { return Vec::new() };
    let kind = match language {
        Language::Rust => syntax::field(function, "return_type", source),
        Language::Go => syntax::field(function, "result", source),
        Language::Python | Language::Java | Language::Script(_) => "",
    };
    let own = |node: Node<'_>| {
        node == body || (!is_function(node) && node.kind() != "closure_expression")
    };
    let is_return = |n: &Node<'_>| matches!(n.kind(), "return_statement" | "return_expression");
    let returns = syntax::nodes_into(body, own).filter(is_return);
    let mut values: Vec<Node<'_>> = returns.filter_map(|n| n.named_child(0)).collect();
    match (language, body.kind()) {
        // The last expression of a block, and the body of an arrow, are returned without a word.
        (Language::Rust, _) => {
            let last = syntax::children(body).pop();
            let plain = |n: &Node<'_>| {
                !n.kind().ends_with("_statement")
                    && !n.kind().ends_with("_item")
                    && !n.is_extra()
                    && n.kind() != "let_declaration"
                    && n.kind() != "return_expression"
            };
            values.extend(last.filter(plain));
        }
        (Language::Script(_), kind) if kind != "statement_block" => {
            values.push(body);
        }
        _ => {}
    }
    let edit = |value: Node<'_>| {
        let text = off(language, kind, syntax::text(value, source))?;
        Some(Edit {
            line: syntax::line(value),
            from: value.start_byte(),
            to: value.end_byte(),
            text,
            what: "the result is slightly off".to_owned(),
        })
    };
    values.into_iter().filter_map(edit).collect()
}

/// A value slightly off; none where its type does not say how.
fn off(language: Language, kind: &str, value: &str) -> Option<String> {
    let whole = Words(
        "int uint i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize int8 int16 int32 int64 uint8 uint16 uint32 uint64 \
        byte rune",
    );
    let broken = Words("f32 f64 float32 float64");
    match language {
        Language::Python => Some(format!("{PYTHON}({value})")),
        Language::Script(Dialect::JavaScript) => Some(format!("{PLAIN}({value})")),
        Language::Script(Dialect::TypeScript | Dialect::Tsx) => Some(format!("{TYPED}({value})")),
        Language::Rust | Language::Go if whole.has(kind) => Some(format!("({value}) + 1")),
        Language::Rust | Language::Go if broken.has(kind) => Some(format!("({value}) + 1.0")),
        Language::Rust | Language::Go if kind == "bool" => Some(format!("!({value})")),
        Language::Rust if kind == "String" => Some(format!("format!(\"{{}}~\", {value})")),
        Language::Go if kind == "string" => Some(format!("({value}) + \"~\"")),
        Language::Rust | Language::Go | Language::Java => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(file: &str, source: &str) -> Vec<String> {
        let all: BTreeSet<u32> = (1..100).collect();
        slight(file, source, &all).iter().map(|edit| edit.apply(source)).collect()
    }

    #[test]
    fn every_result_is_put_slightly_off_in_its_own_place() {
        let python = texts("a.py", "def f(a):\n    if a:\n        return 1\n    return a * 2\n");
        assert_eq!(python.len(), 2);
        assert!(python[1].ends_with(&format!("return {PYTHON}(a * 2)\n")), "{}", python[1]);
        let rust = texts(
            "a.rs",
            "fn f(a: u32) -> u32 {\n    let b = || a;\n    b() * 2\n}\nfn g() {\n    f(1);\n}\n",
        );
        assert_eq!(
            rust,
            [
                "fn f(a: u32) -> u32 {\n    let b = || a;\n    (b() * 2) + 1\n}\nfn g() {\n    f(1);\n}\n"
            ]
        );
        let go = texts("a.go", "package a\n\nfunc F(a string) string {\n\treturn a\n}\n");
        assert_eq!(go, ["package a\n\nfunc F(a string) string {\n\treturn (a) + \"~\"\n}\n"]);
        let script = texts("a.ts", "export const f = (a: number) => a + 1\n");
        assert!(script[0].contains("=> ((v: any)"), "{}", script[0]);
    }

    #[test]
    fn only_functions_on_the_given_lines_are_touched() {
        let source = "def f():\n    return 1\n\n\ndef g():\n    return 2\n";
        let edits = slight("a.py", source, &BTreeSet::from([6]));
        assert_eq!(edits.iter().map(|e| e.line).collect::<Vec<_>>(), [6]);
    }
}
