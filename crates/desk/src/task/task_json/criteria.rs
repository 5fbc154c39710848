//! `convergence.criteria[]`: when the task is done. One of them is the test command; it is split into words and never given
//! to a shell, unless the base commit's configuration allows that.

use super::Shell;
use super::reader::{Node, Reader};
use crate::text::shell_words;
use proctor_core::assignment::Route;
use proctor_tools::UnknownCommand;

#[derive(Debug, Default)]
pub(super) struct Criteria {
    pub(super) texts: Vec<String>,
    pub(super) command: Option<TestCommand>,
    pub(super) remarks: Vec<String>,
}

/// How a task wants its tests run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestCommand {
    /// A test tool with its arguments.
    Words(Vec<String>),
    /// A script of the project, such as `npm test`: the test tool behind it is found and run itself.
    Script(String),
    /// For a shell, and allowed.
    Shell(String),
}

pub(super) fn read(
    reader: &mut Reader,
    root: &Node<'_>,
    (route, shell): (Route, Shell),
) -> Criteria {
    let mut found = Criteria::default();
    let node = reader.child(root, "convergence", "an object with criteria");
    let listed = node.as_ref().map(|node| reader.texts_at(node, "criteria", "a list of texts"));
    let before = reader.faults.len();
    for (path, text) in listed.into_iter().flatten() {
        match meaning(&text) {
            Meaning::Prose => {}
            Meaning::Command(TestCommand::Shell(_)) if shell == Shell::Refused => {
                let why = needs_shell(command_in(&text)).unwrap_or("a shell");
                reader.fault(
                    &path,
                    format!("{:?} needs a shell ({why}), and commands are started without one", command_in(&text)),
                    "one command with its arguments, such as `pytest tests`; `[tasks] shell = true` in proctor.toml on the base commit allows more",
                );
            }
            Meaning::Command(command) if found.command.is_none() => found.command = Some(command),
            Meaning::Command(_) => found.remarks.push(format!(
                "{path} is a second test command: only the first is run; the reviewer is told of all criteria"
            )),
            Meaning::Wrong(why, expected) => reader.fault(&path, why, &expected),
        }
        found.texts.push(text);
    }
    if route == Route::Tdd && found.command.is_none() && reader.faults.len() == before {
        let why = if found.texts.is_empty() { "is missing" } else { "holds no test command" };
        reader.fault(
            "$.convergence.criteria",
            why.to_owned(),
            "a list with a test command, such as [\"pytest tests\"]; known are pytest, cargo test, go test, vitest run, jest, node --test, mvn test, and scripts such as npm test",
        );
    }
    found
}

enum Meaning {
    Prose,
    Command(TestCommand),
    /// A test command that can't be used, and what is expected.
    Wrong(String, String),
}

/// What a criterion means: the whole text, what stands in backticks, or what is behind a colon.
fn meaning(text: &str) -> Meaning {
    let command = command_in(text);
    if needs_shell(command).is_some() {
        let parts = command
            .split(|c: char| !(c.is_alphanumeric() || "-_./".contains(c)))
            .collect::<Vec<_>>();
        let tools = [
            "pytest", "cargo", "go", "vitest", "jest", "node", "mvn", "npm", "yarn", "pnpm", "npx",
            "make",
        ];
        // Prose may hold such signs as well; a command names a tool.
        let runs = parts.iter().any(|word| tools.contains(word)) && !is_a_sentence(command);
        return if runs {
            Meaning::Command(TestCommand::Shell(command.to_owned()))
        } else {
            Meaning::Prose
        };
    }
    let Ok(words) = shell_words::split(command) else { return Meaning::Prose };
    let words = without_coverage(words);
    match proctor_tools::from_command(&words) {
        Ok(_) => Meaning::Command(TestCommand::Words(words)),
        Err(error @ UnknownCommand::Argument { .. }) if !looks_like_prose(command) => {
            let told = error.to_string();
            let (why, hint) = told.split_once("\nhint: ").unwrap_or((&told, "another argument"));
            Meaning::Wrong(why.to_owned(), hint.trim_end_matches(" are accepted").to_owned())
        }
        Err(_) if is_script(&words) => Meaning::Command(TestCommand::Script(command.to_owned())),
        Err(_) => Meaning::Prose,
    }
}

/// Coverage is measured by Proctor itself: flags for it are left out.
fn without_coverage(words: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--cov" | "--cov-report" | "--cov-fail-under" => {
                words.next_if(|next| !next.starts_with('-'));
            }
            "--coverage" => {}
            other if other.starts_with("--cov") || other.starts_with("--coverage") => {}
            _ => kept.push(word),
        }
    }
    kept
}

/// The part of a criterion that may be a command.
fn command_in(text: &str) -> &str {
    let text = text.trim();
    if let Some(quoted) = text.split('`').nth(1).filter(|part| !part.trim().is_empty()) {
        return quoted.trim();
    }
    let behind = text.split_once(": ").map(|(_, behind)| behind.trim());
    before_the_verb(match behind.filter(|_| !starts_with_tool(text)) {
        Some(behind) if starts_with_tool(behind) => behind,
        _ => text,
    })
}

fn starts_with_tool(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let name = first.rsplit('/').next().unwrap_or(first);
    [
        "pytest", "python", "python3", "cargo", "go", "vitest", "jest", "node", "mvn", "mvnw",
        "npm", "npx", "yarn", "pnpm", "bun", "make", "just", "tox", "uv", "poetry",
    ]
    .contains(&name)
}

/// A sentence that begins with the name of a tool is still a sentence.
fn looks_like_prose(text: &str) -> bool {
    !starts_with_tool(text) || is_a_sentence(text)
}

fn is_a_sentence(text: &str) -> bool {
    let ends = text.trim_end();
    let first = text.split_whitespace().next().unwrap_or_default();
    let begins = first.starts_with(char::is_uppercase) && !first.contains('=');
    begins || (ends.ends_with('.') && !ends.ends_with("..."))
}

/// `pytest tests passes` is the command `pytest tests` and what is said of it.
fn before_the_verb(text: &str) -> &str {
    const VERBS: [&str; 12] = [
        "passes", "pass", "succeeds", "succeed", "exits", "returns", "is", "are", "must", "should",
        "with", "shows",
    ];
    if text.contains(['"', '\'']) {
        return text;
    }
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        if at > 0 && VERBS.contains(&word.trim()) {
            return text[..at].trim_end();
        }
        at += word.len();
    }
    text
}

/// A script of a package or a make target that runs the tests.
fn is_script(words: &[String]) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["npm" | "yarn" | "pnpm" | "bun", "run", script, ..] => script.starts_with("test"),
        ["npm", "t", ..] | ["tox", ..] => true,
        ["npm" | "yarn" | "pnpm" | "bun" | "make" | "just", script, ..] => {
            script.starts_with("test") || *script == "check"
        }
        _ => false,
    }
}

/// Why a command can't be split into words: what only a shell understands.
fn needs_shell(text: &str) -> Option<&'static str> {
    let mut quote: Option<char> = None;
    let mut before = ' ';
    let first = text.split_whitespace().next().unwrap_or_default();
    if first.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    }) {
        return Some("it sets a variable");
    }
    for c in text.chars() {
        let told = match (quote, c) {
            (Some(open), c) if c == open => {
                quote = None;
                None
            }
            (Some('\''), _) => None,
            (None, '\'' | '"') => {
                quote = Some(c);
                None
            }
            (_, '$') if before != '\\' => Some("`$`"),
            (_, '`') => Some("a backtick"),
            (None, '|') => Some("`|`"),
            (None, '&') => Some("`&`"),
            (None, ';') => Some("`;`"),
            (None, '<' | '>') => Some("a redirection"),
            (None, '*') => Some("`*`"),
            (None, '\n') => Some("several lines"),
            (Some(_) | None, _) => None,
        };
        if told.is_some() {
            return told;
        }
        before = c;
    }
    None
}
