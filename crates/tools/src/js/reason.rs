//! Why a JavaScript test failed, judged from the error that our reporter recorded: an assertion, a name that is not
//! there, a crash of production code, or something that says nothing about the code under test.

use super::frames::{Frame, Root, plain};
use super::lines::{CaseLine, Raised};
use super::missing::{Gone, Lacking, Reader};
use super::subject::Scene;
use crate::ask::{Ask, slashed};
use proctor_core::report::{CaseEnd, CollectError, Place, Reason};
use proctor_lang::tree::below;
use proctor_lang::zone::{Zone, zone};
use std::fmt::Write;
use std::path::Path;

/// A message is for people and prompts: what is longer says no more.
const LONGEST: usize = 4000;

/// Judges errors of one tree.
pub(crate) struct Judge {
    root: Root,
    subdir: String,
}

impl Judge {
    pub(crate) fn new(ask: &Ask) -> Self {
        Self { root: Root::of(ask), subdir: slashed(Path::new(&ask.subdir)) }
    }

    /// A tool's path relative to the tree's root; as it stands for what lies elsewhere.
    pub(crate) fn file(&self, path: &str) -> String {
        self.root.inside(path).unwrap_or_else(|| path.to_owned())
    }

    /// What a failed test means.
    pub(crate) fn failed(&self, line: &CaseLine) -> CaseEnd {
        let Some(raised) = line.errors.first() else {
            let message = "failed without an error".to_owned();
            return CaseEnd::Failed { reason: Reason::Other { message, place: None } };
        };
        if let Some(hook) = self.hook(raised).or_else(|| line.hook.clone()) {
            return self.hook_broke(&hook, raised);
        }
        CaseEnd::Failed { reason: self.reason(raised, None) }
    }

    /// What a hook that broke means for its tests.
    pub(crate) fn hook_broke(&self, hook: &str, raised: &Raised) -> CaseEnd {
        let reason = self.reason(raised, None);
        if hook.starts_with("before") && reason.is_of_the_project() {
            return CaseEnd::Failed { reason };
        }
        CaseEnd::Errored { message: format!("in {hook}: {}", self.told(raised)) }
    }

    /// jest does not tell a hook's error from a test's: the source does.
    pub(crate) fn hook(&self, raised: &Raised) -> Option<String> {
        if message(raised).contains("ms for a hook.") {
            return Some("a hook".to_owned());
        }
        let frames = self.root.frames(&raised.stack);
        let outer = frames.iter().rfind(|f| zone(&f.file) != Zone::Production)?;
        Scene::of(&self.root.tree, &outer.file)?.hook(outer)
    }

    /// A file that could not be loaded, and why.
    pub(crate) fn collect_error(&self, path: &str, errors: &[Raised]) -> CollectError {
        let file = self.file(path);
        let reason = match errors.first() {
            // Nothing was tested yet, so an error while loading is a reason only for a missing name.
            Some(raised) => match self.reason(raised, Some(&file)) {
                missing @ Reason::Missing { .. } => missing,
                Reason::Assertion { message, place }
                | Reason::Panic { message, place }
                | Reason::Other { message, place } => {
                    let place = self.broken_syntax(raised, &file).or(place);
                    Reason::Other { message, place }
                }
            },
            None => Reason::Other { message: "could not be loaded".to_owned(), place: None },
        };
        let place = match reason.place().filter(|p| p.file == file) {
            Some(place) => place.clone(),
            None => Place { file, line: None },
        };
        CollectError { place, reason }
    }

    /// Where the tool says that a source can't be parsed, else where our own parser stops.
    fn broken_syntax(&self, raised: &Raised, file: &str) -> Option<Place> {
        let told = [&raised.message, &raised.stack, &raised.shown]
            .into_iter()
            .find_map(|text| self.root.named(&plain(head(text))));
        let at = || {
            let (path, line) = raised.at.as_ref()?;
            // Bundlers name files from their root.
            let from_root = || {
                let path = below(&self.subdir, path.trim_start_matches('/'));
                self.root.tree.join(&path).is_file().then_some(path)
            };
            let file = self.root.inside(path).or_else(from_root)?;
            Some(Place { file, line: Some(*line) })
        };
        let own = || {
            let line = Scene::of(&self.root.tree, file)?.syntax_error()?;
            Some(Place { file: file.to_owned(), line: Some(line) })
        };
        told.or_else(at).or_else(own)
    }

    /// The error in words: what it says, and where in the project it went through.
    pub(crate) fn told(&self, raised: &Raised) -> String {
        let (kind, message) = (kind(raised), message(raised));
        let mut text = if kind.is_empty() || message.starts_with(&kind) {
            message
        } else if message.is_empty() {
            kind
        } else {
            format!("{kind}: {message}")
        };
        for frame in self.root.frames(&raised.stack).iter().take(8) {
            let _ = write!(text, "\n    at {}:{}", frame.file, frame.line);
        }
        if let Some(cause) = raised.cause.as_deref().filter(|c| !message_of(c).is_empty()) {
            let _ = write!(text, "\ncaused by {}", message_of(cause));
        }
        shortened(text)
    }

    fn reason(&self, raised: &Raised, file: Option<&str>) -> Reason {
        let told = self.told(raised);
        let frames = self.root.frames(&raised.stack);
        let place = frames.first().map(Frame::place);
        let (kind, said) = (kind(raised), message(raised));
        if is_assertion(raised, &kind, &said) {
            // Where the test says so, not where a helper of production raised it.
            let place = frames
                .iter()
                .find(|f| zone(&f.file) != Zone::Production)
                .map(Frame::place)
                .or(place);
            return Reason::Assertion { message: told, place };
        }
        if environment(raised) || said.starts_with("process.exit unexpectedly called") {
            return Reason::Other { message: told, place };
        }
        let reader = Reader { root: &self.root, subdir: &self.subdir };
        let lacking = reader
            .diagnostics(&plain(&raised.message))
            .or_else(|| reader.diagnostics(&plain(&raised.stack)))
            .unwrap_or_else(|| reader.module(&said, &frames, file));
        match lacking {
            Lacking::Name(gone) => return missing(gone, told),
            Lacking::InProduction(at) => {
                return Reason::Other { message: told, place: at.or(place) };
            }
            Lacking::Nothing => {}
        }
        let Some(first) = frames.first() else {
            return Reason::Other { message: told, place };
        };
        if zone(&first.file) == Zone::Production {
            return Reason::Panic { message: told, place };
        }
        match reader.name(&kind, &said, first) {
            Some(gone) => missing(gone, told),
            None => Reason::Other { message: told, place },
        }
    }
}

fn missing(gone: Gone, message: String) -> Reason {
    Reason::Missing { name: gone.name, owner: gone.owner, message, place: gone.place }
}

/// The text of a stack before its first frame.
fn head(stack: &str) -> &str {
    stack.split_once("\n    at ").map_or(stack, |(head, _)| head)
}

/// The error's type: as told, else as its stack begins (`TypeError: …`, `AssertionError [ERR_ASSERTION]: …`).
fn kind(raised: &Raised) -> String {
    let first = head(&raised.stack).lines().next().unwrap_or("");
    let word: String = first.chars().take_while(char::is_ascii_alphanumeric).collect();
    let rest = first.get(word.len()..).unwrap_or("");
    let from_stack = (rest.starts_with(": ") || rest.starts_with(" [")) && word.ends_with("Error");
    match raised.name.as_str() {
        // Workers give every error this name.
        "" | "Error" if from_stack => word,
        name => name.to_owned(),
    }
}

/// What the error says, without its type and its frames.
fn message(raised: &Raised) -> String {
    let kind = kind(raised);
    if !raised.message.trim().is_empty() {
        let text = plain(head(&raised.message));
        let text = text.trim_end();
        // jest on jasmine, as it was before 27, puts the type before the message.
        let rest = text.strip_prefix(&kind).and_then(|rest| rest.strip_prefix(": "));
        return rest.unwrap_or(text).to_owned();
    }
    let text = plain(head(&raised.stack));
    let rest = text.strip_prefix(&kind).unwrap_or(&text);
    let rest = match rest.strip_prefix(" [") {
        Some(code) => code.split_once(']').map_or(rest, |(_, rest)| rest),
        None => rest,
    };
    rest.trim_start_matches(": ").trim_end().to_owned()
}

fn message_of(raised: &Raised) -> String {
    let (kind, message) = (kind(raised), message(raised));
    if kind.is_empty() || message.is_empty() { message } else { format!("{kind}: {message}") }
}

fn shortened(mut text: String) -> String {
    if text.len() > LONGEST {
        let mut end = LONGEST;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push('…');
    }
    text
}

fn is_assertion(raised: &Raised, kind: &str, said: &str) -> bool {
    if raised.compared
        || raised.code == "ERR_ASSERTION"
        || matches!(
            kind,
            "AssertionError" | "JestAssertionError" | "AssertError" | "ExpectationError"
        )
    {
        return true;
    }
    // A matcher that was used wrongly (`toHaveBeenCalled` of what is no mock) says nothing about the code.
    if said.contains("Matcher error") {
        return false;
    }
    // What jest makes of `node:assert`, of promises that ended the other way and of counted assertions has no mark
    // but its words.
    let jest = said.starts_with("expect(")
        || said.starts_with("expect.assertions(")
        || said.starts_with("expect.hasAssertions(")
        || (said.starts_with("assert") && said.contains("(received"))
        || said.starts_with("assert.throws(function")
        || said.starts_with("assert.doesNotThrow(function")
        || said.starts_with("assert.rejects(function")
        || said.starts_with("assert.doesNotReject(function");
    let vitest = said.starts_with("expected number of assertions to be ")
        || said.starts_with("expected any number of assertion")
        || (said.starts_with("Snapshot `") && said.ends_with("mismatched"));
    jest || vitest
}

/// The environment's fault wherever it arose.
fn environment(raised: &Raised) -> bool {
    const CODES: [&str; 13] = [
        "ENOTFOUND",
        "EAI_AGAIN",
        "ENOSPC",
        "EACCES",
        "EPERM",
        "EROFS",
        "EMFILE",
        "ENFILE",
        "ENETUNREACH",
        "EHOSTUNREACH",
        "ETIMEDOUT",
        "ECONNRESET",
        "ERR_OUT_OF_MEMORY",
    ];
    let text = message(raised);
    // Workers lose the code, and the text begins with it or names it after the call.
    let named = |code: &str| {
        raised.code == code
            || text.strip_prefix(code).is_some_and(|rest| rest.starts_with(':'))
            || text.split_whitespace().nth(1) == Some(code)
    };
    let refused = named("ECONNREFUSED")
        && !["127.0.0.1", "::1", "localhost"].iter().any(|host| text.contains(host));
    refused
        || CODES.iter().any(|code| named(code))
        || raised.cause.as_deref().is_some_and(environment)
}

#[cfg(test)]
#[path = "reason_tests.rs"]
mod tests;
