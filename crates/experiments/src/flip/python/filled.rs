//! Which collections of a Python test surely have members, so that a loop over them runs.

use super::{Test, given};
use proctor_lang::literal;
use proctor_lang::syntax;
use tree_sitter::Node;

impl<'t> Test<'t, '_> {
    /// A collection that surely has members.
    pub(super) fn is_filled(&self, node: Node<'t>) -> bool {
        match node.kind() {
            "list" | "tuple" | "set" | "dictionary" => {
                syntax::children(node).iter().any(|n| !matches!(n.kind(), "list_splat" | "comment"))
            }
            "expression_list" => true,
            "identifier" => self.assigned(self.twins.text(node)).is_some_and(|v| self.is_filled(v)),
            "call" => {
                let given = given(node);
                match self.twins.field(node, "function") {
                    "range" => match given.as_slice() {
                        [only] => literal::value(*only, self.twins.source)
                            .and_then(|n| n.parse::<i64>().ok())
                            .is_some_and(|n| n > 0),
                        _ => false,
                    },
                    "enumerate" | "sorted" | "reversed" | "list" | "set" => {
                        given.first().is_some_and(|n| self.is_filled(*n))
                    }
                    "zip" => !given.is_empty() && given.iter().all(|n| self.is_filled(*n)),
                    _ => {
                        let function = node.child_by_field_name("function");
                        let view = function.filter(|f| {
                            let name = self.twins.field(*f, "attribute");
                            matches!(name, "items" | "keys" | "values")
                        });
                        view.and_then(|f| f.child_by_field_name("object"))
                            .is_some_and(|object| self.is_filled(object))
                    }
                }
            }
            _ => false,
        }
    }

    /// What a name is assigned, where that happens once in the file.
    fn assigned(&self, name: &str) -> Option<Node<'t>> {
        let mut values = Vec::new();
        syntax::walk(self.root, &|_| true, &mut |n| {
            let binds = matches!(n.kind(), "assignment" | "augmented_assignment");
            if binds && self.twins.field(n, "left") == name {
                values.push(n.child_by_field_name("right").filter(|_| n.kind() == "assignment"));
            }
        });
        match values.as_slice() {
            [one] => *one,
            _ => None,
        }
    }
}
