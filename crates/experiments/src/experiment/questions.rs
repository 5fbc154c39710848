//! Older tests whose text is another now, or whose data is: what the old ones ask of head's code, and what the new ones do. Both
//! are observed; whether enough is asked is judged in `core`.

use super::look::{Dropped, Memory, Script, Subject};
use super::{Done, Experiment, Found, Try};
use crate::branch::Branch;
use proctor_core::branch::{Evidence, Role, Touched};
use proctor_core::item::TestItem;
use proctor_core::observation::{Asked, Row};
use proctor_core::verdict::CheckName as C;
use proctor_core::words::TreeId;
use proctor_lang::{Zone, parent, zone};
use std::collections::BTreeSet;

/// How many tests are asked at most because of data that changed.
const MOST_FED: usize = 24;

/// Whose questions are asked for.
pub enum Questions {
    /// Those of tests that say something else than on the base, or under another name: as they were and as they are.
    Changed,
    /// Those of these tests on head.
    Of(Vec<TestItem>),
}

impl Experiment for Questions {
    fn what(&self) -> &'static str {
        "what changed tests ask"
    }

    fn checks(&self) -> &'static [C] {
        &[C::TestsIntact]
    }

    fn next(&self, branch: &Branch<'_>, done: &[Done]) -> Vec<Try> {
        self.script(branch, done).err().map(|next| *next).into_iter().collect()
    }

    fn evidence(&self, branch: &Branch<'_>, done: &[Done]) -> Found {
        self.script(branch, done).unwrap_or_default()
    }
}

impl Questions {
    fn script(&self, branch: &Branch<'_>, done: &[Done]) -> Result<Found, Box<Try>> {
        let memory = Memory::default();
        let mut script = Script::new(branch, done, &memory);
        let head = branch.head.tree();
        let asked = match self {
            Self::Of(items) => {
                let rows = rows_of(&mut script, head, items)?;
                let asked = |(item, old): (&TestItem, [Vec<Row>; 2])| {
                    let (test, place) = (item.id.clone(), item.place.clone());
                    Asked { test, place, old, new: Vec::new() }
                };
                items.iter().zip(rows).map(asked).collect()
            }
            Self::Changed => {
                let all = reworded(branch).into_iter().chain(fed(branch));
                let (was, is): (Vec<TestItem>, Vec<TestItem>) = all.unzip();
                let tree = branch.mixed.old_on_head.as_ref().filter(|_| !was.is_empty());
                let Some(tree) = tree else { return Ok(Found::default()) };
                let old = rows_of(&mut script, tree, &was)?;
                let new = match seen(branch, &is) {
                    Some(rows) => rows,
                    None => {
                        rows_of(&mut script, head, &is)?.into_iter().map(|[rows, _]| rows).collect()
                    }
                };
                let all = was.into_iter().zip(is).zip(old.into_iter().zip(new));
                all.map(|((was, is), (old, new))| Asked { test: is.id, place: was.place, old, new })
                    .collect()
            }
        };
        Ok(Found { evidence: vec![Evidence::Asked(asked)], left_out: script.left_out })
    }
}

/// Each of them as it was and as it is.
fn reworded(branch: &Branch<'_>) -> Vec<(TestItem, TestItem)> {
    let changed = &branch.measure.items.changed;
    let paths: Vec<String> = changed.iter().map(|item| item.place.file.clone()).collect();
    let old = branch.tests.items(branch.base.texts(), &paths);
    let was = |is: &TestItem| old.iter().find(|was| was.id == is.id).cloned();
    let changed = changed.iter().filter_map(|is| Some((was(is)?, is.clone())));
    let renamed = branch.measure.renamed.iter().map(|pair| (pair.was.clone(), pair.is.clone()));
    changed.chain(renamed).collect()
}

/// What their assertions saw on head when they were observed beside others, where all of them were and the same twice.
fn seen(branch: &Branch<'_>, items: &[TestItem]) -> Option<Vec<Vec<Row>>> {
    let rows = |item: &TestItem| {
        let mut watched = branch.measure.watched.iter();
        let [rows, again] = &watched.find(|watched| watched.test == item.id)?.plain;
        (!rows.is_empty() && rows == again).then(|| rows.clone())
    };
    items.iter().map(rows).collect()
}

/// Tests that say the same as before and name data of theirs that does not: what that asks through them is theirs to ask.
fn fed(branch: &Branch<'_>) -> Vec<(TestItem, TestItem)> {
    let is_data = |touched: &&Touched| {
        let path = &touched.path;
        let old = touched.role == Role::Supports && branch.base.has(path);
        old && !branch.tests.is_source(path)
    };
    let data = branch.surroundings.iter().filter(is_data);
    let names: BTreeSet<&str> = data
        .flat_map(|touched| {
            let folder = parent(&touched.path).rsplit('/').next().unwrap_or_default();
            [touched.path.rsplit('/').next().unwrap_or_default(), folder]
        })
        .filter(|name| !name.is_empty() && !["tests", "test"].contains(name))
        .collect();
    let names_it = |path: &&str| {
        let text = branch.head.text(path).filter(|_| branch.tests.is_source(path));
        let text = text.filter(|_| zone(path) == Zone::Test);
        text.is_some_and(|text| names.iter().any(|name| text.contains(name)))
    };
    let files = branch.head.paths().into_iter().filter(names_it).map(str::to_owned);
    let files: Vec<String> = files.collect();
    let items = branch.tests.items(branch.head.texts(), &files).into_iter();
    let old = items.filter(|item| branch.measure.item_of(&item.id).is_none());
    let old = old.filter(|item| branch.measure.base.cases.keys().any(|id| item.covers(id)));
    old.take(MOST_FED).map(|item| (item.clone(), item)).collect()
}

/// What the assertions of these tests see on a tree, twice.
fn rows_of(
    script: &mut Script<'_, '_>,
    tree: &TreeId,
    items: &[TestItem],
) -> Result<Vec<[Vec<Row>; 2]>, Box<Try>> {
    let subjects: Vec<Subject> = items.iter().cloned().map(Subject::plain).collect();
    let seen = script.seen(tree, &subjects, &mut Dropped::new())?;
    let rows = |n: usize, copy: usize| seen.get(&(n, copy)).cloned().unwrap_or_default();
    Ok((0..items.len()).map(|n| [rows(n, 0), rows(n, 1)]).collect())
}
