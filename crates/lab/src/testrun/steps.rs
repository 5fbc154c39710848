//! The steps of one run of the test tool: one child after another, each within its bounds and limits.

use super::{Products, TestRuns};
use crate::bounds::Needs;
use crate::moved::Moved;
use crate::stage::Stage;
use crate::{Halt, Limit, crash, elsewhere};
use proctor_core::trial::{Factor, Trial};
use proctor_tools::{Ask, Step, StepEnd, StepOutput};
use proctor_world::child::{End, Ended, Launch, Stdin};
use proctor_world::overlay::Place;
use proctor_world::sandbox::Bounds;
use std::path::Path;
use std::time::Instant;

impl TestRuns<'_> {
    /// Runs the steps of a trial one after another, until there is no next or one could not go on.
    pub(super) fn run_steps(
        &self,
        (stage, ask, trial): (&Stage, &Ask, &Trial),
        next: impl FnMut(&[StepOutput]) -> Option<Step>,
        after: impl Fn(&[StepOutput]) -> Result<(), Halt>,
    ) -> Result<Vec<StepOutput>, Halt> {
        self.run_steps_after(Vec::new(), (stage, ask, trial, Products::Made), next, after)
    }

    /// The same where some were made before.
    pub(super) fn run_steps_after(
        &self,
        mut done: Vec<StepOutput>,
        (stage, ask, trial, products): (&Stage, &Ask, &Trial, Products),
        mut next: impl FnMut(&[StepOutput]) -> Option<Step>,
        after: impl Fn(&[StepOutput]) -> Result<(), Halt>,
    ) -> Result<Vec<StepOutput>, Halt> {
        let began = Instant::now();
        while let Some(step) = next(&done) {
            let spent = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            let most = self.lab.setting.test_ms;
            let most = trial.limit_ms.map_or(most, |ms| ms.min(most));
            let own = most.saturating_sub(spent).max(1);
            let limit = self.lab.limit(own, self.began);
            let logs = self.lab.shop.home.logs(&self.lab.id, self.lab.no);
            let name = format!("{}{}-{}", self.name, self.made, file_name(&step.label));
            let factors = elsewhere::possible(&trial.elsewhere, &self.suite);
            elsewhere::furnish(&factors, &ask.scratch)?;
            let mut bounds = self.bounds((stage, ask, products), &step)?;
            bounds.otherwise = elsewhere::otherwise(&factors);
            let launch = Launch {
                argv: step.argv,
                cwd: step.cwd,
                env: elsewhere::env(step.env, &factors, &ask.scratch),
                stdin: Stdin::Empty,
                limit: limit.time(),
                name: unused(&logs, name),
                logs,
                bounds: Some(bounds),
            };
            crash::during("tests at work");
            let moved = self.moved(stage, trial);
            let launch = moved.iter().fold(launch, |launch, moved| moved.launch(launch));
            let (ended, heard) = self.lab.hear(stage.place(), &launch)?;
            if let Some(moved) = &moved {
                moved.reports_here(&ask.scratch);
            }
            let here = |said| moved.iter().fold(said, |said, moved| moved.here(said));
            let end = step_end(&ended, limit)?;
            let last = !matches!(end, StepEnd::Exited(_) | StepEnd::Signalled(_));
            done.push(StepOutput {
                label: step.label,
                end,
                stdout: here(heard.stdout),
                stderr: here(heard.stderr),
            });
            if last {
                break;
            }
            after(&done)?;
        }
        Ok(done)
    }

    /// Where a trial's tree is seen elsewhere. Cargo would build all of it again there, and a mount is seen where it stands.
    fn moved(&self, stage: &Stage, trial: &Trial) -> Option<Moved> {
        let moves = trial.elsewhere.contains(&Factor::Place) && !self.suite.goes_by_times();
        let written = matches!(stage.place(), Place::Here);
        (moves && written).then(|| Moved::new(&self.suite, stage.root(), &self.place))
    }

    /// A test may write its tree, its scratch folder and the build products that are meant for it.
    fn bounds(
        &self,
        (stage, ask, products): (&Stage, &Ask, Products),
        step: &Step,
    ) -> Result<Bounds, Halt> {
        let gate = self.lab.shop.home.gate(&self.lab.id);
        let mut own = vec![self.place.clone(), gate.join("python")];
        let mut read = stage.given().read.clone();
        match products {
            Products::Made => own.push(ask.cache.clone()),
            Products::Kept => read.push(ask.cache.clone()),
        }
        for bench in &self.suite.benches {
            read.extend(bench.tools.programs.values().flat_map(|path| self.lab.behind(path)));
        }
        self.lab.bounds(Needs {
            write: own.into_iter().filter(|path| path.exists()).collect(),
            read,
            hollow: self.suite.editable.clone(),
            temp: self.place.join("tmp"),
            home: None,
            reach: self.lab.setting.sandbox.network,
            argv: &step.argv,
            env: &step.env,
        })
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

fn file_name(label: &str) -> String {
    label.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(40).collect()
}

/// A name whose logs are not there yet: a gate that sets out anew keeps what it printed before.
fn unused(logs: &Path, name: String) -> String {
    let is_free = |name: &String| !logs.join(format!("{name}.stdout")).exists();
    let others = (2..).map(|n: u32| format!("{name}-again{n}"));
    std::iter::once(name.clone()).chain(others).find(is_free).unwrap_or(name)
}
