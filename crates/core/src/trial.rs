//! One run of the tests that is wanted: which tree, which of its tests, and what is different from plain. Data only: how a
//! tree is made or a test is run is known elsewhere.

use crate::report::LineCoverage;
use crate::words::{TestId, TreeId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Trial {
    pub tree: TreeId,
    pub only: Selection,
    pub coverage: Coverage,
    pub order: Order,
    /// Files that are other than in the tree, on purpose; without bytes they are not there.
    pub edits: BTreeMap<String, Option<Vec<u8>>>,
    pub env: BTreeMap<String, String>,
    pub limit_ms: Option<u64>,
    /// The file in the folder for temporary files that observing tests write to.
    pub channel: Option<String>,
    /// What is other around the tests than in a gate.
    pub elsewhere: Vec<Factor>,
    /// Files of which it is to be known whether anything opens them.
    pub watching: BTreeSet<String>,
    /// What lies in the folder that the tests are started in, where that is another than their own.
    pub beside: BTreeSet<String>,
}

impl Trial {
    /// Every test of a tree.
    pub fn of(tree: &TreeId) -> Self {
        Self {
            tree: tree.clone(),
            only: Selection::All,
            coverage: Coverage::Off,
            order: Order::AsWritten,
            edits: BTreeMap::new(),
            env: BTreeMap::new(),
            limit_ms: None,
            channel: None,
            elsewhere: Vec::new(),
            watching: BTreeSet::new(),
            beside: BTreeSet::new(),
        }
    }

    pub fn only(mut self, only: Selection) -> Self {
        self.only = only;
        self
    }

    pub fn covering(mut self) -> Self {
        self.coverage = Coverage::Measured;
        self
    }

    pub fn shuffled(mut self, seed: u32) -> Self {
        self.order = Order::Shuffled(seed);
        self
    }

    pub fn with(mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        self.edits.insert(path.into(), Some(bytes.into()));
        self
    }

    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.env.insert(name.into(), value.into());
        self
    }

    /// What its tests observe is read from this channel.
    pub fn listening(mut self, channel: impl Into<String>) -> Self {
        self.channel = Some(channel.into());
        self
    }

    /// In surroundings that differ from a gate's in these.
    pub fn elsewhere(mut self, factors: &[Factor]) -> Self {
        self.elsewhere = factors.to_vec();
        self
    }

    /// Tells which of these files are opened.
    pub fn watching(mut self, paths: impl IntoIterator<Item = String>) -> Self {
        self.watching.extend(paths);
        self
    }

    /// With these files in the folder that it may be started in.
    pub fn beside(mut self, paths: impl IntoIterator<Item = String>) -> Self {
        self.beside.extend(paths);
        self
    }

    /// Ends sooner than the run's own limit.
    pub fn within(mut self, ms: u64) -> Self {
        self.limit_ms = Some(ms);
        self
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    All,
    /// These tests. An id without parameters stands for all its parametrised cases.
    Ids(Vec<TestId>),
}

/// What is looked for among small changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sought {
    /// Which of them tests notice, and which they do not: so these have to pass where nothing is changed, before and after.
    Fates,
    /// Those that no test notices. Nothing is said of the others, so nothing has to be sure about them.
    Unnoticed,
}

/// In which order the tests run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    #[default]
    AsWritten,
    /// Another order, made out of this number; where the tool has no way to it, as written.
    Shuffled(u32),
}

/// Whether a run also measures which lines ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coverage {
    #[default]
    Off,
    Measured,
}

/// What a run that measured coverage found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Covered {
    Lines(LineCoverage),
    /// The tool that measures is not there; `install` is the command that brings it.
    ToolMissing {
        tool: String,
        install: String,
    },
    Unreadable {
        why: String,
    },
}

/// Something around a test that must not matter: on a user's machine it is another than in a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Factor {
    /// The folder that the tree stands in.
    Place,
    /// A folder of git beside the code.
    Checkout,
    /// The home folder and the user's name.
    Home,
    /// What a terminal and a desktop put into the environment.
    Session,
    Locale,
    TimeZone,
    /// The seed of hashes, and whether what was compiled is kept.
    Seed,
    /// What says that this is no test, but the real thing.
    Production,
    /// A build without the checks that only developers have: Python's and Rust's assertions in the code are not there.
    Optimised,
    /// Comments in the changed functions, and in Python a name that nobody reads.
    Remarks,
    /// The name of the machine.
    Host,
    /// Numbers of processes as a machine has them that runs for days.
    Numbers,
    /// A terminal to read from and to write to, where the tool hands it on.
    Terminal,
    /// One core.
    Cores,
    /// How the test tool is started: with nothing of ours beside the tests.
    Tool,
    /// The date, where something on the machine can shift it for a child.
    Clock,
    /// The folder that the tests are started in: what tests bring and name is there, and nothing else of the project.
    Start,
    /// What users get: the package as its own tool builds it, in the place of the checkout's code.
    Packed,
}

impl Factor {
    pub const ALL: [Self; 18] = [
        Self::Place,
        Self::Checkout,
        Self::Home,
        Self::Session,
        Self::Locale,
        Self::TimeZone,
        Self::Seed,
        Self::Production,
        Self::Optimised,
        Self::Remarks,
        Self::Host,
        Self::Numbers,
        Self::Terminal,
        Self::Cores,
        Self::Tool,
        Self::Clock,
        Self::Start,
        Self::Packed,
    ];

    /// For people.
    pub fn what(self) -> &'static str {
        match self {
            Self::Place => "another folder",
            Self::Checkout => "a `.git` folder beside the code",
            Self::Home => "another home and user name",
            Self::Session => "the environment of a terminal",
            Self::Locale => "another locale",
            Self::TimeZone => "another time zone",
            Self::Seed => "another hash seed",
            Self::Production => "NODE_ENV=production",
            Self::Optimised => "a build without debug assertions",
            Self::Remarks => "comments in the changed code",
            Self::Host => "another host name",
            Self::Numbers => "the process ids of a machine that runs for days",
            Self::Terminal => "a terminal",
            Self::Cores => "one core",
            Self::Tool => "the test tool as its users start it",
            Self::Clock => "a date some years from now",
            Self::Start => "another folder to start in",
            Self::Packed => "the package that users get",
        }
    }
}
