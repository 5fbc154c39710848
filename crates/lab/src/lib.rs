//! Trials in pristine trees: how a tree is made and furnished, what a child in it may do, what was built before and may
//! serve again, and many runs at a time. It takes what it needs, and judges nothing.

mod attend;
mod batched;
mod bounds;
mod changes;
mod command;
mod countdown;
pub mod crash;
pub mod disk;
mod elsewhere;
mod furnish;
mod halt;

mod home;
mod hush;
mod keep;
mod masks;
mod moved;
mod noticed;
mod products;
mod record;
mod rounds;
mod setting;
mod shop;
mod signals;
mod slot;
mod sources;
mod spans;
mod stage;
mod suite;
mod surroundings;
mod switching;
mod testrun;
mod together;
pub mod tools;

pub use attend::{Broke, attended};
pub use bounds::{Needs, is_enough};
pub use changes::{Changes, Fates};
pub use command::{COMMANDS, CommandEnd, CommandRecord, Printed};
pub use elsewhere::clock_shifter;
pub use furnish::Furniture;
pub use halt::Halt;
pub use home::Home;
pub use hush::{hush_file, hush_logs, redactor_of};
pub use keep::{Heard, Limit};
pub use masks::Masks;
pub use noticed::Noticed;
pub use proctor_core::trial::Trial;
pub use setting::Setting;
pub use shop::Shop;
pub use signals::Signals;
pub use slot::SlotKind;
pub use sources::{Surveyed, sources, sources_within};
pub use stage::Stage;
pub use suite::{Bench, Suite, merged};
pub use surroundings::Surroundings;
pub use testrun::{Begun, Measured, TestRuns, Upon, broken};
pub use together::{is_built, workers};

use proctor_core::event::Project;
use proctor_core::words::{CommitId, RunId};
use proctor_world::child::Cancel;
use proctor_world::shadow::Shadow;
use std::path::Path;
use std::sync::Arc;

/// Where tests of one repository are run.
#[derive(Clone)]
pub struct Lab {
    pub shop: Shop,
    /// Names its folders.
    pub id: RunId,
    /// Names its logs: the how many-th effect of that name it works for.
    pub no: u32,
    pub setting: Setting,
    /// Whose files decide what every tree gets.
    pub base: CommitId,
    /// The projects and their tools, where those were settled before.
    pub settled: Vec<Project>,
    /// What is left of the whole time, where that is bounded.
    pub left_ms: Option<u64>,
    pub masks: Masks,
    pub cancel: Cancel,
    /// Which places of the machine its children take.
    pub slot: SlotKind,
    /// Hears a line for each step.
    pub tell: Arc<dyn Fn(String) + Send + Sync>,
}

impl Lab {
    /// Whether this work is still wanted.
    pub fn wanted(&self) -> Result<(), Halt> {
        if self.cancel.is_cancelled() { Err(Halt::Cancelled) } else { Ok(()) }
    }

    /// Says a line to whoever looks on.
    pub fn say(&self, text: impl Into<String>) {
        (self.tell)(text.into());
    }

    pub fn shadow(&self) -> Result<Shadow, Halt> {
        let git_dir = Path::new(&self.setting.repo.git_dir);
        Ok(Shadow::open(self.shop.home.root(), git_dir, &self.base)?)
    }

    pub(crate) fn root(&self) -> &Path {
        Path::new(&self.setting.repo.root)
    }
}
