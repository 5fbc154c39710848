//! The shadow of the user's repository as an effect needs it: listings, sources, points.

use super::{Halt, Job};
use proctor_core::prompt::commit_message;
use proctor_core::proof::Point;
use proctor_core::words::{CommitId, Phase, TreeId};
use proctor_lang::{MemoryTree, Tree};
use proctor_tools::is_manifest;
use proctor_world::listing::{Listing, Mode};
use proctor_world::objects::CommitText;
use proctor_world::shadow::Shadow;
use std::collections::BTreeSet;
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

    /// All tests on the old production code, after some were added: a commit beside the run's branch.
    pub(super) fn sealed_anew(
        &self,
        shadow: &Shadow,
        tests: &Point,
        tree: TreeId,
    ) -> Result<Point, Halt> {
        let brief = &self.run.brief;
        let message = commit_message(brief.kind, Phase::WriteTests, brief.task.as_str());
        let text =
            CommitText { message: &message, author: &brief.landing.author, at: self.shop.now() };
        let commit = shadow.commit(&tree, &[&tests.commit], &text)?;
        shadow.set_ref(&self.added_ref(), &commit)?;
        Ok(Point { commit, tree })
    }

    /// Work with other tests than the turn left: a commit beside the run's branch.
    pub(super) fn set_aside(&self, shadow: &Shadow, tree: TreeId) -> Result<Point, Halt> {
        let (parent, brief) = (&self.run.head, &self.run.brief);
        if shadow.tree_of(parent)? == tree {
            return Ok(Point { commit: parent.clone(), tree });
        }
        let message = commit_message(brief.kind, Phase::Refactor, brief.task.as_str());
        let text =
            CommitText { message: &message, author: &brief.landing.author, at: self.shop.now() };
        let commit = shadow.commit(&tree, &[parent], &text)?;
        shadow.set_ref(&self.originals_ref(), &commit)?;
        Ok(Point { commit, tree })
    }

    /// Keeps work with the sealed originals reachable, where its tests were tidied.
    pub(super) fn originals_ref(&self) -> String {
        format!("refs/proctor/originals/{}", self.id)
    }

    /// Keeps the tests reachable that were sealed anew.
    pub(super) fn added_ref(&self) -> String {
        format!("refs/proctor/added/{}", self.id)
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

/// The same, with the files that are larger than `most` bytes named and without their text.
pub(super) fn sources_within(
    shadow: &Shadow,
    listing: &Listing,
    most: u64,
    wanted: impl Fn(&str) -> bool,
) -> Result<(MemoryTree, BTreeSet<String>), Halt> {
    let is_file = |mode: Mode| matches!(mode, Mode::File | Mode::Exec);
    let read: Vec<(&String, &str)> = listing
        .iter()
        .filter(|(path, entry)| is_file(entry.mode) && wanted(path))
        .map(|(path, entry)| (path, entry.oid.as_str()))
        .collect();
    let oids: Vec<&str> = read.iter().map(|(_, oid)| *oid).collect();
    let texts = shadow.read_blobs_within(&oids, most)?;
    let mut tree: MemoryTree = listing.keys().map(|path| (path.clone(), Vec::new())).collect();
    let mut larger = BTreeSet::new();
    for ((path, _), text) in read.into_iter().zip(texts) {
        match text {
            Some(text) => {
                tree.0.insert(path.clone(), text);
            }
            None => {
                larger.insert(path.clone());
            }
        }
    }
    Ok((tree, larger))
}

/// A tree for finding out what it is made for: manifests are read at once, any other file when it is asked for.
pub(super) struct Surveyed<'a> {
    manifests: MemoryTree,
    listing: &'a Listing,
    shadow: &'a Shadow,
}

impl<'a> Surveyed<'a> {
    pub(super) fn new(shadow: &'a Shadow, listing: &'a Listing) -> Result<Self, Halt> {
        Ok(Self { manifests: sources(shadow, listing, is_manifest)?, listing, shadow })
    }
}

impl Tree for Surveyed<'_> {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        if is_manifest(path) {
            return self.manifests.read(path);
        }
        let entry = self.listing.get(path)?;
        self.shadow.read_blobs(&[entry.oid.as_str()]).ok()?.pop()
    }

    fn paths(&self) -> Vec<String> {
        self.manifests.paths()
    }
}
