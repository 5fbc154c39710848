//! The neighbourhood of inputs that tests load from a file of cases: all values in it by which changed code decides become
//! others at once.

use super::Measuring;
use super::near::{MOST_TESTS, Seen, compare};
use crate::carry::Halt;
use crate::carry::trial::Trial;
use proctor_core::branch::{Exact, Sign};
use proctor_core::item::TestItem;
use proctor_core::report::{CaseEnd, TestReport};
use proctor_core::words::TreeId;
use proctor_experiments::{OtherCases, decisions, holds_cases, other_cases};
use proctor_lang::{Zone, zone};
use proctor_tools::{Selection, is_manifest};
use std::collections::{BTreeMap, BTreeSet};

/// How many files of cases are looked into, and how large one may be.
const MOST_CASE_FILES: usize = 64;
const MOST_CASE_BYTES: u64 = 256 * 1024;
/// How many values of such a file are named.
const MOST_TOLD: usize = 8;

impl Measuring<'_> {
    /// Inputs that the tests load from a file of cases: all that production code repeats are changed at once.
    pub(super) fn near_loaded(&mut self) -> Result<(), Halt> {
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
        let decisive = self.decisive();
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

    /// The literals by which the changed lines decide.
    fn decisive(&self) -> BTreeSet<String> {
        let mut decisive = BTreeSet::new();
        for (path, lines) in self.scene.all_lines() {
            if let Some(text) = self.scene.head.text(path) {
                decisive.extend(decisions(path, text, lines).into_iter().flat_map(|d| d.named));
            }
        }
        decisive
    }
}

/// Whether a test with another file of cases says the same on both sides. What can't be loaded any more shows nothing, and so does a test that passes on
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
