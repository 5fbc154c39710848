//! A branch as experiments see it: both sides, read once, and what is known of them so far. Nothing here reads a file or
//! starts anything.

use proctor_core::branch::{BranchKind, BranchMeasure, Touched};
use proctor_core::item::TestItem;
use proctor_core::proof::Sorted;
use proctor_core::words::{TestId, TreeId};
use proctor_lang::MemoryTree;
use proctor_lang::tree::{Tree, With};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// One side of a branch.
pub trait Side {
    fn tree(&self) -> &TreeId;
    fn has(&self, path: &str) -> bool;
    fn paths(&self) -> Vec<&str>;
    /// The text of a file that matters here and can be read.
    fn text(&self, path: &str) -> Option<&str>;
    /// Every path, with the text of the files that matter here.
    fn texts(&self) -> &MemoryTree;
}

/// What the test tools say of sources.
pub trait Tests {
    /// The tests in these files, with the ids that the tools give them.
    fn items(&self, texts: &dyn Tree, paths: &[String]) -> Vec<TestItem>;
    /// Whether a file is a source of a language that is tested here.
    fn is_source(&self, path: &str) -> bool;
    /// Whether a run takes many times as long where it is measured which lines it runs.
    fn is_slowed_by_coverage(&self) -> bool {
        false
    }
}

/// Trees that are made of both sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mixed {
    /// Head's tests on the base's production code.
    pub replay: Option<TreeId>,
    /// The same with head's manifests, where those differ.
    pub replay_with_manifests: Option<TreeId>,
    /// The base's tests on head's production code, where the branch touched them.
    pub old_on_head: Option<TreeId>,
}

/// The text of each file of a tree that is there and can be read.
pub type Texts<'a> = dyn Fn(&TreeId, &[String]) -> BTreeMap<String, String> + 'a;

pub struct Branch<'a> {
    pub base: &'a dyn Side,
    pub head: &'a dyn Side,
    pub mixed: &'a Mixed,
    pub kind: BranchKind,
    /// Every file that differs and can change what the program or its tests do.
    pub touched: &'a BTreeSet<String>,
    /// The lines of production code on head that the base does not have, by file.
    pub lines: &'a BTreeMap<String, BTreeSet<u32>>,
    /// The same of sources that are generated or somebody else's.
    pub generated: &'a BTreeMap<String, BTreeSet<u32>>,
    /// Data among them that no source names.
    pub unnamed: &'a BTreeSet<String>,
    pub surroundings: &'a [Touched],
    /// What was measured so far.
    pub measure: &'a BranchMeasure,
    pub tests: &'a dyn Tests,
    pub texts: &'a Texts<'a>,
    /// How long the whole suite takes on head.
    pub suite_took: Duration,
    /// Letters that nobody could have foreseen.
    pub nonce: &'a str,
}

impl Branch<'_> {
    /// Head's new and changed tests by what the base's code does with them.
    pub fn sorted(&self) -> Sorted {
        self.measure.sorted()
    }

    /// Head's new and changed tests by their ids: as written, and as reported.
    pub fn candidates(&self) -> Vec<TestId> {
        let items = &self.measure.items;
        let written = items.new.iter().chain(&items.changed).map(|item| item.id.clone());
        let written = written.chain(self.measure.unwritten.iter().cloned());
        let renamed = |id: &TestId| self.measure.renamed.iter().any(|pair| pair.is.covers(id));
        let reported = self.measure.head.iter().flat_map(|run| run.cases.keys());
        let new = reported
            .filter(|id| !self.measure.base.cases.contains_key(id) && !renamed(id))
            .filter(|id| !items.new.iter().any(|item| item.covers(id)))
            .cloned();
        written.chain(new).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The new and changed tests that are looked at one by one, red ones first.
    pub fn chosen(&self, most: usize) -> Vec<TestItem> {
        let red: BTreeSet<TestId> = self.sorted().red.into_iter().collect();
        let items = &self.measure.items;
        let mut chosen: Vec<TestItem> = items.new.iter().chain(&items.changed).cloned().collect();
        chosen.sort_by_key(|item| !red.iter().any(|id| item.covers(id)));
        chosen.truncate(most);
        chosen
    }

    /// The tests of a file as they stand in this text of it, which need not be head's.
    pub(crate) fn items_in(&self, file: &str, text: &str) -> Vec<TestItem> {
        let tree = With { tree: self.head.texts(), path: file, text };
        self.tests.items(&tree, &[file.to_owned()])
    }

    /// How many tests are new or changed.
    pub(crate) fn count(&self) -> usize {
        self.measure.items.new.len() + self.measure.items.changed.len()
    }
}
