//! How our sources present themselves: each begins with what it owns, and no type has a name that says
//! nothing.

use crate::fault::Fault;
use crate::tree::{Source, Tree};

const EMPTY_NAMES: [&str; 5] = ["Manager", "Service", "Helper", "Util", "Handler"];

pub fn check(tree: &Tree) -> Vec<Fault> {
    let sources = tree.rust().filter(|source| !source.is_test());
    sources
        .flat_map(|source| {
            let mut faults = names(source);
            faults.extend(beginning(source));
            faults
        })
        .collect()
}

fn beginning(source: Source<'_>) -> Option<Fault> {
    let first = source.text.lines().find(|line| !line.trim().is_empty());
    if first.is_none_or(|line| line.starts_with("//!")) {
        return None;
    }
    Some(Fault::error(
        format!("{}:1", source.path),
        "the module does not say what it is",
        "a `//!` comment first: what the module owns, and what it must not do",
    ))
}

fn names(source: Source<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (line, text) in source.code().lines() {
        let mut words =
            text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        while let Some(word) = words.next() {
            if !matches!(word, "struct" | "enum" | "trait") {
                continue;
            }
            let name = words.next().unwrap_or_default();
            if EMPTY_NAMES.iter().any(|end| name.ends_with(end)) {
                faults.push(Fault::error(
                    format!("{}:{line}", source.path),
                    format!("`{name}` is a name that says nothing"),
                    "a noun that a tester would use: brief, proof, fault, seal, ask",
                ));
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Vec<String> {
        let faults = check(&Tree::of(&[("crates/x/src/a.rs", text)]));
        faults.into_iter().map(|fault| fault.place).collect()
    }

    #[test]
    fn a_module_begins_with_what_it_is() {
        assert_eq!(places("//! Owns x.\n"), Vec::<String>::new());
        assert_eq!(places("use x;\n//! Owns x.\n"), ["crates/x/src/a.rs:1"]);
    }

    #[test]
    fn a_name_that_says_nothing_is_named() {
        let text =
            "//! Owns x.\n// struct ThingManager\npub struct RunManager<T>(T);\nenum Utility {}\n";
        assert_eq!(places(text), ["crates/x/src/a.rs:3"]);
    }
}
