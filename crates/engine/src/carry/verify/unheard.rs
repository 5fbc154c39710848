//! Functions that answer a test without looking at what it gives them: one answer to all, or the test's answers one by one.

use super::Measuring;
use super::near::Given;
use proctor_core::branch::{Exact, Sign};
use proctor_core::item::TestItem;
use proctor_runners::{constant, deaf};

impl Measuring<'_> {
    pub(super) fn unheard(&mut self, given: &Given) {
        let mut found = Vec::new();
        for (path, lines) in self.scene.all_lines() {
            let text = self.scene.head.text(path).unwrap_or_default();
            for function in constant(path, text, lines) {
                if let Some(item) = self.asking(given, &function, &gives_a_value) {
                    found.push((item, Sign::Constant { function }));
                }
            }
            for deaf in deaf(path, text, lines) {
                let known = deaf.answers.into_iter().find(|a| a.is_subset(&given.values));
                let asking = self.asking(given, &deaf.name, &|_, _| true);
                if let (Some(item), Some(answers)) = (asking, known) {
                    let answers = answers.into_iter().collect();
                    found.push((item, Sign::Deaf { function: deaf.name, answers }));
                }
            }
        }
        let exact =
            |(item, sign): (TestItem, Sign)| Exact { test: item.id, place: item.place, sign };
        self.measure.exact.extend(found.into_iter().map(exact));
    }

    /// A test that is red on the base and gives something to this function.
    fn asking(
        &self,
        given: &Given,
        function: &str,
        holds: &dyn Fn(&Asking<'_>, &str) -> bool,
    ) -> Option<TestItem> {
        let red = self.measure.sorted(&self.brief).red;
        let mut tests = given
            .tests
            .iter()
            .zip(&given.small)
            .map(|((item, _), inputs)| Asking { item, has_inputs: !inputs.is_empty() });
        let found = tests.find(|asking| {
            let text = self.scene.head.text(&asking.item.place.file).unwrap_or_default();
            red.iter().any(|id| asking.item.covers(id))
                && gives_something(text, function)
                && holds(asking, function)
        });
        found.map(|asking| asking.item.clone())
    }
}

struct Asking<'a> {
    item: &'a TestItem,
    has_inputs: bool,
}

/// Whether a test gives values of its own. Those that stand everywhere, such as the empty text, are no inputs.
fn gives_a_value(asking: &Asking<'_>, function: &str) -> bool {
    let text = &asking.item.text;
    let quoted = |open: &&str| text.contains(&format!("{function}{open}"));
    gives_something(text, function) && (asking.has_inputs || ["('", "(\""].iter().any(quoted))
}

/// Whether a text calls this function with an argument.
fn gives_something(text: &str, function: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(function).any(|(at, _)| {
        let before = text.get(..at).and_then(|t| t.chars().next_back());
        let after = text.get(at + function.len()..).unwrap_or_default();
        let inside = after.strip_prefix('(').map(str::trim_start);
        !before.is_some_and(is_part) && inside.is_some_and(|i| !i.starts_with(')'))
    })
}
