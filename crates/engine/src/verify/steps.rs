//! A verification step by step: what follows what, what is left out because the verdict can't change any more, and what stands
//! in the way. What a step tries is not known here.

use super::Measuring;
use proctor_core::branch::{BranchKind, Unmade};
use proctor_core::check::checks;
use proctor_core::event::Trouble;
use proctor_core::proof::Again;
use proctor_core::verdict::{CheckName, CheckStatus};
use proctor_core::words::TaskType;
use proctor_experiments::experiment::{self, Experiment};
use proctor_lab::{Halt, Suite};

impl Measuring<'_> {
    pub(super) fn steps(&mut self, base_suite: Suite) -> Result<(), Halt> {
        self.step(&CheckName::ALL, "the base's tests", |m| m.base(base_suite))?;
        self.step(&CheckName::ALL, "head's tests", Self::head)?;
        if self.is_unshown() {
            // A test that fails now and then must still be told from one that head breaks.
            return self.steady();
        }
        self.walk(experiment::all())
    }

    /// Whether no test shows the change, so that head can only be refuted: by what its tests say, and by no experiment.
    fn is_unshown(&mut self) -> bool {
        let unmade = &mut self.measure.unmade;
        let asked = !unmade.contains_key(&CheckName::RedReplay);
        if self.scene.kind != BranchKind::CodeOnly || self.measure.said == Some(TaskType::Refactor)
        {
            return false;
        }
        let rest =
            [CheckName::Harness, CheckName::Isolation, CheckName::Mutants, CheckName::Coverage];
        for name in rest.into_iter().filter(|_| asked) {
            unmade.entry(name).or_insert(Unmade::Unshown);
        }
        asked
    }

    /// One experiment after the other, as long as they can change the verdict.
    pub(super) fn walk(&mut self, groups: Vec<experiment::List>) -> Result<(), Halt> {
        let mut left = groups.into_iter().flatten();
        while let Some(experiment) = left.next() {
            if self.is_decided() {
                return self.steady();
            }
            let experiment = experiment.as_ref();
            let made = if experiment.informs() {
                self.inform(experiment)
            } else {
                self.step(experiment.checks(), experiment.what(), |m| m.conduct(experiment))
            };
            if matches!(made, Err(Halt::Cancelled)) {
                left.filter(|e| !e.informs()).for_each(|e| self.leave(e.checks()));
                return made;
            }
            made?;
        }
        Ok(())
    }

    /// A person did not wait for these.
    fn leave(&mut self, checks: &[CheckName]) {
        for name in checks.iter().filter(|name| **name != CheckName::Source) {
            self.measure.unmade.entry(*name).or_insert(Unmade::Interrupted);
        }
    }

    /// Old tests that fail now and then are told from those that head breaks, whatever else is left out.
    fn steady(&mut self) -> Result<(), Halt> {
        if self.measure.again != Again::default() {
            return Ok(());
        }
        for experiment in experiment::steadiness().into_iter().flatten() {
            self.step(experiment.checks(), experiment.what(), |m| m.conduct(experiment.as_ref()))?;
        }
        Ok(())
    }

    /// Never in the way of a verdict: what can't be tried is left out, and said so.
    fn inform(&mut self, experiment: &dyn Experiment) -> Result<(), Halt> {
        self.inform_of(experiment.what(), |m| m.conduct(experiment))
    }

    pub(super) fn inform_of(
        &mut self,
        what: &str,
        act: impl FnOnce(&mut Self) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let _span = tracing::info_span!("step", what).entered();
        let why = match act(self) {
            Ok(()) => return Ok(()),
            Err(Halt::Cancelled) => return Err(Halt::Cancelled),
            Err(Halt::TimeUp) => "the budget was used up".to_owned(),
            Err(Halt::Trouble(Trouble::Lasting { why } | Trouble::Passing { why })) => why,
        };
        self.left_out.push(format!("{what}: {why}"));
        Ok(())
    }

    /// One step, if one of its checks is wanted and nothing stands in the way.
    fn step(
        &mut self,
        of: &[CheckName],
        what: &str,
        act: impl FnOnce(&mut Self) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let open = |m: &Self| -> Vec<CheckName> {
            of.iter().copied().filter(|name| !m.measure.unmade.contains_key(name)).collect()
        };
        let wanted = open(self);
        if wanted.is_empty() {
            return Ok(());
        }
        self.lab.say(what);
        let _span = tracing::info_span!("step", what).entered();
        let why = match act(self) {
            Ok(()) => return Ok(()),
            Err(Halt::Cancelled) => {
                self.leave(&wanted);
                return Err(Halt::Cancelled);
            }
            Err(Halt::TimeUp) => Unmade::NoTime,
            Err(Halt::Trouble(Trouble::Lasting { why } | Trouble::Passing { why })) => {
                Unmade::Hindered { what: why }
            }
        };
        if why == Unmade::NoTime {
            self.left_out.push(format!("{what}: the budget was used up"));
        }
        for name in wanted {
            // Reading the sources needs no run.
            if name != CheckName::Source {
                self.measure.unmade.insert(name, why.clone());
            }
        }
        Ok(())
    }

    /// Whether more measuring can't change a verdict that is clear already.
    fn is_decided(&mut self) -> bool {
        let replayed = !self.measure.replay.is_empty();
        let refuted = !self.measure.head.is_empty()
            && checks(&self.measure).iter().any(|check| {
                // Before anything was replayed only what head's own tests say counts.
                let counts = check.name == CheckName::Green
                    || (check.name == CheckName::RedReplay && replayed);
                counts && check.status == CheckStatus::Fail
            });
        if refuted {
            let rest = [
                (CheckName::RedReplay, self.measure.replay.is_empty()),
                (CheckName::Harness, self.measure.canaries.is_empty()),
                (CheckName::Isolation, self.measure.alone.is_empty()),
                (CheckName::Mutants, true),
                (CheckName::Coverage, true),
                (
                    CheckName::TestsIntact,
                    self.measure.old_on_head.is_none() && !self.scene.surroundings.is_empty()
                        || self.measure.asked.is_empty() && !self.measure.items.changed.is_empty(),
                ),
            ];
            for (name, _) in rest.into_iter().filter(|(_, unmade)| *unmade) {
                self.measure.unmade.entry(name).or_insert(Unmade::Decided);
            }
        }
        refuted
    }
}
