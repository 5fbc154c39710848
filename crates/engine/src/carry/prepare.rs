//! Before any agent is asked: the shadow, the worktree, the baseline; and the tests that a person brought.

use super::testrun::{TestRuns, broken};
use super::trees::sources;
use super::{Halt, Job};
use crate::crash;
use proctor_core::event::{Baseline, Outcome};
use proctor_core::prompt::commit_message;
use proctor_core::report::{CaseEnd, RunEnd, TestReport};
use proctor_core::words::{CommitId, Phase};
use proctor_runners::Selection;
use proctor_world::listing::{Entry, Mode};
use proctor_world::shadow::Shadow;
use proctor_world::worktree::{WorktreeOrder, make};
use std::time::Instant;

pub(super) fn prepare(job: &Job) -> Result<Outcome, Halt> {
    let shadow = job.shadow()?;
    crash::point("shadow open");
    let brief = &job.run.brief;
    let tree = shadow.tree_of(&job.run.base)?;
    let listing = shadow.list(&tree)?;
    let subdir = format!("{}/", brief.repo.subdir);
    if !brief.repo.subdir.is_empty() && !listing.keys().any(|path| path.starts_with(&subdir)) {
        return Err(Halt::lasting(format!(
            "the folder {} does not exist at the base commit\nhint: check --subdir",
            brief.repo.subdir
        )));
    }
    let order = WorktreeOrder {
        run: &job.id,
        base: &job.run.base,
        listing: &listing,
        branch: &brief.landing.branch,
        author: &brief.landing.author,
    };
    let worktree = make(job.shop.home.root(), &shadow, &order)?;
    crash::point("worktree made");
    job.set_up(&worktree, Instant::now())?;
    let baseline = job.baseline(&shadow, &job.run.base)?;
    Ok(Outcome::Prepared { tree, baseline, sandbox: "none".to_owned() })
}

impl Job {
    /// The suite on a commit of the user's. What fails there is never blamed on the agent.
    pub(super) fn baseline(&self, shadow: &Shadow, commit: &CommitId) -> Result<Baseline, Halt> {
        let tree = shadow.tree_of(commit)?;
        let reader = sources(shadow, &*shadow.list(&tree)?, is_manifest)?;
        let bench = self.bench(&reader)?;
        let runner = bench.runner.name().to_owned();
        let mut runs = TestRuns::new(self, shadow, bench);
        let mut report = runs.run(&tree, Selection::All)?;
        unfit(&report)?;
        if report
            .cases
            .values()
            .any(|case| !matches!(case.end, CaseEnd::Passed | CaseEnd::Skipped { .. }))
        {
            // What failed once may be flaky: what passes only sometimes does not count as passing.
            let again = runs.run(&tree, Selection::All)?;
            for (id, case) in &mut report.cases {
                if case.end == CaseEnd::Passed && !again.passed(id) {
                    case.end = CaseEnd::Errored { message: "flaky at the baseline".to_owned() };
                }
            }
        }
        let failing = report
            .cases
            .iter()
            .filter(|(_, case)| !matches!(case.end, CaseEnd::Passed | CaseEnd::Skipped { .. }))
            .map(|(id, _)| id.clone())
            .collect();
        let counts = report.counts();
        let report = self.blobs()?.put_json(&report)?;
        Ok(Baseline { report, runner, counts, failing })
    }
}

/// A baseline that can't run at all goes to a person, with the remedy.
fn unfit(report: &TestReport) -> Result<(), Halt> {
    if let Some(why) = broken(report) {
        return Err(Halt::lasting(format!(
            "the baseline can't run: {why}\nhint: make the tests run on the base commit first; `proctor doctor` shows what is missing"
        )));
    }
    if let RunEnd::CollectFailed { errors } = &report.end
        && report.cases.is_empty()
    {
        let first = errors.first().map(|e| format!("{}: {}", e.place, e.reason.message()));
        return Err(Halt::lasting(format!(
            "the baseline can't run: no test could be collected or compiled on the base commit: {}\nhint: make the tests run there first",
            first.unwrap_or_default()
        )));
    }
    Ok(())
}

/// Files whose text decides which runner is meant.
pub(super) fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(
        name,
        "Cargo.toml" | "pyproject.toml" | "setup.cfg" | "tox.ini" | "pytest.ini" | "setup.py"
    ) || name.starts_with("requirements")
}

/// A person's tests take the place of a tester's turn; the red gate follows as always.
pub(super) fn bring_tests(job: &Job) -> Result<Outcome, Halt> {
    let shadow = job.shadow()?;
    let blobs = job.blobs()?;
    let mut listing = (*shadow.list(&shadow.tree_of(&job.run.base)?)?).clone();
    for file in &job.run.brief.brought_tests {
        let oid = shadow.write_blob(&blobs.get(&file.blob)?)?;
        let mode = listing.get(&file.path).map_or(Mode::File, |entry| entry.mode);
        listing.insert(file.path.clone(), Entry { mode, oid });
    }
    let tree = shadow.write_tree(&listing)?;
    let brief = &job.run.brief;
    let message = commit_message(brief.kind, Phase::WriteTests, brief.task.as_str());
    let at = job.commit(&shadow, tree, &message)?;
    Ok(Outcome::Brought { at })
}
