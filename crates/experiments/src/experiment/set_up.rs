//! New tests with one changed file of set-up as the base has it: what a test shows must not come from a set-up that it does not
//! name.

use super::{Done, Experiment, Found, Try, reports};
use crate::branch::Branch;
use proctor_core::branch::{BranchKind, Configured, Evidence, Role};
use proctor_core::item::TestItem;
use proctor_core::report::CaseEnd;
use proctor_core::trial::{Selection, Trial};
use proctor_core::verdict::CheckName as C;
use proctor_core::words::TestId;
use std::collections::BTreeSet;

/// How many files are put back at most: each is a start of the tool.
const MOST: usize = 4;
/// After these words stands a name that is given to something.
const NAMING: &str = " def class function const let var fn func struct enum type mod trait static ";

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
        if !done.is_empty() || red.is_empty() || branch.kind != BranchKind::Both {
            return Vec::new();
        }
        let back = |file: &String| {
            let old = branch.base.text(file).unwrap_or_default().as_bytes().to_vec();
            let trial = Trial::of(branch.head.tree()).only(Selection::Ids(red.clone()));
            Try::Run(trial.with(file.clone(), old))
        };
        files(branch).iter().take(MOST).map(back).collect()
    }

    fn evidence(&self, branch: &Branch<'_>, done: &[Done]) -> Found {
        let files = files(branch);
        let count = (files.len().min(MOST), files.len());
        let needing = |(file, report): (&String, proctor_core::report::TestReport)| {
            let passes = |id: &TestId| {
                let mut own =
                    report.cases.iter().filter(|(case, _)| *case == id || id.covers(case));
                own.any(|(_, case)| case.end == CaseEnd::Passed)
            };
            let names = defined(branch.head.text(file)?);
            let says = |id: &TestId| {
                let item: Option<&TestItem> = branch.measure.item_of(id);
                item.is_none_or(|item| words(&item.text).any(|word| names.contains(word)))
            };
            let test = branch.sorted().red.into_iter().find(|id| !passes(id) && !says(id))?;
            Some(Configured { test, by: vec![file.clone()] })
        };
        let found = files.iter().zip(reports(done)).filter_map(needing).collect();
        Found::from(Evidence::SetUp(found)).of_all(C::Source, "changed files of set-up", count)
    }
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

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')
}

/// The names that a source gives to what stands outermost in it.
fn defined(source: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for line in source.lines().filter(|line| !line.starts_with([' ', '\t', '#', '/'])) {
        // `func (t *T) Name(`.
        let after = line.strip_prefix("func (").and_then(|rest| rest.split_once(')'));
        let line = after.map_or(line, |(_, rest)| rest.trim());
        let mut before = if after.is_some() { "func" } else { "" };
        for word in words(line).filter(|word| !word.is_empty()) {
            let named = NAMING.split_whitespace().any(|naming| naming == before);
            if named || matches!(before, "exports" | "name") {
                found.insert(word);
            }
            before = word;
        }
        let assigned = line.split_once('=').map(|(name, _)| name.trim());
        found.extend(assigned.filter(|name| words(name).count() == 1 && !name.is_empty()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_set_up_gives_to_tests_has_names() {
        let all = |text| defined(text).into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(
            all(
                "RATE = 3\n@pytest.fixture(name=\"till\")\ndef _till():\n    own = 1\n    return own\n"
            ),
            "RATE _till till"
        );
        assert_eq!(
            all("export function cart() {\n  const a = 1;\n}\nexports.seats = 2;\n"),
            "cart seats"
        );
        assert_eq!(all("func (t *T) Sum(a int) int {\n}\nfunc make(b int) {\n}\n"), "Sum make");
    }
}
