//! The judgement of tests that were added when the work was already green, since those that were there ran too little
//! of it. They can't be red any more; they must be whole, and pass.

use super::{Added, Anchor, GreenMeasure, ran};
use crate::fault::{Named, Names, RedFault};
use crate::item::{Shape, TestItem};
use crate::proof::red::hollow;
use crate::report::{CaseEnd, TestReport};
use crate::words::TestId;

impl Anchor {
    /// The anchor with the added tests sealed beside the others; they prove nothing but must go on to pass.
    pub fn with_added(&self, measure: &GreenMeasure) -> Result<Self, Vec<RedFault>> {
        let (Some(added), Some(first)) = (&measure.added, measure.runs.first()) else {
            return Err(vec![RedFault::DidNotRun { why: "no test run was made".to_owned() }]);
        };
        if let Some(why) = measure.runs.iter().find_map(|run| ran(run).err()) {
            return Err(vec![RedFault::DidNotRun { why }]);
        }
        let new = self.new_ids(measure, first);
        let faults = added_faults(measure, added, &new);
        if !faults.is_empty() {
            return Err(faults);
        }
        let mut anchor = self.clone().moved(added.tests.clone());
        match &mut anchor {
            Self::Red(proof) => proof.guards.extend(new),
            Self::Pinned(proof) => proof.pinned.extend(new),
            Self::Open(ground) => ground.added.extend(new),
        }
        Ok(anchor)
    }

    /// Reported ids that neither the base had nor the seal.
    fn new_ids(&self, measure: &GreenMeasure, first: &TestReport) -> Vec<TestId> {
        let known = |id: &TestId| {
            measure.baseline.cases.contains_key(id) || self.sealed().any(|sealed| sealed.covers(id))
        };
        first.cases.keys().filter(|id| !known(id)).cloned().collect()
    }
}

fn added_faults(measure: &GreenMeasure, added: &Added, new: &[TestId]) -> Vec<RedFault> {
    let mut faults = Vec::new();
    let touched: Names =
        added.items.changed.iter().chain(&added.items.gone).map(|i| i.id.clone()).collect();
    if !touched.is_empty() {
        faults.push(RedFault::SealedTouched { tests: touched });
    }
    if new.is_empty() {
        faults.push(RedFault::NothingNew);
    }
    let hollow: Vec<Named> = added.items.new.iter().filter_map(hollow).collect();
    if !hollow.is_empty() {
        faults.push(RedFault::Hollow { tests: hollow });
    }
    let marked = |item: &&TestItem| item.shape == Shape::Skipped;
    let skipped: Names = added
        .items
        .new
        .iter()
        .filter(marked)
        .map(|item| item.id.clone())
        .chain(new.iter().filter(|id| is_skipped(measure, id)).cloned())
        .collect();
    if !skipped.is_empty() {
        faults.push(RedFault::Skipped { tests: skipped });
    }
    let failing: Names = new
        .iter()
        .filter(|id| !is_skipped(measure, id))
        .filter(|id| !measure.runs.iter().all(|run| run.passed(id)))
        .cloned()
        .collect();
    if !failing.is_empty() {
        faults.push(RedFault::AddedFail { tests: failing });
    }
    faults
}

fn is_skipped(measure: &GreenMeasure, id: &TestId) -> bool {
    let skipped = |run: &TestReport| {
        matches!(run.cases.get(id).map(|c| &c.end), Some(CaseEnd::Skipped { .. }))
    };
    measure.runs.iter().any(skipped)
}
