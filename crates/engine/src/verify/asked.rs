//! Older tests whose text is another now: what the old text asks of head's code, and what the new one does. Both are
//! observed; whether enough is asked is judged in `core`.

use super::Measuring;
use super::generalise::{Dropped, Subject};
use proctor_core::item::TestItem;
use proctor_core::observation::{Asked, Row};
use proctor_core::words::TreeId;
use proctor_lab::Halt;

impl Measuring<'_> {
    /// The tests that say something else than on the base, or under another name.
    pub(super) fn asked(&mut self) -> Result<(), Halt> {
        let pairs = self.reworded();
        let tree = self.mixed.old_on_head.clone().filter(|_| !pairs.is_empty());
        let Some(tree) = tree else { return Ok(()) };
        let (was, is): (Vec<TestItem>, Vec<TestItem>) = pairs.into_iter().unzip();
        let head = self.scene.head.tree.clone();
        let old = self.rows_of(&tree, &was)?;
        let new = self.rows_of(&head, &is)?;
        let all = was.into_iter().zip(is).zip(old.into_iter().zip(new));
        self.measure.asked = all
            .map(|((was, is), (old, [new, _]))| Asked { test: is.id, place: was.place, old, new })
            .collect();
        Ok(())
    }

    /// Each of them as it was and as it is.
    fn reworded(&self) -> Vec<(TestItem, TestItem)> {
        let changed = &self.measure.items.changed;
        let paths: Vec<String> = changed.iter().map(|item| item.place.file.clone()).collect();
        let old = self.runs.suite().items(&self.scene.base.texts, &paths);
        let was = |is: &TestItem| old.iter().find(|was| was.id == is.id).cloned();
        let changed = changed.iter().filter_map(|is| Some((was(is)?, is.clone())));
        let renamed = self.measure.renamed.iter().map(|pair| (pair.was.clone(), pair.is.clone()));
        changed.chain(renamed).collect()
    }

    /// What the assertions of these tests see on a tree, twice.
    pub(super) fn rows_of(
        &mut self,
        tree: &TreeId,
        items: &[TestItem],
    ) -> Result<Vec<[Vec<Row>; 2]>, Halt> {
        let subjects: Vec<Subject> = items.iter().cloned().map(Subject::plain).collect();
        let seen = self.observed(tree, &subjects, &mut Dropped::new())?;
        let rows = |n: usize, copy: usize| seen.get(&(n, copy)).cloned().unwrap_or_default();
        Ok((0..items.len()).map(|n| [rows(n, 0), rows(n, 1)]).collect())
    }
}
