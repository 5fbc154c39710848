//! The JSON lines that our pytest plugin writes, as types. Judges nothing.

use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub(crate) enum Line {
    Begin { collect_only: bool },
    CollectSkip,
    CollectError { file: String, exception: Option<Raised>, text: String },
    Collected { ids: Vec<String> },
    Start { id: String },
    Phase(Phase),
    WrongCode(WrongCode),
    End { exit: i32 },
}

/// One of set-up, call, tear-down of a test.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Phase {
    pub id: String,
    pub when: String,
    pub outcome: String,
    pub ms: u64,
    pub xfail: bool,
    /// The phase ended with an exception that was no skip, whatever the outcome says.
    pub raised: bool,
    #[serde(default)]
    pub why: String,
    #[serde(default)]
    pub exception: Option<Raised>,
    #[serde(default)]
    pub text: String,
}

/// An exception. Paths are relative to the tree; frames are only those in the project's own files, outermost first.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Raised {
    #[serde(rename = "type")]
    pub kind: String,
    pub bases: Vec<String>,
    pub message: String,
    pub text: String,
    pub frames: Vec<(String, u32, String)>,
    /// Where a syntax error is, or the example of a doctest.
    #[serde(default)]
    pub at: Option<(Option<String>, Option<u32>)>,
    #[serde(default)]
    pub missing: Option<MissingName>,
    /// pytest or a plugin ended the test: at its time limit, or since it can't be run at all.
    #[serde(default)]
    pub ended: bool,
    /// It arose in an assertion's own expression, as far as the project's files go.
    #[serde(default)]
    pub in_assertion: bool,
    /// The test had tried to reach another machine.
    #[serde(default)]
    pub went_out: bool,
    /// The exception itself and those that it arose from.
    #[serde(default)]
    pub chain: Vec<Link>,
}

/// One exception of a chain.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Link {
    #[serde(rename = "type")]
    pub kind: String,
    pub bases: Vec<String>,
    /// The name of its error number.
    #[serde(default)]
    pub errno: Option<String>,
    #[serde(default)]
    pub missing: Option<MissingName>,
    /// Raised by a mock of the test.
    #[serde(default)]
    pub mocked: bool,
    /// The file in which it was raised, where it is the project's.
    #[serde(default)]
    pub file: Option<String>,
    pub message: String,
}

/// A module that was loaded and is not the tree's.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct WrongCode {
    /// Empty where it could not be told.
    pub module: String,
    pub file: String,
    pub why: WrongBecause,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum WrongBecause {
    /// It lies in the user's own checkout.
    #[default]
    Elsewhere,
    /// The tree has a module of that name.
    SameName,
    /// It is part of an installed release of the project.
    Release,
}

/// What our plugin says on the error channel at the end, where it can't be taken back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Seal {
    pub lines: usize,
    /// Phases, not tests.
    pub passed: usize,
    pub failed: usize,
    pub exit: i32,
}

#[derive(Deserialize)]
struct SealLine {
    #[serde(rename = "proctor-report")]
    seal: Seal,
}

/// Every seal on an error channel: more than one is a forgery.
pub(crate) fn seals(stderr: &[u8]) -> Vec<Seal> {
    stderr
        .split(|b| *b == b'\n')
        .filter(|line| line.starts_with(b"{\"proctor-report\""))
        .filter_map(|line| serde_json::from_slice::<SealLine>(line).ok())
        .map(|line| line.seal)
        .collect()
}

/// What is not there, and who would hold it.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct MissingName {
    pub name: String,
    /// `module`, `import`, `attribute`, `name`, `parameter`.
    pub what: String,
    /// The module's name, or the type's or function's.
    #[serde(default)]
    pub holder: Option<String>,
    /// The holder's file, where it is the project's.
    #[serde(default)]
    pub holder_file: Option<String>,
    #[serde(default)]
    pub stdlib: bool,
}
