//! Mutants that a person let pass with the tester's reason: remembered for each repository, so that nobody is asked for them
//! twice. It decides nothing: they are told as what they are.

use crate::store::Store;
use proctor_core::branch::{Fate, Mutant};
use proctor_core::event::Approver;
use proctor_core::proof::GreenMeasure;
use proctor_core::run::{Run, Stage};
use proctor_lab::disk::write;
use proctor_lab::{Halt, Lab};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// More than this is not kept of one repository: the oldest marks of a long list say little about its code.
const MOST: usize = 2000;

/// What is known of a repository, by mark.
type Known = BTreeMap<String, String>;

fn file(lab: &Lab, run: &Run) -> PathBuf {
    let key = blake3::hash(run.brief.repo.git_dir.as_bytes()).to_hex();
    lab.shop.home.settled(key.as_str())
}

fn known(lab: &Lab, run: &Run) -> Known {
    let bytes = std::fs::read(file(lab, run)).unwrap_or_default();
    // What can't be read is not known: the tester is asked again.
    serde_json::from_slice(&bytes).unwrap_or_default()
}

/// Says of each mutant that survived what a person let pass before.
pub(crate) fn recall(lab: &Lab, run: &Run, mutants: &mut [Mutant]) {
    let known = known(lab, run);
    for mutant in mutants.iter_mut().filter(|mutant| mutant.fate == Fate::Survived) {
        mutant.settled = known.get(&mutant.mark()).cloned();
    }
}

/// The work landed, and a person who saw the reason approved it.
pub(crate) fn remember(lab: &Lab, run: &Run) -> Result<(), Halt> {
    let person = |by| matches!(by, Approver::Person | Approver::Review);
    let by_person = matches!(run.stage, Stage::Landing { by, .. } if person(by));
    let (Some(why), Some(measured)) = (&run.nothing_to_add, &run.measured) else { return Ok(()) };
    if !by_person {
        return Ok(());
    }
    let measure: GreenMeasure = Store::of(lab)?.get_json(measured)?;
    let mut known = known(lab, run);
    let mutants = measure.probe.iter().flat_map(|probe| &probe.mutants);
    for mutant in mutants.filter(|mutant| mutant.fate == Fate::Survived) {
        if known.len() < MOST {
            known.entry(mutant.mark()).or_insert_with(|| why.clone());
        }
    }
    let text = serde_json::to_vec_pretty(&known)
        .map_err(|e| Halt::lasting(format!("what was let pass can't be written down: {e}")))?;
    write(&file(lab, run), &text)
}
