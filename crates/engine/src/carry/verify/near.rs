//! The neighbourhood: new tests with other inputs, on both sides. Production code that repeats the tests' literals and does
//! what the base did for every other input was made for those inputs alone.

use super::Measuring;
use crate::carry::Halt;
use crate::carry::trial::Trial;
use proctor_core::branch::{BranchKind, Exact, Sign};
use proctor_core::item::TestItem;
use proctor_core::report::{CaseEnd, Reason, RunEnd, TestReport};
use proctor_core::words::TreeId;
use proctor_runners::{
    Edit, Neighbour, OtherCases, Selection, Zone, decisive_literals, holds_cases, is_disguised,
    is_manifest, neighbours, other_cases, zone,
};
use std::collections::{BTreeMap, BTreeSet};

/// How many other inputs are tried for one test, and for how many tests.
const MOST_ROUNDS: usize = 4;
const MOST_TESTS: usize = 8;
/// How many files of cases are looked into, and how large one may be.
const MOST_CASE_FILES: usize = 64;
const MOST_CASE_BYTES: u64 = 256 * 1024;
/// How many values of such a file are named.
const MOST_TOLD: usize = 8;

/// A test whose inputs the production code may know.
struct Suspect {
    item: TestItem,
    inputs: Vec<Neighbour>,
    /// Those that it repeats; none where it could know them in disguise.
    shared: BTreeSet<String>,
}

/// What one other input showed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    AsOnBase,
    Otherwise,
    /// The base has no such code, and head breaks.
    Breaks,
    Nothing,
}

impl Measuring<'_> {
    pub(super) fn near(&mut self) -> Result<(), Halt> {
        if self.scene.kind != BranchKind::Both {
            return Ok(());
        }
        self.near_written()?;
        self.near_loaded()
    }

    /// Inputs that stand in the tests themselves.
    fn near_written(&mut self) -> Result<(), Halt> {
        let suspects = self.suspects();
        if suspects.is_empty() {
            return Ok(());
        }
        let old = self.scene.replay(self.shadow)?;
        let new = self.scene.head.tree.clone();
        let mut seen: Vec<Vec<Seen>> = vec![Vec::new(); suspects.len()];
        for round in 0..MOST_ROUNDS {
            let of_round: Vec<(usize, &Suspect)> =
                suspects.iter().enumerate().filter(|(_, s)| s.inputs.len() > round).collect();
            if of_round.is_empty() {
                break;
            }
            let on_head = self.with_inputs(&new, &of_round, round)?;
            let on_base = self.with_inputs(&old, &of_round, round)?;
            for (n, suspect) in of_round {
                if let Some(list) = seen.get_mut(n) {
                    list.push(compare(&suspect.item, &on_base, &on_head));
                }
            }
        }
        for (suspect, seen) in suspects.into_iter().zip(seen) {
            let known: Vec<Seen> = seen.into_iter().filter(|s| *s != Seen::Nothing).collect();
            let same = known.iter().all(|s| matches!(s, Seen::AsOnBase | Seen::Breaks));
            if !known.is_empty() && same {
                self.measure.exact.push(Exact {
                    test: suspect.item.id,
                    place: suspect.item.place,
                    sign: if suspect.shared.is_empty() {
                        Sign::Disguise
                    } else {
                        Sign::Literals { literals: suspect.shared.into_iter().collect() }
                    },
                });
            }
        }
        Ok(())
    }

    /// Inputs that the tests load from a file of cases: all that production code repeats are changed at once.
    fn near_loaded(&mut self) -> Result<(), Halt> {
        let cases = self.repeated_cases()?;
        if cases.is_empty() {
            return Ok(());
        }
        let red = self.measure.sorted(&self.brief).red;
        let items = self.measure.items.new.iter().chain(&self.measure.items.changed);
        let told: Vec<_> = self.measure.exact.iter().map(|exact| exact.test.clone()).collect();
        let items: Vec<TestItem> = items
            .filter(|item| red.iter().any(|id| item.covers(id)) && !told.contains(&item.id))
            .take(MOST_TESTS)
            .cloned()
            .collect();
        let old = self.scene.replay(self.shadow)?;
        let new = self.scene.head.tree.clone();
        let ids: Vec<_> = items.iter().map(|item| item.id.clone()).collect();
        let mut with = |tree: &TreeId| {
            let edited = cases.iter().fold(Trial::of(tree), |trial, (path, other)| {
                trial.with(path.clone(), other.text.clone())
            });
            self.runs.report(&edited.only(Selection::Ids(ids.clone())))
        };
        let (on_head, on_base) = (with(&new)?, with(&old)?);
        let shared: BTreeSet<String> = cases.into_values().flat_map(|other| other.shared).collect();
        let literals: Vec<String> = shared.into_iter().take(MOST_TOLD).collect();
        for item in items {
            if compare_loaded(&item, &on_base, &on_head) == Seen::AsOnBase {
                let sign = Sign::Literals { literals: literals.clone() };
                self.measure.exact.push(Exact { test: item.id, place: item.place, sign });
            }
        }
        Ok(())
    }

    /// The files of cases on head that hold what production code decides by, with other values in their place. Those
    /// whose name the tests have come first.
    fn repeated_cases(&self) -> Result<BTreeMap<String, OtherCases>, Halt> {
        let (decisive, _) = self.decisive();
        if decisive.len() < 2 {
            return Ok(BTreeMap::new());
        }
        let red = self.measure.sorted(&self.brief).red;
        let named = |path: &str| {
            let stem = path.rsplit('/').next().and_then(|name| name.split('.').next());
            stem.is_some_and(|stem| red.iter().any(|id| id.as_str().contains(stem)))
        };
        let usable = |path: &&String| {
            holds_cases(path) && !is_manifest(path) && zone(path) != Zone::Deciding
        };
        let mut files: Vec<&String> = self.scene.head.listing.keys().filter(usable).collect();
        files.sort_by_key(|path| (!named(path), zone(path) != Zone::Test));
        files.truncate(MOST_CASE_FILES);
        let wanted = |path: &str| files.iter().any(|file| *file == path);
        let listing = &self.scene.head.listing;
        let (found, _) =
            crate::carry::trees::sources_within(self.shadow, listing, MOST_CASE_BYTES, wanted)?;
        let other = |(path, bytes): (String, Vec<u8>)| {
            let text = String::from_utf8(bytes).ok()?;
            Some((path.clone(), other_cases(&path, &text, &decisive)?))
        };
        Ok(found.0.into_iter().filter_map(other).collect())
    }

    /// The literals by which the changed lines decide, and whether they could know a value in disguise.
    fn decisive(&self) -> (BTreeSet<String>, bool) {
        let mut decisive = BTreeSet::new();
        let mut disguised = false;
        for (path, lines) in &self.scene.lines {
            if let Some(text) = self.scene.head.text(path) {
                disguised |= is_disguised(path, text, lines);
                decisive.extend(decisive_literals(path, text, lines));
            }
        }
        (decisive, disguised)
    }

    fn suspects(&self) -> Vec<Suspect> {
        let (decisive, disguised) = self.decisive();
        let red = self.measure.sorted(&self.brief).red;
        let items = self.measure.items.new.iter().chain(&self.measure.items.changed);
        let suspect = |item: &TestItem| {
            let text = self.scene.head.text(&item.place.file)?;
            let inputs = neighbours(&item.place.file, text, item.place.line?);
            let repeated = inputs.iter().filter(|input| decisive.contains(&input.was));
            let shared: BTreeSet<String> = repeated.map(|input| input.was.clone()).collect();
            let inputs = sorted(inputs, &shared);
            let may_know = !inputs.is_empty() && (disguised || !shared.is_empty());
            may_know.then(|| Suspect { item: item.clone(), inputs, shared })
        };
        items
            .filter(|item| red.iter().any(|id| item.covers(id)))
            .filter_map(suspect)
            .take(MOST_TESTS)
            .collect()
    }

    /// These tests with the other input of this round. The test's place is found anew: a file that holds inline tests has
    /// other code on the base.
    fn with_inputs(
        &mut self,
        tree: &TreeId,
        suspects: &[(usize, &Suspect)],
        round: usize,
    ) -> Result<TestReport, Halt> {
        let files: BTreeSet<String> =
            suspects.iter().map(|(_, suspect)| suspect.item.place.file.clone()).collect();
        let files: Vec<String> = files.into_iter().collect();
        let mut trial = Trial::of(tree);
        let mut ids = Vec::new();
        for (file, text) in self.texts_of(tree, &files)? {
            let mut texts = self.scene.head.texts.clone();
            texts.0.insert(file.clone(), text.clone().into_bytes());
            let here = self.runs.suite().items(&texts, std::slice::from_ref(&file));
            let mut edits = Vec::new();
            for (_, suspect) in suspects.iter().filter(|(_, s)| s.item.place.file == file) {
                let line = here.iter().find(|i| i.id == suspect.item.id).and_then(|i| i.place.line);
                let Some(line) = line else { continue };
                let inputs = sorted(neighbours(&file, &text, line), &suspect.shared);
                if let Some(input) = inputs.into_iter().nth(round) {
                    edits.push(input.edit);
                    ids.push(suspect.item.id.clone());
                }
            }
            trial = trial.with(file, Edit::applied(&text, &edits));
        }
        self.runs.report(&trial.only(Selection::Ids(ids)))
    }
}

/// Inputs that the production code repeats come first.
fn sorted(mut inputs: Vec<Neighbour>, shared: &BTreeSet<String>) -> Vec<Neighbour> {
    inputs.sort_by_key(|input| !shared.contains(&input.was));
    inputs.truncate(MOST_ROUNDS);
    inputs
}

/// Whether a test with another input says the same on both sides.
fn compare(item: &TestItem, base: &TestReport, head: &TestReport) -> Seen {
    let ends = |run: &TestReport| -> Vec<String> {
        run.cases.iter().filter(|(id, _)| item.covers(id)).map(|(_, c)| told(&c.end)).collect()
    };
    let (was, is) = (ends(base), ends(head));
    if is.is_empty() {
        return Seen::Nothing;
    }
    let missing = |run: &TestReport| {
        let failed = |c: &CaseEnd| matches!(c, CaseEnd::Failed { reason: Reason::Missing { .. } });
        matches!(run.end, RunEnd::CollectFailed { .. })
            || run.cases.iter().any(|(id, c)| item.covers(id) && failed(&c.end))
    };
    if missing(base) {
        let broke = |(_, c): (_, &proctor_core::report::Case)| {
            matches!(&c.end, CaseEnd::Failed { reason: Reason::Panic { .. } })
        };
        let all = head.cases.iter().filter(|(id, _)| item.covers(id)).all(broke);
        return if all { Seen::Breaks } else { Seen::Otherwise };
    }
    if was == is { Seen::AsOnBase } else { Seen::Otherwise }
}

/// The same where a file of cases is other. What can't be loaded any more shows nothing, and so does a test that passes on
/// both sides: it may look at other cases.
fn compare_loaded(item: &TestItem, base: &TestReport, head: &TestReport) -> Seen {
    let ran = |run: &TestReport| {
        let mut own = run.cases.iter().filter(|(id, _)| item.covers(id)).peekable();
        own.peek().is_some() && own.all(|(_, case)| !matches!(case.end, CaseEnd::Errored { .. }))
    };
    let failed = |run: &TestReport| {
        let mut own = run.cases.iter().filter(|(id, _)| item.covers(id));
        own.any(|(_, case)| matches!(case.end, CaseEnd::Failed { .. }))
    };
    if !ran(base) || !ran(head) || !failed(head) {
        return Seen::Nothing;
    }
    compare(item, base, head)
}

/// How a case ended, in words that don't differ by chance: addresses and times are left out.
fn told(end: &CaseEnd) -> String {
    let message = match end {
        CaseEnd::Passed => return "passed".to_owned(),
        CaseEnd::Skipped { .. } => return "skipped".to_owned(),
        CaseEnd::Errored { message } => message.as_str(),
        CaseEnd::Failed { reason } => reason.message(),
    };
    message
        .split_whitespace()
        .filter(|word| !word.contains("0x") && !word.contains('/') && !holds_address(word))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Whether a word holds the end of an address, where a tool cut off its beginning: `<generator o...7fc43303c7c0>`.
fn holds_address(word: &str) -> bool {
    word.split(|c: char| !c.is_ascii_hexdigit()).any(|run| {
        let letter = |c: char| c.is_ascii_alphabetic();
        run.len() >= 8 && run.contains(letter) && run.contains(|c: char| c.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_by_chance_is_left_out() {
        let said = |message: &str| told(&CaseEnd::Errored { message: message.to_owned() });
        let cut = "assert [<generator o...7fc43303c7c0>] == [4, 12345678]";
        assert_eq!(said(cut), "assert [<generator == [4, 12345678]");
        assert_eq!(said("at 0x7f in /tmp/a.py: 3"), "at in 3");
    }
}
