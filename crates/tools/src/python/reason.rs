//! Why a Python test failed, judged from the exception that our plugin recorded: whose code it arose in, and who
//! would have to supply a missing name.

use super::lines::{MissingName, Phase, Raised};
use super::surroundings::{self, Arose};
use crate::ask::Ask;
use proctor_core::report::{CaseEnd, CollectError, Owner, Place, Reason};
use proctor_lang::python::modules::Modules;
use proctor_lang::tree::FolderTree;
use proctor_lang::zone::{Zone, zone};
use std::cell::OnceCell;
use std::path::PathBuf;

/// Judges exceptions of one tree.
pub(crate) struct Judge {
    tree: PathBuf,
    subdir: String,
    /// Read only when a missing module asks for it.
    modules: OnceCell<Modules>,
}

impl Judge {
    pub(crate) fn new(ask: &Ask) -> Self {
        Self { tree: ask.tree.clone(), subdir: ask.subdir.clone(), modules: OnceCell::new() }
    }

    /// What a failed call of a test means.
    pub(crate) fn call(&self, phase: &Phase) -> CaseEnd {
        let Some(raised) = &phase.exception else {
            // Strict expected failures that pass, and failed subtests, have no exception of their own.
            let message = first_filled(&phase.text, "failed without an exception");
            return CaseEnd::Failed { reason: Reason::Other { message, place: None } };
        };
        // unittest runs its set-up inside the call.
        let unittest = ["setUp", "asyncSetUp", "tearDown", "asyncTearDown"];
        let first = raised.frames.iter().find(|(file, ..)| zone(file) != Zone::Production);
        if let Some((.., function)) = first.filter(|(.., f)| unittest.contains(&f.as_str())) {
            return self.around(function, raised, &whole(raised));
        }
        if let Some(why) = self.surroundings(raised) {
            let message = format!("the surroundings are at fault: {why}\n{}", headed(raised));
            return CaseEnd::Errored { message };
        }
        CaseEnd::Failed { reason: self.reason(raised) }
    }

    /// What a failed set-up or tear-down means.
    pub(crate) fn around_it(&self, phase: &Phase) -> CaseEnd {
        match &phase.exception {
            Some(raised) => self.around(&phase.when, raised, &headed(raised)),
            None => CaseEnd::Errored { message: format!("in {}: {}", phase.when, phase.text) },
        }
    }

    fn around(&self, part: &str, raised: &Raised, told: &str) -> CaseEnd {
        let set_up = matches!(part, "setup" | "setUp" | "asyncSetUp");
        let reason = self.reason(raised);
        if set_up && reason.is_of_the_project() && self.surroundings(raised).is_none() {
            return CaseEnd::Failed { reason };
        }
        CaseEnd::Errored { message: format!("in {part}: {told}") }
    }

    /// What is wrong with the surroundings, if that is why it failed. What a test asserts is its own word.
    fn surroundings(&self, raised: &Raised) -> Option<String> {
        if is_assertion(raised) {
            return None;
        }
        let arose = match raised.frames.last() {
            Some((file, ..)) if zone(file) == Zone::Production => Arose::Beyond,
            _ => Arose::InTheTest,
        };
        let third_party = |missing: &MissingName| {
            missing.holder_file.is_none() && self.owner_of_module(missing) == Owner::Elsewhere
        };
        surroundings::fault(raised, arose, &third_party)
    }

    /// A file that could not be collected, and why.
    pub(crate) fn collect_error(
        &self,
        file: String,
        raised: Option<&Raised>,
        text: &str,
    ) -> CollectError {
        let reason = match raised {
            // Nothing was tested yet, so an exception while importing is a reason only for a missing name.
            Some(raised) => match self.reason(raised) {
                missing @ Reason::Missing { .. } => missing,
                Reason::Assertion { message, place }
                | Reason::Panic { message, place }
                | Reason::Other { message, place } => Reason::Other { message, place },
            },
            None => Reason::Other { message: text.to_owned(), place: None },
        };
        let place = match reason.place().filter(|p| p.file == file) {
            Some(place) => place.clone(),
            None => Place { file, line: None },
        };
        CollectError { place, reason }
    }

    pub(crate) fn message(phase: &Phase) -> String {
        match &phase.exception {
            Some(raised) => headed(raised),
            None => phase.text.clone(),
        }
    }

    fn reason(&self, raised: &Raised) -> Reason {
        let message = headed(raised);
        let place = place_of(raised);
        let told = raised
            .at
            .as_ref()
            .and_then(|(file, line)| Some(Place { file: file.clone()?, line: *line }));
        if is_assertion(raised) {
            let message = whole(raised);
            // Where the test says so, not where a library's check was raised.
            let place = raised
                .frames
                .iter()
                .rfind(|(file, ..)| zone(file) != Zone::Production)
                .map(place_at)
                .or(place)
                .or(told);
            return Reason::Assertion { message, place };
        }
        let is = |name: &str| raised.bases.iter().any(|b| b == name);
        if is("SyntaxError") {
            return Reason::Other { message, place: told.or(place) };
        }
        if is_pytest_fail(raised) || environment(raised) {
            return Reason::Other { message, place };
        }
        let Some((innermost, ..)) = raised.frames.last() else {
            // Collecting a module: the import itself failed, without a frame of the project.
            return self.missing(raised, message, place);
        };
        if zone(innermost) == Zone::Production {
            if is("ImportError") {
                return Reason::Other { message, place };
            }
            return Reason::Panic { message, place };
        }
        self.missing(raised, message, place)
    }

    /// An exception in the test's own code: a missing name, an assertion that could not even be asked, or nothing that
    /// counts.
    fn missing(&self, raised: &Raised, message: String, place: Option<Place>) -> Reason {
        // `None.read` says that nothing came back, not that a name is missing.
        let missing = raised.missing.as_ref().filter(|m| m.holder.as_deref() != Some("NoneType"));
        let Some(missing) = missing else {
            // `assert found.name == "a"` where nothing was found: what came back does not hold.
            return if raised.in_assertion {
                Reason::Assertion { message, place }
            } else {
                Reason::Other { message, place }
            };
        };
        let owner = self.owner(missing);
        Reason::Missing { name: full_name(missing), owner, message, place }
    }

    fn owner(&self, missing: &MissingName) -> Owner {
        match (missing.what.as_str(), &missing.holder_file) {
            ("name", _) => Owner::TestItself,
            // A package of the tests that lacks a module is the tests' own matter too.
            (_, Some(file)) if zone(file) == Zone::Test => Owner::TestItself,
            (_, Some(_)) => Owner::Project,
            ("module", None) => self.owner_of_module(missing),
            _ => Owner::Elsewhere,
        }
    }

    fn owner_of_module(&self, missing: &MissingName) -> Owner {
        if missing.stdlib {
            return Owner::Elsewhere;
        }
        let top = missing.name.split('.').next().unwrap_or(&missing.name);
        let modules =
            self.modules.get_or_init(|| Modules::of(&FolderTree::new(&self.tree), &self.subdir));
        modules.owner(top)
    }
}

/// `module.name` where the holder is a module, so that a task's target can be matched against it.
fn full_name(missing: &MissingName) -> String {
    match (missing.what.as_str(), &missing.holder) {
        ("import" | "attribute" | "parameter", Some(holder)) if missing.name != *holder => {
            format!("{holder}.{}", missing.name)
        }
        _ => missing.name.clone(),
    }
}

fn is_pytest_fail(raised: &Raised) -> bool {
    raised.kind == "Failed" && raised.bases.iter().any(|b| b == "OutcomeException")
}

fn is_assertion(raised: &Raised) -> bool {
    if raised.bases.iter().any(|b| b == "AssertionError" || b == "DocTestFailure") {
        return true;
    }
    // `pytest.fail`, and `pytest.raises` that saw nothing. The same type says that a test can't be run at all, or was
    // ended at its limit.
    is_pytest_fail(raised) && !raised.ended
}

/// The environment's fault wherever it arose, or a file that the test itself did not find.
fn environment(raised: &Raised) -> bool {
    let is = |name: &str| raised.bases.iter().any(|b| b == name);
    let test_itself = raised.frames.last().is_none_or(|(file, ..)| zone(file) != Zone::Production);
    is("ConnectionError")
        || is("gaierror")
        || is("PermissionError")
        || is("MemoryError")
        || is("KeyboardInterrupt")
        || (is("OSError") && test_itself)
}

fn place_at(frame: &(String, u32, String)) -> Place {
    Place { file: frame.0.clone(), line: Some(frame.1) }
}

fn place_of(raised: &Raised) -> Option<Place> {
    raised.frames.last().map(place_at)
}

/// The whole text below a line that names the exception: pytest's own account begins with the place, and a reader
/// of the first line alone would not learn what happened.
fn headed(raised: &Raised) -> String {
    let text = whole(raised);
    let head = match raised.message.lines().map(str::trim).find(|line| !line.is_empty()) {
        Some(line) => format!("{}: {line}", raised.kind),
        None => raised.kind.clone(),
    };
    if text.starts_with(&head) { text } else { format!("{head}\n{text}") }
}

/// The whole text: pytest's own account where there is one, else type and message.
fn whole(raised: &Raised) -> String {
    let short = if raised.message.is_empty() {
        raised.kind.clone()
    } else {
        format!("{}: {}", raised.kind, raised.message)
    };
    if raised.text.trim().is_empty() || raised.text.trim() == "None" {
        short
    } else {
        raised.text.clone()
    }
}

fn first_filled(first: &str, second: &str) -> String {
    if first.trim().is_empty() { second.to_owned() } else { first.to_owned() }
}
