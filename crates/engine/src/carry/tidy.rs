//! Tests that a refactoring tidied: what of them may change at all, and what is measured before they may stand in the place
//! of the sealed originals. Whether that is enough is judged in `core`.

use super::gate::{item_changes, test_sources};
use super::policy::{is_rust, parts, with_tests_of};
use super::{Halt, Job};
use crate::verify::{Sides, asked, kills, probe};
use proctor_core::event::Trouble;
use proctor_core::item::{ItemChanges, TestItem};
use proctor_core::proof::{
    Again, Anchor, GreenMeasure, GreenProof, Kills, Point, RedMeasure, Tidied,
};
use proctor_core::words::{TestId, TreeId};
use proctor_lab::Suite;
use proctor_lab::TestRuns;
use proctor_lang::{MemoryTree, without_tests};
use proctor_tools::Selection;
use proctor_world::shadow::Shadow;
use std::collections::BTreeMap;

/// A turn that refactors: by what it is told which tests are its own.
pub(super) struct Tidying {
    pub(super) suite: Suite,
    /// Manifests, by which tests get their names.
    pub(super) manifests: MemoryTree,
    /// The touched files as the base has them.
    pub(super) base: BTreeMap<String, Vec<u8>>,
}

const HELPER: &str =
    "helpers, fixtures and data of tests are sealed; only tests themselves may be tidied";
const OLD: &str =
    "of a file that was there before only the new tests may be tidied, and nothing around them";

/// The texts of one file: at the base, as the turn found it, as it left it.
#[derive(Clone, Copy)]
pub(super) struct Texts<'a> {
    pub(super) base: Option<&'a str>,
    pub(super) old: Option<&'a str>,
    pub(super) new: Option<&'a str>,
}

impl Tidying {
    fn items(&self, path: &str, text: Option<&str>) -> Vec<TestItem> {
        let Some(text) = text else { return Vec::new() };
        let mut tree = self.manifests.clone();
        tree.0.insert(path.to_owned(), text.as_bytes().to_vec());
        self.suite.items(&tree, &[path.to_owned()])
    }

    /// Why a change of a test file is no tidying; nothing where it may be one, and is then to be proven.
    pub(super) fn objection(&self, path: &str, texts: Texts<'_>) -> Option<&'static str> {
        let (base, old, new) = (
            self.items(path, texts.base),
            self.items(path, texts.old),
            self.items(path, texts.new),
        );
        if old.is_empty() && new.is_empty() {
            return Some(HELPER);
        }
        let inline = is_rust(path) && texts.base.is_some();
        if texts.base.is_none() || (inline && base.is_empty()) {
            return None;
        }
        let kept = |item: &&TestItem| base.iter().any(|was| was.id == item.id);
        let same = base.iter().all(|was| {
            let text = |items: &[TestItem]| -> Vec<String> {
                items
                    .iter()
                    .filter(|item| item.id == was.id)
                    .map(|item| item.text.clone())
                    .collect()
            };
            text(&old) == text(&new)
        });
        let rest = |text: Option<&str>, items: &[TestItem]| {
            let own = items.iter().filter(|item| !kept(item));
            let lines: Option<Vec<u32>> = own.map(|item| item.place.line).collect();
            without_tests(path, text?, &lines?).map(|left| folded(path, &left))
        };
        let (was, is) = (rest(texts.old, &old), rest(texts.new, &new));
        (!same || was.is_none() || was != is).then_some(OLD)
    }
}

/// What stands around the tests of a file; of a source with inline tests only their part.
fn folded(path: &str, text: &str) -> String {
    let text = if is_rust(path) { parts(text).tests.join("\n") } else { text.to_owned() };
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The gate that a tidied tree stands before.
pub(super) struct TidyGate<'a> {
    pub(super) job: &'a Job,
    pub(super) shadow: &'a Shadow,
    pub(super) anchor: &'a Anchor,
    pub(super) base: &'a TreeId,
    /// The sealed tests on the old code.
    pub(super) sealed: &'a Point,
    /// The work with the originals.
    pub(super) originals: &'a Point,
    /// The work with the tidied tests.
    pub(super) code: &'a Point,
}

impl TidyGate<'_> {
    /// Measures the tidied tests, as far as each step leaves hope. The originals have passed on the same work.
    pub(super) fn measure(
        &self,
        runs: &mut TestRuns<'_>,
        green: &GreenMeasure,
    ) -> Result<Tidied, Halt> {
        let trees = (&self.originals.tree, &self.code.tree);
        let tree = with_tests_of(self.shadow, &self.sealed.tree, trees)?;
        let tests = self.job.sealed_anew(self.shadow, self.sealed, tree)?;
        let (before, after) = test_sources(self.shadow, self.base, &tests.tree)?;
        let mut tidied = Tidied {
            originals: self.originals.clone(),
            red: RedMeasure {
                baseline: green.baseline.clone(),
                runs: Vec::new(),
                items: item_changes(runs.suite(), &before, &after),
                secrets: super::audit::new_secrets(
                    self.shadow,
                    &self.job.run.brief.allowed_secrets,
                    (self.base, &tests.tree),
                )?,
                again: Again::default(),
                held_out: None,
            },
            tests,
            green: Box::new(GreenMeasure::over(green.baseline.clone())),
            kills: Kills::default(),
            asked: Vec::new(),
            asks: Vec::new(),
        };
        let brief = &self.job.run.brief;
        let repeats = brief.rules.repeats.max(1);
        for _ in 0..repeats {
            tidied.red.runs.push(runs.run(&tidied.tests.tree, &Selection::All)?);
            if Anchor::judge(brief, &tidied.red, &tidied.tests).is_err() {
                return Ok(tidied);
            }
        }
        let Ok(anchor) = Anchor::judge(brief, &tidied.red, &tidied.tests) else {
            return Ok(tidied);
        };
        for _ in 0..repeats {
            tidied.green.runs.push(runs.run(&self.code.tree, &Selection::All)?);
        }
        tidied.green.replay = tidied.red.runs.last().cloned();
        if brief.rules.coverage.is_some() {
            let found = crate::coverage::coverage(self.shadow, runs, self.base, &self.code.tree)?;
            tidied.green.coverage = Some(found);
        }
        if self.green(&anchor, &tidied).is_err() {
            return Ok(tidied);
        }
        tidied.kills = self.kills(green, (&tidied, &anchor))?;
        if tidied.kills.fault().is_none() {
            self.ask(runs.suite(), green, &mut tidied)?;
            let sides = Sides { base: self.base, code: &self.code.tree };
            tidied.green.probe =
                Some(Box::new(probe(self.job, self.shadow, sides, &tidied.green)?));
        }
        Ok(tidied)
    }

    fn green(&self, anchor: &Anchor, tidied: &Tidied) -> Result<(), Wanting> {
        let brief = &self.job.run.brief;
        let judged = GreenProof::judge(brief, anchor, &self.job.run.base, &tidied.green, self.code);
        judged.map(|_| ()).map_err(|_| Wanting)
    }

    /// What the originals ask of the work, and what the tidied tests do.
    fn ask(&self, suite: &Suite, green: &GreenMeasure, tidied: &mut Tidied) -> Result<(), Halt> {
        let (before, after) = test_sources(self.shadow, self.base, &self.originals.tree)?;
        let written = |items: ItemChanges| -> Vec<TestItem> {
            items.new.into_iter().chain(items.changed).collect()
        };
        let originals = written(item_changes(suite, &before, &after));
        let tests = written(tidied.red.items.clone());
        let side = |tree| Sides { base: self.base, code: tree };
        let was = (side(&self.originals.tree), (green, originals));
        tidied.asked = asked(self.job, self.shadow, was.0, was.1)?;
        let is = (side(&self.code.tree), (&*tidied.green, tests));
        let asks = asked(self.job, self.shadow, is.0, is.1)?;
        tidied.asks =
            asks.into_iter().filter_map(|asked| asked.old.into_iter().next()).flatten().collect();
        Ok(())
    }

    /// The same mutants under the originals alone and under the tidied tests alone.
    fn kills(
        &self,
        green: &GreenMeasure,
        (tidied, anchor): (&Tidied, &Anchor),
    ) -> Result<Kills, Halt> {
        let of = |anchor: &Anchor| -> Vec<TestId> { anchor.sealed().cloned().collect() };
        let side = |tree| Sides { base: self.base, code: tree };
        self.job.say("mutants under the sealed tests and under the tidied ones");
        let originals =
            kills(self.job, self.shadow, side(&self.originals.tree), (green, &of(self.anchor)));
        let after = originals.and_then(|was| {
            let tree = &self.code.tree;
            let is = kills(self.job, self.shadow, side(tree), (&tidied.green, &of(anchor)))?;
            Ok(Kills { originals: was, tidied: is, hindered: None })
        });
        match after {
            Err(Halt::Trouble(Trouble::Lasting { why } | Trouble::Passing { why })) => {
                Ok(Kills { hindered: Some(why), ..Kills::default() })
            }
            other => other,
        }
    }
}

/// The tidied tests do not stand.
struct Wanting;
