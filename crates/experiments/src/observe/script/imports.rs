//! Imports of files that node runs itself: a name that a module does not have would end the whole file, so that names are
//! taken out of the module when it is there. vitest and jest do that by themselves.

use super::super::{Source, put};
use proctor_lang::js::script::string;
use proctor_lang::syntax::{children, field, text};
use proctor_lang::{Edit, Words};
use tree_sitter::Node;

/// Tools whose tests node itself loads.
const LOADED: Words = Words("node:test ava tap tape uvu mocha chai");

/// Whether the file imports such a tool, as a module does.
pub(super) fn from_node(source: &Source<'_>) -> bool {
    statements(source).any(|n| specifier(n, source.text).is_some_and(|s| LOADED.has(&s)))
}

/// The imports of the project's own modules, so that what is missing is undefined.
pub(super) fn made_lenient(source: &Source<'_>) -> Vec<Edit> {
    let mut found = Vec::new();
    for statement in statements(source) {
        let near = specifier(statement, source.text).is_some_and(|s| s.starts_with('.'));
        let plain = children(statement).iter().all(|n| n.kind() != "import_attribute");
        let clause = children(statement).into_iter().find(|n| n.kind() == "import_clause");
        let Some(clause) = clause.filter(|_| near && plain) else { continue };
        let from = field(statement, "source", source.text);
        let module = format!("__ob_m{}", found.len() + 1);
        if let Some(taken) = taken(clause, &module, source.text) {
            let text = format!("import * as {module} from {from}; const {};", taken.join(", "));
            found.push(put(statement.start_byte(), statement.end_byte(), text));
        }
    }
    found
}

fn statements<'t>(source: &Source<'t>) -> impl Iterator<Item = Node<'t>> {
    // `import type` brings nothing at run time.
    let typed = |n: &Node<'_>| n.child(1).is_some_and(|c| c.kind() == "type");
    children(source.root).into_iter().filter(move |n| n.kind() == "import_statement" && !typed(n))
}

fn specifier(statement: Node<'_>, source: &str) -> Option<String> {
    string(statement.child_by_field_name("source")?, source)
}

/// `a = m.a` for each name; none where the module itself is imported.
fn taken(clause: Node<'_>, module: &str, source: &str) -> Option<Vec<String>> {
    let mut found = Vec::new();
    for part in children(clause) {
        match part.kind() {
            "identifier" => found.push(format!("{} = {module}.default", text(part, source))),
            "named_imports" => {
                let typed = |n: &Node<'_>| n.child(0).is_some_and(|c| c.kind() == "type");
                let specifiers = children(part).into_iter();
                for one in specifiers.filter(|n| n.kind() == "import_specifier" && !typed(n)) {
                    let name = field(one, "name", source);
                    let alias = field(one, "alias", source);
                    let local = if alias.is_empty() { name } else { alias };
                    let place = if name.starts_with(['"', '\'']) {
                        format!("[{name}]")
                    } else {
                        format!(".{name}")
                    };
                    found.push(format!("{local} = {module}{place}"));
                }
            }
            "comment" => {}
            _ => return None,
        }
    }
    (!found.is_empty()).then_some(found)
}
