//! A test as it stands in a source file, found by reading the source and never by running it.

use crate::report::Place;
use crate::words::TestId;
use serde::{Deserialize, Serialize};

/// One test in a source file. `runners` finds them; the red gate compares base against the tester's tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestItem {
    /// The id that the tool will give it; parametrised cases carry it as their stem (before `[`).
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
    /// Compares two lists of items by id.
    pub fn between(before: &[TestItem], after: &[TestItem]) -> Self {
        let find = |list: &[TestItem], id: &TestId| list.iter().find(|i| &i.id == id).cloned();
        let mut changes = Self::default();
        for item in after {
            match find(before, &item.id) {
                None => changes.new.push(item.clone()),
                Some(old) if old.text != item.text => changes.changed.push(item.clone()),
                Some(_) => {}
            }
        }
        changes.gone = before.iter().filter(|i| find(after, &i.id).is_none()).cloned().collect();
        changes
    }
}

impl TestItem {
    /// Whether a reported id is this item or one of its parametrised cases.
    pub fn covers(&self, id: &TestId) -> bool {
        id == &self.id
            || id.0.strip_prefix(self.id.as_str()).is_some_and(|rest| rest.starts_with('['))
    }
}
