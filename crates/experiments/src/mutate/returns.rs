//! What a function gives back when it does nothing: the default of its language or, where types are written, of its
//! type. And the mutants that return it. Never guesses a type.

use super::candidate::{Candidate, Rank, short};
use super::literals::is_literal;
use super::operators::is_comparison;
use super::part;
use super::scope::Scope;
use super::walk::Walk;
use super::words;
use proctor_lang::Words;
use proctor_lang::rust::attributed;
use proctor_lang::syntax;
use proctor_lang::{Dialect, Language};
use std::collections::BTreeSet;
use tree_sitter::Node;

/// The default of a function; none where it can't be told.
pub(super) fn default_of(walk: &Walk<'_>, function: Node<'_>) -> Option<String> {
    match walk.language {
        Language::Python => Some("None".to_owned()),
        Language::Rust => match function.child_by_field_name("return_type") {
            Some(ty) => rust(walk, ty),
            None => (function.kind() == "function_item").then(|| "()".to_owned()),
        },
        Language::Go => match function.child_by_field_name("result") {
            Some(result) => Some(go_results(result, walk.source)),
            None => Some(String::new()),
        },
        Language::Script(Dialect::JavaScript) => Some("undefined".to_owned()),
        Language::Script(Dialect::TypeScript | Dialect::Tsx) => {
            Some(script(syntax::field(function, "return_type", walk.source)))
        }
        Language::Java => None,
    }
}

fn rust(walk: &Walk<'_>, ty: Node<'_>) -> Option<String> {
    let text = syntax::text(ty, walk.source);
    let default = match ty.kind() {
        "unit_type" => "()".to_owned(),
        "primitive_type" => match text {
            "bool" => "false".to_owned(),
            "f32" | "f64" => "0.0".to_owned(),
            "char" => "'\\0'".to_owned(),
            "str" => return None,
            _ => "0".to_owned(),
        },
        "type_identifier" | "scoped_type_identifier" => {
            match text.rsplit("::").next().unwrap_or(text) {
                "String" => "String::new()".to_owned(),
                "PathBuf" | "Duration" | "OsString" => "Default::default()".to_owned(),
                "Result" => "Ok(())".to_owned(),
                name if walk.defaults.contains(name) => "Default::default()".to_owned(),
                _ => return None,
            }
        }
        "reference_type" => {
            let inner = ty.child_by_field_name("type")?;
            let changed = syntax::children(ty).iter().any(|n| n.kind() == "mutable_specifier");
            let slice =
                inner.kind() == "array_type" && inner.child_by_field_name("length").is_none();
            match syntax::text(inner, walk.source) {
                _ if changed => return None,
                "str" => "\"\"".to_owned(),
                _ if slice => "&[]".to_owned(),
                _ => return None,
            }
        }
        "tuple_type" => {
            let parts: Option<Vec<String>> =
                syntax::children(ty).into_iter().map(|part| rust(walk, part)).collect();
            let parts = parts?;
            if parts.len() == 1 {
                format!("({},)", parts.concat())
            } else {
                format!("({})", parts.join(", "))
            }
        }
        "generic_type" => return rust_generic(walk, ty),
        _ => return None,
    };
    Some(default)
}

fn rust_generic(walk: &Walk<'_>, ty: Node<'_>) -> Option<String> {
    let name = syntax::field(ty, "type", walk.source);
    let nth = |n: usize| {
        let arguments = ty.child_by_field_name("type_arguments")?;
        let types = syntax::children(arguments);
        rust(walk, *types.iter().filter(|n| n.kind() != "lifetime").nth(n)?)
    };
    let first = || nth(0);
    match name.rsplit("::").next().unwrap_or(name) {
        "Option" => Some("None".to_owned()),
        "Vec" => Some("Vec::new()".to_owned()),
        "HashMap" | "BTreeMap" | "HashSet" | "BTreeSet" | "VecDeque" | "BinaryHeap"
        | "IndexMap" | "IndexSet" => Some("Default::default()".to_owned()),
        "Result" => match first() {
            Some(good) => Some(format!("Ok({good})")),
            None => Some(format!("Err({})", nth(1)?)),
        },
        "Box" | "Rc" | "Arc" => Some(format!("{name}::new({})", first()?)),
        _ => None,
    }
}

/// The types of a Rust file that derive or implement `Default`.
pub(super) fn with_default<'s>(root: Node<'_>, source: &'s str) -> BTreeSet<&'s str> {
    let mut found = BTreeSet::new();
    for (node, attributes) in attributed(root) {
        let derives = |a: &Node<'_>| {
            let text = syntax::text(*a, source);
            text.contains("derive") && text.contains("Default")
        };
        match node.kind() {
            "impl_item" if syntax::field(node, "trait", source) == "Default" => {
                found.insert(syntax::field(node, "type", source));
            }
            "impl_item" => {}
            _ if attributes.iter().any(derives) => {
                found.insert(syntax::field(node, "name", source));
            }
            _ => {}
        }
    }
    found
}

/// All results of a Go function. Every type has a zero there: `*new(T)`.
fn go_results(result: Node<'_>, source: &str) -> String {
    if result.kind() != "parameter_list" {
        return go(result, source);
    }
    let mut zeros = Vec::new();
    for declared in syntax::children(result) {
        let Some(ty) = declared.child_by_field_name("type") else { continue };
        let mut cursor = declared.walk();
        let names = declared.children_by_field_name("name", &mut cursor).count();
        zeros.extend(std::iter::repeat_n(go(ty, source), names.max(1)));
    }
    zeros.join(", ")
}

fn go(ty: Node<'_>, source: &str) -> String {
    let text = syntax::text(ty, source);
    let empty = Words("pointer_type slice_type map_type channel_type function_type interface_type");
    let numbers = Words(
        "int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr byte rune float32 float64",
    );
    match text {
        _ if empty.has(ty.kind()) => "nil".to_owned(),
        "error" | "any" => "nil".to_owned(),
        "bool" => "false".to_owned(),
        "string" => "\"\"".to_owned(),
        _ if numbers.has(text) => "0".to_owned(),
        _ => format!("*new({text})"),
    }
}

/// By the annotation of a TypeScript function, `: T`.
fn script(annotation: &str) -> String {
    let ty = annotation.trim_start_matches(':').trim();
    let ty = ty.strip_prefix("Promise<").and_then(|t| t.strip_suffix('>')).unwrap_or(ty).trim();
    let default = match ty {
        "number" => "0",
        "string" => "\"\"",
        "boolean" => "false",
        "void" | "undefined" => "undefined",
        _ if ty.ends_with("[]") || ty.starts_with("Array<") => "[]",
        _ if ty.contains(" is ") => "false",
        _ => "undefined as any",
    };
    default.to_owned()
}

/// A value that a function returns becomes the default. `value` is the value, `whole` what is replaced.
pub(super) fn find(walk: &mut Walk<'_>, whole: Node<'_>, value: Node<'_>, scope: Scope<'_>) {
    let Some(default) = scope.default else { return };
    let written = syntax::folded(syntax::text(value, walk.source));
    let first = if value.kind() == "expression_list" { value.named_child(0) } else { Some(value) };
    let alone = value.kind() != "expression_list" || value.named_child_count() == 1;
    let told = alone && first.is_some_and(|n| is_literal(n) || is_comparison(n, walk.source));
    if default.is_empty()
        || told
        || written == default
        || is_empty(&written)
        || is_failure(walk.language, whole, walk.source)
    {
        return;
    }
    let what = format!("returns {}", short(default));
    let text = match walk.language {
        // Names that are no longer used don't compile there: the old statement stays behind it.
        Language::Go => {
            format!("if true {{ return {default} }}; {}", syntax::text(whole, walk.source))
        }
        Language::Python | Language::Rust | Language::Java | Language::Script(_) => {
            let head = walk.source.get(whole.start_byte()..value.start_byte()).unwrap_or("");
            let tail = walk.source.get(value.end_byte()..whole.end_byte()).unwrap_or("");
            format!("{head}{default}{tail}")
        }
    };
    walk.add(Candidate::of(Rank::Returned, whole, text, what));
    if !scope.endless && goes_on(walk, whole) {
        let text = words::without(walk.language, syntax::text(whole, walk.source));
        let what = "the return is left out".to_owned();
        walk.add(Candidate::of(Rank::Returned, whole, text, what));
    }
}

/// Whether without a return in a branch the function goes on behind it: where it gives up early, the default may be as good
/// as what it gives, and the rest is not. One that calls itself could go on for ever.
fn goes_on(walk: &Walk<'_>, whole: Node<'_>) -> bool {
    let mut at = whole.parent();
    while let Some(node) = at.filter(|n| !part::is_function(*n)) {
        if matches!(node.kind(), "if_statement" | "if_expression") {
            let statement = node.parent().filter(|p| p.kind() == "expression_statement");
            let function =
                std::iter::successors(Some(node), Node::parent).find(|n| part::is_function(*n));
            let calls_itself = function.is_some_and(|function| {
                let name = format!("{}(", part::name_of(function, walk.source));
                let body = function.child_by_field_name("body");
                body.is_some_and(|body| syntax::text(body, walk.source).contains(&name))
            });
            return statement.unwrap_or(node).next_named_sibling().is_some() && !calls_itself;
        }
        at = node.parent();
    }
    false
}

/// As good as the default already: many callers could not tell the two apart.
fn is_empty(written: &str) -> bool {
    Words(
        "[] {} () \"\" '' set() dict() list() tuple() Vec::new() vec![] String::new() Default::default() None nil null \
        undefined Ok(()) false 0",
    )
    .has(written)
}

/// A failure that is made or handed on: whether it comes about is the business of the condition above it, and what it
/// says is a message.
pub(super) fn is_failure(language: Language, node: Node<'_>, source: &str) -> bool {
    match (language, node.kind()) {
        (Language::Rust, "call_expression") => syntax::field(node, "function", source) == "Err",
        (Language::Rust, "return_expression") => {
            node.named_child(0).is_some_and(|n| is_failure(language, n, source))
        }
        (Language::Go, "return_statement") => {
            let last = node.named_child(0).and_then(|list| syntax::children(list).pop());
            let last = last.map_or("", |n| syntax::text(n, source)).to_lowercase();
            let name = last.split(['(', '{']).next().unwrap_or("");
            name.starts_with("err")
                || name.ends_with("err")
                || name.ends_with("error")
                || name.ends_with("errorf")
                || (name.starts_with('&') && name.contains("err"))
        }
        (Language::Script(_), "call_expression") => {
            syntax::field(node, "function", source) == "Promise.reject"
        }
        _ => false,
    }
}
