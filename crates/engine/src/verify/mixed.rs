//! The trees that are made of both sides of a branch: head's tests on the base's code, and the base's tests on head's. It writes
//! trees into the shadow repository and runs nothing.

use super::modules::with_new_modules;
use super::scene::{Scene, Side};
use crate::carry::policy::with_tests_of;
use proctor_core::branch::{BranchKind, Role};
use proctor_core::words::TreeId;
use proctor_experiments::Mixed;
use proctor_lab::Halt;
use proctor_lang::{Zone, zone};
use proctor_tools::is_manifest;
use proctor_world::shadow::Shadow;
use std::collections::BTreeSet;

impl Scene {
    /// The trees that are made of both sides.
    pub(super) fn mixed(&self, shadow: &Shadow) -> Result<Mixed, Halt> {
        let mut mixed = Mixed { old_on_head: self.old_on_head(shadow)?, ..Mixed::default() };
        if self.kind == BranchKind::Both {
            mixed.replay = Some(self.replay(shadow)?);
            mixed.replay_with_manifests = self.replay_with_manifests(shadow)?;
        }
        Ok(mixed)
    }

    /// Head's tests and what decides how they run, on the base's production code.
    fn replay(&self, shadow: &Shadow) -> Result<TreeId, Halt> {
        let (base, head) = (&self.base.tree, &self.head.tree);
        let tree = with_tests_of(shadow, base, (base, head))?;
        let sides = (&self.base, &self.head);
        let tree = with_new_modules(shadow, tree, sides, self.touched.iter())?;
        self.deciding_from(shadow, &tree, &self.head, |_| false)
    }

    /// The same with head's manifests: its tests may need a library that the base does not name.
    fn replay_with_manifests(&self, shadow: &Shadow) -> Result<Option<TreeId>, Halt> {
        let manifest = |path: &str| is_manifest(path) || is_lock(path);
        if !self.touched.iter().any(|path| manifest(path)) {
            return Ok(None);
        }
        let tree = self.replay(shadow)?;
        self.deciding_from(shadow, &tree, &self.head, manifest).map(Some)
    }

    /// The base's tests and what decides how they run, on head's production code; none where the branch left them alone.
    fn old_on_head(&self, shadow: &Shadow) -> Result<Option<TreeId>, Halt> {
        let (base, head) = (&self.base.tree, &self.head.tree);
        let tree = with_tests_of(shadow, head, (head, base))?;
        let decides: BTreeSet<&str> = self
            .surroundings
            .iter()
            .filter(|touched| touched.role == Role::Decides)
            .map(|touched| touched.path.as_str())
            .collect();
        let tree = self.deciding_from(shadow, &tree, &self.base, |path| decides.contains(path))?;
        Ok((&tree != head).then_some(tree))
    }

    /// A tree with the deciding files of one side, and further ones.
    fn deciding_from(
        &self,
        shadow: &Shadow,
        tree: &TreeId,
        side: &Side,
        further: impl Fn(&str) -> bool,
    ) -> Result<TreeId, Halt> {
        let mut listing = (*shadow.list(tree)?).clone();
        for path in &self.touched {
            if zone(path) != Zone::Deciding && !further(path) {
                continue;
            }
            match side.listing.get(path) {
                Some(entry) => listing.insert(path.clone(), entry.clone()),
                None => listing.remove(path),
            };
        }
        Ok(shadow.write_tree(&listing)?)
    }
}

fn is_lock(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let known = ["Cargo.lock", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "go.sum"];
    known.contains(&name)
}
