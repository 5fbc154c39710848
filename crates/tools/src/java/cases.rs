//! The cases of `JUnit` reports: their ids, and why one failed. Whether the run as a whole can be believed is not
//! judged here.

use super::stack::Sources;
use crate::ask::{Ask, Selection, slashed};
use crate::junit::{JunitCase, JunitEnd};
use proctor_core::report::{Case, CaseEnd, Place, Reason};
use proctor_core::words::TestId;
use proctor_lang::zone::{Zone, zone};
use std::collections::BTreeMap;
use std::path::Path;

pub(crate) type Cases = BTreeMap<TestId, Case>;

/// Whose words the ids are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// Whatever tool wrote the report.
    AnyTool,
    /// Maven's Surefire: `pkg.Class::method[1]`.
    Surefire,
}

pub(crate) struct Judge<'a> {
    ask: &'a Ask,
    naming: Naming,
    pub(crate) sources: Sources,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(ask: &'a Ask, naming: Naming) -> Self {
        Self { ask, naming, sources: Sources::of(ask) }
    }

    /// All cases by their ids. A second case with the same id is kept beside the first.
    pub(crate) fn cases(&self, found: &[JunitCase]) -> Cases {
        let mut cases = Cases::new();
        for case in found {
            let id = match self.naming {
                Naming::AnyTool => self.id(case),
                Naming::Surefire => surefire_id(case),
            };
            let result = Case { end: self.end(case), took_ms: case.took_ms };
            let mut free = TestId::new(id.clone());
            for n in 2.. {
                if !cases.contains_key(&free) {
                    break;
                }
                free = TestId::new(format!("{id} #{n}"));
            }
            cases.insert(free, result);
        }
        cases
    }

    /// `path::name` where the report names a file of the tree, else `class::name`. A class of a Java source is named as
    /// with Maven, whatever ran it.
    fn id(&self, case: &JunitCase) -> String {
        let joined = |parts: &[&str]| {
            let filled: Vec<&str> = parts.iter().copied().filter(|p| !p.is_empty()).collect();
            filled.join("::")
        };
        if self.is_java(&case.class) {
            return surefire_id(case);
        }
        let Some(file) = self.file(case) else {
            let class = if case.class == case.name { "" } else { case.class.as_str() };
            return joined(&[class, &case.name]);
        };
        let stem = file.rsplit_once('.').map_or(file.as_str(), |(stem, _)| stem).replace('/', ".");
        let class = &case.class;
        // A class that only says the file's name again adds nothing.
        let same = *class == file || stem == *class || stem.ends_with(&format!(".{class}"));
        let inner = class.strip_prefix(&format!("{stem}.")).unwrap_or(class);
        joined(&[&file, if same || *class == case.name { "" } else { inner }, &case.name])
    }

    fn is_java(&self, class: &str) -> bool {
        let outer = class.split('$').next().unwrap_or(class);
        let source = format!("{}.java", outer.replace('.', "/"));
        let is_it = |p: &String| {
            p.strip_suffix(&source).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        !outer.is_empty() && self.sources.paths().iter().any(is_it)
    }

    /// The file of a case, relative to the tree, where it is one of the tree.
    fn file(&self, case: &JunitCase) -> Option<String> {
        if case.file.is_empty() {
            return None;
        }
        let path = self.ask.workdir().join(&case.file);
        let real = self.ask.tree.canonicalize().unwrap_or_else(|_| self.ask.tree.clone());
        let inside =
            path.strip_prefix(&self.ask.tree).or_else(|_| path.strip_prefix(&real)).ok()?;
        let inside = slashed(inside);
        self.ask.tree.join(&inside).is_file().then_some(inside)
    }

    fn end(&self, case: &JunitCase) -> CaseEnd {
        match &case.end {
            JunitEnd::Passed => CaseEnd::Passed,
            JunitEnd::Skipped(why) => {
                let why = if why.is_empty() { "skipped" } else { why };
                CaseEnd::Skipped { why: why.to_owned() }
            }
            JunitEnd::Failed { text, .. } | JunitEnd::Errored { text } if self.is_set_up(case) => {
                CaseEnd::Errored { message: self.sources.shortened(text) }
            }
            JunitEnd::Failed { text, .. } => CaseEnd::Failed { reason: self.reason(case, text) },
            JunitEnd::Errored { text } if self.sources.frames(text).is_empty() => {
                CaseEnd::Errored { message: self.sources.shortened(&headed(case, text)) }
            }
            JunitEnd::Errored { text } => CaseEnd::Failed { reason: self.thrown(case, text) },
        }
    }

    /// A case that is no test but a class: what was to be made ready for its tests broke.
    fn is_set_up(&self, case: &JunitCase) -> bool {
        let named_so = case.name.is_empty() || case.name == case.class;
        match (self.naming, &case.end) {
            (Naming::Surefire, _) | (Naming::AnyTool, JunitEnd::Errored { .. }) => named_so,
            (Naming::AnyTool, _) => case.name.is_empty(),
        }
    }

    fn reason(&self, case: &JunitCase, text: &str) -> Reason {
        if !is_assertion(case, text) {
            return self.thrown(case, text);
        }
        let frames = self.sources.frames(text);
        // Where the test says so, not where a library's check was raised.
        let own = frames.iter().find(|p| zone(&p.file) != Zone::Production).or(frames.first());
        let place = own.cloned().or_else(|| self.place(case));
        Reason::Assertion { message: self.sources.shortened(&headed(case, text)), place }
    }

    /// An exception: the code under test broke where it arose there.
    fn thrown(&self, case: &JunitCase, text: &str) -> Reason {
        let message = self.sources.shortened(&headed(case, text));
        let first = self.sources.frames(text).into_iter().next();
        match first {
            Some(place)
                if zone(&place.file) == Zone::Production && !is_surroundings(&case.kind) =>
            {
                Reason::Panic { message, place: Some(place) }
            }
            place => Reason::Other { message, place: place.or_else(|| self.place(case)) },
        }
    }

    fn place(&self, case: &JunitCase) -> Option<Place> {
        self.file(case).map(|file| Place { file, line: None })
    }
}

/// Only the cases that were asked for.
pub(crate) fn asked(ask: &Ask, cases: Cases) -> Cases {
    match &ask.only {
        Selection::All => cases,
        Selection::Ids(ids) => {
            cases.into_iter().filter(|(id, _)| ids.iter().any(|wanted| wanted.covers(id))).collect()
        }
    }
}

/// Whether any case failed or broke.
pub(crate) fn any_bad(cases: &Cases) -> bool {
    cases.values().any(|c| matches!(c.end, CaseEnd::Failed { .. } | CaseEnd::Errored { .. }))
}

/// `pkg.Class::method[1]`; Surefire also writes the types of the parameters (`method{int}[1]`, `method(int)[1]`),
/// which sources and users do not name. Of a class that broke before its tests, the class alone.
fn surefire_id(case: &JunitCase) -> String {
    if case.name.is_empty() || case.name == case.class {
        return case.class.clone();
    }
    let name = &case.name;
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let end = name.find(|c| !is_word(c)).unwrap_or(name.len());
    let (stem, rest) = name.split_at(end);
    let rest = match rest.chars().next() {
        Some('{') => rest.split_once('}').map_or(rest, |(_, after)| after),
        Some('(') => rest.split_once(')').map_or(rest, |(_, after)| after),
        _ => rest,
    };
    format!("{}::{stem}{rest}", case.class)
}

const ASSERTION_WORDS: [&str; 6] = [
    "Assertion",
    "Expectation",
    "ComparisonFailure",
    "MultipleFailuresError",
    "exceptions.verification",
    "AssertFailed",
];

/// Whether a failure is a check that did not hold. The type says so; where a tool writes no type, the exception that
/// the message or the text begins with.
fn is_assertion(case: &JunitCase, text: &str) -> bool {
    if ASSERTION_WORDS.iter().any(|word| case.kind.contains(word)) {
        return true;
    }
    if !matches!(case.kind.as_str(), "" | "failure" | "Failure" | "testCodeFailure") {
        return false;
    }
    // Node wraps what was thrown.
    if text.contains("cause: AssertionError") {
        return true;
    }
    let said = if case.message.trim().is_empty() { text } else { &case.message };
    // CTest's words for a process that did not come to its own end.
    let faults =
        ["SEGFAULT", "ILLEGAL", "INTERRUPT", "NUMERICAL", "OTHER_FAULT", "Timeout", "BAD_COMMAND"];
    if faults.contains(&said.trim()) {
        return false;
    }
    let (first, rest) = head(said);
    match first {
        Some("Error") => rest.trim_start_matches([':', ' ']).starts_with("expect("),
        Some(exception) => ASSERTION_WORDS.iter().any(|word| exception.contains(word)),
        None => !text.lines().any(|line| line.trim_start().starts_with("panic: ")),
    }
}

/// The exception that a text begins with (`pkg.SomeError: …`), and what follows it.
fn head(text: &str) -> (Option<&str>, &str) {
    let text = text.trim_start();
    let is_name = |c: char| c.is_alphanumeric() || "._$\\".contains(c);
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let ends = ["Error", "Exception", "Failure", "Interrupt", "Exit"];
    let named = ends.iter().any(|e| name.ends_with(e));
    // `SomeError` alone, or `SomeError: what`, not a sentence that happens to begin so.
    let alone =
        rest.trim_start_matches(' ').starts_with([':', '\n', '[']) || rest.trim().is_empty();
    ((named && alone).then_some(name), rest)
}

/// The surroundings' fault wherever it arose: no network, no memory, a class that is not on the path.
fn is_surroundings(kind: &str) -> bool {
    let name = kind.rsplit('.').next().unwrap_or(kind);
    matches!(
        name,
        "ConnectException"
            | "UnknownHostException"
            | "NoRouteToHostException"
            | "SocketTimeoutException"
            | "BindException"
            | "AccessDeniedException"
            | "OutOfMemoryError"
            | "NoClassDefFoundError"
            | "ClassNotFoundException"
            | "UnsatisfiedLinkError"
            | "UnsupportedClassVersionError"
    )
}

/// The text below a line that says what happened, where the text itself does not.
fn headed(case: &JunitCase, text: &str) -> String {
    let message = case.message.trim();
    let first = message.lines().next().unwrap_or("");
    if first.is_empty() || text.contains(first) {
        return text.trim().to_owned();
    }
    format!("{message}\n{}", text.trim())
}

/// Where a report lies, for people.
pub(crate) fn shown(ask: &Ask, file: &Path) -> String {
    let inside = file.strip_prefix(&ask.tree).or_else(|_| file.strip_prefix(&ask.scratch));
    inside.map_or_else(|_| file.to_string_lossy().into_owned(), slashed)
}
