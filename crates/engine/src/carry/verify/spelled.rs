//! The neighbourhood of texts whose letters the production code asks for one by one: it may spell the tests' inputs. All
//! texts of a test become others at once, first by a letter at their end, then by one at their beginning: a rule for
//! beginnings holds in the first round, and one for endings in the second.

use super::Measuring;
use super::near::{Given, MOST_TESTS, Seen, compare, is_bare, line_of};
use crate::carry::Halt;
use crate::carry::trial::Trial;
use proctor_core::branch::{Exact, Sign};
use proctor_core::item::TestItem;
use proctor_core::words::{TestId, TreeId};
use proctor_experiments::{Neighbour, is_spelled, neighbours};
use proctor_lang::Edit;
use proctor_tools::Selection;
use std::collections::BTreeSet;

/// Where a text gets its letter.
#[derive(Clone, Copy)]
enum End {
    Back,
    Front,
}

impl Measuring<'_> {
    pub(super) fn near_spelled(&mut self, given: &Given) -> Result<(), Halt> {
        let spelled = self.scene.all_lines().any(|(path, lines)| {
            self.scene.head.text(path).is_some_and(|text| is_spelled(path, text, lines))
        });
        if !spelled {
            return Ok(());
        }
        let mut left = self.spelled_suspects(given);
        let old = self.scene.replay(self.shadow)?;
        let new = self.scene.head.tree.clone();
        for end in [End::Back, End::Front] {
            if left.is_empty() {
                return Ok(());
            }
            let on_base = self.with_letters(&old, &left, end)?;
            let on_head = self.with_letters(&new, &left, end)?;
            let both = self.runs.reports(&[on_base, on_head])?;
            let [on_base, on_head] = both.as_slice() else { return Ok(()) };
            left.retain(|item| {
                !is_bare(item, on_base) && compare(item, on_base, on_head) == Seen::AsOnBase
            });
        }
        if left.is_empty() || self.says_what_happens_else(given, &left, &BTreeSet::new(), false)? {
            return Ok(());
        }
        self.measure.exact.extend(left.into_iter().map(|item| Exact {
            test: item.id,
            place: item.place,
            sign: Sign::Disguise,
        }));
        Ok(())
    }

    /// The red tests that give texts to the code and of which nothing was told yet.
    fn spelled_suspects(&self, given: &Given) -> Vec<TestItem> {
        let red = self.measure.sorted(&self.brief).red;
        let told: BTreeSet<&TestId> = self.measure.exact.iter().map(|e| &e.test).collect();
        let tests = given.tests.iter().filter(|(item, inputs)| {
            red.iter().any(|id| item.covers(id))
                && !told.contains(&item.id)
                && inputs.iter().any(is_text)
        });
        tests.map(|(item, _)| item.clone()).take(MOST_TESTS).collect()
    }

    fn with_letters<'t>(
        &self,
        tree: &'t TreeId,
        items: &[TestItem],
        end: End,
    ) -> Result<Trial<'t>, Halt> {
        let files: BTreeSet<&String> = items.iter().map(|item| &item.place.file).collect();
        let files: Vec<String> = files.into_iter().cloned().collect();
        let (mut trial, mut ids) = (Trial::of(tree), Vec::new());
        for (file, text) in self.texts_of(tree, &files)? {
            let here = self.items_in(&file, &text);
            let mut edits = Vec::new();
            for item in items.iter().filter(|item| item.place.file == file) {
                let Some(line) = line_of(item, &here) else { continue };
                let inputs = neighbours(&file, &text, line).into_iter().filter(is_text);
                edits.extend(inputs.filter_map(|input| match end {
                    End::Back => Some(input.edit),
                    End::Front => at_the_front(&text, input.edit),
                }));
                ids.push(item.id.clone());
            }
            trial = trial.with(file, Edit::applied(&text, &edits));
        }
        Ok(trial.only(Selection::Ids(ids)))
    }
}

fn is_text(input: &Neighbour) -> bool {
    input.was.starts_with('"')
}

/// The same literal with a letter, or a digit where it begins with one, before its first.
fn at_the_front(source: &str, edit: Edit) -> Option<Edit> {
    let old = source.get(edit.from..edit.to)?;
    let inside = old.find(['"', '\'', '`'])? + 1;
    let (before, after) = old.split_at(inside);
    let more = if after.starts_with(|c: char| c.is_ascii_digit()) { '7' } else { 'k' };
    Some(Edit { text: format!("{before}{more}{after}"), ..edit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_at_the_front_stands_behind_the_quote() {
        let front = |source: &str| {
            let edit = Edit {
                line: 1,
                from: 0,
                to: source.len(),
                text: String::new(),
                what: String::new(),
            };
            at_the_front(source, edit).map(|edit| edit.apply(source))
        };
        assert_eq!(front("\"box\"").as_deref(), Some("\"kbox\""));
        assert_eq!(front("'12'").as_deref(), Some("'712'"));
        assert_eq!(front("12"), None);
    }
}
