//! The change put back part by part: what no test misses is named. It informs; whether the change as a whole is shown is
//! the red replay's to say.

use super::{Done, Experiment, Found, Tampering, Try, fates, mutants};
use crate::branch::Branch;
use crate::refusals::starts;
use crate::same_code;
use proctor_core::branch::{BranchKind, Evidence, Fate, Hunk};
use proctor_core::trial::Sought;
use proctor_core::verdict::CheckName as C;
use proctor_lang::{Change, Edit, Language};
use similar::{DiffTag, TextDiff};
use std::collections::BTreeMap;
use std::ops::Range;

/// How many parts are put back at most: each may need the whole suite, and a build of its own.
const MOST: usize = 4;
/// Changes that are nearer than this belong together.
const NEAR: usize = 1;
/// More lines of a part are not shown.
const MOST_SHOWN: usize = 20;

/// One part of a file's change, as the edit that puts it back.
struct Part {
    lines: Range<u32>,
    edit: Edit,
}

pub(super) struct Parts;

impl Experiment for Parts {
    fn what(&self) -> &'static str {
        "parts of the change put back"
    }

    fn checks(&self) -> &'static [C] {
        &[C::RedReplay]
    }

    fn informs(&self) -> bool {
        true
    }

    fn next(&self, branch: &Branch<'_>, done: &[Done]) -> Vec<Try> {
        let (changes, _) = planned(branch);
        if branch.kind != BranchKind::Both || changes.is_empty() || !done.is_empty() {
            return Vec::new();
        }
        let text = |change: &Change| {
            let text = branch.head.text(&change.file).unwrap_or_default();
            (change.file.clone(), text.to_owned())
        };
        let texts: BTreeMap<String, String> = changes.iter().map(text).collect();
        let noticing = mutants::noticing(branch);
        let parts = Some((0..changes.len()).map(|n| vec![n]).collect());
        vec![Try::Changes(Tampering {
            texts,
            changes,
            noticing,
            parts,
            what: "parts",
            sought: Sought::Unnoticed,
        })]
    }

    fn evidence(&self, branch: &Branch<'_>, done: &[Done]) -> Found {
        let Some(fates) = fates(done) else { return Found::default() };
        let (changes, left_out) = planned(branch);
        let unseen = changes.into_iter().zip(fates).filter(|(_, fate)| **fate == Fate::Survived);
        let hunk = |Change { file, edit }: Change| {
            let text = branch.head.text(&file).unwrap_or_default();
            let count = text.get(edit.from..edit.to).map_or(0, |t| t.lines().count());
            let more = u32::try_from(count.max(1) - 1).unwrap_or(u32::MAX);
            let (from, to) = (edit.line, edit.line.saturating_add(more));
            Hunk { diff: shown(&edit, text), file, from, to }
        };
        let hunks = unseen.map(|(change, _)| hunk(change)).collect();
        Found { evidence: vec![Evidence::Unshown(hunks)], left_out }
    }
}

/// What is tried: every part of the change in which no mutant was killed, where there is more than one part. A killed
/// mutant shows that a test looks there. And what is left out.
fn planned(branch: &Branch<'_>) -> (Vec<Change>, Vec<String>) {
    let is = |file: &str, language| Language::of(file) == Some(language);
    let mut all = Vec::new();
    for (file, changed) in branch.lines {
        let texts = branch.head.text(file).zip(branch.base.text(file));
        let Some((head, base)) = texts.filter(|_| branch.tests.is_source(file)) else { continue };
        let own = |part: &Part| {
            // Lines that were only taken away have no line on head to tell tests from code by.
            let taken = part.lines.is_empty() && !is(file, Language::Rust);
            taken || part.lines.clone().any(|line| changed.contains(&line))
        };
        all.extend(of_file(file, base, head).into_iter().filter(own).map(|p| (file.clone(), p)));
    }
    // A new file has no part of its own to put back, and one part alone is what the replay was about.
    if all.len() < 2 && branch.lines.len() < 2 {
        return (Vec::new(), Vec::new());
    }
    let noticed = |file: &str, part: &Part| {
        branch.measure.mutants.iter().any(|mutant| {
            mutant.fate == Fate::Killed
                && mutant.place.file == file
                && mutant.place.line.is_some_and(|line| part.lines.contains(&line))
        })
    };
    all.retain(|(file, part)| !noticed(file, part));
    let mut left_out = Vec::new();
    if all.len() > MOST {
        left_out.push(format!("parts of the change put back: {MOST} of {} were tried", all.len()));
    }
    let changes = all.into_iter().take(MOST).map(|(file, p)| Change { file, edit: p.edit });
    (changes.collect(), left_out)
}

/// The parts of a file's change that are more than comments.
fn of_file(file: &str, base: &str, head: &str) -> Vec<Part> {
    let diff = TextDiff::from_lines(base, head);
    let (old, new) = (starts(base), starts(head));
    let mut parts = Vec::new();
    for group in diff.grouped_ops(NEAR) {
        let mut changed = group.iter().filter(|op| op.tag() != DiffTag::Equal);
        let Some(first) = changed.next() else { continue };
        let last = changed.next_back().unwrap_or(first);
        let (from, to) = (first.new_range().start, last.new_range().end);
        let before = old.get(first.old_range().start).zip(old.get(last.old_range().end));
        let after = new.get(from).zip(new.get(to));
        let (Some((was, was_end)), Some((is, is_end))) = (before, after) else { continue };
        let edit = Edit {
            line: number(from),
            from: *is,
            to: *is_end,
            text: base.get(*was..*was_end).unwrap_or_default().to_owned(),
            what: "the base's lines are back".to_owned(),
        };
        if !same_code(file, head, &edit.apply(head)) {
            parts.push(Part { lines: number(from)..number(to), edit });
        }
    }
    parts
}

fn number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

/// What head has there and the base had.
fn shown(edit: &Edit, head: &str) -> String {
    let added = head.get(edit.from..edit.to).unwrap_or_default();
    let lines = edit.text.lines().map(|l| format!("-{l}"));
    let lines = lines.chain(added.lines().map(|l| format!("+{l}")));
    lines.take(MOST_SHOWN).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_has_its_parts_and_comments_are_none() {
        let base = "a = 1\nb = 2\nc = 3\nd = 4\n# old\ne = 5\nf = 6\ng = 7\nh = 8\n";
        let head = "a = 9\nb = 2\nc = 3\nd = 4\n# new\ne = 5\nf = 6\ng = 7\nx = 8\ny = 9\n";
        let parts = of_file("a.py", base, head);
        let lines: Vec<Range<u32>> = parts.iter().map(|part| part.lines.clone()).collect();
        assert_eq!(lines, [1..2, 9..11]);
        assert_eq!(
            parts[1].edit.apply(head),
            "a = 9\nb = 2\nc = 3\nd = 4\n# new\ne = 5\nf = 6\ng = 7\nh = 8\n"
        );
        assert_eq!(shown(&parts[1].edit, head), "-h = 8\n+x = 8\n+y = 9");
    }

    #[test]
    fn lines_that_are_gone_are_a_part_too() {
        let parts = of_file("a.py", "a = 1\nb = 2\nc = 3\n", "a = 1\nc = 3\n");
        assert_eq!(parts.len(), 1);
        assert!(parts[0].lines.is_empty());
        assert_eq!(parts[0].edit.apply("a = 1\nc = 3\n"), "a = 1\nb = 2\nc = 3\n");
    }
}
