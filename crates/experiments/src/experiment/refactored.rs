//! A refactoring under other inputs: older tests as they are on both sides, with nothing and with others in the places of what
//! they give. Whether both codes say the same is judged in `core`.

use super::inputs::{COPIES, varied};
use super::look::{Dropped, Memory, Script, Subject};
use super::{Done, Experiment, Found, Try};
use crate::branch::Branch;
use crate::mutate::parts;
use crate::vary::{MOST, Varying, edges, vary};
use crate::words::Words;
use proctor_core::branch::{BranchKind, Evidence};
use proctor_core::item::TestItem;
use proctor_core::observation::{NUMBERS, Sort};
use proctor_core::report::{CaseEnd, TestReport};
use proctor_core::verdict::CheckName as C;
use proctor_lang::edit::Edit;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// How many tests are asked at most, those first that name what changed.
const MOST_TESTS: usize = 24;

#[derive(Default)]
pub struct Refactored {
    memory: Memory,
    read: OnceCell<(Words, Vec<Subject>)>,
}

impl Experiment for Refactored {
    fn what(&self) -> &'static str {
        "older tests with other inputs"
    }

    fn checks(&self) -> &'static [C] {
        &[C::RedReplay]
    }

    fn next(&self, branch: &Branch<'_>, done: &[Done]) -> Vec<Try> {
        self.script(branch, done).err().map(|next| *next).into_iter().collect()
    }

    fn evidence(&self, branch: &Branch<'_>, done: &[Done]) -> Found {
        self.script(branch, done).unwrap_or_default()
    }
}

impl Refactored {
    fn script(&self, branch: &Branch<'_>, done: &[Done]) -> Result<Found, Box<Try>> {
        let (words, subjects) = self.read.get_or_init(|| (Words::of(branch), subjects(branch)));
        if subjects.is_empty() {
            return Ok(Found::default());
        }
        let mut script = Script::new(branch, done, &self.memory);
        let mut dropped = Dropped::new();
        let head = script.seen(branch.head.tree(), subjects, &mut dropped)?;
        let base = script.seen(branch.base.tree(), subjects, &mut dropped)?;
        let told = |(n, subject): (usize, &Subject)| {
            varied(n, subject.clone(), words, (&base, &head, &dropped))
        };
        let all = subjects.iter().enumerate().map(told).collect();
        Ok(script.found(vec![Evidence::Refactored(all)]))
    }
}

/// Tests that are the same on both sides and pass there, with what can be varied in them.
fn subjects(branch: &Branch<'_>) -> Vec<Subject> {
    let code = matches!(branch.kind, BranchKind::CodeOnly | BranchKind::Both);
    if !branch.measure.is_refactoring() || !code {
        return Vec::new();
    }
    let passes = |item: &TestItem| {
        let cases = |run: &TestReport| {
            run.cases.iter().any(|(id, c)| item.covers(id) && c.end == CaseEnd::Passed)
        };
        cases(&branch.measure.base) && branch.measure.head.iter().all(cases)
    };
    let is_old = |item: &TestItem| branch.measure.item_of(&item.id).is_none();
    let files: Vec<String> = branch.head.texts().0.keys().cloned().collect();
    let mut items = branch.tests.items(branch.head.texts(), &files);
    items.retain(|item| is_old(item) && passes(item));
    let names = changed(branch);
    let names_one = |text: &str| names.iter().any(|name| text.contains(name.as_str()));
    let near = |item: &TestItem| {
        let file = branch.head.text(&item.place.file).unwrap_or_default();
        (!names_one(&item.text), !names_one(file))
    };
    items.sort_by_key(near);
    items.truncate(MOST_TESTS);
    let most = COPIES.checked_div(items.len()).unwrap_or(MOST).min(MOST);
    let subject = |item: TestItem| {
        let (file, line) = (&item.place.file, item.place.line?);
        let text = branch.head.text(file)?;
        let made = vary(file, text, line, &|_| false)?;
        let mut variations = edges(file, text, line);
        variations.extend(made.variations);
        // By another name there is nothing to find: that is for the code to say as it likes.
        let any = made.inputs.iter().any(|input| is_name(branch, input));
        variations.retain(|(variation, _)| match variation.sort {
            Sort::Together => variation.now == NUMBERS || !any,
            _ => !is_name(branch, &variation.was),
        });
        variations.truncate(most);
        let varying = Varying { variations, ..Varying::default() };
        Some(Subject { varying, old: true, ..Subject::plain(item) })
    };
    items.into_iter().filter_map(subject).collect()
}

/// Whether the changed code holds a text whole, as it does keys and options.
fn is_name(branch: &Branch<'_>, text: &str) -> bool {
    let quoted = ['"', '\'', '`'].map(|quote| format!("{quote}{text}{quote}"));
    let mut sources = branch.lines.keys().filter_map(|file| branch.head.text(file));
    !text.is_empty() && sources.any(|source| quoted.iter().any(|text| source.contains(text)))
}

/// The names of the functions that the change touched.
fn changed(branch: &Branch<'_>) -> BTreeSet<String> {
    let of = |(file, lines): (&String, &BTreeSet<u32>)| {
        let text = branch.head.text(file)?;
        let mut starts: BTreeMap<u32, usize> = BTreeMap::new();
        let mut at = 0;
        for (line, number) in text.split_inclusive('\n').zip(1_u32..) {
            starts.insert(number, at + line.len() - line.trim_start().len());
            at += line.len();
        }
        let edit = |line: &u32| {
            let (line, at) = (*line, *starts.get(line)?);
            Some(Edit { line, from: at, to: at, text: String::new(), what: String::new() })
        };
        let edits: Vec<Edit> = lines.iter().filter_map(edit).collect();
        let all = parts(file, text, &edits, lines).into_iter().flatten();
        let name = |what: String| Some(what.strip_prefix('`')?.strip_suffix('`')?.to_owned());
        Some(all.filter_map(|part| name(part.what)).collect::<Vec<_>>())
    };
    branch.lines.iter().filter_map(of).flatten().collect()
}
