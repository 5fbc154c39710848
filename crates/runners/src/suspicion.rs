//! What a changed source holds that a person should look at: it is named, it never decides alone.

use proctor_core::report::Place;
use std::collections::BTreeSet;

/// Something to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspicion {
    pub kind: SuspicionKind,
    pub place: Place,
    /// One line, for people.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SuspicionKind {
    /// Bidirectional control characters and other invisible ones.
    Hidden,
    /// A name with letters of two scripts that look alike.
    LookAlike,
    /// Ends the process.
    Exit,
    /// Asks whether it runs under test.
    TestDetection,
    /// Reaches into the test tool, its reports or its assertions.
    RunnerTampering,
    /// Equality or comparison of its own.
    Equality,
    /// Reads its own callers or the tests' sources.
    Peeking,
    /// A skip or an expected failure raised by production code.
    Skip,
    /// Reaches the network.
    Network,
    /// Waits.
    Sleep,
    /// Switches a check off: lint, type or coverage.
    Suppression,
}

/// Suspicions in these lines of a file.
pub fn suspicions(_file: &str, _source: &str, _lines: &BTreeSet<u32>) -> Vec<Suspicion> {
    Vec::new()
}
