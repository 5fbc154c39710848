//! Refusals of the base that are gone, each put back alone: where no test misses that they are gone, nobody asked for it.

use super::{Done, Experiment, Found, Tampering, Try, fates};
use crate::branch::Branch;
use crate::refusals::{Refusal, gone};
use proctor_core::branch::{BranchKind, Evidence, Fate, Unrefused};
use proctor_core::report::Place;
use proctor_core::trial::{Selection, Sought};
use proctor_core::verdict::CheckName as C;
use proctor_lang::Change;

/// How many are tried at most: each needs the suite.
const MOST: usize = 12;

pub(super) struct Refusals;

impl Experiment for Refusals {
    fn what(&self) -> &'static str {
        "refusals of the base put back"
    }

    fn checks(&self) -> &'static [C] {
        &[C::Regression]
    }

    fn next(&self, branch: &Branch<'_>, done: &[Done]) -> Vec<Try> {
        let all = missing(branch);
        if !done.is_empty() || all.is_empty() {
            return Vec::new();
        }
        let text = |file: &str| branch.head.text(file).unwrap_or_default().to_owned();
        let texts = all.iter().map(|(file, _)| (file.clone(), text(file))).collect();
        let change =
            |(file, one): &(String, Refusal)| Change { file: file.clone(), edit: one.back.clone() };
        let changes = all.iter().take(MOST).map(change).collect();
        let noticing = Selection::All;
        vec![Try::Changes(Tampering {
            texts,
            changes,
            noticing,
            parts: None,
            what: "refusals",
            sought: Sought::Fates,
        })]
    }

    fn evidence(&self, branch: &Branch<'_>, done: &[Done]) -> Found {
        let Some(fates) = fates(done) else { return Found::default() };
        let all = missing(branch);
        let count = (all.len().min(MOST), all.len());
        let unnoticed = all.into_iter().zip(fates).filter(|(_, fate)| **fate == Fate::Survived);
        let told = |((file, one), _): ((String, Refusal), &Fate)| {
            let place = Place { file, line: Some(one.back.line) };
            Unrefused { refusal: one.text, stood: one.line, place }
        };
        let found = unnoticed.map(told).collect();
        Found::from(Evidence::Unrefused(found)).of_all(
            C::Regression,
            "refusals that are gone",
            count,
        )
    }
}

fn missing(branch: &Branch<'_>) -> Vec<(String, Refusal)> {
    if branch.kind != BranchKind::Both {
        return Vec::new();
    }
    let of = |file: &String| {
        let texts = branch.base.text(file).zip(branch.head.text(file));
        let (base, head) = texts.filter(|_| branch.tests.is_source(file))?;
        Some(gone(file, base, head).into_iter().map(|one| (file.clone(), one)).collect::<Vec<_>>())
    };
    branch.lines.keys().filter_map(of).flatten().collect()
}
