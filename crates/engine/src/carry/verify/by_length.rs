//! Answers by length: code that asks whether a text is just as long as the test's input, and does not look at it otherwise.

use super::Measuring;
use super::near::{Given, holds};
use crate::carry::Halt;
use crate::carry::trial::Trial;
use proctor_core::branch::{Exact, Sign};
use proctor_core::item::TestItem;
use proctor_experiments::{Neighbour, lengths};
use proctor_lang::Edit;
use proctor_tools::Selection;
use std::collections::BTreeSet;

impl Measuring<'_> {
    pub(super) fn by_length(&mut self, given: &Given) -> Result<(), Halt> {
        let mut asked = BTreeSet::new();
        for (path, lines) in self.scene.all_lines() {
            let text = self.scene.head.text(path).unwrap_or_default();
            asked.extend(lengths(path, text, lines));
        }
        // Two texts of one length say that the length is what counts.
        let texts: BTreeSet<&str> =
            given.tests.iter().flat_map(|(_, inputs)| inputs).filter_map(text_of).collect();
        asked.retain(|length| texts.iter().filter(|t| t.chars().count() == *length).count() == 1);
        let red = self.measure.sorted(&self.brief).red;
        let is_red = |item: &TestItem| red.iter().any(|id| item.covers(id));
        let of_it = |input: &&Neighbour| {
            text_of(input).is_some_and(|text| asked.contains(&text.chars().count()))
        };
        let suspect =
            given.tests.iter().filter(|(item, _)| is_red(item)).find_map(|(item, all)| {
                let edits: Vec<Edit> = all.iter().filter(of_it).filter_map(as_long).collect();
                let length = all.iter().find(of_it).and_then(text_of).map(|t| t.chars().count());
                Some((item.clone(), edits, length?)).filter(|(_, edits, _)| !edits.is_empty())
            });
        let Some((item, edits, length)) = suspect else {
            return Ok(());
        };
        let tree = self.scene.head.tree.clone();
        let file = item.place.file.clone();
        let text = Edit::applied(self.scene.head.text(&file).unwrap_or_default(), &edits);
        let trial = Trial::of(&tree).with(file, text).only(Selection::Ids(vec![item.id.clone()]));
        let report = self.runs.report(&trial)?;
        if holds(&item, &report) {
            let sign = Sign::Length { length };
            self.measure.exact.push(Exact { test: item.id, place: item.place, sign });
        }
        Ok(())
    }
}

fn text_of(input: &Neighbour) -> Option<&str> {
    input.was.strip_prefix('"')?.strip_suffix('"')
}

/// The input with other letters and digits, each in its place.
fn as_long(input: &Neighbour) -> Option<Edit> {
    let other = |c: char| match c {
        'a'..='y' | 'A'..='Y' | '0'..='8' => char::from_u32(u32::from(c) + 1).unwrap_or(c),
        'z' => 'a',
        'Z' => 'A',
        '9' => '0',
        c => c,
    };
    let was = text_of(input)?;
    let new: String = was.chars().map(other).collect();
    let quote = input.edit.text.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let same = new == was || was.contains('\\');
    (!same).then(|| Edit { text: format!("{quote}{new}{quote}"), ..input.edit.clone() })
}
