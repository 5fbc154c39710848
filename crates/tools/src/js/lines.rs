//! The JSON lines that our reporters for JavaScript tools write, as types. Judges nothing.

use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub(crate) enum Line {
    Begin,
    Start(At),
    Done(At),
    Case(CaseLine),
    /// A file or a suite broke outside of its tests: it could not be loaded, or a hook of it failed.
    SuiteError(SuiteError),
    /// An error that belongs to no test; to a file where the tool knew.
    Stray {
        file: String,
        errors: Vec<Raised>,
    },
    End(End),
}

/// A test: its file (absolute) and the titles that lead to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(crate) struct At {
    pub(crate) file: String,
    pub(crate) names: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct CaseLine {
    #[serde(flatten)]
    pub(crate) at: At,
    pub(crate) kind: Kind,
    pub(crate) state: State,
    /// The test is marked as one that fails; none where the tool does not say.
    #[serde(default)]
    pub(crate) expected: Option<bool>,
    pub(crate) tries: u32,
    pub(crate) ms: u64,
    #[serde(default)]
    pub(crate) why: String,
    /// What broke was not the test but this.
    #[serde(default)]
    pub(crate) hook: Option<String>,
    /// It holds no other test.
    #[serde(default = "yes")]
    pub(crate) leaf: bool,
    pub(crate) errors: Vec<Raised>,
}

fn yes() -> bool {
    true
}

/// `node --test` tells of suites and files as it does of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    Test,
    Suite,
    File,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum State {
    Passed,
    Failed,
    Skipped,
    Todo,
    /// It should have run, and has no result.
    Unfinished,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SuiteError {
    #[serde(flatten)]
    pub(crate) at: At,
    #[serde(default)]
    pub(crate) hook: Option<String>,
    pub(crate) errors: Vec<Raised>,
}

/// The tool's own last word.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct End {
    pub(crate) ok: bool,
    /// How many case lines were written.
    pub(crate) cases: usize,
    /// The run failed for a snapshot that no test asks for.
    pub(crate) leftover: bool,
    /// What the tool itself counted, where it writes no report beside ours.
    #[serde(default)]
    pub(crate) counted: Option<Counted>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Counted {
    pub(crate) passed: usize,
    /// Of tests and of what stands around them.
    pub(crate) failed: usize,
}

/// An error as the tool had it. Each part may be empty: workers and bundlers lose some.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Raised {
    #[serde(default)]
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) message: String,
    #[serde(default)]
    pub(crate) stack: String,
    #[serde(default)]
    pub(crate) code: String,
    /// A matcher of the tool's own raised it.
    #[serde(default)]
    pub(crate) compared: bool,
    /// Where a bundler says that it is.
    #[serde(default)]
    pub(crate) at: Option<(String, u32)>,
    /// The tool's whole account of it.
    #[serde(default)]
    pub(crate) shown: String,
    #[serde(default)]
    pub(crate) cause: Option<Box<Raised>>,
}

/// Why a file's process ended, as it wrote down itself.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Load {
    pub(crate) file: String,
    pub(crate) error: Raised,
}

/// What the test files' processes wrote down. It only ever explains a failure, so what can't be read is left out.
pub(crate) fn loads(bytes: &[u8]) -> Vec<Load> {
    bytes.split(|b| *b == b'\n').filter_map(|line| crate::json_lines::parsed(line).ok()).collect()
}
