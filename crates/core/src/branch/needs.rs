//! What a test turned out to need besides the code: surroundings, a configuration, an answer that nothing decides.

use crate::report::Place;
use crate::trial::Factor;
use crate::words::TestId;
use serde::{Deserialize, Serialize};

/// New tests in surroundings that differ from a gate's in all that must not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Elsewhere {
    /// How many tests were run there.
    pub tried: usize,
    /// Those that pass in a gate and not there.
    pub moved: Vec<Moved>,
    /// Tests of the base that pass in a gate on the base's code, and do not where the same is another.
    pub on_base: Vec<Moved>,
}

/// A test that passes in a gate and not elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    pub test: TestId,
    /// What it takes; empty where no single one does it.
    pub by: Vec<Factor>,
    pub why: String,
}

/// A test that passes only with a changed configuration, which may make other code of the code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Configured {
    pub test: TestId,
    /// The files of that configuration.
    pub by: Vec<String>,
    /// Whether it passes without them in a gate, and not in other surroundings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub elsewhere: bool,
}

/// A question that nothing the code is given decides: tests fail with the other answer, and none fails where this one is sure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OneSided {
    pub question: String,
    pub place: Place,
    pub needs: Needs,
}

/// The answer that the work needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Needs {
    Yes,
    No,
    /// The value that it has here.
    Here,
}

/// What the base refused and head does not, though every test passes with the refusal too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unrefused {
    pub refusal: String,
    /// The line of the base where it stood.
    pub stood: u32,
    pub place: Place,
}
