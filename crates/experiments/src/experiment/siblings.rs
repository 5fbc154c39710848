//! Test files that stand there once more under other names, each with something else around a test: a constant, a fixture,
//! a table, a file that it imports. So all of that is seen in the same run as the tests themselves.

use super::look::{Seen, Subject};
use crate::branch::Branch;
use crate::observe::{Channel, Sample, observing};
use crate::vary::importing;
use proctor_core::observation::{Row, Variation, Varied};
use proctor_lang::Edit;
use std::collections::BTreeMap;

/// How many of them there are at most on a side.
const MOST_FILES: usize = 60;
/// The first number of what is observed in them; more than there are tests.
const FIRST: usize = 1000;
/// How many numbers a test has.
const EACH: usize = 64;

/// The files by path, for those tests whose file has this text on a side.
pub(super) fn siblings(
    branch: &Branch<'_>,
    subjects: &[Subject],
    texts: &BTreeMap<String, String>,
    channel: &Channel,
) -> BTreeMap<String, String> {
    let with = subjects.iter().filter(|s| !s.varying.around.is_empty()).count().max(1);
    let mut made = BTreeMap::new();
    for (n, subject) in subjects.iter().enumerate() {
        let file = &subject.item.place.file;
        let same = |own: &&str| texts.get(file).is_some_and(|text| text == own);
        let text = branch.head.text(file).filter(same);
        let Some((text, line)) = text.zip(subject.item.place.line) else { continue };
        let ways = subject.varying.around.iter().take(MOST_FILES / with).take(EACH);
        for (k, around) in ways.enumerate() {
            let number = FIRST + n * EACH + k;
            let copies = vec![Vec::new()];
            let mut edits = around.edits.clone();
            if let Some(module) = &around.module {
                let (path, name) = module.beside(number);
                edits.extend(importing(file, text, &module.path, &name));
                made.insert(path, module.text.clone());
            }
            let sample = Sample { number, line: moved(text, line, &edits), copies };
            let other = Edit::applied(text, &edits);
            if let Some(with) = observing(file, &other, &[sample], channel) {
                made.insert(beside(file, number), with.text);
            }
        }
    }
    made
}

/// Adds what the siblings of a test saw to what is known about it.
pub(super) fn add_around(
    n: usize,
    around: Vec<Variation>,
    told: &mut Varied,
    (base, head): (&Seen, &Seen),
) {
    for (k, variation) in around.into_iter().enumerate() {
        let rows =
            |seen: &Seen| -> Option<Vec<Row>> { seen.get(&(FIRST + n * EACH + k, 0)).cloned() };
        let (of_base, of_head) = (rows(base), rows(head));
        if of_base.is_none() && of_head.is_none() {
            continue;
        }
        told.variations.push(variation);
        told.base.varied.push(of_base.unwrap_or_default());
        told.head.varied.push(of_head.unwrap_or_default());
    }
}

/// A name beside a file that test tools take for a test too.
fn beside(file: &str, number: usize) -> String {
    let (folder, name) = file.rsplit_once('/').map_or(("", file), |(folder, name)| (folder, name));
    let name = match name.split_once('.') {
        Some((stem, rest)) if name.starts_with("test") => format!("{stem}_o{number}.{rest}"),
        _ => format!("o{number}_{name}"),
    };
    if folder.is_empty() { name } else { format!("{folder}/{name}") }
}

/// Where a line of a text is after edits before it.
fn moved(text: &str, line: u32, edits: &[Edit]) -> u32 {
    let start: usize =
        text.split_inclusive('\n').take(line.saturating_sub(1) as usize).map(str::len).sum();
    let lines = |text: &str| i64::try_from(text.matches('\n').count()).unwrap_or_default();
    let more = edits
        .iter()
        .filter(|e| e.from < start)
        .map(|e| lines(&e.text) - lines(text.get(e.from..e.to).unwrap_or_default()));
    u32::try_from(i64::from(line) + more.sum::<i64>()).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sibling_is_named_as_a_test() {
        assert_eq!(beside("tests/test_a.py", 7), "tests/test_a_o7.py");
        assert_eq!(beside("a_test.py", 7), "o7_a_test.py");
        assert_eq!(beside("src/a.test.ts", 7), "src/o7_a.test.ts");
    }

    #[test]
    fn a_line_moves_with_the_lines_before_it() {
        let edit = Edit { line: 0, from: 1, to: 3, text: String::new(), what: String::new() };
        assert_eq!(moved("a\nb\nc\n", 3, std::slice::from_ref(&edit)), 2);
        assert_eq!(moved("a\nb\nc\n", 1, &[edit]), 1);
    }
}
