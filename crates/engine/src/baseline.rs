//! The suite on a commit of the user's: what fails there, or now and then, is known by name and never blamed on an agent.
//! Kept by tree and surroundings, so that a second run on the same base costs nothing.

use crate::store::Store;
use proctor_core::event::{Baseline, Trouble};
use proctor_core::fault::Names;
use proctor_core::report::{CaseEnd, RunEnd, TestReport};
use proctor_core::words::{BlobId, CommitId, TestId, TreeId};
use proctor_lab::disk::write;
use proctor_lab::{Halt, Lab, Setting, Suite, TestRuns, broken};
use proctor_lang::joined;
use proctor_tools::Selection;
use proctor_world::shadow::Shadow;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

/// How often the suite runs on the base where something failed in the first run.
const WHERE_SOMETHING_FAILED: u8 = 3;

/// A manifest that is larger is not read.
const MOST_READ: u64 = 1024 * 1024;

/// How many baselines are kept.
const MOST_KEPT: usize = 500;

/// What the suite shows on commits of the user's.
pub(crate) struct Baselines<'a> {
    pub(crate) lab: &'a Lab,
    pub(crate) shadow: &'a Shadow,
}

impl Baselines<'_> {
    /// Of a commit, with the tests that its files name.
    pub(crate) fn of(&self, commit: &CommitId) -> Result<Baseline, Halt> {
        let tree = self.shadow.tree_of(commit)?;
        let suite = self.lab.suite_of(self.shadow, &tree)?;
        self.measured(&tree, suite)
    }

    /// Of a tree with these tests, and which of them are unsteady there.
    pub(crate) fn with(
        &self,
        tree: &TreeId,
        suite: Suite,
    ) -> Result<(TestReport, BTreeSet<TestId>), Halt> {
        if suite.benches.is_empty() {
            return Ok((TestReport::empty(RunEnd::NoTests), BTreeSet::new()));
        }
        let baseline = self.measured(tree, suite)?;
        let report = Store::of(self.lab)?.get_json(&baseline.report)?;
        Ok((report, baseline.flaky.first.into_iter().collect()))
    }

    fn measured(&self, tree: &TreeId, suite: Suite) -> Result<Baseline, Halt> {
        let kept = self.lab.shop.home.baseline(&self.key(tree, &suite)?);
        if let Some(known) = self.kept(&kept)? {
            self.lab.say("baseline: known from an earlier run on the same tree");
            return Ok(known);
        }
        let (projects, runner) = (suite.projects(), suite.name());
        let mut runs = TestRuns::new(self.lab, self.shadow, suite).giving();
        let began = Instant::now();
        let first = runs.run(tree, &Selection::All)?;
        let suite_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        unfit(&first, || self.built_first(tree))?;
        let mut reports = vec![first];
        let least = self.lab.setting.baseline_runs.max(1);
        let sick = reports.iter().any(|report| failing(report).next().is_some());
        let wanted = if sick { least.max(WHERE_SOMETHING_FAILED) } else { least };
        for _ in 1..wanted {
            // Only what failed needs to be seen again, unless the configuration asks for more.
            let only = if least > 1 {
                Selection::All
            } else {
                Selection::Ids(failing(&reports[0]).cloned().collect())
            };
            reports.push(runs.run(tree, &only)?);
        }
        let (report, flaky) = summed(reports);
        let baseline = Baseline {
            runner,
            counts: report.counts(),
            failing: failing(&report).cloned().collect(),
            flaky,
            projects,
            suite_ms,
            report: Store::of(self.lab)?.put_json(&report)?,
        };
        let text = serde_json::to_vec(&baseline).map_err(|e| Halt::lasting(e.to_string()))?;
        write(&kept, &text)?;
        if self.lab.shop.home.cache().is_some() {
            let text = serde_json::to_vec(&report).map_err(|e| Halt::lasting(e.to_string()))?;
            write(&beside(&kept), &text)?;
        }
        if let Some(folder) = kept.parent() {
            trim(folder, MOST_KEPT);
        }
        Ok(baseline)
    }

    /// Everything that could make the same tree behave otherwise, as far as it can be told cheaply.
    fn key(&self, tree: &TreeId, suite: &Suite) -> Result<String, Halt> {
        let setup = serde_json::to_string(&self.lab.setting.setup)
            .map_err(|e| Halt::lasting(e.to_string()))?;
        let rules = (self.lab.setting.baseline_runs, self.lab.setting.test_ms);
        let text = format!(
            "{} {tree} {setup} {rules:?} {}",
            env!("CARGO_PKG_VERSION"),
            suite.surroundings(Path::new(&self.lab.setting.repo.root)),
        );
        Ok(blake3::hash(text.as_bytes()).to_hex().to_string())
    }

    /// How trees are made by which the tests of this one can be run: a script of its package makes what they load and git
    /// ignores. None where they can be run as it is, no script helps, or the configuration names commands of its own.
    pub(crate) fn built(&self, tree: &TreeId, suite: &Suite) -> Option<Setting> {
        let scripts = self.scripts(tree)?;
        if !self.lab.setting.setup.run.is_empty() || scripts.is_empty() || self.runs(tree, suite) {
            return None;
        }
        for (name, line) in scripts {
            let mut lab = self.lab.clone();
            lab.setting.setup.run = vec![["npm", "run", name].map(str::to_owned).to_vec()];
            if (Baselines { lab: &lab, shadow: self.shadow }).runs(tree, suite) {
                self.lab.say(format!(
                    "the tests load what `npm run {name}` makes (`{line}`): it is run in each tree"
                ));
                return Some(lab.setting);
            }
        }
        None
    }

    /// Whether the tests of a tree can be collected, as far as there is time to see it.
    fn runs(&self, tree: &TreeId, suite: &Suite) -> bool {
        let ran = self.with(tree, suite.clone());
        !matches!(ran, Err(Halt::Trouble(Trouble::Lasting { .. })))
    }

    /// The scripts of a package that may make what its tests load, those first that are there for it, and what they run.
    fn scripts(&self, tree: &TreeId) -> Option<Vec<(&'static str, String)>> {
        let path = joined(&self.lab.setting.repo.subdir, "package.json")?;
        let listing = self.shadow.list(tree).ok()?;
        let oid = listing.get(&path)?.oid.as_str();
        let bytes = self.shadow.read_blobs_within(&[oid], MOST_READ).ok()?.pop()??;
        let manifest: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
        let scripts = manifest.get("scripts")?;
        let said = |name: &'static str| Some((name, scripts.get(name)?.as_str()?.to_owned()));
        Some(["pretest", "build", "compile"].into_iter().filter_map(said).collect())
    }

    fn built_first(&self, tree: &TreeId) -> Option<String> {
        let (name, line) = self.scripts(tree)?.into_iter().next()?;
        Some(format!(
            "a tree has what git has; if `npm run {name}` (`{line}`) makes what the tests load, `[setup] run = [\"npm run {name}\"]` in proctor.toml runs it in each tree"
        ))
    }

    /// A kept baseline whose report is still there.
    fn kept(&self, path: &Path) -> Result<Option<Baseline>, Halt> {
        let Ok(text) = std::fs::read(path) else { return Ok(None) };
        let Ok(baseline) = serde_json::from_slice::<Baseline>(&text) else { return Ok(None) };
        let store = Store::of(self.lab)?;
        let whole = store.get_json::<TestReport>(&baseline.report).is_ok()
            || brought(&store, &beside(path)).is_some_and(|id| id == baseline.report);
        Ok(whole.then_some(baseline))
    }
}

/// Where the report of a kept baseline stands that came from another machine.
fn beside(path: &Path) -> std::path::PathBuf {
    path.with_extension("report")
}

/// Takes such a report in. Its name is its content: a changed one is another.
fn brought(store: &Store, path: &Path) -> Option<BlobId> {
    let report: TestReport = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
    store.put_json(&report).ok()
}

/// Removes the older half of what is kept once there is more than so much. One that can't be removed is tried again later.
pub(crate) fn trim(folder: &Path, most: usize) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut kept: Vec<_> =
        entries.filter_map(|e| Some((e.metadata().ok()?.modified().ok()?, e.path()))).collect();
    if kept.len() > most {
        kept.sort();
        for (_, path) in kept.iter().take(kept.len() - most / 2) {
            let _ = std::fs::remove_file(path);
        }
    }
}

fn failing(report: &TestReport) -> impl Iterator<Item = &TestId> {
    let sick = |end: &CaseEnd| !matches!(end, CaseEnd::Passed | CaseEnd::Skipped { .. });
    report.cases.iter().filter(move |(_, case)| sick(&case.end)).map(|(id, _)| id)
}

/// What passes only sometimes does not count as passing.
fn summed(mut reports: Vec<TestReport>) -> (TestReport, Names) {
    let mut report = reports.remove(0);
    let mut flaky = Vec::new();
    for (id, case) in &mut report.cases {
        let first = case.end == CaseEnd::Passed;
        let differs = |again: &TestReport| {
            again.cases.get(id).is_some_and(|c| (c.end == CaseEnd::Passed) != first)
        };
        if reports.iter().any(differs) {
            flaky.push(id.clone());
            case.end = CaseEnd::Errored { message: "flaky at the baseline".to_owned() };
        }
    }
    (report, flaky.into_iter().collect())
}

/// A baseline that can't run at all goes to a person, with the remedy.
fn unfit(report: &TestReport, built_first: impl Fn() -> Option<String>) -> Result<(), Halt> {
    if let Some(why) = broken(report) {
        return Err(Halt::lasting(format!(
            "the baseline can't run: {why}\nhint: make the tests run on the base commit first; `proctor doctor` shows what is missing"
        )));
    }
    if let RunEnd::CollectFailed { errors } = &report.end
        && report.cases.is_empty()
    {
        let first = errors.first().map(|e| format!("{}: {}", e.place, e.reason.message()));
        let way = built_first().unwrap_or_else(|| "make the tests run there first".to_owned());
        return Err(Halt::lasting(format!(
            "the baseline can't run: no test could be collected or compiled on the base commit: {}\nhint: {way}",
            first.unwrap_or_default()
        )));
    }
    Ok(())
}
