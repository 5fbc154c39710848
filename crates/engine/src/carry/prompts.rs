//! What an agent is told: gathers from the journal, the shadow and the base commit what `core` writes into a
//! prompt.

use super::held::shown_as_to_a_coder;
use super::policy::may_hold_tests;
use super::{Halt, Job};
use crate::dependencies::changed_dependencies;
use crate::store::Store;
use proctor_agents::known::output_hint;
use proctor_core::agent::Session;
use proctor_core::assignment::Route;
use proctor_core::brief::ContextFile;
use proctor_core::generality::Observed;
use proctor_core::prompt::{
    Document, FailureGroup, Feedback, PromptInputs, Templates, group_failures, read_first, render,
};
use proctor_core::proof::{Anchor, GreenMeasure, RedMeasure};
use proctor_core::report::TestReport;
use proctor_core::run::{CodeFeedback, Stage, TestFeedback};
use proctor_core::turn::schema;
use proctor_core::words::{BlobId, Phase, Role, TestId, TreeId};
use proctor_lab::sources;
use proctor_world::objects::DiffFor;
use proctor_world::shadow::Shadow;
use std::collections::BTreeSet;
use std::fmt::Write;

/// How much of a diff a reviewer is sent.
const LONGEST_DIFF: usize = 400 * 1024;
/// How much of one test file goes into a prompt.
const LONGEST_TEST: usize = 60 * 1024;

impl Job {
    pub(super) fn prompt(
        &self,
        shadow: &Shadow,
        (phase, attempt): (Phase, u32),
        session: &Session,
    ) -> Result<String, Halt> {
        let brief = &self.run.brief;
        let blobs = Store::of(self)?;
        let read = |file: &ContextFile| -> Result<Document, Halt> {
            let text = String::from_utf8_lossy(&blobs.get(&file.blob)?).into_owned();
            Ok(Document { path: file.path.clone(), text })
        };
        let context: Vec<Document> = brief.context.iter().map(read).collect::<Result<_, _>>()?;
        let first: Vec<Document> =
            brief.assignment.read_first.iter().map(read).collect::<Result<_, _>>()?;
        let anchor = self.run.stage.anchor();
        let shown = |id: &&TestId| {
            let held = anchor.and_then(Anchor::held_out).filter(|_| shown_as_to_a_coder(phase));
            !held.is_some_and(|held| held.covers(id))
        };
        let guards = anchor
            .map(|a| a.guards().iter().filter(shown).map(ToString::to_string).collect())
            .unwrap_or_default();
        let view = self.view(shadow, phase, &self.tree_of_tests(shadow)?)?;
        let discreet = |texts: &[String]| -> Result<Vec<String>, Halt> {
            texts.iter().map(|text| self.discreet(shadow, &view, text)).collect()
        };
        let complaint = self.run.stage.talk().and_then(|(_, talk)| talk.complaint.clone());
        let (diff, results) = self.under_judgement(shadow, phase)?;
        let tests = self.tests_that_matter(shadow, &view.tree)?;
        let documents: Vec<Document> =
            first.iter().chain(&context).chain(&tests).cloned().collect();
        let inputs = PromptInputs {
            task_id: brief.task.to_string(),
            kind: brief.kind,
            description: brief.description.clone(),
            details: brief.details.clone(),
            route: brief.assignment.route,
            orders: brief.assignment.orders.get(&phase).cloned().unwrap_or_default(),
            relevant_files: brief.relevant_files.clone(),
            context,
            targets: brief.targets.clone(),
            test_count: brief.test_count,
            phase,
            attempt,
            tests,
            feedback: self.feedback(&discreet)?,
            rejections: discreet(&self.run.rejections)?,
            put_back: discreet(self.run.put_back.get(&phase).map_or(&[], Vec::as_slice))?,
            complaint,
            diff,
            results,
            observed: self.observed(phase)?,
            schema: format!("{:#}", schema(phase, brief.kind)),
            guards,
            held_out: match phase.role() {
                Role::Coder | Role::Diagnostician => {
                    anchor.map_or(0, |anchor| anchor.unseen().len())
                }
                _ => 0,
            },
            output_hint: brief
                .agents
                .get(&phase.role())
                .map(|spec| output_hint(&spec.kind).to_owned())
                .unwrap_or_default(),
        };
        let text = render(&self.templates(shadow)?, &inputs)
            .map_err(|error| Halt::lasting(error.to_string()))?;
        let text = format!("{}{}{text}", read_first(&first), self.history(phase, session));
        Ok(self.fit_to_send(text, &documents))
    }

    /// The change and what was measured of it, for those who judge it.
    fn under_judgement(
        &self,
        shadow: &Shadow,
        phase: Phase,
    ) -> Result<(Option<String>, Option<String>), Halt> {
        Ok(match phase {
            Phase::Review | Phase::Audit => {
                let whole = self.recorded_tree(shadow)?;
                (Some(self.diff_of(shadow, &whole)?), Some(self.results(shadow)?))
            }
            // What is thought of it is told to the coder: of held-out tests it knows no more than that one.
            Phase::Diagnose => {
                let seen = self.view(shadow, phase, &self.recorded_tree(shadow)?)?;
                (Some(self.diff_of(shadow, &seen.tree)?), None)
            }
            _ => (None, None),
        })
    }

    /// What the assertions of the new tests saw on both sides, for the one who reviews the work.
    fn observed(&self, phase: Phase) -> Result<Vec<Observed>, Halt> {
        let Some(evidence) = self.run.measured.as_ref().filter(|_| phase == Phase::Review) else {
            return Ok(Vec::new());
        };
        let measure: GreenMeasure = Store::of(self)?.get_json(evidence)?;
        Ok(measure.observed())
    }

    /// The built-in templates, with what `.proctor/prompts/` of the base commit puts in their place.
    pub(super) fn templates(&self, shadow: &Shadow) -> Result<Templates, Halt> {
        let listing = shadow.list(&shadow.tree_of(&self.run.base)?)?;
        let mut templates = Templates::built_in();
        for (path, entry) in &*listing {
            let Some(name) = path.strip_prefix(".proctor/prompts/") else { continue };
            let text = String::from_utf8_lossy(&shadow.read_blob(&entry.oid)?).into_owned();
            templates =
                templates.with(name, text).map_err(|error| Halt::lasting(error.to_string()))?;
        }
        Ok(templates)
    }

    /// The tests on the old production code: as they are sealed, or as the tester left them.
    fn tree_of_tests(&self, shadow: &Shadow) -> Result<TreeId, Halt> {
        match self.run.stage.anchor() {
            Some(anchor) => Ok(anchor.at().tree.clone()),
            None => self.recorded_tree(shadow),
        }
    }

    /// Sources of the tests that this run brought.
    fn tests_that_matter(&self, shadow: &Shadow, tree: &TreeId) -> Result<Vec<Document>, Halt> {
        let base = shadow.tree_of(&self.run.base)?;
        let touched: Vec<String> = shadow
            .changed(&base, tree)?
            .into_iter()
            .map(|(path, _)| path)
            .filter(|path| may_hold_tests(path))
            .collect();
        let listing = shadow.list(tree)?;
        let texts = sources(shadow, &listing, |path| touched.iter().any(|t| t == path))?.0;
        let document = |path: String| {
            let text = String::from_utf8_lossy(texts.get(&path)?).into_owned();
            Some(Document { path, text: cut(text, LONGEST_TEST) })
        };
        Ok(touched
            .into_iter()
            .filter(|path| listing.contains_key(path))
            .filter_map(document)
            .collect())
    }

    /// Why this turn is taken. What another agent said goes through `discreet`.
    fn feedback(&self, discreet: Discreet<'_>) -> Result<Feedback, Halt> {
        let run = &self.run;
        // A cycle counts its attempts, the others what follows the first.
        let first = u32::from(run.brief.assignment.route == Route::Cycle);
        let (fix, of) = (run.counters.fixes + first, run.limits.green + first);
        Ok(match &run.stage {
            Stage::WritingTests {
                feedback: TestFeedback::Refused { reasons, evidence }, ..
            } => {
                let failures = self.failures(evidence.as_ref(), Gate::Red)?;
                Feedback::Red { reasons: reasons.clone(), failures }
            }
            Stage::WritingTests { feedback: TestFeedback::Appeal { why }, .. } => {
                Feedback::Appeal { why: why.clone() }
            }
            Stage::Diagnosing { reasons, evidence, .. } => {
                let failures = self.failures(Some(evidence), Gate::Green)?;
                Feedback::Green { reasons: reasons.clone(), failures, fix, of, diagnosis: None }
            }
            Stage::AddingTests { reasons, .. } => Feedback::Thin { reasons: reasons.clone() },
            Stage::Implementing { feedback, .. } => match feedback {
                CodeFeedback::Fresh => Feedback::None,
                CodeFeedback::Refused { reasons, evidence, diagnosis } => {
                    let failures = self.failures(evidence.as_ref(), Gate::Green)?;
                    let diagnosis = discreet(diagnosis.as_slice())?.pop();
                    Feedback::Green { reasons: reasons.clone(), failures, fix, of, diagnosis }
                }
                CodeFeedback::Audit { findings } => {
                    Feedback::Audit { findings: discreet(findings)?, fix, of }
                }
                CodeFeedback::Review => Feedback::Review { reasons: discreet(&run.rejections)? },
                CodeFeedback::SentBack { why } => Feedback::SentBack { why: why.clone() },
            },
            _ => Feedback::None,
        })
    }

    /// Failures of the last measured run, grouped by cause, without those that were there before.
    fn failures(&self, evidence: Option<&BlobId>, gate: Gate) -> Result<Vec<FailureGroup>, Halt> {
        let Some(evidence) = evidence else { return Ok(Vec::new()) };
        let blobs = Store::of(self)?;
        let runs: Vec<TestReport> = match gate {
            Gate::Red => match blobs.get_json::<RedMeasure>(evidence) {
                Ok(measure) => measure.runs,
                // The red gate's fault may have been found by the replay after green.
                Err(_) => blobs.get_json::<GreenMeasure>(evidence)?.runs,
            },
            Gate::Green => {
                let measure = blobs.get_json::<GreenMeasure>(evidence)?;
                let all = self.run.stage.anchor().is_none_or(|anchor| anchor.unseen().is_empty());
                if all { measure.runs } else { measure.seen.into_iter().collect() }
            }
        };
        let Some(last) = runs.last() else { return Ok(Vec::new()) };
        let known: BTreeSet<TestId> =
            self.run.baseline.iter().flat_map(|b| b.failing.first.iter().cloned()).collect();
        let anchor = self.run.stage.anchor();
        let held = anchor.and_then(Anchor::held_out).filter(|_| gate == Gate::Green);
        let sealed = anchor.into_iter().flat_map(|a| a.sealed().cloned());
        let sealed = sealed.filter(|id| !held.is_some_and(|held| held.covers(id)));
        let only: BTreeSet<TestId> =
            last.cases.keys().cloned().chain(sealed).filter(|id| !known.contains(id)).collect();
        Ok(group_failures(last, &only))
    }

    fn diff_of(&self, shadow: &Shadow, tree: &TreeId) -> Result<String, Halt> {
        let base = shadow.tree_of(&self.run.base)?;
        let diff = shadow.diff(&base, tree, &[], DiffFor::Reading)?;
        Ok(cut(String::from_utf8_lossy(&diff).into_owned(), LONGEST_DIFF))
    }

    /// What Proctor measured, in a few lines.
    fn results(&self, shadow: &Shadow) -> Result<String, Halt> {
        let mut lines = Vec::new();
        let list = |ids: &[TestId]| {
            let lines: Vec<String> = ids.iter().map(|id| format!("  - {id}")).collect();
            lines.join("\n")
        };
        if let Some(anchor) = self.run.stage.anchor() {
            lines.push(format!(
                "Tests that failed on the old code and pass now:\n{}",
                list(anchor.red())
            ));
            if !anchor.guards().is_empty() {
                lines.push(format!("New tests that pass on both:\n{}", list(anchor.guards())));
            }
        }
        if let Some(green) = self.run.stage.green() {
            lines.push(format!("All in all {} tests pass, in repeated runs.", green.passed()));
        }
        if let Some(baseline) = &self.run.baseline
            && !baseline.failing.is_empty()
        {
            lines.push(format!("Failures that were there before: {}", baseline.failing));
        }
        let (base, tree) = (shadow.tree_of(&self.run.base)?, self.recorded_tree(shadow)?);
        let dependencies = changed_dependencies(shadow, &base, &tree)?;
        if !dependencies.is_empty() {
            let listed: Vec<String> =
                dependencies.iter().map(|change| format!("  - {change}")).collect();
            lines.push(format!("Dependencies that the change touches:\n{}", listed.join("\n")));
        }
        Ok(lines.join("\n"))
    }
}

/// What others said, without what the one who is told must not know.
type Discreet<'a> = &'a dyn Fn(&[String]) -> Result<Vec<String>, Halt>;

/// Which gate's evidence is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gate {
    Red,
    Green,
}

fn cut(mut text: String, longest: usize) -> String {
    if text.len() > longest {
        let end = (0..=longest).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
        let left_out = text.len() - end;
        text.truncate(end);
        let _ = writeln!(text, "\n[{left_out} more bytes are not shown]");
    }
    text
}

impl Job {
    /// The whole prompt as it may be sent. What was taken out is said, with its place and without its value.
    pub fn fit_to_send(&self, prompt: String, documents: &[Document]) -> String {
        let allowed = &self.run.brief.allowed_secrets;
        let mut redactor = self.redactor();
        for Document { path, text } in documents {
            if allowed.scan(path, text.as_bytes()).is_empty() {
                redactor = redactor.allowing(text.as_bytes());
            }
        }
        let found = redactor.findings(prompt.as_bytes());
        if found.is_empty() {
            return prompt;
        }
        let mut told = 0;
        for Document { path, text } in documents {
            for (line, what) in redactor.findings(text.as_bytes()) {
                told += 1;
                self.say(format!(
                    "{path}:{line} looks like a secret ({what}): taken out of the prompt"
                ));
            }
        }
        for (line, what) in found.iter().filter(|_| told == 0) {
            self.say(format!("line {line} of the prompt looks like a secret ({what}): taken out"));
        }
        redactor.text(&prompt)
    }
}
