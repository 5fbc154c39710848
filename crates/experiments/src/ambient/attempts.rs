//! What the change only tries: a call for its own sake, or an import, that either works or leaves by what handles its failure. Which of
//! the two is so, the surroundings say.

use super::{Kind, Looking, Question, edit, squeezed};
use proctor_lang::{Language, syntax};
use std::collections::BTreeSet;
use tree_sitter::Node;

impl<'s> Looking<'s> {
    /// A statement in the body of a `try` that asks the surroundings: as if it worked, and as if it failed.
    pub(super) fn attempt(&self, node: Node<'_>, given: &BTreeSet<&'s str>) -> Option<Question> {
        let python = self.language == Language::Python;
        let handled = handling(node)?;
        let import = matches!(node.kind(), "import_statement" | "import_from_statement");
        let text = syntax::text(node, self.source);
        let (works, what) = if import && python {
            (text.to_owned(), "it can be imported")
        } else if node.kind() == "expression_statement" && self.is_asking(node, given) {
            ((if python { "pass" } else { "void 0;" }).to_owned(), "it works")
        } else {
            return None;
        };
        let fails = match (python, import) {
            (true, true) => {
                let module = module(node, self.source)?;
                // What every installation of the language has, its version decides.
                format!(
                    "if {module:?} not in __import__('sys').stdlib_module_names: raise ImportError({module:?})\n{}{text}",
                    indent(node, self.source)
                )
            }
            (true, false) => {
                let kind = first_of(handled, self.source).unwrap_or("Exception");
                format!("raise {kind}()")
            }
            _ => "throw new Error('not here');".to_owned(),
        };
        Some(Question {
            text: squeezed(text),
            line: syntax::line(node),
            yes: edit(node, node.start_byte(), works, what),
            no: edit(node, node.start_byte(), fails, "it fails"),
            kind: Kind::Condition,
        })
    }

    /// Whether a call is made of what the surroundings know, and of nothing that is given.
    fn is_asking(&self, node: Node<'_>, given: &BTreeSet<&'s str>) -> bool {
        let names = self.names(node);
        names.iter().any(|name| self.around.contains(name))
            && !names.iter().any(|name| given.contains(name))
    }
}

/// What handles the failure of a statement that stands in the body of a `try`.
fn handling(node: Node<'_>) -> Option<Node<'_>> {
    let body =
        node.parent().filter(|parent| matches!(parent.kind(), "block" | "statement_block"))?;
    let attempt = body.parent().filter(|parent| parent.kind() == "try_statement")?;
    if attempt.child_by_field_name("body") != Some(body) {
        return None;
    }
    syntax::children(attempt)
        .into_iter()
        .find(|child| matches!(child.kind(), "except_clause" | "catch_clause"))
}

/// The first error that a clause of Python names.
fn first_of<'s>(clause: Node<'_>, source: &'s str) -> Option<&'s str> {
    let named = syntax::children(clause).into_iter().find(|child| child.kind() != "block")?;
    let text = syntax::text(named, source);
    let end = text.find([',', ' ', ')']).unwrap_or(text.len());
    Some(text.get(..end)?.trim_start_matches('(')).filter(|name| !name.is_empty())
}

/// The module that an import of Python asks for first; none for one of the project itself, by its dots.
fn module<'s>(node: Node<'_>, source: &'s str) -> Option<&'s str> {
    let named = ["module_name", "name"].iter().find_map(|f| node.child_by_field_name(f))?;
    let text = syntax::text(named, source);
    let end = text.find(['.', ' ']).unwrap_or(text.len());
    text.get(..end).filter(|name| !name.is_empty())
}

fn indent<'s>(node: Node<'_>, source: &'s str) -> &'s str {
    let start = node.start_byte() - node.start_position().column;
    source.get(start..node.start_byte()).filter(|text| text.trim().is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::questions;

    fn answers(file: &str, source: &str) -> Vec<[String; 2]> {
        let lines = (1..=u32::try_from(source.lines().count()).unwrap()).collect();
        let all = questions(file, source, "", &lines);
        all.into_iter().map(|q| [q.yes.text, q.no.text]).collect()
    }

    #[test]
    fn what_is_only_tried_works_and_fails() {
        let python = "import os\n\ndef f(a):\n    try:\n        os.stat('.git/index')\n    except (OSError, ValueError):\n        return a\n    return 0\n";
        assert_eq!(answers("a.py", python), [["pass".to_owned(), "raise OSError()".to_owned()]]);
        let given = python.replace("'.git/index'", "a");
        assert_eq!(answers("a.py", &given), [[""; 2]; 0]);
        let js = "const fs = require('fs');\nfunction f(a) {\n  try {\n    fs.accessSync('.git/index');\n  } catch {\n    return a;\n  }\n  return 0;\n}\n";
        assert_eq!(answers("a.js", js)[0][0], "void 0;");
    }

    #[test]
    fn an_import_that_may_fail_fails_where_the_language_does_not_bring_it() {
        let source = "try:\n    import fast.json as json\nexcept ImportError:\n    import json\n";
        let all = answers("a.py", source);
        assert_eq!(all.len(), 1);
        assert!(all[0][1].starts_with("if \"fast\" not in __import__"), "{all:?}");
        assert!(all[0][1].ends_with("\n    import fast.json as json"), "{all:?}");
    }
}
