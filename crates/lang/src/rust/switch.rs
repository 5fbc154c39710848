//! How a Rust function chooses among many bodies.

use crate::switch::{Chooser, Function, SWITCH};
use crate::syntax;
use crate::words::Words;
use tree_sitter::Node;

pub(crate) const CHOOSER: Chooser = Chooser {
    before: QUIET,
    choice: |function, _| {
        let path = match function.modules {
            0 => "self::".to_owned(),
            depth => "super::".repeat(depth),
        };
        format!("match {path}__proctor_mutant()")
    },
    case: |number| format!("{number}usize =>"),
    otherwise: "_ =>",
    reader: |_| reader(),
    head: |_| None,
    functions: bodies,
};

/// Lints that a mutant may trip over although it would compile: those that are errors by themselves, and whatever the
/// project made one.
const QUIET: &str =
    "#[allow(warnings, unconditional_panic, arithmetic_overflow, overflowing_literals)] ";

fn is_without_std(root: Node<'_>, source: &str) -> bool {
    syntax::children(root).iter().any(|n| {
        let text = syntax::text(*n, source);
        n.kind() == "inner_attribute_item" && (text.contains("no_std") || text.contains("no_core"))
    })
}

/// The outermost functions, in order. Goes through modules, traits and implementations alone, with a list of its own:
/// a source may be nested deeper than a stack. Not those that are `const`, return `impl …` or come out of a macro.
fn bodies(root: Node<'_>, source: &str) -> Vec<Function> {
    let mut found = Vec::new();
    if is_without_std(root, source) {
        return found;
    }
    let mut open = vec![(root, 0)];
    while let Some((node, modules)) = open.pop() {
        match node.kind() {
            "function_item" => found.extend(function(node, modules, source)),
            "mod_item" => open.extend(syntax::children(node).into_iter().map(|n| (n, modules + 1))),
            "source_file" | "impl_item" | "trait_item" | "declaration_list" => {
                open.extend(syntax::children(node).into_iter().map(|n| (n, modules)));
            }
            _ => {}
        }
    }
    found.sort_by_key(|f| f.start);
    found
}

fn function(node: Node<'_>, modules: usize, source: &str) -> Option<Function> {
    let body = node.child_by_field_name("body")?;
    let constant = syntax::children(node).iter().any(|n| {
        n.kind() == "function_modifiers"
            && syntax::text(*n, source).split_whitespace().any(|word| word == "const")
    });
    let hidden = syntax::field(node, "return_type", source)
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| word == "impl");
    (!constant && !hidden && !holds_what_is_unique(body)).then(|| Function {
        start: node.start_byte(),
        body: body.byte_range(),
        modules,
    })
}

/// Implementations can't be there twice, and a body's own attributes must stay at its start.
fn holds_what_is_unique(body: Node<'_>) -> bool {
    let unique = Words("impl_item inner_attribute_item mod_item");
    syntax::nodes(body).any(|n| unique.has(n.kind()))
}

/// What reads the number, once a process. Paths from the root and no macro, so that it is the same in every edition.
fn reader() -> String {
    format!(
        "#[allow(warnings, clippy::all)]
#[doc(hidden)]
fn __proctor_mutant() -> usize {{
    static NUMBER: ::std::sync::OnceLock<usize> = ::std::sync::OnceLock::new();
    *NUMBER.get_or_init(|| match ::std::env::var(\"{SWITCH}\") {{
        ::std::result::Result::Ok(number) => number.parse::<usize>().unwrap_or(usize::MAX),
        ::std::result::Result::Err(_) => usize::MAX,
    }})
}}
"
    )
}
