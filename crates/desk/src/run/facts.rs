//! What a run's history tells of its proof, gathered for people: at the end of a demo and before an approval. Read from facts
//! and evidence alone.

use crate::run::story::named;
use anyhow::Result;
use proctor_core::branch::Fate;
use proctor_core::event::{Approver, Event};
use proctor_core::proof::GreenMeasure;
use proctor_core::words::{BlobId, Phase, TestId};
use proctor_engine::Home;
use proctor_journal::Blobs;

/// What a history tells, gathered.
#[derive(Debug, Default)]
pub struct Facts {
    pub red: Vec<TestId>,
    put_back: Vec<String>,
    red_refusals: usize,
    green_refusals: usize,
    rejections: usize,
    /// What the last green gate measured.
    evidence: Option<BlobId>,
    pub beforehand: bool,
    /// What the last green gate warned of.
    pub warnings: Vec<String>,
}

impl Facts {
    pub fn of<'a>(history: impl Iterator<Item = &'a Event>) -> Self {
        let mut facts = Self::default();
        for event in history {
            match event {
                Event::RedProven { anchor, .. } => facts.red = anchor.red().to_vec(),
                Event::RedRefused { .. } => facts.red_refusals += 1,
                Event::GreenProven { evidence, warnings, .. } => {
                    facts.evidence = Some(evidence.clone());
                    facts.warnings.clone_from(warnings);
                }
                Event::GreenRefused { .. } => facts.green_refusals += 1,
                Event::ReviewRejected { .. } => facts.rejections += 1,
                Event::Turned { turn } if turn.phase == Phase::Implement => {
                    facts.put_back.extend(turn.put_back.iter().cloned());
                }
                Event::Approved { by, .. } => facts.beforehand = *by == Approver::Beforehand,
                _ => {}
            }
        }
        facts
    }

    /// What the last green gate measured.
    pub fn measure(&self, home: &Home) -> Result<Option<GreenMeasure>> {
        match &self.evidence {
            Some(blob) => Ok(Some(Blobs::open(home.root())?.get_json(blob)?)),
            None => Ok(None),
        }
    }

    /// What was put back and sent back before it was proven.
    pub fn on_the_way(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.put_back.is_empty() {
            lines.push("  ✓ what the coder may not change was put back:".to_owned());
            lines.extend(named("      ", self.put_back.iter().map(String::as_str)));
        }
        if self.red_refusals + self.green_refusals + self.rejections == 0 {
            return lines;
        }
        lines.push(format!(
            "  ✓ sent back on the way: {}, {}, {}",
            times(self.red_refusals, "by the red gate"),
            times(self.green_refusals, "by the green gate"),
            times(self.rejections, "by the reviewer")
        ));
        lines
    }

    /// Tests in names and numbers.
    pub fn tests(&self, measure: Option<&GreenMeasure>) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.red.is_empty() {
            lines.push("  ✓ red before, green now:".to_owned());
            lines.extend(named("      ", self.red.iter().map(TestId::as_str)));
        }
        lines.extend(measure.map(|measure| self.numbers(measure)).unwrap_or_default());
        lines
    }

    /// How often it was tried, and how much of it held.
    pub fn numbers(&self, measure: &GreenMeasure) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(last) = measure.runs.last() {
            lines.push(format!(
                "  ✓ the whole suite passes: {} tests, {} runs, each in a fresh tree",
                last.counts().passed,
                measure.runs.len()
            ));
        }
        if let Some(replay) = measure.replay.as_ref().filter(|_| !self.red.is_empty()) {
            let failing = self.red.iter().filter(|test| !replay.passed(test)).count();
            lines.push(format!(
                "  ✓ replay: on the old code, {failing} of {} failed once more",
                self.red.len()
            ));
        }
        let fates = measure.probe.iter().flat_map(|probe| &probe.mutants);
        let (mut killed, mut survived) = (0, 0);
        for mutant in fates {
            match mutant.fate {
                Fate::Killed => killed += 1,
                Fate::Survived => survived += 1,
                _ => {}
            }
        }
        if killed + survived > 0 {
            let mark = if survived == 0 { '✓' } else { '!' };
            lines.push(format!(
                "  {mark} of {} small changes of the new code the tests notice {killed}",
                killed + survived
            ));
        }
        lines
    }
}

fn times(count: usize, by: &str) -> String {
    match count {
        1 => format!("once {by}"),
        n => format!("{n} times {by}"),
    }
}
