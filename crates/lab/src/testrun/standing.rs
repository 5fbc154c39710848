//! Runs on a tree that stands while many small things are tried on it: built anew for each, or upon what a first run built.
//! Nothing of them is used for a gate.

use super::{Products, TestRuns};
use crate::Halt;
use crate::disk::{cleared, write_plan};
use crate::spans;
use crate::stage::Stage;
use crate::suite::merged;
use proctor_core::report::TestReport;
use proctor_core::trial::Trial;
use proctor_tools::{Ask, Footing, Programs, StepOutput};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The steps of a first run on a tree that stands, by project, and where the programs are that it built.
#[derive(Default)]
pub struct Begun {
    done: Steps,
    programs: PathBuf,
}

/// By project.
type Steps = BTreeMap<usize, Vec<StepOutput>>;

/// What a run showed that built nothing.
pub struct Upon {
    pub report: TestReport,
    /// Whether its tests share processes as they do where the tool starts them.
    pub is_alike: bool,
}

impl TestRuns<'_> {
    /// A tree that stays while many small things are tried on it. Nothing of it is used for a gate.
    pub fn stand(&self, trial: &Trial) -> Result<Stage, Halt> {
        self.set_out(trial)
    }

    /// The tests of a trial on a tree that stands. Its edits are made there; the caller makes them undone.
    pub fn report_on(&mut self, stage: &Stage, trial: &Trial) -> Result<TestReport, Halt> {
        Ok(self.on(stage, trial, &Programs::ThrownAway)?.0)
    }

    /// The same, and the steps of each project, for runs that follow on the same tree.
    pub fn begun_on(&mut self, stage: &Stage, trial: &Trial) -> Result<(TestReport, Begun), Halt> {
        let kept = self.place.join("programs");
        cleared(&kept)?;
        let programs = kept.join((self.made + 1).to_string());
        let (report, done) = self.on(stage, trial, &Programs::Kept(programs.clone()))?;
        Ok((report, Begun { done, programs }))
    }

    fn on(
        &mut self,
        stage: &Stage,
        trial: &Trial,
        programs: &Programs,
    ) -> Result<(TestReport, Steps), Halt> {
        self.made += 1;
        let _span = spans::trial("standing", trial);
        self.lab.wanted()?;
        stage.edit(trial)?;
        let (mut reports, mut done_by) = (Vec::new(), BTreeMap::new());
        let mut notes = Vec::new();
        for (n, bench) in self.suite.benches.iter().enumerate() {
            let Some(only) = bench.selected(&trial.only) else { continue };
            let mut ask = self.ask(n, bench, stage, (only, trial))?;
            ask.programs = programs.clone();
            notes.extend(self.pack(bench, &mut ask, stage, trial)?);
            let done = self.steps(bench, &ask, stage, trial)?;
            reports.push(self.lab.hushed(bench.told(bench.runner.read(&ask, &done))));
            done_by.insert(n, done);
        }
        self.notes.extend(notes);
        Ok((merged(reports), done_by))
    }

    /// The tests of a trial on a tree that stands as it was built; none where something would have to be built first.
    /// Where the tool can do so, the build products can be read and not written: nothing that one trial does is there for
    /// the next.
    pub fn report_upon(
        &mut self,
        stage: &Stage,
        trial: &Trial,
        begun: &Begun,
    ) -> Result<Option<Upon>, Halt> {
        self.made += 1;
        let _span = spans::trial("built", trial);
        self.lab.wanted()?;
        let (mut reports, mut is_alike) = (Vec::new(), true);
        for (n, bench) in self.suite.benches.iter().enumerate() {
            let Some(only) = bench.selected(&trial.only) else { continue };
            let ask = self.ask(n, bench, stage, (only, trial))?;
            let ask = Ask { programs: Programs::From(begun.programs.clone()), ..ask };
            let footing = begun.done.get(&n).and_then(|done| bench.runner.upon(&ask, done));
            let Some(Footing { ask, kept, writes, alike }) = footing else { return Ok(None) };
            is_alike &= alike;
            write_plan(&bench.runner.plan(&ask))?;
            let products = if writes { Products::Made } else { Products::Kept };
            let room = (stage, &ask, trial, products);
            let next = |done: &[StepOutput]| bench.runner.next(&ask, done);
            let done = self.run_steps_after(kept, room, next, |_| Ok(()))?;
            reports.push(self.lab.hushed(bench.told(bench.runner.read(&ask, &done))));
        }
        Ok(Some(Upon { report: merged(reports), is_alike }))
    }
}
