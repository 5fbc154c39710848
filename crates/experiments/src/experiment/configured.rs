//! New tests without a configuration that may make other code of the code: what they show must not come from it.

use super::{Done, Experiment, Found, Try, reports};
use crate::branch::Branch;
use proctor_core::branch::{BranchKind, Configured as Needing, Evidence};
use proctor_core::report::CaseEnd;
use proctor_core::trial::{Selection, Trial};
use proctor_core::verdict::CheckName as C;
use proctor_core::words::TestId;
use proctor_lang::rewrites_code;

pub(super) struct Configured;

impl Experiment for Configured {
    fn what(&self) -> &'static str {
        "new tests without changed configuration"
    }

    fn checks(&self) -> &'static [C] {
        &[C::Harness]
    }

    fn next(&self, branch: &Branch<'_>, done: &[Done]) -> Vec<Try> {
        let (paths, red) = (rewriting(branch), branch.sorted().red);
        if !done.is_empty() || paths.is_empty() || red.is_empty() || branch.kind != BranchKind::Both
        {
            return Vec::new();
        }
        let mut trial = Trial::of(branch.head.tree()).only(Selection::Ids(red));
        for path in paths {
            let old = branch.base.text(&path).map(|text| text.as_bytes().to_vec());
            trial.edits.insert(path, old);
        }
        vec![Try::Run(trial)]
    }

    fn evidence(&self, branch: &Branch<'_>, done: &[Done]) -> Found {
        let Some(report) = reports(done).pop() else { return Found::default() };
        let passes = |id: &TestId| {
            let mut own = report.cases.iter().filter(|(case, _)| *case == id || id.covers(case));
            own.any(|(_, case)| case.end == CaseEnd::Passed)
        };
        let test = branch.sorted().red.into_iter().find(|id| !passes(id));
        test.map_or_else(Found::default, |test| {
            Evidence::Configured(Needing { test, by: rewriting(branch) }).into()
        })
    }
}

/// The changed files that may make other code of the code.
fn rewriting(branch: &Branch<'_>) -> Vec<String> {
    let rewrites = |path: &&String| {
        let old = branch.base.text(path).unwrap_or_default();
        branch.head.text(path).is_some_and(|new| rewrites_code(path, old, new))
    };
    branch.touched.iter().filter(rewrites).cloned().collect()
}
