//! Flipped twins: a test whose expectation was turned round must fail. An edit is given only where that is sure as
//! long as the code under test is honest: for assertions that run whenever the test passes. Nothing is run here.

mod change;
mod go;
mod java;
mod python;
mod rust;
mod script;
mod trap;
mod twins;

pub use trap::traps;

use crate::edit::Edit;
use crate::js::names::Names;
use crate::literal::Tongue;
use tree_sitter::Node;

/// For each assertion that can be flipped in the test that begins at this line, the edit that flips it. Those that
/// change a literal come first: they also find an equality that always says yes.
pub fn flips(file: &str, source: &str, line: u32) -> Vec<Edit> {
    match Tongue::of(file) {
        Some(Tongue::Python) => python::flips(source, line),
        Some(Tongue::Rust) => rust::flips(source, line),
        Some(Tongue::Go) => go::flips(source, line),
        Some(Tongue::Java) => java::flips(source, line),
        Some(Tongue::Script) => script::flips(file, source, line),
        None => Vec::new(),
    }
}

/// The test that begins at this line: a function, a method, or the call that defines it. Rust is parsed as
/// [`readable`] gives it.
pub(crate) fn test_at<'t>(
    tongue: Tongue,
    root: Node<'t>,
    source: &str,
    line: u32,
) -> Option<Node<'t>> {
    match tongue {
        Tongue::Python => python::test_at(root, line),
        Tongue::Rust => rust::test_at(root, line),
        Tongue::Go => go::test_at(root, line),
        Tongue::Java => java::test_at(root, line),
        Tongue::Script => script::test_at(root, source, &Names::of(root, source), line),
    }
}

/// A source that a parser reads as far as assertions go, byte for byte as long as before.
pub(crate) fn readable(tongue: Tongue, source: &str) -> String {
    match tongue {
        Tongue::Rust => rust::opened(source),
        Tongue::Python | Tongue::Go | Tongue::Java | Tongue::Script => source.to_owned(),
    }
}

#[cfg(test)]
#[path = "flip/tests.rs"]
mod tests;
