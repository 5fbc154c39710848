//! The shadow of the user's repository as an effect needs it: listings, sources, points.

use super::{Halt, Job};
use proctor_core::prompt::commit_message;
use proctor_core::proof::Point;
use proctor_core::words::{CommitId, Phase, TreeId};
use proctor_world::objects::CommitText;
use proctor_world::shadow::Shadow;
use std::path::PathBuf;

impl Job {
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

    /// Keeps an examiner's tests reachable.
    pub(super) fn examined_ref(&self) -> String {
        format!("refs/proctor/examined/{}", self.id)
    }

    /// Keeps the run's commits reachable.
    pub(super) fn run_ref(&self) -> String {
        format!("refs/proctor/runs/{}", self.id)
    }
}
