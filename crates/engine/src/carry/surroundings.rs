//! What is around an agent at work: the same packages, programs, registries and ports as around the tests in a gate, so that
//! its usual test command shows what the gate will see. It must not start anything.

use super::agent::Turn;
use super::{Halt, Job};
use proctor_core::brief::AgentKind;
use proctor_lab::Surroundings;
use proctor_world::shadow::Shadow;

impl Job {
    /// The surroundings of a turn. A scenario runs nothing that would need them.
    pub(super) fn surroundings(
        &self,
        turn: Turn<'_>,
        shadow: &Shadow,
    ) -> Result<Surroundings, Halt> {
        if matches!(turn.spec.kind, AgentKind::Script { .. }) {
            return Ok(Surroundings::default());
        }
        let products = self.home_of(turn).join("built");
        self.surroundings_here(shadow, &products)
    }

    /// The surroundings of the worktree, with build products of whoever works there.
    pub(super) fn surroundings_here(
        &self,
        shadow: &Shadow,
        products: &std::path::Path,
    ) -> Result<Surroundings, Halt> {
        let suite = self.suite_of(shadow, &shadow.tree_of(&self.run.base)?);
        // Before a baseline nobody knows whether there is a suite at all, and an agent can be tried without one.
        let suite = match suite {
            Err(_) if self.settled.is_empty() => return Ok(Surroundings::default()),
            suite => suite?,
        };
        let (tree, room) = (self.worktree(), self.shop.home.room(&self.id));
        self.surroundings_of((&tree, &room), &suite, products)
    }
}
