//! Older tests whose text is another now: what the old text asks of head's code, and what the new one does. Both are
//! observed; whether enough is asked is judged in `core`.

use super::look::{Dropped, Memory, Script, Subject};
use super::{Done, Experiment, Found, Try};
use crate::branch::Branch;
use proctor_core::branch::Evidence;
use proctor_core::item::TestItem;
use proctor_core::observation::{Asked, Row};
use proctor_core::verdict::CheckName as C;
use proctor_core::words::TreeId;

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
                let (was, is): (Vec<TestItem>, Vec<TestItem>) =
                    reworded(branch).into_iter().unzip();
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
