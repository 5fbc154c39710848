//! What a check found: where, what is wrong, and what would be accepted instead.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Shown; does not fail the check.
    Warning,
    Error,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub weight: Weight,
    /// `path` or `path:line`, from the root of the workspace.
    pub place: String,
    pub what: String,
    pub accepted: String,
}

impl Fault {
    pub fn error(
        place: impl Into<String>,
        what: impl Into<String>,
        accepted: impl Into<String>,
    ) -> Self {
        Self {
            weight: Weight::Error,
            place: place.into(),
            what: what.into(),
            accepted: accepted.into(),
        }
    }

    pub fn warning(
        place: impl Into<String>,
        what: impl Into<String>,
        accepted: impl Into<String>,
    ) -> Self {
        Self { weight: Weight::Warning, ..Self::error(place, what, accepted) }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.weight {
            Weight::Warning => "warning",
            Weight::Error => "error",
        };
        write!(f, "{}: {word}: {}\n    accepted: {}", self.place, self.what, self.accepted)
    }
}
