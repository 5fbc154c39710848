//! One run of the tests that is wanted: which tree, which of its tests, and what is different from plain. It must not
//! know how a tree is made or a test is run.

use proctor_core::words::TreeId;
use proctor_tools::{Coverage, Order, Selection};
use std::collections::BTreeMap;

#[derive(Clone)]
#[must_use]
pub struct Trial<'t> {
    pub tree: &'t TreeId,
    pub only: Selection,
    pub coverage: Coverage,
    pub order: Order,
    /// Files that are other than in the tree, on purpose; without bytes they are not there.
    pub edits: BTreeMap<String, Option<Vec<u8>>>,
    pub env: BTreeMap<String, String>,
    pub limit_ms: Option<u64>,
    /// The file in the folder for temporary files that observing tests write to.
    pub channel: Option<String>,
}

impl<'t> Trial<'t> {
    /// Every test of a tree.
    pub fn of(tree: &'t TreeId) -> Self {
        Self {
            tree,
            only: Selection::All,
            coverage: Coverage::Off,
            order: Order::AsWritten,
            edits: BTreeMap::new(),
            env: BTreeMap::new(),
            limit_ms: None,
            channel: None,
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

    /// Ends sooner than the run's own limit.
    pub fn within(mut self, ms: u64) -> Self {
        self.limit_ms = Some(ms);
        self
    }
}
