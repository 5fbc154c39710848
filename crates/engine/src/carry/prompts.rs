//! What an agent is told: gathers from the journal, the shadow and the base commit what `core` writes into a
//! prompt.

mod around;
mod matter;

use super::held::shown_as_to_a_coder;
use super::{Halt, Job};
use crate::dependencies::changed_dependencies;
use crate::store::Store;
use matter::Gate;
use proctor_agents::known::output_hint;
use proctor_core::agent::Session;
use proctor_core::assignment::Route;
use proctor_core::brief::ContextFile;
use proctor_core::generality::Observed;
use proctor_core::prompt::{
    Document, Feedback, Kept, PromptInputs, Templates, Told, read_first, render,
};
use proctor_core::proof::{Anchor, GreenMeasure};
use proctor_core::run::{CodeFeedback, Stage, TestFeedback};
use proctor_core::turn::schema;
use proctor_core::words::{Phase, Role, TestId, TreeId};
use proctor_world::objects::DiffFor;
use proctor_world::shadow::Shadow;
use std::fmt::Write;

/// How much of a diff a reviewer is sent.
const LONGEST_DIFF: usize = 400 * 1024;

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
        // Who is shown the whole change is not shown the tests of it once more.
        let tests = match phase {
            Phase::WriteTests | Phase::Implement => self.tests_that_matter(shadow, &view.tree)?,
            _ => Vec::new(),
        };
        let around = self.around(shadow, phase)?;
        let documents = [&first[..], &context, &tests, &around.instructions].concat();
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
            failing: self.failing_now(phase)?,
            reach: self.reach(shadow, phase, (&tests, &view.tree))?,
            tests,
            around,
            told: if session.from().is_some() { Told::Before } else { Told::Nothing },
            stood: discreet(&self.run.stood)?.pop(),
            kept: self.kept(phase),
            feedback: self.feedback(&discreet)?,
            rejections: discreet(&self.run.rejections)?,
            put_back: discreet(self.run.put_back.get(&phase).map_or(&[], Vec::as_slice))?,
            complaint,
            diff,
            results,
            observed: self.observed(phase)?,
            schema: schema(phase, brief.kind).to_string(),
            guards,
            held_out: self.held_from(phase),
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

    /// What the coder finds beside the recorded tree.
    fn kept(&self, phase: Phase) -> Kept {
        match (phase, &self.run.kept) {
            (Phase::Implement, Some(_)) => Kept::OwnWork,
            _ => Kept::Nothing,
        }
    }

    /// How many tests this turn is not shown.
    fn held_from(&self, phase: Phase) -> usize {
        match phase.role() {
            Role::Coder | Role::Diagnostician => {
                self.run.stage.anchor().map_or(0, |anchor| anchor.unseen().len())
            }
            _ => 0,
        }
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
            // The coder itself, and who thinks about it for the coder: of held-out tests they know no more.
            Phase::Diagnose | Phase::Refactor => {
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
            let mut say = |title: &str, ids: &[TestId]| {
                if !ids.is_empty() {
                    lines.push(format!("{title}:\n{}", list(ids)));
                }
            };
            say("Tests that failed on the old code and pass now", anchor.red());
            match anchor {
                Anchor::Pinned(_) => say(
                    "Tests that pin down what the old code did, before anything was changed; they pass on both",
                    anchor.guards(),
                ),
                Anchor::Red(_) | Anchor::Open(_) => {
                    say("New tests that pass on both", anchor.guards());
                }
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
