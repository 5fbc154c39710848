//! Tests of our own beside the project's, of which one must pass, one fail and one be skipped: under head's configuration,
//! and under the base's where the branch changed what decides.

use super::{Done, Experiment, Found, Try, reports};
use crate::branch::Branch;
use crate::canary::with_canaries;
use proctor_core::branch::{CanaryRun, Evidence, Planted, Role, Under};
use proctor_core::report::{RunEnd, TestReport};
use proctor_core::trial::{Selection, Trial};
use proctor_core::verdict::CheckName as C;
use proctor_core::words::{TestId, TreeId};
use proctor_lang::{Language, Zone, zone};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How many files get canaries at most.
const MOST_FILES: usize = 12;
/// A suite that takes longer is not run as a whole with canaries in it.
const LONG_SUITE: Duration = Duration::from_secs(10);

pub(super) struct Canaries;

/// Canaries in some files of a tree.
pub(super) struct Sown {
    under: Under,
    planted: Vec<Planted>,
    /// Files that could not be given any.
    bare: Vec<String>,
    pub(super) trial: Trial,
}

impl Sown {
    /// Whether each of them did what it must.
    pub(super) fn behaves(&self, report: &TestReport) -> bool {
        let ends = |ids: &[TestId], wanted: &[&str]| {
            let word = |id: &TestId| report.cases.get(id).map(|case| case.end.word());
            ids.iter().all(|id| word(id).is_some_and(|word| wanted.contains(&word)))
        };
        self.planted.iter().all(|one| {
            ends(&one.passes, &["passed"])
                && ends(&one.fails, &["failed", "errored"])
                && ends(&one.skips, &["skipped"])
        })
    }

    /// A run without them.
    pub(super) fn without(&self, report: &TestReport) -> TestReport {
        let own: BTreeSet<&TestId> = self
            .planted
            .iter()
            .flat_map(|one| one.passes.iter().chain(&one.fails).chain(&one.skips))
            .collect();
        let mut report = report.clone();
        report.cases.retain(|id, _| !own.contains(id));
        report
    }

    /// A long suite is not run as a whole for them.
    fn timed(self, branch: &Branch<'_>) -> Self {
        if branch.suite_took <= LONG_SUITE {
            return self;
        }
        let only = Selection::Ids(beside(branch, &self.planted));
        Self { trial: self.trial.only(only), ..self }
    }

    pub(super) fn ran(self, report: &TestReport) -> CanaryRun {
        let Self { under, planted, bare, trial: _ } = self;
        CanaryRun { under, planted, bare, report: report.clone() }
    }
}

/// Those for a run of all of head's tests, in which every changed line stays where it is.
pub(super) fn beside_all(branch: &Branch<'_>) -> Option<Sown> {
    let sown = sow(branch, branch.head.tree(), Under::Head, &files(branch))?;
    let stays = |(path, bytes): (&String, &Option<Vec<u8>>)| {
        let Some(last) = branch.lines.get(path).and_then(BTreeSet::last) else { return true };
        let old = branch.head.text(path).unwrap_or_default();
        let new = bytes.as_deref().and_then(|bytes| std::str::from_utf8(bytes).ok());
        let count = usize::try_from(*last).unwrap_or(usize::MAX);
        old.lines().take(count).eq(new.unwrap_or_default().lines().take(count))
    };
    sown.trial.edits.iter().all(stays).then_some(sown)
}

impl Experiment for Canaries {
    fn what(&self) -> &'static str {
        "canaries beside the tests"
    }

    fn checks(&self) -> &'static [C] {
        &[C::Harness]
    }

    fn next(&self, branch: &Branch<'_>, done: &[Done]) -> Vec<Try> {
        let sown = sown(branch, &reports(done));
        sown.into_iter().skip(done.len()).map(|sown| Try::Run(sown.trial)).collect()
    }

    fn evidence(&self, branch: &Branch<'_>, done: &[Done]) -> Found {
        let reports = reports(done);
        let mut runs = branch.measure.canaries.clone();
        for (sown, report) in sown(branch, &reports).into_iter().zip(reports) {
            // A second look at the same side is made without what did not build in the first.
            runs.retain(|run| run.under != sown.under);
            runs.push(sown.ran(&report));
        }
        Evidence::Canaries(runs).into()
    }
}

/// What is sown: in both trees, and again in the files that were not to blame where one did not build. On head nothing more
/// where they ran beside all tests.
fn sown(branch: &Branch<'_>, reports: &[TestReport]) -> Vec<Sown> {
    let files = files(branch);
    let known = branch.measure.canaries.iter().any(|run| run.under == Under::Head);
    let on_head = || sow(branch, branch.head.tree(), Under::Head, &files).map(|s| s.timed(branch));
    let mut all: Vec<Sown> = if known { Vec::new() } else { on_head().into_iter().collect() };
    let decides = |t: &proctor_core::branch::Touched| t.role == Role::Decides || is_shared(&t.path);
    if branch.surroundings.iter().any(decides)
        && let Some(tree) = &branch.mixed.old_on_head
    {
        let old: Vec<String> = files.into_iter().filter(|f| branch.base.has(f)).collect();
        all.extend(sow(branch, tree, Under::Base, &old).map(|s| s.timed(branch)));
    }
    for (n, report) in reports.iter().enumerate() {
        let Some(first) = all.get(n) else { continue };
        let good = to_blame(&first.planted, report);
        let (tree, under) = (first.trial.tree.clone(), first.under);
        all.extend(good.and_then(|good| sow(branch, &tree, under, &good)).map(|s| s.timed(branch)));
    }
    all
}

/// One file that does not build with canaries must not hide the others: these are the others.
fn to_blame(planted: &[Planted], report: &TestReport) -> Option<Vec<String>> {
    let RunEnd::CollectFailed { errors } = &report.end else { return None };
    let broken: BTreeSet<&str> = errors.iter().map(|e| e.place.file.as_str()).collect();
    let files = planted.iter().map(|p| p.file.clone());
    let good: Vec<String> = files.filter(|file| !broken.contains(file.as_str())).collect();
    (!good.is_empty() && good.len() < planted.len()).then_some(good)
}

fn sow(branch: &Branch<'_>, tree: &TreeId, under: Under, files: &[String]) -> Option<Sown> {
    let mut trial = Trial::of(tree);
    let (mut planted, mut bare) = (Vec::new(), Vec::new());
    for (file, text) in (branch.texts)(tree, files) {
        // Of its own for each file: two of Go share a package, and both its packages a program.
        let place = files.iter().position(|f| *f == file).unwrap_or_default();
        let tag = format!("canary_{}{place}", branch.nonce);
        let with = with_canaries(&file, &text, &tag);
        let ids = with.as_ref().map(|with| ids(branch, &file, with, &tag));
        match (with, ids) {
            (Some(with), Some(ids)) if !ids.fails.is_empty() && !ids.passes.is_empty() => {
                planted.push(ids);
                trial = trial.with(file, with);
            }
            _ => bare.push(file),
        }
    }
    if planted.is_empty() {
        return None;
    }
    Some(Sown { under, planted, bare, trial })
}

/// The canaries and the tests of the same files.
fn beside(branch: &Branch<'_>, planted: &[Planted]) -> Vec<TestId> {
    let files: Vec<String> = planted.iter().map(|p| p.file.clone()).collect();
    let own = branch.tests.items(branch.head.texts(), &files);
    let canaries = planted.iter().flat_map(|p| p.passes.iter().chain(&p.fails).chain(&p.skips));
    own.into_iter().map(|item| item.id).chain(canaries.cloned()).collect()
}

/// The files of the new and changed tests, and one old file of each folder beside them: what patches the tool for all is
/// seen there too. Where there are none, some of the old ones.
fn files(branch: &Branch<'_>) -> Vec<String> {
    let items = &branch.measure.items;
    let renamed = branch.measure.renamed.iter().map(|pair| &pair.is);
    let own = items.new.iter().chain(&items.changed).chain(renamed);
    let mut files: BTreeSet<String> = own.map(|item| item.place.file.clone()).collect();
    let texts = branch.head.texts();
    let all = texts.0.keys().filter(|path| zone(path) == Zone::Test && !files.contains(*path));
    let mut more: BTreeMap<String, String> = BTreeMap::new();
    for path in all {
        if more.len() >= MOST_FILES {
            break;
        }
        let found = branch.tests.items(texts, std::slice::from_ref(path));
        if let Some(item) = found.first() {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            more.entry(folder.to_owned()).or_insert_with(|| item.place.file.clone());
        }
    }
    let wanted = if files.is_empty() { MOST_FILES } else { 2 };
    files.extend(more.into_values().take(wanted));
    if files.is_empty() {
        // Inline tests of a source file.
        let rust = |path: &&String| Language::of(path) == Some(Language::Rust);
        let sources: Vec<String> = branch.touched.iter().filter(rust).cloned().collect();
        let old = branch.tests.items(texts, &sources);
        let named = old.first().map(|item| item.place.file.clone());
        // Where a macro makes them, a block for tests is there all the same.
        let has_place = |path: &&String| {
            let text = texts.0.get(*path).and_then(|bytes| std::str::from_utf8(bytes).ok());
            text.is_some_and(|text| with_canaries(path, text, "canary").is_some())
        };
        files.extend(named.or_else(|| sources.iter().find(has_place).cloned()));
    }
    files.into_iter().take(MOST_FILES).collect()
}

/// Patches or fixtures for every test beside it, or a set-up file.
fn is_shared(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(name, "conftest.py" | "__init__.py") || name.contains("setup")
}

/// The ids that the test tool will give our own tests in this text.
fn ids(branch: &Branch<'_>, file: &str, text: &str, tag: &str) -> Planted {
    let plain = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let tag = plain(tag);
    let mut planted =
        Planted { file: file.to_owned(), passes: Vec::new(), fails: Vec::new(), skips: Vec::new() };
    for item in branch.items_in(file, text) {
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
