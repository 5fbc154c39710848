//! The project's tests with their expectations turned round.

use super::Measuring;
use proctor_core::branch::{BranchKind, Twin, TwinSort};
use proctor_core::item::TestItem;
use proctor_core::report::{Place, TestReport};
use proctor_core::words::TreeId;
use proctor_experiments::{flips, traps};
use proctor_lab::Halt;
use proctor_lab::Trial;
use proctor_lang::Edit;
use proctor_tools::Selection;
use std::collections::BTreeMap;

/// How many tests are flipped at most, and how many assertions of each.
const MOST_TWINS: usize = 16;
const MOST_FLIPS: usize = 3;

/// A test and what is turned round in it.
type Flipped<'f> = (&'f TestItem, &'f [Edit]);

impl Measuring<'_> {
    /// The new and changed tests with an expectation turned round, one assertion of each at a time.
    pub(super) fn twins(&mut self) -> Result<(), Halt> {
        if self.scene.kind == BranchKind::CodeOnly {
            return Ok(());
        }
        let chosen = self.seen(|branch| branch.chosen(MOST_TWINS))?;
        let (mut flipped, mut trapped) = (Vec::new(), Vec::new());
        for item in chosen {
            let file = &item.place.file;
            let Some((text, line)) = self.scene.head.text(file).zip(item.place.line) else {
                continue;
            };
            let mut edits = flips(file, text, line);
            edits.truncate(MOST_FLIPS);
            let traps = if edits.is_empty() { traps(file, text, line) } else { Vec::new() };
            flipped.push((item.clone(), edits));
            trapped.push((item, traps));
        }
        let mut rounds: Vec<(Vec<Flipped<'_>>, TwinSort)> = Vec::new();
        for round in 0..MOST_FLIPS {
            let of_round = flipped
                .iter()
                .filter_map(|(item, edits)| Some((item, edits.get(round..=round)?)))
                .collect();
            rounds.push((of_round, TwinSort::Flipped));
        }
        // No assertion of these is sure to run: whether one does is seen.
        let unsure = trapped
            .iter()
            .filter(|(_, traps)| !traps.is_empty())
            .map(|(item, traps)| (item, traps.as_slice()))
            .collect();
        rounds.push((unsure, TwinSort::Trapped));
        rounds.retain(|(twins, _)| !twins.is_empty());
        let tree = self.scene.head.tree.clone();
        let trials: Vec<Trial> =
            rounds.iter().map(|(twins, _)| self.with_twins(&tree, twins)).collect();
        let reports = self.runs.reports(&trials)?;
        for ((twins, sort), report) in rounds.iter().zip(&reports) {
            self.note_twins(twins, *sort, report);
        }
        Ok(())
    }

    fn with_twins(&self, tree: &TreeId, twins: &[Flipped<'_>]) -> Trial {
        let mut by_file: BTreeMap<&str, Vec<Edit>> = BTreeMap::new();
        for (item, edits) in twins {
            by_file.entry(&item.place.file).or_default().extend_from_slice(edits);
        }
        let ids = twins.iter().map(|(item, _)| item.id.clone()).collect();
        let mut trial = Trial::of(tree).only(Selection::Ids(ids));
        for (file, edits) in by_file {
            let text = self.scene.head.text(file).unwrap_or_default();
            trial = trial.with(file, Edit::applied(text, &edits));
        }
        trial
    }

    fn note_twins(&mut self, twins: &[Flipped<'_>], sort: TwinSort, report: &TestReport) {
        for (item, edits) in twins {
            let Some(edit) = edits.first() else { continue };
            let file = &item.place.file;
            let text = self.scene.head.text(file).unwrap_or_default();
            let ends = report.cases.iter().filter(|(id, _)| item.covers(id));
            self.measure.twins.push(Twin {
                test: item.id.clone(),
                sort,
                place: Place { file: file.clone(), line: Some(edit.line) },
                what: edit.what.clone(),
                diff: edit.diff(file, text),
                ends: ends.map(|(_, case)| case.end.clone()).collect(),
            });
        }
    }
}
