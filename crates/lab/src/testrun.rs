//! One run of the test tool in a pristine tree, with a fresh home and temp folder, and a command line of our own.
//! Nothing of an earlier run can decide. How the tree is made is `stage`'s to know.

mod packing;
mod standing;
mod steps;

pub use standing::{Begun, Upon};

use crate::crash;
use crate::disk::{cleared, make, write_plan};
use crate::products::{self, Builder};
use crate::stage::Stage;
use crate::suite::{Bench, Suite, merged};
use crate::{Halt, Lab, elsewhere, spans};
use proctor_core::brief::Reach;
use proctor_core::event::Project;
use proctor_core::item::TestItem;
use proctor_core::report::{RunEnd, TestReport};
use proctor_core::trial::Trial;
use proctor_core::words::{TestId, TreeId};
use proctor_lang::Tree;
use proctor_tools::{
    Ask, Coverage, Covered, Manner, OutsideEnd, OwnArtifacts, Plan, Programs, Selection, Step,
    StepEnd, StepOutput, Variant, outside, read_outside,
};
use proctor_world::opened::Opened;
use proctor_world::shadow::Shadow;
use proctor_world::warm;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// How many sets of third-party build products are kept.
const MOST_WARM: usize = 8;
/// How much of what observing tests say is read.
const MOST_HEARD: u64 = 32 << 20;

/// What one run of one project's tests showed.
pub struct Measured {
    pub project: Project,
    pub report: TestReport,
    pub covered: Option<Covered>,
    /// What observing tests said.
    pub heard: Vec<u8>,
    /// The watched files that were opened.
    pub opened: BTreeSet<String>,
}

/// Test runs of one gate, in one folder that is made anew for each.
#[must_use]
pub struct TestRuns<'a> {
    lab: &'a Lab,
    pub(crate) shadow: &'a Shadow,
    suite: Suite,
    began: Instant,
    made: u32,
    /// Where its trees stand, and what its logs begin with.
    place: PathBuf,
    /// Where its build products are kept.
    products: PathBuf,
    name: String,
    /// Whether build products of third parties may be kept for other runs: only while nothing but the user's own code
    /// has been built.
    gives: Gives,
    /// What was left out on the way.
    notes: BTreeSet<String>,
}

/// Whether a gate's build products may serve other runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Gives {
    Nothing,
    ThirdParties,
}

/// What a step may do to the build products.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Products {
    Made,
    Kept,
}

impl<'a> TestRuns<'a> {
    pub fn new(lab: &'a Lab, shadow: &'a Shadow, suite: Suite) -> Self {
        let place = lab.shop.home.gate(&lab.id);
        let (began, name) = (Instant::now(), "run".to_owned());
        let products = place.clone();
        let (gives, notes) = (Gives::Nothing, BTreeSet::new());
        Self { lab, shadow, suite, began, made: 0, place, products, name, gives, notes }
    }

    /// Others that share nothing with these, not even what a tool builds.
    pub fn apart(&self, n: usize) -> TestRuns<'a> {
        let mut own = self.beside(n);
        own.products = own.place.clone();
        own
    }

    /// Others that can work at the same time, in a folder of their own.
    pub fn beside(&self, n: usize) -> TestRuns<'a> {
        TestRuns {
            lab: self.lab,
            shadow: self.shadow,
            suite: self.suite.clone(),
            began: self.began,
            made: 0,
            place: self.place.join(format!("beside-{n}")),
            products: self.products.clone(),
            name: format!("beside{n}-"),
            gives: Gives::Nothing,
            notes: BTreeSet::new(),
        }
    }

    pub fn lab(&self) -> &'a Lab {
        self.lab
    }

    /// What was left out on the way so far, once.
    pub fn notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes).into_iter().collect()
    }

    pub fn suite(&self) -> &Suite {
        &self.suite
    }

    /// For runs of a tree that is the user's own.
    pub fn giving(mut self) -> Self {
        self.gives = Gives::ThirdParties;
        self
    }

    /// The tests of one tree.
    pub fn run(&mut self, tree: &TreeId, only: &Selection) -> Result<TestReport, Halt> {
        self.report(&Trial::of(tree).only(only.clone()))
    }

    /// The tests of a trial, of all projects together.
    pub fn report(&mut self, trial: &Trial) -> Result<TestReport, Halt> {
        Ok(merged(self.measured(trial)?.into_iter().map(|m| m.report).collect()))
    }

    /// The same, and what its tests observed.
    pub fn observed(&mut self, trial: &Trial) -> Result<(TestReport, Vec<u8>), Halt> {
        let mut heard = Vec::new();
        let mut reports = Vec::new();
        for measured in self.measured(trial)? {
            heard.extend(measured.heard);
            reports.push(measured.report);
        }
        Ok((merged(reports), heard))
    }

    /// What stands in a trial's channel, without secrets and without the places of this run.
    fn heard(&self, ask: &Ask, stage: &Stage, trial: &Trial) -> Vec<u8> {
        let Some(name) = &trial.channel else { return Vec::new() };
        let path = ask.scratch.join("tmp").join(name);
        let Ok(file) = fs::File::open(&path) else { return Vec::new() };
        let mut bytes = Vec::new();
        // What is longer is cut: rows that are missing say nothing.
        let _ = file.take(MOST_HEARD).read_to_end(&mut bytes);
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        for place in [stage.root(), ask.scratch.as_path()] {
            text = text.replace(&*place.to_string_lossy(), "~");
        }
        self.lab.redactor().text(&text).into_bytes()
    }

    /// The tests of a trial, project by project, and which lines ran where that is asked for.
    pub fn measured(&mut self, trial: &Trial) -> Result<Vec<Measured>, Halt> {
        self.made += 1;
        let _span = spans::trial("run", trial);
        let stage = self.set_out(trial)?;
        let watch = Opened::watch(stage.root(), &trial.watching)
            .map_err(|e| Halt::io("could not watch files of", stage.root(), &e))?;
        let mut found = Vec::new();
        for n in 0..self.suite.benches.len() {
            let Some(bench) = self.suite.benches.get(n) else { continue };
            let Some(only) = bench.selected(&trial.only) else { continue };
            let mut ask = self.ask(n, bench, &stage, (only, trial))?;
            self.warm_up(bench, &ask)?;
            let note = self.pack(bench, &mut ask, &stage, trial)?;
            let done = self.steps(bench, &ask, &stage, trial)?;
            found.push(Measured {
                report: self.lab.hushed(bench.told(bench.runner.read(&ask, &done))),
                covered: match trial.coverage {
                    Coverage::Off => None,
                    Coverage::Measured => Some(bench.runner.coverage(&ask, &done)),
                },
                project: bench.project.clone(),
                heard: self.heard(&ask, &stage, trial),
                opened: watch.seen(),
            });
            cleared(&ask.scratch)?;
            self.notes.extend(note);
        }
        crash::point(&format!("test run {}", self.made));
        Ok(found)
    }

    /// Whether a test is compiled each time that it runs.
    pub fn compiles(&self, id: &TestId) -> bool {
        let one = Selection::Ids(vec![id.clone()]);
        self.suite.benches.iter().any(|bench| match bench.selected(&one) {
            Some(Selection::Ids(ids)) => ids.iter().any(|id| bench.runner.compiles(id)),
            _ => false,
        })
    }

    /// Whether many variations in one start of the tool meet the tests alone that reach them.
    pub fn leads(&self) -> bool {
        matches!(self.suite.benches.as_slice(), [bench] if bench.runner.leads())
    }

    /// Many variations of one tree in one start of the test tool; none where it has no way to that.
    pub fn batch(
        &mut self,
        stage: &Stage,
        tree: &TreeId,
        variants: &[Variant],
        workers: usize,
    ) -> Result<Option<Vec<TestReport>>, Halt> {
        let [bench] = self.suite.benches.as_slice() else { return Ok(None) };
        let own: Option<Vec<Variant>> = variants
            .iter()
            .map(|v| Some(Variant { only: bench.selected(&v.only)?, ..v.clone() }))
            .collect();
        let Some(own) = own else { return Ok(None) };
        let whole: u64 = own.iter().map(|v| v.limit_ms).sum();
        let trial = Trial::of(tree).within(whole.saturating_add(60_000));
        let ask = self.ask(0, bench, stage, (Selection::All, &trial))?;
        let Some(batch) = bench.runner.batch(&ask, &own, workers) else { return Ok(None) };
        self.made += 1;
        let _span = spans::batch(variants.len());
        write_plan(&batch.plan)?;
        let mut only_step = Some(batch.step);
        let done = self.run_steps((stage, &ask, &trial), |_| only_step.take(), |_| Ok(()))?;
        let Some(done) = done.first() else { return Ok(None) };
        let [bench] = self.suite.benches.as_slice() else { return Ok(None) };
        let reports = bench.runner.read_batch(&ask, &own, done);
        let told = |report| self.lab.hushed(bench.told(report));
        Ok(Some(reports.into_iter().map(told).collect()))
    }

    /// One step of the caller's own in a folder of a tree that stands.
    pub fn step(
        &mut self,
        (stage, trial): (&Stage, &Trial),
        dir: &str,
        make: impl FnOnce(&Ask) -> Step,
    ) -> Result<StepOutput, Halt> {
        self.made += 1;
        let _span = spans::trial("step", trial);
        let nobody = || Halt::lasting("no test tool is known that could lend its surroundings");
        let n = self.suite.benches.iter().position(|b| b.project.dir == dir).unwrap_or_default();
        let bench = self.suite.benches.get(n).ok_or_else(nobody)?;
        let ask = self.ask(n, bench, stage, (Selection::All, trial))?;
        let ask = Ask { subdir: dir.to_owned(), ..ask };
        let folders = ["home", "tmp"].map(|name| ask.scratch.join(name)).into();
        write_plan(&Plan { files: Vec::new(), folders })?;
        let mut only = Some(make(&ask));
        let done = self.run_steps((stage, &ask, trial), |_| only.take(), |_| Ok(()))?;
        done.into_iter().next().ok_or_else(nobody)
    }

    /// The bodies of these tests called outside their runner.
    pub fn outside(
        &mut self,
        tree: &TreeId,
        sources: &dyn Tree,
        tests: &[TestItem],
    ) -> Result<BTreeMap<TestId, OutsideEnd>, Halt> {
        self.made += 1;
        let mut found = BTreeMap::new();
        for n in 0..self.suite.benches.len() {
            // Its files may change the tree: each project gets one of its own.
            let trial = Trial::of(tree);
            let _span = spans::trial("outside", &trial);
            let stage = self.set_out(&trial)?;
            let Some(bench) = self.suite.benches.get(n) else { continue };
            let own = bench.own_items(tests);
            if own.is_empty() {
                continue;
            }
            let ask = self.ask(n, bench, &stage, (Selection::All, &trial))?;
            let Some(planned) = outside(bench.runner.name(), &ask, sources, &own) else { continue };
            write_plan(&planned.plan)?;
            let mut steps = planned.steps.into_iter();
            let done = self.run_steps((&stage, &ask, &trial), |_| steps.next(), |_| Ok(()))?;
            let ends = read_outside(bench.runner.name(), &ask, &own, &done);
            found.extend(ends.into_iter().map(|(id, end)| (bench.outside(&id), end)));
        }
        Ok(found)
    }

    /// A tree as a trial wants it, made anew, with what it needs.
    fn set_out(&self, trial: &Trial) -> Result<Stage, Halt> {
        Stage::set(
            self.lab,
            self.shadow,
            &self.suite,
            (&self.place.join("tree"), self.began),
            trial,
        )
    }

    /// Whose code a trial builds.
    fn builder(&self, trial: &Trial) -> Result<Builder, Halt> {
        let base = self.shadow.tree_of(&self.lab.base)?;
        let own = self.gives == Gives::ThirdParties || trial.tree == base;
        Ok(if own && trial.edits.is_empty() { Builder::User } else { Builder::Change })
    }

    fn ask(
        &self,
        n: usize,
        bench: &Bench,
        stage: &Stage,
        (only, trial): (Selection, &Trial),
    ) -> Result<Ask, Halt> {
        let scratch = self.place.join("scratch");
        cleared(&scratch)?;
        let cache = products::room(&self.products, n, self.builder(trial)?)?;
        make(&cache)?;
        let mut extra_env = bench.env_with(stage.given());
        if self.lab.setting.sandbox.network == Reach::Loopback {
            // What is not on this machine can't come: cargo need not ask for it three times, and takes what is here.
            extra_env.entry("CARGO_NET_OFFLINE".to_owned()).or_insert_with(|| "true".to_owned());
        }
        extra_env.extend(trial.env.clone());
        Ok(Ask {
            tree: stage.root().to_owned(),
            subdir: bench.project.dir.clone(),
            start: elsewhere::start(trial, stage.root(), &self.place)?,
            scratch,
            cache,
            only,
            order: trial.order,
            coverage: trial.coverage,
            manner: match trial.channel {
                Some(_) => Manner::Observing,
                None => elsewhere::manner(&trial.elsewhere),
            },
            programs: Programs::ThrownAway,
            elsewhere: vec![self.lab.setting.repo.root.clone().into()],
            tools: bench.tools_with(stage.given()),
            extra_env,
        })
    }

    fn steps(
        &self,
        bench: &Bench,
        ask: &Ask,
        stage: &Stage,
        trial: &Trial,
    ) -> Result<Vec<StepOutput>, Halt> {
        let runner = &bench.runner;
        for path in runner.stale(ask) {
            fs::remove_file(&path).map_err(|e| Halt::io("could not remove", &path, &e))?;
        }
        write_plan(&runner.plan(ask))?;
        self.run_steps(
            (stage, ask, trial),
            |done| runner.next(ask, done),
            |done| {
                // Before any test of the project could have written into it.
                if done.len() == 1 && self.gives == Gives::ThirdParties {
                    self.keep_warm(bench, ask, done)?;
                }
                Ok(())
            },
        )
    }

    /// Cargo's products of third-party dependencies, from an earlier run with the same lock file.
    fn warm_up(&self, bench: &Bench, ask: &Ask) -> Result<(), Halt> {
        if let Some(key) = bench.warm_key(ask) {
            let target = ask.cache.join("target");
            warm::take(self.lab.shop.home.kept_root(), &key, &target, &self.lab.cancel)?;
        }
        Ok(())
    }

    fn keep_warm(&self, bench: &Bench, ask: &Ask, done: &[StepOutput]) -> Result<(), Halt> {
        let [StepOutput { end: StepEnd::Exited(0), stdout, .. }] = done else { return Ok(()) };
        if let Some(key) = bench.warm_key(ask) {
            let own = OwnArtifacts::read(stdout);
            let third_party = |path: &Path| !own.is_own(path);
            let home = self.lab.shop.home.kept_root();
            warm::give(home, &key, &ask.cache.join("target"), &third_party, &self.lab.cancel)?;
            warm::trim(home, MOST_WARM)?;
        }
        Ok(())
    }
}

impl Drop for TestRuns<'_> {
    /// Trees go by themselves; only what the run may use again stays.
    fn drop(&mut self) {
        for folder in ["scratch", "tmp"] {
            // What can't be removed now is removed before the next use, or with the run.
            let _ = proctor_world::tree::remove_tree(&self.place.join(folder));
        }
    }
}

/// A report that can't be judged because the tool or its surroundings broke, in words.
pub fn broken(report: &TestReport) -> Option<String> {
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
