//! New functions that nobody but tests can call: private by their language's own word for it, and named by no other line of production
//! code. What they do is shown, and that anybody gets to it is not. Read from texts; nothing is run.

use proctor_core::report::Place;
use proctor_lang::{Language, Zone, split_rust, zone};
use std::collections::{BTreeMap, BTreeSet};

/// A private function of the change that production code does not name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    pub name: String,
    pub place: Place,
}

/// The private functions that these lines define: name and place.
pub fn private(file: &str, text: &str, lines: &BTreeSet<u32>) -> Vec<Unreached> {
    let all: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (n, line) in all.iter().enumerate() {
        let number = u32::try_from(n + 1).unwrap_or(u32::MAX);
        let above = n.checked_sub(1).and_then(|n| all.get(n)).map_or("", |line| line.trim());
        let Some(name) = defined(file, line, above).filter(|_| lines.contains(&number)) else {
            continue;
        };
        let place = Place { file: file.to_owned(), line: Some(number) };
        found.push(Unreached { name: name.to_owned(), place });
    }
    found
}

/// The private function that a line at the margin defines; what something above it may register counts as reached.
fn defined<'l>(file: &str, line: &'l str, above: &str) -> Option<&'l str> {
    let ending = file.rsplit('.').next().unwrap_or_default();
    let (rest, is_private): (&str, fn(&str) -> bool) = match ending {
        "py" if above.starts_with('@') => return None,
        "py" => {
            let rest = line.strip_prefix("def ").or_else(|| line.strip_prefix("async def "))?;
            (rest, |name| name.starts_with('_') && !name.ends_with('_'))
        }
        "go" => (line.strip_prefix("func ")?, |name| name.starts_with(|c: char| c.is_lowercase())),
        "rs" if above == "#[doc(hidden)]" => (line.strip_prefix("pub fn ")?, |_| true),
        "rs" if above.starts_with("#[") => return None,
        "rs" => (line.strip_prefix("fn ")?, |_| true),
        _ => return None,
    };
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    let name = rest.get(..end).filter(|name| !matches!(*name, "" | "main" | "init"))?;
    is_private(name).then_some(name)
}

/// Those that no other line of these sources names.
pub fn unreached(all: Vec<Unreached>, production: &BTreeMap<String, String>) -> Vec<Unreached> {
    let is_named = |one: &Unreached| {
        production.iter().filter(|(file, _)| zone(file) == Zone::Production).any(|(file, text)| {
            let is_rust = Language::of(file) == Some(Language::Rust);
            let split = is_rust.then(|| split_rust(text)).flatten();
            let text = split.map_or_else(|| text.clone(), |split| split.production);
            let own = defining(&text, one, file);
            text.lines().zip(1_u32..).any(|(line, n)| !own.contains(&n) && names(line, &one.name))
        })
    };
    all.into_iter().filter(|one| !is_named(one)).collect()
}

/// The lines of the function itself: one that only calls itself is called by nobody.
fn defining(text: &str, one: &Unreached, file: &str) -> std::ops::Range<u32> {
    if one.place.file != file {
        return 0..0;
    }
    let mut lines = text.lines().zip(1_u32..).skip_while(|(line, _)| {
        !["def ", "async def ", "func ", "fn ", "pub fn "]
            .iter()
            .any(|start| line.strip_prefix(start).is_some_and(|rest| starts_name(rest, &one.name)))
    });
    let Some((_, first)) = lines.next() else { return 0..0 };
    let inside =
        |(line, _): &(&str, u32)| line.is_empty() || line.starts_with([' ', '\t', '}', ')']);
    first..first + 1 + u32::try_from(lines.take_while(inside).count()).unwrap_or(0)
}

fn starts_name(rest: &str, name: &str) -> bool {
    let after = rest.strip_prefix(name).and_then(|rest| rest.chars().next());
    after.is_some_and(|c| !c.is_alphanumeric() && c != '_')
}

/// Whether a line names it as a whole word.
fn names(line: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(name).any(|(at, _)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        let after = line.get(at + name.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(file: &str, text: &str, others: &[(&str, &str)]) -> Vec<String> {
        let lines = (1..=u32::try_from(text.lines().count()).unwrap()).collect();
        let own = [(file, text)];
        let all = others.iter().chain(&own);
        let all = all.map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect();
        unreached(private(file, text, &lines), &all).into_iter().map(|one| one.name).collect()
    }

    #[test]
    fn a_private_function_that_only_tests_name_is_unreached() {
        let text = "def split(a):\n    return a\n\n\ndef _shares(a):\n    return _shares(a - 1)\n";
        let named = ("tests/test_a.py", "from a import _shares\n");
        assert_eq!(found("a.py", text, &[named]), ["_shares"]);
        assert_eq!(found("a.py", text, &[("b.py", "from a import _shares\n")]), [""; 0]);
        let called = text.replace("return a\n", "return _shares(a)\n");
        assert_eq!(found("a.py", &called, &[named]), [""; 0]);
        assert_eq!(found("a.py", "@register\ndef _shares(a):\n    return a\n", &[]), [""; 0]);
    }

    #[test]
    fn the_same_in_go_and_rust() {
        let go =
            "package a\n\nfunc Split() int { return 1 }\n\nfunc shares() int {\n\treturn 2\n}\n";
        assert_eq!(
            found("a.go", go, &[("a_test.go", "package a\n\nvar x = shares()\n")]),
            ["shares"]
        );
        let rust = "pub fn split() {}\n\n#[doc(hidden)]\npub fn fair() {}\n\nfn own() {}\n\npub fn uses() {\n    own()\n}\n";
        assert_eq!(found("src/a.rs", rust, &[("tests/a.rs", "use a::fair;\n")]), ["fair"]);
    }
}
