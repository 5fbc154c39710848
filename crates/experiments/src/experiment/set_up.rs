//! New tests with one changed file of set-up as the base has it, then with nothing in all of them but what the tests name, here
//! and in other surroundings: what a test shows must not come from a set-up that it does not name.

use super::{Done, Experiment, Found, Try, reports};
use crate::branch::Branch;
use crate::unasked::{defined, without_unasked, words};
use proctor_core::branch::{BranchKind, Configured, Evidence, Role};
use proctor_core::item::TestItem;
use proctor_core::report::{CaseEnd, TestReport};
use proctor_core::trial::{Factor, Selection, Trial};
use proctor_core::verdict::CheckName as C;
use proctor_core::words::TestId;
use std::collections::{BTreeMap, BTreeSet};

/// How many files are put back at most: each is a start of the tool.
const MOST: usize = 4;
/// Surroundings that need nothing beside the tests.
const AROUND: [Factor; 12] = [
    Factor::Place,
    Factor::Checkout,
    Factor::Home,
    Factor::Session,
    Factor::Locale,
    Factor::TimeZone,
    Factor::Seed,
    Factor::Production,
    Factor::Host,
    Factor::Numbers,
    Factor::Terminal,
    Factor::Cores,
];

pub(super) struct SetUp;

impl Experiment for SetUp {
    fn what(&self) -> &'static str {
        "new tests with the base's set-up"
    }

    fn checks(&self) -> &'static [C] {
        &[C::Harness]
    }

    fn next(&self, branch: &Branch<'_>, done: &[Done]) -> Vec<Try> {
        let red = branch.sorted().red;
        if red.is_empty() || branch.kind != BranchKind::Both {
            return Vec::new();
        }
        let trial = || Trial::of(branch.head.tree()).only(Selection::Ids(red.clone()));
        let files = files(branch);
        let count = files.len().min(MOST);
        let back = |file: &String| {
            let old = branch.base.text(file).unwrap_or_default().as_bytes().to_vec();
            Try::Run(trial().with(file.clone(), old))
        };
        let asked = asked(branch, &files).into_iter();
        let asked = asked.fold(trial(), |trial, (file, text)| trial.with(file, text));
        match done.len() {
            0 => files.iter().take(MOST).map(back).collect(),
            n if n == count && !asked.edits.is_empty() => {
                vec![Try::Run(asked.clone()), Try::Run(asked.elsewhere(&AROUND))]
            }
            _ => Vec::new(),
        }
    }

    fn evidence(&self, branch: &Branch<'_>, done: &[Done]) -> Found {
        let (files, runs) = (files(branch), reports(done));
        let count = (files.len().min(MOST), files.len());
        let needing = |(file, report): (&String, &TestReport)| {
            let names = defined(branch.head.text(file)?);
            let says = |id: &TestId| {
                let item: Option<&TestItem> = branch.measure.item_of(id);
                item.is_none_or(|item| words(&item.text).any(|word| names.contains(word)))
            };
            let lost = |id: &TestId| !passes(report, id) && !says(id);
            let test = branch.sorted().red.into_iter().find(lost)?;
            Some(Configured { test, by: vec![file.clone()], elsewhere: false })
        };
        let mut found: Vec<Configured> = files.iter().zip(&runs).filter_map(needing).collect();
        let rest = runs.get(count.0..).unwrap_or_default();
        let by: Vec<String> = asked(branch, &files).into_keys().collect();
        // What does not even load there says nothing.
        let lost = |report: &TestReport, id: &TestId| !passes(report, id) && fails(report, id);
        let moved = |id: &TestId| branch.measure.elsewhere.moved.iter().any(|m| m.test == *id);
        let unnamed = |(report, elsewhere): (&TestReport, bool)| {
            let is_other = |id: &TestId| !found.iter().any(|one| one.test == *id) && !moved(id);
            let mut red = branch.sorted().red.into_iter();
            let test = red.find(|id| lost(report, id) && is_other(id))?;
            Some(Configured { test, by: by.clone(), elsewhere })
        };
        let more = rest.iter().zip([false, true]).find_map(unnamed);
        found.extend(more);
        Found::from(Evidence::SetUp(found)).of_all(C::Source, "changed files of set-up", count)
    }
}

fn passes(report: &TestReport, id: &TestId) -> bool {
    own(report, id).any(|end| *end == CaseEnd::Passed)
}

fn fails(report: &TestReport, id: &TestId) -> bool {
    own(report, id).any(|end| matches!(end, CaseEnd::Failed { .. }))
}

fn own<'r>(report: &'r TestReport, id: &'r TestId) -> impl Iterator<Item = &'r CaseEnd> {
    let own = report.cases.iter().filter(move |(case, _)| *case == id || id.covers(case));
    own.map(|(_, case)| &case.end)
}

/// The files of set-up with nothing new in them but what red tests name, where that is less than all.
fn asked(branch: &Branch<'_>, files: &[String]) -> BTreeMap<String, String> {
    let red = branch.sorted().red;
    let items = red.iter().filter_map(|id| branch.measure.item_of(id));
    let named: BTreeSet<&str> = items.flat_map(|item| words(&item.text)).collect();
    let one = |file: &String| {
        let old = branch.base.text(file).unwrap_or_default();
        let text = without_unasked(file, old, branch.head.text(file)?, &named)?;
        Some((file.clone(), text))
    };
    files.iter().take(MOST).filter_map(one).collect()
}

/// The new and changed sources that tests stand on and that hold no tests; a new one is put back by being empty.
fn files(branch: &Branch<'_>) -> Vec<String> {
    let is_set_up = |path: &str, role: Role| {
        let own = role == Role::Supports || path.rsplit('/').next() == Some("conftest.py");
        own && branch.head.text(path).is_some()
            && branch.tests.is_source(path)
            && branch.tests.items(branch.head.texts(), &[path.to_owned()]).is_empty()
    };
    let all = branch.surroundings.iter().filter(|touched| is_set_up(&touched.path, touched.role));
    all.map(|touched| touched.path.clone()).collect()
}
