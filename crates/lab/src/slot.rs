//! How many children work at the same time on this machine, whichever process started them: test tools as many as there are
//! processors, agents some more, since these mostly wait. Judges nothing.

use crate::{Halt, Lab};
use proctor_world::slots::{Slot, Slots, memory_kb};

/// What a child is counted as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotKind {
    /// Test tools, builds, linters.
    Tools,
    /// A turn of an agent.
    Agents,
    /// A person sits at it.
    Uncounted,
}

/// As much memory is left for each agent.
const AN_AGENT_KB: u64 = 768 * 1024;
/// As many agents may be at work for each processor.
const AGENTS_A_CORE: usize = 4;

impl Lab {
    /// A place for the next child; waits for one where all are taken.
    pub(crate) fn slot(&self) -> Result<Option<Slot>, Halt> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (kind, count) = match self.slot {
            SlotKind::Uncounted => return Ok(None),
            SlotKind::Tools => ("tools", cores),
            SlotKind::Agents => ("agents", (cores * AGENTS_A_CORE).min(most_agents())),
        };
        let folder = self.shop.home.slots(kind);
        let waiting = |count: usize| {
            self.say(format!("waits for one of {count} places for {kind} on this machine"));
        };
        match Slots::of(folder.clone(), count).take(&self.cancel, &waiting) {
            Ok(Some(slot)) => Ok(Some(slot)),
            Ok(None) => Err(Halt::Cancelled),
            Err(error) => Err(Halt::io("could not take a place in", &folder, &error)),
        }
    }
}

fn most_agents() -> usize {
    let memory = memory_kb().map_or(8, |memory| memory / AN_AGENT_KB);
    usize::try_from(memory).unwrap_or(usize::MAX).max(1)
}
