//! Runs that land on one branch, one after the other: whoever is at the front is proven on what is there, lands or goes back,
//! and only then is the next one's turn. The place goes with the process that holds it. Decides nothing about the work.

use super::{Halt, Job};
use proctor_core::brief::LandMode;
use proctor_core::run::{GreenOf, Run, Stage};
use proctor_world::slots::{Slot, Slots};
use std::sync::{Arc, Mutex, PoisonError};

/// A run's place at the front, for as long as it has it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place(Arc<Mutex<Option<Slot>>>);

impl Place {
    fn held(&self) -> std::sync::MutexGuard<'_, Option<Slot>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives it up where the run is not about to land any more.
    pub(crate) fn kept_by(&self, run: &Run) {
        let lands = match &run.stage {
            Stage::Landing { .. } | Stage::Rebasing { .. } => true,
            Stage::ProvingGreen { of, .. } => matches!(of.work(), GreenOf::Rebase),
            _ => false,
        };
        if !lands || run.interrupted {
            *self.held() = None;
        }
    }
}

/// Waits until all that came before have landed or gone back.
pub(super) fn enter(job: &Job) -> Result<(), Halt> {
    let landing = &job.run.brief.landing;
    let onto = match (landing.mode, &landing.onto) {
        (LandMode::Squash | LandMode::Merge | LandMode::Rebase, Some(onto)) => onto,
        // Nothing is added to a branch that others land on: a host's own queue comes later.
        (LandMode::Branch | LandMode::Pr, _) | (_, None) => return Ok(()),
    };
    if job.place.held().is_some() {
        return Ok(());
    }
    let name = format!("{}\n{onto}", job.run.brief.repo.git_dir);
    let name = format!("landing-{}", blake3::hash(name.as_bytes()).to_hex());
    let folder = job.shop.home.slots(&name);
    let waiting = |_| job.say(format!("waits to land on {onto}: other runs come first"));
    let slot = match Slots::of(folder.clone(), 1).take(&job.cancel, &waiting) {
        Ok(Some(slot)) => slot,
        Ok(None) => return Err(Halt::Cancelled),
        Err(error) => return Err(Halt::io("could not take a place in", &folder, &error)),
    };
    *job.place.held() = Some(slot);
    Ok(())
}
