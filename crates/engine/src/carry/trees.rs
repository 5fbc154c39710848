//! The shadow of the user's repository as an effect needs it: listings, sources, points.

use super::{Halt, Job};
use proctor_core::proof::Point;
use proctor_core::words::{CommitId, TreeId};
use proctor_runners::MemoryTree;
use proctor_world::listing::{Listing, Mode};
use proctor_world::objects::CommitText;
use proctor_world::shadow::Shadow;
use std::path::{Path, PathBuf};

impl Job {
    pub(super) fn shadow(&self) -> Result<Shadow, Halt> {
        let git_dir = Path::new(&self.run.brief.repo.git_dir);
        Ok(Shadow::open(self.shop.home.root(), git_dir, &self.run.base)?)
    }

    /// What the worktree holds as far as it was recorded.
    pub(super) fn recorded_tree(&self, shadow: &Shadow) -> Result<TreeId, Halt> {
        match &self.run.tree {
            Some(tree) => Ok(tree.clone()),
            None => Ok(shadow.tree_of(&self.run.base)?),
        }
    }

    pub(super) fn worktree(&self) -> PathBuf {
        self.shop.home.worktree(&self.id)
    }

    /// Commits a tree on top of the last commit that counts; the same tree again is the same point.
    pub(super) fn commit(
        &self,
        shadow: &Shadow,
        tree: TreeId,
        message: &str,
    ) -> Result<Point, Halt> {
        let parent: &CommitId = &self.run.head;
        if shadow.tree_of(parent)? == tree {
            return Ok(Point { commit: parent.clone(), tree });
        }
        let text =
            CommitText { message, author: &self.run.brief.landing.author, at: self.shop.now() };
        let commit = shadow.commit(&tree, &[parent], &text)?;
        shadow.set_ref(&self.run_ref(), &commit)?;
        Ok(Point { commit, tree })
    }

    /// Keeps the run's commits reachable.
    pub(super) fn run_ref(&self) -> String {
        format!("refs/proctor/runs/{}", self.id)
    }
}

/// A tree for reading sources: every path is there, but only the files that `wanted` names have their text.
pub(super) fn sources(
    shadow: &Shadow,
    listing: &Listing,
    wanted: impl Fn(&str) -> bool,
) -> Result<MemoryTree, Halt> {
    let is_file = |mode: Mode| matches!(mode, Mode::File | Mode::Exec);
    let read: Vec<&str> = listing
        .iter()
        .filter(|(path, entry)| is_file(entry.mode) && wanted(path))
        .map(|(path, _)| path.as_str())
        .collect();
    let oids: Vec<&str> =
        read.iter().filter_map(|path| listing.get(*path)).map(|entry| entry.oid.as_str()).collect();
    let texts = shadow.read_blobs(&oids)?;
    let mut tree: MemoryTree = listing.keys().map(|path| (path.clone(), Vec::new())).collect();
    for (path, text) in read.into_iter().zip(texts) {
        tree.0.insert(path.to_owned(), text);
    }
    Ok(tree)
}
