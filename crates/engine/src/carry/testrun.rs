//! One run of the test tool in a pristine tree: written anew from the shadow, with fresh times, a fresh home and
//! temp folder, and a command line of our own. Nothing of an earlier run can decide.

use super::suite::{Bench, Suite, merged};
use super::{Halt, Job, Limit};
use crate::crash;
use proctor_core::event::Project;
use proctor_core::report::{RunEnd, TestReport};
use proctor_core::words::TreeId;
use proctor_runners::{
    Ask, Coverage, Covered, Order, OwnArtifacts, Selection, StepEnd, StepOutput,
};
use proctor_world::child::{End, Ended, Launch, Stdin, read_capped};
use proctor_world::shadow::Shadow;
use proctor_world::tree::materialise;
use proctor_world::warm;
use std::fs;
use std::path::Path;
use std::time::Instant;

/// How many sets of third-party build products are kept.
const MOST_WARM: usize = 8;

/// How much of a child's output is read back. All of it stays in the log file.
const READ_BACK: u64 = 64 * 1024 * 1024;

/// What one run of one project's tests showed.
pub(super) struct Measured {
    pub(super) project: Project,
    pub(super) report: TestReport,
    pub(super) covered: Option<Covered>,
}

/// Test runs of one gate, in one folder that is made anew for each.
pub(super) struct TestRuns<'a> {
    job: &'a Job,
    shadow: &'a Shadow,
    suite: Suite,
    began: Instant,
    made: u32,
    /// Whether build products of third parties may be kept for other runs: only while nothing but the user's own code
    /// has been built.
    gives: Gives,
}

/// Whether a gate's build products may serve other runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Gives {
    Nothing,
    ThirdParties,
}

impl<'a> TestRuns<'a> {
    pub(super) fn new(job: &'a Job, shadow: &'a Shadow, suite: Suite) -> Self {
        Self { job, shadow, suite, began: Instant::now(), made: 0, gives: Gives::Nothing }
    }

    /// For runs of a tree that is the user's own.
    pub(super) fn giving(mut self) -> Self {
        self.gives = Gives::ThirdParties;
        self
    }

    /// The tests of one tree.
    pub(super) fn run(&mut self, tree: &TreeId, only: &Selection) -> Result<TestReport, Halt> {
        Ok(merged(
            self.measured(tree, only, Coverage::Off)?.into_iter().map(|m| m.report).collect(),
        ))
    }

    /// The tests of one tree, project by project, and which lines ran where that is asked for.
    pub(super) fn measured(
        &mut self,
        tree: &TreeId,
        only: &Selection,
        coverage: Coverage,
    ) -> Result<Vec<Measured>, Halt> {
        self.made += 1;
        self.job.wanted()?;
        let gate = self.job.shop.home.gate(&self.job.id);
        let dir = gate.join("tree");
        empty(&dir)?;
        let mut listing = (*self.shadow.list(tree)?).clone();
        listing.retain(|path, _| !is_compiled(path));
        materialise(self.shadow, &listing, &dir)?;
        let given = self.job.furnish(&dir, &self.suite, self.began)?;
        let mut found = Vec::new();
        for (n, bench) in self.suite.benches.iter().enumerate() {
            let Some(only) = bench.selected(only) else { continue };
            let scratch = gate.join("scratch");
            empty(&scratch)?;
            let ask = Ask {
                tree: dir.clone(),
                subdir: bench.project.dir.clone(),
                scratch: scratch.clone(),
                cache: if n == 0 { gate.join("cache") } else { gate.join(format!("cache-{n}")) },
                only,
                order: Order::AsWritten,
                coverage,
                elsewhere: vec![self.job.run.brief.repo.root.clone().into()],
                tools: bench.tools_with(&given),
                extra_env: bench.env_with(&given),
            };
            self.warm_up(bench, &ask)?;
            let done = self.steps(bench, &ask)?;
            found.push(Measured {
                report: bench.told(bench.runner.read(&ask, &done)),
                covered: match coverage {
                    Coverage::Off => None,
                    Coverage::Measured => Some(bench.runner.coverage(&ask, &done)),
                },
                project: bench.project.clone(),
            });
            empty(&scratch)?;
        }
        crash::point(&format!("test run {}", self.made));
        Ok(found)
    }

    fn steps(&self, bench: &Bench, ask: &Ask) -> Result<Vec<StepOutput>, Halt> {
        let runner = &bench.runner;
        for path in runner.stale(ask) {
            fs::remove_file(&path).map_err(|e| Halt::io("could not remove", &path, &e))?;
        }
        let plan = runner.plan(ask);
        for folder in &plan.folders {
            make(folder)?;
        }
        for (path, bytes) in &plan.files {
            write(path, bytes)?;
        }
        let began = Instant::now();
        let mut done: Vec<StepOutput> = Vec::new();
        while let Some(step) = runner.next(ask, &done) {
            let spent = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            let own = self.job.run.limits.test_ms.saturating_sub(spent).max(1);
            let limit = self.job.limit(own, self.began);
            let launch = Launch {
                argv: step.argv,
                cwd: step.cwd,
                env: step.env,
                stdin: Stdin::Empty,
                limit: limit.time(),
                logs: self.job.shop.home.logs(&self.job.id, self.job.no),
                name: format!("run{}-{}", self.made, file_name(&step.label)),
            };
            crash::during("tests at work");
            let ended = self.job.keep(&launch)?;
            let end = step_end(&ended, limit)?;
            let last = !matches!(end, StepEnd::Exited(_) | StepEnd::Signalled(_));
            done.push(StepOutput {
                label: step.label,
                end,
                stdout: captured(&ended.stdout)?,
                stderr: captured(&ended.stderr)?,
            });
            if last {
                break;
            }
            // Before any test of the project could have written into it.
            if done.len() == 1 && self.gives == Gives::ThirdParties {
                self.keep_warm(bench, ask, &done)?;
            }
        }
        Ok(done)
    }

    /// Cargo's products of third-party dependencies, from an earlier run with the same lock file.
    fn warm_up(&self, bench: &Bench, ask: &Ask) -> Result<(), Halt> {
        if let Some(key) = bench.warm_key(ask) {
            let target = ask.cache.join("target");
            warm::take(self.job.shop.home.root(), &key, &target, &self.job.cancel)?;
        }
        Ok(())
    }

    fn keep_warm(&self, bench: &Bench, ask: &Ask, done: &[StepOutput]) -> Result<(), Halt> {
        let [StepOutput { end: StepEnd::Exited(0), stdout, .. }] = done else { return Ok(()) };
        if let Some(key) = bench.warm_key(ask) {
            let own = OwnArtifacts::read(stdout);
            let third_party = |path: &Path| !own.is_own(path);
            let home = self.job.shop.home.root();
            warm::give(home, &key, &ask.cache.join("target"), &third_party, &self.job.cancel)?;
            warm::trim(home, MOST_WARM)?;
        }
        Ok(())
    }
}

impl Drop for TestRuns<'_> {
    /// Trees are thrown away when the gate has measured; only what the run may use again stays.
    fn drop(&mut self) {
        let gate = self.job.shop.home.gate(&self.job.id);
        for folder in ["tree", "scratch"] {
            // What can't be removed now is removed before the next use, or with the run.
            let _ = proctor_world::tree::remove_tree(&gate.join(folder));
        }
    }
}

fn step_end(ended: &Ended, limit: Limit) -> Result<StepEnd, Halt> {
    match (&ended.how, limit) {
        (End::Exited(code), _) => Ok(StepEnd::Exited(*code)),
        (End::Signalled(signal), _) => Ok(StepEnd::Signalled(*signal)),
        (End::CouldNotStart(why), _) => Ok(StepEnd::CouldNotStart(why.clone())),
        (End::TimedOut, Limit::OfTheChild(_)) => Ok(StepEnd::TimedOut),
        (End::TimedOut, Limit::OfTheRun(_)) => Err(Halt::TimeUp),
        (End::Cancelled, _) => Err(Halt::Cancelled),
    }
}

/// A report that can't be judged because the tool or its surroundings broke, in words.
pub(super) fn broken(report: &TestReport) -> Option<String> {
    match &report.end {
        RunEnd::Crashed { note } => Some(format!("the test tool broke: {note}")),
        RunEnd::Suspect { note } => Some(format!("exit code, report and counts disagree: {note}")),
        RunEnd::TimedOut { running } => Some(match running {
            Some(id) => format!("the tests were ended at their time limit, in {id}"),
            None => "the tests were ended at their time limit".to_owned(),
        }),
        RunEnd::Finished | RunEnd::NoTests | RunEnd::CollectFailed { .. } => None,
    }
}

pub(super) fn captured(path: &Path) -> Result<Vec<u8>, Halt> {
    let read = read_capped(path, READ_BACK).map_err(|e| Halt::io("could not read", path, &e))?;
    Ok(read.bytes)
}

pub(super) fn make(folder: &Path) -> Result<(), Halt> {
    fs::create_dir_all(folder).map_err(|e| Halt::io("could not make", folder, &e))
}

pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Halt> {
    if let Some(folder) = path.parent() {
        make(folder)?;
    }
    fs::write(path, bytes).map_err(|e| Halt::io("could not write", path, &e))
}

/// Makes sure that there is an empty folder.
fn empty(dir: &Path) -> Result<(), Halt> {
    proctor_world::tree::remove_tree(dir)?;
    make(dir)
}

/// Compiled Python never comes from the tree, not even from the base: it could differ from its source.
fn is_compiled(path: &str) -> bool {
    let ending = Path::new(path).extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("pyc"))
        || path.split('/').any(|part| part == "__pycache__")
}

fn file_name(label: &str) -> String {
    label.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(40).collect()
}
