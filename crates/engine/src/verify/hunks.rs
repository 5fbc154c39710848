//! The change put back part by part: what no test misses is named. It informs; whether the change as a whole is shown is
//! the red replay's to say.

use super::Measuring;
use super::mutation::{Planned, is_source};
use crate::carry::policy::is_rust;
use proctor_core::branch::{BranchKind, Fate, Hunk};
use proctor_core::event::Trouble;
use proctor_core::verdict::CheckName;
use proctor_experiments::same_code;
use proctor_lab::Halt;
use proctor_lang::Edit;
use similar::{DiffTag, TextDiff};
use std::ops::Range;

/// How many parts are put back at most; where each needs a build of its own, fewer.
const MOST: usize = 12;
const MOST_BUILDS: usize = 4;
/// Changes that are nearer than this belong together.
const NEAR: usize = 1;
/// More lines of a part are not shown.
const MOST_SHOWN: usize = 20;

/// One part of a file's change, as the edit that puts it back.
struct Part {
    lines: Range<u32>,
    edit: Edit,
}

impl Measuring<'_> {
    /// Never in the way of a verdict: what can't be tried is left out, and said so.
    pub(super) fn hunks(&mut self) -> Result<(), Halt> {
        if self.scene.kind != BranchKind::Both
            || self.measure.unmade.contains_key(&CheckName::RedReplay)
        {
            return Ok(());
        }
        let planned = self.parts();
        if planned.is_empty() {
            return Ok(());
        }
        self.lab.say("parts of the change put back");
        let tests = self.noticing();
        let fates = match self.one_by_one(&planned, &tests) {
            Ok(fates) => fates,
            Err(Halt::Cancelled) => return Err(Halt::Cancelled),
            Err(Halt::TimeUp) => {
                self.left_out.push("parts of the change put back: the budget was used up".into());
                return Ok(());
            }
            Err(Halt::Trouble(Trouble::Lasting { why } | Trouble::Passing { why })) => {
                self.left_out.push(format!("parts of the change put back: {why}"));
                return Ok(());
            }
        };
        for (part, tried) in planned.iter().zip(fates) {
            if tried.fate != Fate::Survived {
                continue;
            }
            let text = self.scene.head.text(&part.file).unwrap_or_default();
            let count = text.get(part.edit.from..part.edit.to).map_or(0, |t| t.lines().count());
            let more = u32::try_from(count.max(1) - 1).unwrap_or(u32::MAX);
            self.measure.unshown.push(Hunk {
                file: part.file.clone(),
                from: part.edit.line,
                to: part.edit.line.saturating_add(more),
                diff: shown(&part.edit, text),
            });
        }
        Ok(())
    }

    /// What is tried: every part of the change in which no mutant was killed, where there is more than one part. A killed
    /// mutant shows that a test looks there.
    fn parts(&mut self) -> Vec<Planned> {
        let mut all = Vec::new();
        for (file, changed) in &self.scene.lines {
            let texts = self.scene.head.text(file).zip(self.scene.base.text(file));
            let Some((head, base)) = texts.filter(|_| is_source(file, self.runs.suite())) else {
                continue;
            };
            let own = |part: &Part| {
                // Lines that were only taken away have no line on head to tell tests from code by.
                let taken = part.lines.is_empty() && !is_rust(file);
                taken || part.lines.clone().any(|line| changed.contains(&line))
            };
            all.extend(
                of_file(file, base, head).into_iter().filter(own).map(|p| (file.clone(), p)),
            );
        }
        // A new file has no part of its own to put back, and one part alone is what the replay was about.
        let files = self.scene.lines.len();
        if all.len() < 2 && files < 2 {
            return Vec::new();
        }
        let noticed = |file: &str, part: &Part| {
            self.measure.mutants.iter().any(|mutant| {
                mutant.fate == Fate::Killed
                    && mutant.place.file == file
                    && mutant.place.line.is_some_and(|line| part.lines.contains(&line))
            })
        };
        all.retain(|(file, part)| !noticed(file, part));
        let built = |file: &str| is_rust(file) || file.rsplit('.').next() == Some("go");
        let most = if all.iter().any(|(file, _)| built(file)) { MOST_BUILDS } else { MOST };
        if all.len() > most {
            let text = format!("parts of the change put back: {most} of {} were tried", all.len());
            self.left_out.push(text);
        }
        let planned = all.into_iter().take(most);
        planned.map(|(file, part)| Planned { file, edit: part.edit }).collect()
    }
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

/// Where each line begins, and the end of the text.
fn starts(text: &str) -> Vec<usize> {
    let mut at = 0;
    let mut starts = vec![0];
    for line in text.split_inclusive('\n') {
        at += line.len();
        starts.push(at);
    }
    starts
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
