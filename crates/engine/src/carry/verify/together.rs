//! The neighbourhood of a test that asks for several things: all inputs that the production code repeats become others at
//! once. One alone shows little there: for the rest of them head has its answers, and the base has none.

use super::Measuring;
use super::near::{Seen, Suspect, compare, line_of};
use crate::carry::Halt;
use crate::carry::trial::Trial;
use proctor_core::words::TreeId;
use proctor_experiments::all_neighbours;
use proctor_lang::Edit;
use proctor_tools::Selection;
use std::collections::{BTreeMap, BTreeSet};

impl Measuring<'_> {
    /// Of each suspect whether head does what the base does as soon as none of its repeated inputs is left. Another input
    /// that leads head elsewhere speaks for it: then those that it repeats are not all that it knows.
    pub(super) fn together(
        &mut self,
        suspects: &[Suspect],
        seen: &[Vec<Seen>],
    ) -> Result<Vec<bool>, Halt> {
        let asks_more = |(suspect, seen): (&Suspect, &Vec<Seen>)| {
            let mut others = suspect.inputs.iter().zip(seen);
            let leads_elsewhere = others.any(|(input, seen)| {
                !suspect.shared.contains(&input.was) && *seen == Seen::Otherwise
            });
            suspect.shared.len() > 1 && !leads_elsewhere
        };
        let several: Vec<bool> = suspects.iter().zip(seen).map(asks_more).collect();
        let chosen: Vec<&Suspect> = suspects
            .iter()
            .zip(&several)
            .filter(|(_, several)| **several)
            .map(|(s, _)| s)
            .collect();
        if chosen.is_empty() {
            return Ok(several);
        }
        let old = self.scene.replay(self.shadow)?;
        let new = self.scene.head.tree.clone();
        let on_base = self.without_repeated(&old, &chosen)?;
        let on_head = self.without_repeated(&new, &chosen)?;
        let both = self.runs.reports(&[on_base, on_head])?;
        let [on_base, on_head] = both.as_slice() else {
            return Ok(vec![false; suspects.len()]);
        };
        let as_on_base = |(suspect, several): (&Suspect, bool)| {
            several && compare(&suspect.item, on_base, on_head) == Seen::AsOnBase
        };
        Ok(suspects.iter().zip(several).map(as_on_base).collect())
    }

    /// These tests with another value for every input that the production code repeats.
    fn without_repeated<'t>(
        &self,
        tree: &'t TreeId,
        suspects: &[&Suspect],
    ) -> Result<Trial<'t>, Halt> {
        let files: BTreeSet<&String> = suspects.iter().map(|s| &s.item.place.file).collect();
        let files: Vec<String> = files.into_iter().cloned().collect();
        let texts: BTreeMap<String, String> = self.texts_of(tree, &files)?;
        let (mut trial, mut ids) = (Trial::of(tree), Vec::new());
        for (file, text) in texts {
            let here = self.items_in(&file, &text);
            let mut edits = Vec::new();
            for suspect in suspects.iter().filter(|s| s.item.place.file == file) {
                let Some(line) = line_of(&suspect.item, &here) else { continue };
                let repeated = all_neighbours(&file, &text, line)
                    .into_iter()
                    .filter(|input| suspect.shared.contains(&input.was));
                edits.extend(repeated.map(|input| input.edit));
                ids.push(suspect.item.id.clone());
            }
            trial = trial.with(file, Edit::applied(&text, &edits));
        }
        Ok(trial.only(Selection::Ids(ids)))
    }
}
