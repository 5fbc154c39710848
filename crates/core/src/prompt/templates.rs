//! The templates: the built-in ones, and texts from the base commit that stand in their place. Owns how a template
//! is read and how its faults are told. It must not read files: callers bring the texts.

use super::scouting::ERRAND_WORDS;
use super::{KNOWN_WORDS, PromptError};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior};
use serde::Serialize;
use std::collections::BTreeMap;

/// A built-in template or shared part: its name and its text.
macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../prompts/", $name)))),*]
    };
}

/// One for each type and phase that has a turn, the one for repairs, the one that only adds tests, the plain
/// way, the diagnosis, the audit, and those of a hunt.
pub(super) const TEMPLATES: [(&str, &str); 19] = built_in![
    "bug_fix-write_tests.md",
    "bug_fix-implement.md",
    "bug_fix-refactor.md",
    "bug_fix-review.md",
    "feature-write_tests.md",
    "feature-implement.md",
    "feature-refactor.md",
    "feature-review.md",
    "refactor-write_tests.md",
    "refactor-implement.md",
    "refactor-review.md",
    "fix.md",
    "add_tests.md",
    "plain-implement.md",
    "diagnose.md",
    "audit.md",
    "suggest.md",
    "scout.md",
    "classify.md",
];

/// What templates include.
pub(super) const PARTS: [(&str, &str); 13] = built_in![
    "_task.md",
    "_around.md",
    "_change.md",
    "_context.md",
    "_tests.md",
    "_failures.md",
    "_feedback.md",
    "_tester.md",
    "_coder.md",
    "_refactorer.md",
    "_reviewer.md",
    "_return.md",
    "_answer.md",
];

/// What a template may use beside our own words: the engine's own functions, and `failures`, which
/// `_feedback.md` hands to `_failures.md`.
const ENGINE_WORDS: [&str; 5] = ["range", "dict", "namespace", "debug", "failures"];

/// The names that an override can have.
pub(super) fn names() -> Vec<&'static str> {
    TEMPLATES.iter().chain(&PARTS).map(|(name, _)| *name).collect()
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Templates {
    overrides: BTreeMap<String, String>,
}

impl Templates {
    pub fn built_in() -> Self {
        Self::default()
    }

    /// Puts a text in the place of a built-in template (`bug_fix-implement.md`, `fix.md`) or of a shared part
    /// (`_context.md`). A text that could not be rendered is refused here, before a run begins.
    pub fn with(mut self, name: &str, text: impl Into<String>) -> Result<Self, PromptError> {
        if !names().contains(&name) {
            return Err(PromptError::UnknownTemplate { name: name.to_owned() });
        }
        let text = text.into();
        check(name, &text)?;
        self.overrides.insert(name.to_owned(), text);
        Ok(self)
    }

    /// Renders a template with its words. `schema` is what the turn returns.
    pub(super) fn render(
        &self,
        name: &str,
        words: &impl Serialize,
        schema: &str,
    ) -> Result<String, PromptError> {
        let mut environment = engine();
        for (built_in, text) in TEMPLATES.iter().chain(&PARTS) {
            let text = self.overrides.get(*built_in).map_or(*text, String::as_str);
            environment.add_template(built_in, text).map_err(|error| broken(built_in, &error))?;
        }
        let one = |name: &str| {
            environment
                .get_template(name)
                .and_then(|template| template.render(Serde(words)))
                .map_err(|error| broken(name, &error))
        };
        let mut prompt = one(name)?;
        // An agent that is not told what to return can only fail: a template of the user's own may leave it out.
        if !prompt.contains(schema.trim()) {
            prompt.push('\n');
            prompt.push_str(&one("_return.md")?);
        }
        Ok(tidy(&prompt))
    }
}

fn engine<'a>() -> Environment<'a> {
    let mut environment = Environment::new();
    // A line that holds nothing but a tag leaves no trace.
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .keep_trailing_newline(true)
        .build();
    // Building fails only for delimiters that contradict each other, and ours are the usual ones.
    if let Ok(syntax) = syntax {
        environment.set_syntax(syntax);
    }
    // A word that does not exist is a fault of the template, never an empty place in a prompt.
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.add_filter("fence", |text: &str, label: Option<&str>| {
        fence(text, label.unwrap_or_default())
    });
    environment.add_filter("line", line);
    environment.add_filter("item", |text: &str| text.trim_end().replace('\n', "\n  "));
    environment
}

/// A name that others chose, such as the parameters in a test's id, can't begin a line of its own.
pub(super) fn line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// Reads a template and looks for words that nobody will fill in.
fn check(name: &str, text: &str) -> Result<(), PromptError> {
    let environment = engine();
    let template =
        environment.template_from_named_str(name, text).map_err(|error| broken(name, &error))?;
    let mut unknown: Vec<String> = template
        .undeclared_variables(false)
        .into_iter()
        .filter(|word| {
            let word = word.as_str();
            !(KNOWN_WORDS.contains(&word)
                || ERRAND_WORDS.contains(&word)
                || ENGINE_WORDS.contains(&word))
        })
        .collect();
    unknown.sort();
    let Some(word) = unknown.first() else {
        return Ok(());
    };
    let line = text.lines().position(|line| line.contains(word.as_str()));
    Err(PromptError::Broken {
        name: name.to_owned(),
        line: line.map(|index| index + 1),
        why: format!("it uses `{word}`, which is not known"),
        hint: known_words(),
    })
}

fn known_words() -> String {
    format!("known are {}", KNOWN_WORDS.join(", "))
}

fn broken(name: &str, error: &minijinja::Error) -> PromptError {
    let what = error
        .detail()
        .map_or_else(|| error.kind().to_string(), |detail| format!("{}: {detail}", error.kind()));
    let hint = if error.kind() == ErrorKind::TemplateNotFound {
        format!("it can include {}", PARTS.map(|(name, _)| name).join(", "))
    } else {
        known_words()
    };
    PromptError::Broken {
        // The fault may stand in a part that the template includes.
        name: error.name().unwrap_or(name).to_owned(),
        line: error.line(),
        why: what,
        hint,
    }
}

/// Puts a text between fences that nothing inside it can close. The text itself stays as it is.
pub(super) fn fence(text: &str, label: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    // A fence's label ends with its line and can't hold backticks.
    let label: String = label.chars().filter(|c| *c != '`' && !c.is_control()).collect();
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{label}\n{text}{end}{fence}")
}

/// One newline at the end, none at the beginning. Nothing between is touched: it may be somebody's log.
fn tidy(prompt: &str) -> String {
    let mut tidy = prompt.trim_matches('\n').to_owned();
    tidy.push('\n');
    tidy
}
