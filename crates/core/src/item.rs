//! A test as it stands in a source file, found by reading the source and never by running it.

use crate::report::Place;
use crate::words::TestId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One test in a source file. `lang` finds them; the red gate compares base against the tester's tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestItem {
    /// The id that the tool will give it, or one that stands for several cases (see [`TestId::covers`]).
    pub id: TestId,
    pub place: Place,
    /// Its source with white space folded: two items with the same text are the same test.
    pub text: String,
    pub shape: Shape,
}

/// What reading the body says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// It checks something.
    Sound,
    /// No assertion, no expected exception, no call that could fail the test on purpose.
    NoAssertion,
    /// It fails whatever the code does: `assert False`, `panic!()`, `todo!()`, `pytest.fail()` as a plain statement.
    ConstantFailure,
    /// Marked skipped, ignored or expected to fail.
    Skipped,
}

/// What the tester's turn did to the tests, item by item.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemChanges {
    pub new: Vec<TestItem>,
    /// There at the base, with another text now.
    pub changed: Vec<TestItem>,
    /// There at the base, gone now.
    pub gone: Vec<TestItem>,
}

impl ItemChanges {
    /// Compares two lists of items by id. One id may stand for several items (their names are only known when they run):
    /// those with equal texts are pairs, the rest is paired as changed in order, and what is left is new or gone.
    pub fn between(before: &[TestItem], after: &[TestItem]) -> Self {
        let mut old: BTreeMap<&TestId, Vec<&TestItem>> = BTreeMap::new();
        for item in before {
            old.entry(&item.id).or_default().push(item);
        }
        let mut changes = Self::default();
        let mut unpaired = Vec::new();
        for item in after {
            let same = old.get_mut(&item.id).and_then(|list| {
                let at = list.iter().position(|old| old.text == item.text)?;
                Some(list.remove(at))
            });
            if same.is_none() {
                unpaired.push(item);
            }
        }
        for item in unpaired {
            match old.get_mut(&item.id).filter(|list| !list.is_empty()) {
                Some(list) => {
                    list.remove(0);
                    changes.changed.push(item.clone());
                }
                None => changes.new.push(item.clone()),
            }
        }
        changes.gone = old.into_values().flatten().cloned().collect();
        changes
    }
}

impl TestItem {
    /// Whether a reported id is this item or one of its cases.
    pub fn covers(&self, id: &TestId) -> bool {
        self.id.covers(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(list: &[(&str, &str)]) -> Vec<TestItem> {
        let item = |(id, text): &(&str, &str)| TestItem {
            id: TestId::new(*id),
            place: Place { file: "t.js".into(), line: None },
            text: (*text).into(),
            shape: Shape::Sound,
        };
        list.iter().map(item).collect()
    }

    fn texts(list: &[TestItem]) -> Vec<&str> {
        list.iter().map(|item| item.text.as_str()).collect()
    }

    #[test]
    fn items_that_share_an_id_are_told_apart_by_their_text() {
        let before = items(&[("a …", "one"), ("a …", "two"), ("b", "old"), ("c", "gone")]);
        let after = items(&[("a …", "two"), ("a …", "three"), ("a …", "one"), ("b", "new")]);
        let changes = ItemChanges::between(&before, &after);
        assert_eq!(texts(&changes.new), ["three"]);
        assert_eq!(texts(&changes.changed), ["new"]);
        assert_eq!(texts(&changes.gone), ["gone"]);
    }
}
