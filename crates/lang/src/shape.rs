//! What reading the body of a test says about it: whether it checks anything, always fails, or is skipped. The way through
//! its statements is the same in every language; what one statement says is each language's own.

use proctor_core::item::Shape;
use tree_sitter::Node;

/// How a statement ends, known without running anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plain {
    Fails,
    Holds,
    Skips,
}

impl Plain {
    pub(crate) fn held(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::Fails }
    }
}

/// What a language says of a statement.
pub(crate) trait Statements {
    /// How it ends, where that is known.
    fn plain(&self, statement: Node<'_>) -> Option<Plain>;
    /// Whether something in here could fail the test on purpose.
    fn checks(&self, node: Node<'_>) -> bool;
    /// Whether it may end the test before what follows.
    fn leaves(&self, statement: Node<'_>) -> bool;
    /// Whether a test that fails by itself does what is expected of it.
    fn must_fail(&self) -> bool {
        false
    }
}

/// The shape of a test with these statements.
pub(crate) fn of(statements: &[Node<'_>], says: &impl Statements) -> Shape {
    let (mut checks, mut may_have_left) = (false, false);
    for statement in statements {
        match says.plain(*statement) {
            // One that must fail and does so by itself shows nothing.
            Some(Plain::Fails) if says.must_fail() && !checks => return Shape::NoAssertion,
            // What follows an unconditional end is never reached.
            Some(Plain::Fails) if !may_have_left => return Shape::ConstantFailure,
            Some(Plain::Skips) if !may_have_left => return Shape::Skipped,
            Some(Plain::Fails) => checks = true,
            Some(Plain::Skips | Plain::Holds) => {}
            None => {
                checks |= says.checks(*statement);
                may_have_left |= says.leaves(*statement);
            }
        }
    }
    if checks { Shape::Sound } else { Shape::NoAssertion }
}

/// Whether a text is a number, a plain string or a truth.
pub(crate) fn is_literal(text: &str) -> bool {
    let number = text.chars().next().is_some_and(|c| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
    let string = text.len() > 1
        && text.starts_with('"')
        && text.ends_with('"')
        && text.matches('"').count() == 2;
    number || string || matches!(text, "true" | "false")
}
