//! What this process has read from a shadow once. Objects are named by their content and never change, so neither
//! does what is known of them; asking git again would only cost processes. Holds no refs: those move.

use crate::listing::Listing;
use crate::snapshot::BaseTree;
use proctor_core::words::{CommitId, TreeId};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

/// The largest file whose bytes are kept, and how much is kept of all: a small repository is written out again and
/// again from memory, a large one is not held here.
const SMALL: usize = 32 * 1024;
const ALL_BLOBS: usize = 1024 * 1024;

/// How many listings are kept: a run works with a handful of trees, and one may be large.
const LISTINGS: usize = 12;

#[derive(Debug, Default)]
pub(crate) struct Known {
    trees: HashMap<CommitId, TreeId>,
    listings: VecDeque<(TreeId, Arc<Listing>)>,
    bases: VecDeque<(TreeId, Arc<BaseTree>)>,
    here: BTreeSet<CommitId>,
    blobs: HashMap<String, Arc<[u8]>>,
    blob_bytes: usize,
}

static SHADOWS: LazyLock<Mutex<HashMap<PathBuf, Shared>>> = LazyLock::new(Mutex::default);

/// The knowledge of one shadow, shared by all who use it in this process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shared(Arc<Mutex<Known>>);

impl Shared {
    pub(crate) fn of(dir: &Path) -> Self {
        let mut shadows = SHADOWS.lock().unwrap_or_else(PoisonError::into_inner);
        shadows.entry(dir.to_owned()).or_default().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn tree_of(&self, commit: &CommitId) -> Option<TreeId> {
        self.lock().trees.get(commit).cloned()
    }

    pub(crate) fn learn_tree(&self, commit: &CommitId, tree: &TreeId) {
        self.lock().trees.insert(commit.clone(), tree.clone());
    }

    pub(crate) fn listing(&self, tree: &TreeId) -> Option<Arc<Listing>> {
        self.lock().listings.iter().find(|(known, _)| known == tree).map(|(_, l)| Arc::clone(l))
    }

    pub(crate) fn learn_listing(&self, tree: &TreeId, listing: &Arc<Listing>) {
        remember(&mut self.lock().listings, tree, listing);
    }

    pub(crate) fn base(&self, tree: &TreeId) -> Option<Arc<BaseTree>> {
        self.lock().bases.iter().find(|(known, _)| known == tree).map(|(_, b)| Arc::clone(b))
    }

    pub(crate) fn learn_base(&self, tree: &TreeId, base: &Arc<BaseTree>) {
        remember(&mut self.lock().bases, tree, base);
    }

    pub(crate) fn blob(&self, oid: &str) -> Option<Arc<[u8]>> {
        self.lock().blobs.get(oid).cloned()
    }

    /// Whether a blob of this size would be kept.
    pub(crate) fn wants(&self, size: u64) -> bool {
        usize::try_from(size)
            .is_ok_and(|size| size <= SMALL && self.lock().blob_bytes + size <= ALL_BLOBS)
    }

    pub(crate) fn learn_blob(&self, oid: &str, bytes: &[u8]) {
        let mut known = self.lock();
        if known.blobs.insert(oid.to_owned(), bytes.into()).is_none() {
            known.blob_bytes += bytes.len();
        }
    }

    /// Whether a commit of the user's was brought over.
    pub(crate) fn is_here(&self, commit: &CommitId) -> bool {
        self.lock().here.contains(commit)
    }

    pub(crate) fn learn_here(&self, commit: &CommitId) {
        self.lock().here.insert(commit.clone());
    }
}

fn remember<T>(list: &mut VecDeque<(TreeId, Arc<T>)>, tree: &TreeId, value: &Arc<T>) {
    if list.iter().any(|(known, _)| known == tree) {
        return;
    }
    if list.len() >= LISTINGS {
        list.pop_front();
    }
    list.push_back((tree.clone(), Arc::clone(value)));
}
