//! Which test noticed a change first, beside the changes' fates. For people: nothing is judged by it.

use proctor_core::report::{CaseEnd, TestReport};
use proctor_core::words::TestId;
use proctor_lang::Change;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

#[derive(Debug, Default)]
pub struct Noticed(Mutex<BTreeMap<String, TestId>>);

impl Noticed {
    /// Keeps the first test that failed in the report of a tree with this change.
    pub(crate) fn hear(&self, change: Option<&Change>, report: &TestReport) {
        let (Some(change), Some(id)) = (change, failed(report)) else { return };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(name(change), id);
    }

    pub fn by(&self, change: &Change) -> Option<TestId> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&name(change)).cloned()
    }
}

fn name(Change { file, edit }: &Change) -> String {
    format!("{file}\n{} {}\n{}", edit.from, edit.to, edit.text)
}

/// The first test that failed.
pub(crate) fn failed(report: &TestReport) -> Option<TestId> {
    let bad = |end: &CaseEnd| matches!(end, CaseEnd::Failed { .. } | CaseEnd::Errored { .. });
    report.cases.iter().find(|(_, case)| bad(&case.end)).map(|(id, _)| id.clone())
}
