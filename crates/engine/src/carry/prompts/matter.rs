//! What decides in a turn: the tests as they were changed, how they fail, and which others reach the same code.

use super::{Job, cut};
use crate::carry::Halt;
use crate::carry::policy::may_hold_tests;
use crate::store::Store;
use proctor_core::prompt::{Document, FailureGroup, group_failures};
use proctor_core::proof::{Anchor, GreenMeasure, RedMeasure};
use proctor_core::report::{CaseEnd, TestReport};
use proctor_core::run::{CodeFeedback, Stage};
use proctor_core::words::{BlobId, Phase, TestId, TreeId};
use proctor_lab::sources;
use proctor_lang::{Language, Zone, zone};
use proctor_world::shadow::Shadow;
use similar::TextDiff;
use std::collections::BTreeSet;

/// How much of one test file goes into a prompt.
const LONGEST_TEST: usize = 60 * 1024;
/// How much of one failure's message.
const LONGEST_MESSAGE: usize = 4 * 1024;
/// How many older tests are named.
const MOST_REACHING: usize = 20;
/// In a tree with more sources than this nobody looks for them.
const MANY_SOURCES: usize = 1500;
/// A shorter name is everybody's.
const SHORTEST_NAME: usize = 4;

/// Which gate's evidence is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Gate {
    Red,
    Green,
}

impl Job {
    /// The tests that this run brought: new files whole, of others what changed.
    pub(super) fn tests_that_matter(
        &self,
        shadow: &Shadow,
        tree: &TreeId,
    ) -> Result<Vec<Document>, Halt> {
        let base = shadow.tree_of(&self.run.base)?;
        let touched: Vec<String> = shadow
            .changed(&base, tree)?
            .into_iter()
            .map(|(path, _)| path)
            .filter(|path| may_hold_tests(path))
            .collect();
        let wanted = |path: &str| touched.iter().any(|t| t == path);
        let listing = shadow.list(tree)?;
        let texts = sources(shadow, &listing, wanted)?.0;
        let before = sources(shadow, &*shadow.list(&base)?, wanted)?.0;
        let document = |path: &String| {
            let now = String::from_utf8_lossy(texts.get(path)?).into_owned();
            let text = match before.get(path) {
                Some(old) => changed_lines(&String::from_utf8_lossy(old), &now),
                None => now,
            };
            Some(Document { path: path.clone(), text: cut(text, LONGEST_TEST) })
        };
        Ok(touched.iter().filter_map(document).collect())
    }

    /// How the sealed tests fail on the old code, for a coder that begins.
    pub(super) fn failing_now(&self, phase: Phase) -> Result<Vec<FailureGroup>, Halt> {
        let begins =
            matches!(&self.run.stage, Stage::Implementing { feedback: CodeFeedback::Fresh, .. });
        if phase != Phase::Implement || !begins {
            return Ok(Vec::new());
        }
        let mut groups = self.failures(self.run.red_evidence.as_ref(), Gate::Red)?;
        for group in &mut groups {
            group.message = cut(std::mem::take(&mut group.message), LONGEST_MESSAGE);
        }
        Ok(groups)
    }

    /// Failures of the last measured run, grouped by cause, without those that were there before.
    pub(super) fn failures(
        &self,
        evidence: Option<&BlobId>,
        gate: Gate,
    ) -> Result<Vec<FailureGroup>, Halt> {
        let Some(evidence) = evidence else { return Ok(Vec::new()) };
        let blobs = Store::of(self)?;
        let (baseline, runs): (TestReport, Vec<TestReport>) = match gate {
            Gate::Red => {
                if let Ok(measure) = blobs.get_json::<RedMeasure>(evidence) {
                    (measure.baseline, measure.runs)
                } else {
                    // The red gate's fault may have been found by the replay after green.
                    let measure = blobs.get_json::<GreenMeasure>(evidence)?;
                    (measure.baseline, measure.runs)
                }
            }
            Gate::Green => {
                let measure = blobs.get_json::<GreenMeasure>(evidence)?;
                let all = self.run.stage.anchor().is_none_or(|anchor| anchor.unseen().is_empty());
                let early = measure.early.filter(|_| measure.runs.is_empty());
                let whole = measure.runs.into_iter().chain(early).collect();
                (measure.baseline, if all { whole } else { measure.seen.into_iter().collect() })
            }
        };
        let Some(last) = runs.last() else { return Ok(Vec::new()) };
        // What did not pass on the base, for whatever reason, is nobody's failure: expected failures and skips are among it.
        let known =
            |id: &TestId| baseline.cases.get(id).is_some_and(|case| case.end != CaseEnd::Passed);
        let anchor = self.run.stage.anchor();
        // The coder is told of neither gate what it is not to see.
        let coder = !matches!(self.run.stage, Stage::WritingTests { .. });
        let held = anchor.and_then(Anchor::held_out).filter(|_| coder);
        let sealed = anchor.into_iter().flat_map(|a| a.sealed().cloned());
        let only: BTreeSet<TestId> = last
            .cases
            .keys()
            .cloned()
            .chain(sealed)
            .filter(|id| !known(id) && !held.is_some_and(|held| held.covers(id)))
            .collect();
        Ok(group_failures(last, &only))
    }

    /// Older tests that name what the new ones call, as far as it is the project's own.
    pub(super) fn reach(
        &self,
        shadow: &Shadow,
        phase: Phase,
        (tests, tree): (&[Document], &TreeId),
    ) -> Result<Vec<String>, Halt> {
        let listing = shadow.list(tree)?;
        let files = listing.keys().filter(|path| Language::of(path).is_some()).count();
        if phase != Phase::Implement || tests.is_empty() || files > MANY_SOURCES {
            return Ok(Vec::new());
        }
        let called: BTreeSet<&str> = tests.iter().flat_map(|file| calls(&file.text)).collect();
        let read = sources(shadow, &listing, |path| Language::of(path).is_some())?;
        let text = |path: &str| read.0.get(path).map(|bytes| String::from_utf8_lossy(bytes));
        let own: BTreeSet<&str> = {
            let production: Vec<_> = listing
                .keys()
                .filter(|path| zone(path) == Zone::Production)
                .filter_map(|path| text(path))
                .collect();
            called.into_iter().filter(|name| production.iter().any(|t| defines(t, name))).collect()
        };
        if own.is_empty() {
            return Ok(Vec::new());
        }
        let suite = self.suite_of(shadow, &shadow.tree_of(&self.run.base)?)?;
        let paths: Vec<String> = listing
            .keys()
            .filter(|path| {
                may_hold_tests(path)
                    && !tests.iter().any(|file| file.path == **path && !is_diff(&file.text))
            })
            .cloned()
            .collect();
        let sealed: BTreeSet<&TestId> =
            self.run.stage.anchor().into_iter().flat_map(Anchor::sealed).collect();
        let reaches = |text: &str| own.iter().any(|name| calls(text).any(|called| called == *name));
        let items = suite.items(&read, &paths).into_iter();
        let found = items.filter(|item| !sealed.contains(&item.id) && reaches(&item.text));
        Ok(found.map(|item| item.id.to_string()).take(MOST_REACHING).collect())
    }
}

fn is_diff(text: &str) -> bool {
    text.starts_with("@@ ")
}

/// What changed of a text, with a few lines around it.
fn changed_lines(old: &str, new: &str) -> String {
    let diff = TextDiff::from_lines(old, new);
    let text = diff.unified_diff().context_radius(3).to_string();
    if text.is_empty() { "(only its mode changed)\n".to_owned() } else { text }
}

/// Names that a text calls. Of a diff only what is new counts.
fn calls(text: &str) -> impl Iterator<Item = &str> {
    let diff = is_diff(text);
    let lines = text.lines().filter(move |line| !diff || line.starts_with('+'));
    lines.flat_map(|line| {
        line.match_indices('(').filter_map(|(at, _)| {
            let before = line.get(..at)?;
            let word = |c: char| c.is_alphanumeric() || c == '_';
            let start = before
                .rfind(|c: char| !word(c))
                .map_or(0, |i| i + before[i..].chars().next().map_or(1, char::len_utf8));
            let name = before.get(start..)?;
            (name.len() >= SHORTEST_NAME && !name.starts_with("test")).then_some(name)
        })
    })
}

/// Whether a source defines something of this name, as far as that can be told from its lines.
fn defines(text: &str, name: &str) -> bool {
    let heads = ["def ", "fn ", "func ", "function ", "class ", "struct ", "const ", ") "];
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + name.len()..).unwrap_or_default();
        let ends = after.starts_with(['(', '<', ':', ' ', '\n', '=']);
        ends && heads.iter().any(|head| before.ends_with(head))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_new_lines_of_a_diff_call_something() {
        let diff =
            changed_lines("a = old_call()\n", "a = old_call()\nb = fresh_call(inner_call(1))\n");
        let found: Vec<&str> = calls(&diff).collect();
        assert_eq!(found, ["fresh_call", "inner_call"]);
    }

    #[test]
    fn a_definition_is_known_in_each_language() {
        for text in [
            "def parse(x):",
            "pub fn parse<T>(x: T)",
            "func (p *P) parse(x int)",
            "const parse = (x) => x",
            "export function parse(x) {",
        ] {
            assert!(defines(text, "parse"), "{text}");
        }
        assert!(!defines("parse(1)", "parse"));
        assert!(!defines("def parser(x):", "parse"));
    }
}
