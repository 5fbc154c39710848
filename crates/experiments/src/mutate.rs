//! Mutants: small changes of production code that tests should notice. Owns which ones are taken; the modules below
//! find them. Starts nothing and judges nothing.

mod candidate;
mod extreme;
mod literals;
mod loops;
mod never;
mod operators;
mod part;
mod remark;
mod returns;
mod scope;
mod slight;
mod statements;
mod viable;
mod walk;
mod words;

pub use part::parts;
pub use remark::remarked;
pub use slight::slight;

use candidate::{Candidate, Rank};
use proctor_lang::edit::Edit;
use std::collections::{BTreeMap, BTreeSet};
use walk::Walk;
use words::language_of;

/// The extreme mutants come on top of these.
const MOST_A_LINE: usize = 3;

/// Mutants of these lines of a source file, by line and the most telling first. None where the language is not known
/// or the file can't be parsed.
pub fn mutants(file: &str, source: &str, lines: &BTreeSet<u32>) -> Vec<Edit> {
    let Some(language) = language_of(file) else { return Vec::new() };
    let Some(tree) = language.parse(source) else { return Vec::new() };
    let mut found = Walk::over(language, source, lines, tree.root_node());
    found.sort_by_key(|c| (c.edit.line, c.rank, c.edit.from, c.edit.to));
    let taken = few_a_line(distinct(source, found));
    viable::viable(language, source, &tree, taken).into_iter().map(|c| c.edit).collect()
}

/// Without those whose text is the source's own or that of one before.
fn distinct(source: &str, found: Vec<Candidate>) -> Vec<Candidate> {
    let mut seen = BTreeSet::new();
    found
        .into_iter()
        .filter(|candidate| result(source, &candidate.edit).is_some_and(|key| seen.insert(key)))
        .collect()
}

/// What a replacement makes of the source, as its first difference: two with the same result have the same one.
fn result(source: &str, edit: &Edit) -> Option<(usize, usize, Vec<u8>)> {
    let old = source.as_bytes();
    let rest = old.get(edit.to..)?;
    let new_len = edit.from + edit.text.len() + rest.len();
    let new_at = |at: usize| {
        let text = edit.text.as_bytes();
        match at.checked_sub(edit.from) {
            None => old.get(at),
            Some(inside) => text.get(inside).or_else(|| rest.get(inside - text.len())),
        }
    };
    let mut start = edit.from;
    while start < new_len && old.get(start) == new_at(start) {
        start += 1;
    }
    let most = old.len().min(new_len).saturating_sub(start);
    // What follows the replacement is the same in any case.
    let mut end = rest.len().min(most);
    while end < most && old.get(old.len() - 1 - end) == new_at(new_len - 1 - end) {
        end += 1;
    }
    if start >= new_len && old.len() == new_len {
        return None;
    }
    let middle = (start..new_len - end).filter_map(|at| new_at(at).copied()).collect();
    Some((start, old.len() - end, middle))
}

fn few_a_line(found: Vec<Candidate>) -> Vec<Candidate> {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    found
        .into_iter()
        .filter(|candidate| {
            let count = counts.entry(candidate.edit.line).or_default();
            if candidate.rank == Rank::Extreme {
                return true;
            }
            *count += 1;
            *count <= MOST_A_LINE
        })
        .collect()
}

#[cfg(test)]
#[path = "mutate/mutants_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "mutate/switch_tests.rs"]
mod switch_tests;
