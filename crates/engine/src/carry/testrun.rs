//! One run of the test tool in a pristine tree: written anew from the shadow, with fresh times, a fresh home and
//! temp folder, and a command line of our own. Nothing of an earlier run can decide.

use super::tools::Bench;
use super::{Halt, Job, Limit};
use crate::crash;
use proctor_core::report::{RunEnd, TestReport};
use proctor_core::words::TreeId;
use proctor_runners::{Ask, Selection, StepEnd, StepOutput};
use proctor_world::child::{End, Ended, Launch, Stdin, read_capped};
use proctor_world::shadow::Shadow;
use proctor_world::tree::materialise;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Instant;

/// How much of a child's output is read back. All of it stays in the log file.
const READ_BACK: u64 = 64 * 1024 * 1024;

/// Test runs of one gate, in one folder that is made anew for each.
pub(super) struct TestRuns<'a> {
    job: &'a Job,
    shadow: &'a Shadow,
    bench: Bench,
    began: Instant,
    made: u32,
}

impl<'a> TestRuns<'a> {
    pub(super) fn new(job: &'a Job, shadow: &'a Shadow, bench: Bench) -> Self {
        Self { job, shadow, bench, began: Instant::now(), made: 0 }
    }

    pub(super) fn bench(&self) -> &Bench {
        &self.bench
    }

    /// The tests of one tree.
    pub(super) fn run(&mut self, tree: &TreeId, only: Selection) -> Result<TestReport, Halt> {
        self.made += 1;
        self.job.wanted()?;
        let gate = self.job.shop.home.gate(&self.job.id);
        let (dir, scratch) = (gate.join("tree"), gate.join("scratch"));
        empty(&dir)?;
        empty(&scratch)?;
        let mut listing = (*self.shadow.list(tree)?).clone();
        listing.retain(|path, _| !is_compiled(path));
        materialise(self.shadow, &listing, &dir)?;
        self.job.set_up(&dir, self.began)?;
        let ask = Ask {
            tree: dir,
            subdir: self.job.run.brief.repo.subdir.clone(),
            scratch: scratch.clone(),
            cache: gate.join("cache"),
            only,
            tools: self.bench.tools.clone(),
            extra_env: self.bench.env.clone(),
        };
        let report = self.steps(&ask)?;
        empty(&scratch)?;
        crash::point(&format!("test run {}", self.made));
        Ok(report)
    }

    fn steps(&self, ask: &Ask) -> Result<TestReport, Halt> {
        let runner = &self.bench.runner;
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
        }
        Ok(runner.read(ask, &done))
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

impl Job {
    /// The set-up recipe: files of the user's checkout that are copied in, then commands.
    pub(super) fn set_up(&self, tree: &Path, began: Instant) -> Result<(), Halt> {
        let setup = &self.run.brief.setup;
        let root = Path::new(&self.run.brief.repo.root);
        for name in &setup.copy {
            let (from, to) = (root.join(name), tree.join(name));
            if let Some(folder) = to.parent() {
                make(folder)?;
            }
            fs::copy(&from, &to).map_err(|e| Halt::io("the set-up could not copy", &from, &e))?;
        }
        for (n, argv) in setup.run.iter().enumerate() {
            self.set_up_command(tree, argv, n, began)?;
        }
        Ok(())
    }

    fn set_up_command(
        &self,
        tree: &Path,
        argv: &[String],
        n: usize,
        began: Instant,
    ) -> Result<(), Halt> {
        let limit = self.limit(self.run.limits.test_ms, began);
        let launch = Launch {
            argv: argv.iter().map(OsString::from).collect(),
            cwd: tree.join(&self.run.brief.repo.subdir),
            env: self.agent_env(&self.run.brief.setup.env_pass, &BTreeMap::new()),
            stdin: Stdin::Empty,
            limit: limit.time(),
            logs: self.shop.home.logs(&self.id, self.no),
            name: format!("setup-{n}"),
        };
        let ended = self.keep(&launch)?;
        let line = argv.join(" ");
        let said =
            || String::from_utf8_lossy(&captured(&ended.stderr).unwrap_or_default()).into_owned();
        match (&ended.how, limit) {
            (End::Exited(0), _) => Ok(()),
            (End::Cancelled, _) => Err(Halt::Cancelled),
            (End::TimedOut, Limit::OfTheRun(_)) => Err(Halt::TimeUp),
            (how, _) => Err(Halt::lasting(format!(
                "the set-up command `{line}` ended with {how:?}: {}\nhint: mend [setup] in proctor.toml on the base commit, then start again",
                said().trim()
            ))),
        }
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
