//! Canaries: tests of our own at the end of a project's test file. They run in the same process and scope as the
//! project's tests, so whatever forges those ends forges these too, and that is seen. Nothing is run here.

mod go;
mod java;
mod python;
mod rust;
mod script;

use proctor_lang::zone::{SCRIPTS, has_ending};

/// A test file with more tests at its end. Their names hold `{tag}_passes` (must pass), `{tag}_fails` (must fail; more
/// of them, such as `{tag}_fails_too`, fail by the means by which the file itself asserts) and `{tag}_skips` (must be
/// skipped). The ids of their items hold these names in every language. None where the file's language is not known
/// or where it has no place for tests.
pub fn with_canaries(file: &str, source: &str, tag: &str) -> Option<String> {
    if has_ending(file, "py") {
        python::with_canaries(source, tag)
    } else if has_ending(file, "rs") {
        rust::with_canaries(file, source, tag)
    } else if has_ending(file, "go") {
        go::with_canaries(source, tag)
    } else if has_ending(file, "java") {
        java::with_canaries(source, tag)
    } else if SCRIPTS.iter().any(|ending| has_ending(file, ending)) {
        script::with_canaries(file, source, tag)
    } else {
        None
    }
}

/// A text at the end of another, on lines of its own.
fn appended(source: &str, more: &str) -> String {
    let seam = if source.is_empty() || source.ends_with('\n') { "\n" } else { "\n\n" };
    format!("{source}{seam}{more}")
}

/// A text with another put in at this byte.
fn inserted(source: &str, at: usize, more: &str) -> Option<String> {
    Some(format!("{}{more}{}", source.get(..at)?, source.get(at..)?))
}

#[cfg(test)]
#[path = "canary/tests.rs"]
mod tests;
