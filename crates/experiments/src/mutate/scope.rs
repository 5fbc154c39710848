//! What a walk knows about the place it is at: the function, the loop, what may be mutated. Makes no mutant.

/// The place of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope<'a> {
    pub(super) depth: u16,
    pub(super) level: Level,
    /// What a `return` gives back instead; none where that can't be told.
    pub(super) default: Option<&'a str>,
    /// Rust: this value is what the function returns.
    pub(super) tail: bool,
    pub(super) literals: Literals,
    pub(super) place: Place,
    pub(super) turn: Turn,
    /// Somewhere inside a loop that only its body ends.
    pub(super) endless: bool,
}

impl Scope<'_> {
    pub(super) fn top() -> Self {
        Self {
            depth: 0,
            level: Level::Module,
            default: None,
            tail: false,
            literals: Literals::All,
            place: Place::Plain,
            turn: Turn::None,
            endless: false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Module,
    Function,
}

/// Which literals are values here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Literals {
    All,
    /// In patterns: another number may be there already.
    TextOnly,
    /// Texts are only messages.
    NoText,
    /// In defaults of parameters: the next number would do as well for most.
    NoNumbers,
    None,
}

impl Literals {
    pub(super) fn text(self) -> bool {
        matches!(self, Self::All | Self::TextOnly | Self::NoNumbers)
    }

    pub(super) fn numbers(self) -> bool {
        matches!(self, Self::All | Self::NoText)
    }

    pub(super) fn truths(self) -> bool {
        matches!(self, Self::All | Self::NoText | Self::NoNumbers)
    }

    /// Both limits at once.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::All, o) | (o, Self::All) => o,
            (a, b) if a == b => a,
            _ => Self::None,
        }
    }
}

/// What part of a statement it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Plain,
    /// The condition of a loop that its body must bring to an end: another condition may run for ever.
    While,
    /// The condition of a loop that counts by itself.
    Counted,
    /// A comparison whose sides are what is chosen from: at the boundary both are the same.
    Settled,
}

/// The innermost loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    None,
    /// Over the items of something, or by a counter of its own.
    Each,
    While,
}
