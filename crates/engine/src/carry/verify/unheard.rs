//! Functions that answer a test without looking at what it gives them: one answer to all, or the test's answers one by one.

use super::Measuring;
use super::near::{Given, MOST_TESTS, Which, holds};
use crate::carry::Halt;
use crate::carry::trial::Trial;
use proctor_core::branch::{Exact, Sign};
use proctor_core::item::TestItem;
use proctor_core::report::TestReport;
use proctor_core::words::TestId;
use proctor_experiments::{Neighbour, constant, deaf, literals};
use proctor_lang::Edit;
use proctor_tools::Selection;
use std::collections::{BTreeMap, BTreeSet};

impl Measuring<'_> {
    pub(super) fn unheard(&mut self, given: &Given) {
        let red = self.measure.sorted(&self.brief).red;
        let mut found = Vec::new();
        for (path, lines) in self.scene.all_lines() {
            let text = self.scene.head.text(path).unwrap_or_default();
            for function in constant(path, text, lines) {
                if let Some(item) = self.asking((given, &red), &function, &gives_a_value) {
                    found.push((item, Sign::Constant { function }));
                }
            }
            for deaf in deaf(path, text, lines) {
                let known = deaf.answers.into_iter().find(|a| a.is_subset(&given.values));
                let asking = self.asking((given, &red), &deaf.name, &|_, _| true);
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

    /// New code whose tests all ask for one answer, and which gives that to any other input as well.
    pub(super) fn unmoved(&mut self, given: &Given) -> Result<(), Halt> {
        let red = self.measure.sorted(&self.brief).red;
        let is_red = |item: &TestItem| red.iter().any(|id| item.covers(id));
        let asking: Vec<(&TestItem, &Vec<Neighbour>)> = given
            .tests
            .iter()
            .zip(&given.small)
            .map(|((item, _), inputs)| (item, inputs))
            .filter(|(item, _)| is_red(item))
            .collect();
        let answers: BTreeSet<String> =
            asking.iter().flat_map(|(item, inputs)| self.expected(item, inputs)).collect();
        let (Some(answer), 1) = (answers.first(), answers.len()) else {
            return Ok(());
        };
        let can_be_tried = !asking.is_empty()
            && asking.len() <= MOST_TESTS
            && asking.iter().all(|(item, inputs)| !inputs.is_empty() && self.is_new(item));
        if !can_be_tried || !self.measure.exact.is_empty() {
            return Ok(());
        }
        let tree = self.scene.head.tree.clone();
        let trials = [Which::Next, Which::Other, Which::Wild].map(|which| {
            let mut edits: BTreeMap<&String, Vec<Edit>> = BTreeMap::new();
            for (item, inputs) in &asking {
                let here = edits.entry(&item.place.file).or_default();
                here.extend(inputs.iter().cloned().map(|input| which.of(input)));
            }
            let mut trial = Trial::of(&tree);
            for (file, edits) in edits {
                let text = self.scene.head.text(file).unwrap_or_default();
                trial = trial.with(file.clone(), Edit::applied(text, &edits));
            }
            trial.only(Selection::Ids(asking.iter().map(|(item, _)| item.id.clone()).collect()))
        });
        let all_hold = |run: &TestReport| asking.iter().all(|(item, _)| holds(item, run));
        if self.runs.reports(&trials)?.iter().all(all_hold)
            && let Some((item, _)) = asking.first()
        {
            let (id, place) = (item.id.clone(), item.place.clone());
            let sign = Sign::OneAnswer { answer: answer.clone() };
            self.measure.exact.push(Exact { test: id, place, sign });
        }
        Ok(())
    }

    /// The literals of a test that are none of its inputs, and no part of its name or of another one.
    fn expected(&self, item: &TestItem, inputs: &[Neighbour]) -> Vec<String> {
        let (file, line) = (&item.place.file, item.place.line.unwrap_or_default());
        let all = literals(file, self.scene.head.text(file).unwrap_or_default(), line);
        let lists: Vec<String> = all.iter().filter(|v| v.starts_with('[')).cloned().collect();
        let is_part = |value: &str| lists.iter().any(|list| list != value && list.contains(value));
        let named = |value: &str| item.id.as_str().contains(value.trim_matches('"'));
        all.into_iter()
            .filter(|value| !inputs.iter().any(|input| input.was == *value))
            .filter(|value| !is_part(value))
            .filter(|value| !value.starts_with('"') || !named(value))
            .collect()
    }

    /// A test that is red on the base and gives something to this function.
    fn asking(
        &self,
        (given, red): (&Given, &[TestId]),
        function: &str,
        wanted: &dyn Fn(&Asking<'_>, &str) -> bool,
    ) -> Option<TestItem> {
        let mut tests = given
            .tests
            .iter()
            .zip(&given.small)
            .map(|((item, _), inputs)| Asking { item, has_inputs: !inputs.is_empty() });
        let found = tests.find(|asking| {
            let text = self.scene.head.text(&asking.item.place.file).unwrap_or_default();
            red.iter().any(|id| asking.item.covers(id))
                && gives_something(text, function)
                && wanted(asking, function)
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
