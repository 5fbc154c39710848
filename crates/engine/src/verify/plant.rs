//! Tests of our own beside the project's, and the project's tests with their expectations turned round.

use super::LONG_SUITE;
use super::Measuring;
use super::scene::{Side, shared};
use proctor_core::branch::{BranchKind, CanaryRun, Planted, Role, Twin, TwinSort, Under};
use proctor_core::item::TestItem;
use proctor_core::report::{Place, RunEnd, TestReport};
use proctor_core::words::{TestId, TreeId};
use proctor_experiments::{flips, traps, with_canaries};
use proctor_lab::Halt;
use proctor_lab::Suite;
use proctor_lab::Trial;
use proctor_lang::{Edit, MemoryTree, Zone, zone};
use proctor_tools::Selection;
use std::collections::{BTreeMap, BTreeSet};

/// How many files get canaries at most.
const MOST_FILES: usize = 12;
/// How many tests are flipped at most, and how many assertions of each.
const MOST_TWINS: usize = 16;
const MOST_FLIPS: usize = 3;

/// A test and what is turned round in it.
type Flipped<'f> = (&'f TestItem, &'f [Edit]);

impl Measuring<'_> {
    /// Canaries under head's configuration, and under the base's where the branch changed what decides.
    pub(super) fn canaries(&mut self) -> Result<(), Halt> {
        let head = self.scene.head.tree.clone();
        let files = self.canary_files();
        let run = self.planted(&head, Under::Head, &files)?;
        self.measure.canaries.extend(run);
        let decides =
            self.scene.surroundings.iter().any(|t| t.role == Role::Decides || is_shared(&t.path));
        if decides && let Some(tree) = self.scene.old_on_head(self.shadow)? {
            let old: Vec<String> =
                files.into_iter().filter(|f| self.scene.base.listing.contains_key(f)).collect();
            if !old.is_empty() {
                let run = self.planted(&tree, Under::Base, &old)?;
                self.measure.canaries.extend(run);
            }
        }
        Ok(())
    }

    /// The files of the new and changed tests; where there are none, some of the old ones.
    fn canary_files(&self) -> Vec<String> {
        let items = &self.measure.items;
        let renamed = self.measure.renamed.iter().map(|pair| &pair.is);
        let mut files: BTreeSet<String> = items
            .new
            .iter()
            .chain(&items.changed)
            .chain(renamed)
            .map(|item| item.place.file.clone())
            .collect();
        let all = self.scene.head.texts.0.keys();
        let others = all.filter(|path| zone(path) == Zone::Test && !files.contains(*path));
        // One old file of each project beside them: what patches the tool for all is seen there too.
        let suite = self.runs.suite();
        let mut more: BTreeMap<String, String> = BTreeMap::new();
        for path in others {
            if more.len() >= MOST_FILES {
                break;
            }
            let found = suite.items(&self.scene.head.texts, std::slice::from_ref(path));
            if let Some(item) = found.first() {
                let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
                more.entry(folder.to_owned()).or_insert_with(|| item.place.file.clone());
            }
        }
        let wanted = if files.is_empty() { MOST_FILES } else { 2 };
        files.extend(more.into_values().take(wanted));
        if files.is_empty() {
            // Inline tests of a source file.
            let old = self.runs.suite().items(&self.scene.head.texts, &self.rust_sources());
            files.extend(old.first().map(|item| item.place.file.clone()));
        }
        files.into_iter().take(MOST_FILES).collect()
    }

    fn rust_sources(&self) -> Vec<String> {
        let touched = self.scene.touched.iter().cloned();
        touched.filter(|path| crate::carry::policy::is_rust(path)).collect()
    }

    fn planted(
        &mut self,
        tree: &TreeId,
        under: Under,
        files: &[String],
    ) -> Result<Option<CanaryRun>, Halt> {
        let texts = self.texts_of(tree, files)?;
        let mut trial = Trial::of(tree);
        let (mut planted, mut bare) = (Vec::new(), Vec::new());
        for (file, text) in &texts {
            // Of its own for each file: two of Go share a package, and both its packages a program.
            let tag = format!("canary_{}", self.nonce(file));
            let Some(with) = with_canaries(file, text, &tag) else {
                bare.push(file.clone());
                continue;
            };
            let ids = canary_ids(self.runs.suite(), &self.scene.head, file, &with, &tag);
            if ids.fails.is_empty() || ids.passes.is_empty() {
                bare.push(file.clone());
                continue;
            }
            planted.push(ids);
            trial = trial.with(file.clone(), with);
        }
        if planted.is_empty() {
            return Ok(None);
        }
        if self.suite_took > LONG_SUITE {
            trial = trial.only(Selection::Ids(self.beside(&planted)));
        }
        let report = self.runs.report(&trial)?;
        if let (RunEnd::CollectFailed { errors }, true) = (&report.end, planted.len() > 1) {
            // One file that does not build with canaries must not hide the others.
            let broken: BTreeSet<&str> = errors.iter().map(|e| e.place.file.as_str()).collect();
            let good: Vec<String> = planted
                .iter()
                .map(|p| p.file.clone())
                .filter(|file| !broken.contains(file.as_str()))
                .collect();
            if !good.is_empty() && good.len() < planted.len() {
                return self.planted(tree, under, &good);
            }
        }
        Ok(Some(CanaryRun { under, planted, bare, report }))
    }

    /// The canaries and the tests of the same files.
    fn beside(&self, planted: &[Planted]) -> Vec<TestId> {
        let files: Vec<String> = planted.iter().map(|p| p.file.clone()).collect();
        let own = self.runs.suite().items(&self.scene.head.texts, &files);
        let canaries = planted.iter().flat_map(|p| p.passes.iter().chain(&p.fails).chain(&p.skips));
        own.into_iter().map(|item| item.id).chain(canaries.cloned()).collect()
    }

    /// Letters that nobody could have foreseen.
    pub(super) fn nonce(&self, file: &str) -> String {
        let now = self.lab.shop.now().0;
        let text = format!("{now} {} {} {file}", self.lab.id, self.measure.canaries.len());
        blake3::hash(text.as_bytes()).to_hex().to_string().get(..10).unwrap_or("x").to_owned()
    }

    pub(super) fn texts_of(
        &self,
        tree: &TreeId,
        files: &[String],
    ) -> Result<BTreeMap<String, String>, Halt> {
        let listing = self.shadow.list(tree)?;
        let wanted = |path: &str| files.iter().any(|file| file == path);
        let found = proctor_lab::sources(self.shadow, &listing, wanted)?;
        let text = |file: &String| {
            let bytes = found.0.get(file).filter(|_| listing.contains_key(file))?;
            Some((file.clone(), String::from_utf8(bytes.clone()).ok()?))
        };
        Ok(files.iter().filter_map(text).collect())
    }

    /// The new and changed tests with an expectation turned round, one assertion of each at a time.
    pub(super) fn twins(&mut self) -> Result<(), Halt> {
        if self.scene.kind == BranchKind::CodeOnly {
            return Ok(());
        }
        let chosen = self.chosen(MOST_TWINS);
        let (mut flipped, mut trapped) = (Vec::new(), Vec::new());
        for item in chosen {
            let file = &item.place.file;
            let Some((text, line)) = self.scene.head.text(file).zip(item.place.line) else {
                continue;
            };
            let mut edits = flips(file, text, line);
            edits.truncate(MOST_FLIPS);
            let traps = if edits.is_empty() { traps(file, text, line) } else { Vec::new() };
            flipped.push((item.clone(), edits));
            trapped.push((item, traps));
        }
        let mut rounds: Vec<(Vec<Flipped<'_>>, TwinSort)> = Vec::new();
        for round in 0..MOST_FLIPS {
            let of_round = flipped
                .iter()
                .filter_map(|(item, edits)| Some((item, edits.get(round..=round)?)))
                .collect();
            rounds.push((of_round, TwinSort::Flipped));
        }
        // No assertion of these is sure to run: whether one does is seen.
        let unsure = trapped
            .iter()
            .filter(|(_, traps)| !traps.is_empty())
            .map(|(item, traps)| (item, traps.as_slice()))
            .collect();
        rounds.push((unsure, TwinSort::Trapped));
        rounds.retain(|(twins, _)| !twins.is_empty());
        let tree = self.scene.head.tree.clone();
        let trials: Vec<Trial<'_>> =
            rounds.iter().map(|(twins, _)| self.with_twins(&tree, twins)).collect();
        let reports = self.runs.reports(&trials)?;
        for ((twins, sort), report) in rounds.iter().zip(&reports) {
            self.note_twins(twins, *sort, report);
        }
        Ok(())
    }

    fn with_twins<'t>(&self, tree: &'t TreeId, twins: &[Flipped<'_>]) -> Trial<'t> {
        let mut by_file: BTreeMap<&str, Vec<Edit>> = BTreeMap::new();
        for (item, edits) in twins {
            by_file.entry(&item.place.file).or_default().extend_from_slice(edits);
        }
        let ids = twins.iter().map(|(item, _)| item.id.clone()).collect();
        let mut trial = Trial::of(tree).only(Selection::Ids(ids));
        for (file, edits) in by_file {
            let text = self.scene.head.text(file).unwrap_or_default();
            trial = trial.with(file, Edit::applied(text, &edits));
        }
        trial
    }

    fn note_twins(&mut self, twins: &[Flipped<'_>], sort: TwinSort, report: &TestReport) {
        for (item, edits) in twins {
            let Some(edit) = edits.first() else { continue };
            let file = &item.place.file;
            let text = self.scene.head.text(file).unwrap_or_default();
            let ends = report.cases.iter().filter(|(id, _)| item.covers(id));
            self.measure.twins.push(Twin {
                test: item.id.clone(),
                sort,
                place: Place { file: file.clone(), line: Some(edit.line) },
                what: edit.what.clone(),
                diff: edit.diff(file, text),
                ends: ends.map(|(_, case)| case.end.clone()).collect(),
            });
        }
    }
}

/// Patches or fixtures for every test beside it, or a set-up file.
fn is_shared(path: &str) -> bool {
    shared(path) || path.rsplit('/').next().is_some_and(|name| name.contains("setup"))
}

/// The ids that the test tool will give our own tests in this text.
fn canary_ids(suite: &Suite, side: &Side, file: &str, text: &str, tag: &str) -> Planted {
    let mut tree = MemoryTree(side.texts.0.clone());
    tree.0.insert(file.to_owned(), text.as_bytes().to_vec());
    let plain = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let tag = plain(tag);
    let mut planted =
        Planted { file: file.to_owned(), passes: Vec::new(), fails: Vec::new(), skips: Vec::new() };
    for item in suite.items(&tree, &[file.to_owned()]) {
        let id = plain(item.id.as_str());
        let Some(at) = id.rfind(&tag) else { continue };
        let rest = id.get(at + tag.len()..).unwrap_or_default();
        if rest.starts_with("pass") {
            planted.passes.push(item.id);
        } else if rest.starts_with("fail") {
            planted.fails.push(item.id);
        } else if rest.starts_with("skip") {
            planted.skips.push(item.id);
        }
    }
    planted
}
