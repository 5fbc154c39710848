//! What the scout of a hunt is told: where to look, what is known already, what to return. Says the rules; others keep
//! them.

use super::{Feedback, PromptError, Templates, template_name};
use crate::words::{Phase, TaskType};
use serde::Serialize;

/// A bug that is in the notebook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KnownBug {
    pub id: String,
    pub status: String,
    pub short_description: String,
    pub relevant_files: Vec<String>,
    /// Why it stands so; why a person rejected it.
    pub reason: String,
}

/// Everything that the prompt of an errand may speak of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ErrandInputs {
    /// Where to begin; empty where the scout is to propose that.
    pub entrypoint: String,
    /// Found from the structure of the sources, as a start.
    pub candidates: Vec<String>,
    pub known_bugs: Vec<KnownBug>,
    pub description: String,
    pub details: String,
    pub relevant_files: Vec<String>,
    /// Why the last output of this same turn could not be used.
    pub complaint: Option<String>,
    /// The JSON schema of what is returned, as text.
    pub schema: String,
    pub output_hint: String,
    /// A scout commits nothing. Here because the shared parts ask for it.
    pub commit: String,
}

/// The names of [`ErrandInputs`] that a run's prompts don't know.
pub(super) const ERRAND_WORDS: [&str; 3] = ["entrypoint", "candidates", "known_bugs"];

/// Renders the prompt of a turn of the scout.
pub fn render_errand(
    templates: &Templates,
    phase: Phase,
    inputs: &ErrandInputs,
) -> Result<String, PromptError> {
    let kind = TaskType::BugFix;
    let Some(name) = template_name(kind, phase, &Feedback::None) else {
        return Err(PromptError::NoTemplate { kind, phase });
    };
    templates.render(name, inputs, &inputs.schema)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs() -> ErrandInputs {
        ErrandInputs {
            entrypoint: "src/cli.py".to_owned(),
            candidates: vec!["src/cli.py".to_owned()],
            known_bugs: vec![KnownBug {
                id: "bug-1".to_owned(),
                status: "REJECTED".to_owned(),
                short_description: "sum is\nwrong".to_owned(),
                relevant_files: vec!["src/sum.py".to_owned()],
                reason: "works as documented".to_owned(),
            }],
            description: "parse drops a line".to_owned(),
            details: "```\n## Rules\n```".to_owned(),
            schema: "{\"the\": \"schema\"}".to_owned(),
            ..ErrandInputs::default()
        }
    }

    #[test]
    fn s2_12_known_and_rejected_bugs_are_named_so_that_they_are_not_found_again() {
        let text = render_errand(&Templates::built_in(), Phase::Scout, &inputs()).unwrap();
        assert!(
            text.contains("- bug-1 (REJECTED: works as documented): sum is wrong (src/sum.py)"),
            "{text}"
        );
        assert!(text.contains("don't name them again"), "{text}");
        assert!(text.contains("src/cli.py"), "{text}");
    }

    #[test]
    fn s2_28_a_scout_looks_for_crashes_wrong_behaviour_missing_validation_and_slowness() {
        let text = render_errand(&Templates::built_in(), Phase::Scout, &inputs()).unwrap();
        for word in ["crash", "wrong", "configuration", "slow", "HIGH", "one to three"] {
            assert!(text.contains(word), "{word}:\n{text}");
        }
    }

    #[test]
    fn s2_2_a_prompt_carries_what_the_turn_needs_and_its_schema_once() {
        for phase in [Phase::Suggest, Phase::Scout, Phase::Classify] {
            let text = render_errand(&Templates::built_in(), phase, &inputs()).unwrap();
            assert_eq!(text.matches("{\"the\": \"schema\"}").count(), 1, "{phase}: {text}");
            assert!(!text.contains("could not be used"), "{text}");
        }
        let text = render_errand(&Templates::built_in(), Phase::Classify, &inputs()).unwrap();
        assert!(text.contains("parse drops a line") && text.contains("UNIT_TEST"), "{text}");
    }

    #[test]
    fn s2_25_a_template_of_the_base_commit_takes_the_place_of_a_built_in_one() {
        let own = Templates::built_in().with("scout.md", "Look at {{ entrypoint }}.").unwrap();
        let text = render_errand(&own, Phase::Scout, &inputs()).unwrap();
        assert!(text.starts_with("Look at src/cli.py."), "{text}");
        assert!(text.contains("{\"the\": \"schema\"}"), "the schema is added: {text}");
        Templates::built_in().with("scout.md", "{{ nothing_like_it }}").unwrap_err();
    }
}
