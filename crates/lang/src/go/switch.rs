//! How a Go function chooses among many bodies.

use crate::switch::{Chooser, Function, SWITCH};
use crate::syntax;
use tree_sitter::Node;

pub(crate) const CHOOSER: Chooser = Chooser {
    before: "",
    choice: |_, first| format!("switch proctorMutant{first}"),
    case: |number| format!("case \"{number}\":"),
    otherwise: "default:",
    // A variable of the package is set before whatever needs it, also while the package begins.
    reader: |first| format!("var proctorMutant{first} = proctorOs.Getenv(\"{SWITCH}\")\n"),
    head: |root| {
        let package = syntax::children(root).into_iter().find(|n| n.kind() == "package_clause")?;
        Some((package.end_byte(), "\nimport proctorOs \"os\"\n"))
    },
    functions,
};

/// Functions and methods. A label can be there only once.
fn functions(root: Node<'_>, _: &str) -> Vec<Function> {
    let declared = |n: &Node<'_>| matches!(n.kind(), "function_declaration" | "method_declaration");
    let of = |node: Node<'_>| {
        let body = node.child_by_field_name("body")?;
        let once = syntax::nodes(body).any(|n| n.kind() == "labeled_statement");
        (!once).then(|| Function { start: node.start_byte(), body: body.byte_range(), modules: 0 })
    };
    syntax::children(root).into_iter().filter(declared).filter_map(of).collect()
}
