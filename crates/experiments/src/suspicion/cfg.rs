//! Rust items that are compiled for tests only, or for everything but tests.

use proctor_lang::syntax;
use tree_sitter::Node;

/// `#[cfg(test)]` and `#[cfg(not(test))]` on what is not a test module or an import.
pub(super) fn hit(node: Node<'_>, attribute: &str, source: &str) -> Option<String> {
    let text: String = attribute.chars().filter(|c| !c.is_whitespace()).collect();
    let inner = text.trim_start_matches("#!").trim_start_matches('#').trim_start_matches('[');
    let condition = inner.strip_prefix("cfg(").or_else(|| inner.strip_prefix("cfg_attr("))?;
    let words: Vec<&str> =
        condition.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '"')).collect();
    if !words.contains(&"test") {
        return None;
    }
    // What it adds to an item under test is a lint or a derive; another file is another program.
    if inner.starts_with("cfg_attr(") && !words.contains(&"path") {
        return None;
    }
    let negated = condition.contains("not(test)") || condition.contains("not(any(test");
    let mut item = node.next_named_sibling();
    while let Some(next) =
        item.filter(|n| matches!(n.kind(), "attribute_item" | "line_comment" | "block_comment"))
    {
        if proctor_lang::rust::split::is_test_function_attribute(syntax::text(next, source))
            && !negated
        {
            return None;
        }
        item = next.next_named_sibling();
    }
    let kind = item.map_or("", |n| n.kind());
    if !negated
        && matches!(
            kind,
            "mod_item" | "use_declaration" | "extern_crate_declaration" | "macro_definition"
        )
    {
        return None;
    }
    Some(format!("`{attribute}` makes another program under test"))
}
