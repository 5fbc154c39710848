//! The strings of a source as values, also where they are put together from pieces. Knows no name.
use proctor_lang::Language;
use proctor_lang::js::script::unescaped;
use proctor_lang::{literal, syntax};
use tree_sitter::Node;

/// How deep a sum is followed.
const DEPTH: u8 = 40;

/// The value of a string, also of one that is put together from several. None for the pieces of such a one
/// (the whole is told), for strings with holes, and for docstrings.
pub(super) fn joined(language: Language, source: &str, node: Node<'_>) -> Option<String> {
    if let Some(parent) = node.parent()
        && matches!(parent.kind(), "binary_operator" | "binary_expression" | "concatenated_string")
        && sum(source, parent, DEPTH).is_some()
    {
        return None;
    }
    let docstring = language == Language::Python
        && node.parent().is_some_and(|p| p.kind() == "expression_statement");
    if docstring { None } else { sum(source, node, DEPTH) }
}

fn sum(source: &str, node: Node<'_>, depth: u8) -> Option<String> {
    if depth == 0 {
        return None;
    }
    match node.kind() {
        _ if literal::kind(node) == Some(literal::Kind::Text) => {
            (!literal::has_holes(node)).then(|| plain(syntax::text(node, source)))
        }
        "parenthesized_expression" => sum(source, node.named_child(0)?, depth - 1),
        "concatenated_string" => {
            syntax::children(node).into_iter().map(|n| sum(source, n, depth - 1)).collect()
        }
        "binary_operator" | "binary_expression" => {
            let plus = node
                .child_by_field_name("operator")
                .is_some_and(|o| syntax::text(o, source) == "+");
            let left = sum(source, node.child_by_field_name("left").filter(|_| plus)?, depth - 1)?;
            Some(left + &sum(source, node.child_by_field_name("right")?, depth - 1)?)
        }
        // `"".join(["py", "test"])`
        "call" => {
            let function =
                node.child_by_field_name("function").filter(|f| f.kind() == "attribute")?;
            let between = sum(source, function.child_by_field_name("object")?, depth - 1)?;
            let list = node.child_by_field_name("arguments")?.named_child(0)?;
            if syntax::field(function, "attribute", source) != "join"
                || !matches!(list.kind(), "list" | "tuple")
            {
                return None;
            }
            let parts: Option<Vec<String>> =
                syntax::children(list).into_iter().map(|n| sum(source, n, depth - 1)).collect();
            parts.map(|parts| parts.join(&between))
        }
        _ => None,
    }
}

/// A string without its quotes and prefix.
fn plain(text: &str) -> String {
    let start = text.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '#');
    let prefix = text.get(..text.len() - start.len()).unwrap_or("").to_lowercase();
    let start = start.trim_end_matches('#');
    let quotes = if start.starts_with("\"\"\"") || start.starts_with("'''") { 3 } else { 1 };
    let inner = start.get(quotes..start.len().saturating_sub(quotes)).unwrap_or("");
    if prefix.contains('r') { inner.to_owned() } else { unescaped(inner) }
}
