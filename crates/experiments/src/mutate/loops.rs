//! What makes a loop go on and end, read from its head. Makes no mutant.
use proctor_lang::Language;
use tree_sitter::Node;

/// What decides whether a loop goes on; none for one over the items of something.
pub(super) fn condition_of(language: Language, node: Node<'_>) -> Option<Node<'_>> {
    match (language, node.kind()) {
        (Language::Go, "for_statement") => {
            let head = node.named_child(0)?;
            match head.kind() {
                "block" | "comment" | "range_clause" => None,
                "for_clause" => head.child_by_field_name("condition"),
                _ => Some(head),
            }
        }
        (Language::Python, "for_statement") => None,
        _ => node.child_by_field_name("condition").filter(Node::is_named),
    }
}

/// A loop with a counter in its head, as C and its kin have it.
pub(super) fn counts(node: Node<'_>, condition: Node<'_>) -> bool {
    node.kind() == "for_statement" && node.named_child(0) != Some(condition)
}

/// A loop over the items of something.
pub(super) fn is_each(language: Language, node: Node<'_>) -> bool {
    match node.kind() {
        "for_in_statement" | "for_expression" => true,
        "for_statement" => match language {
            Language::Python => true,
            _ => node.named_child(0).is_some_and(|n| n.kind() == "range_clause"),
        },
        _ => false,
    }
}

/// The names in a text, without what is called and without the object itself.
pub(super) fn names(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_alphabetic() || c == '_') {
        let word = rest.get(start..).unwrap_or("");
        let end = word.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(word.len());
        let (name, after) = word.split_at(end);
        let known = [
            "self", "this", "not", "and", "or", "let", "Some", "in", "is", "None", "mut", "true",
            "True",
        ];
        if !known.contains(&name) && !after.starts_with('(') {
            found.push(name);
        }
        rest = after;
    }
    found
}
