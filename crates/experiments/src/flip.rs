//! Flipped twins: a test whose expectation was turned round must fail. An edit is given only where that is sure as
//! long as the code under test is honest: for assertions that run whenever the test passes. Nothing is run here.

mod change;
mod go;
mod java;
mod python;
mod rust;
mod script;
mod trap;
mod twins;

pub use trap::traps;

use proctor_lang::Language;
use proctor_lang::edit::Edit;

/// For each assertion that can be flipped in the test that begins at this line, the edit that flips it. Those that
/// change a literal come first: they also find an equality that always says yes.
pub fn flips(file: &str, source: &str, line: u32) -> Vec<Edit> {
    match Language::of(file) {
        Some(Language::Python) => python::flips(source, line),
        Some(Language::Rust) => rust::flips(source, line),
        Some(Language::Go) => go::flips(source, line),
        Some(Language::Java) => java::flips(source, line),
        Some(language @ Language::Script(_)) => script::flips(language, source, line),
        None => Vec::new(),
    }
}

#[cfg(test)]
#[path = "flip/tests.rs"]
mod tests;
