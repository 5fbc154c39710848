//! The files that tests take functions from: what those assert is a part of the test. Found by the words of the imports,
//! since a file too many does no harm.

use crate::branch::Branch;
use proctor_lang::{Language, Zone, zone};
use std::collections::BTreeSet;

/// How many of them are rewritten at most.
const MOST_FILES: usize = 32;

/// The test files of head that these ones import, and what those import in turn.
pub(super) fn imported(branch: &Branch<'_>, files: &[String]) -> Vec<String> {
    let head = branch.head;
    let languages: BTreeSet<_> = files.iter().filter_map(|file| family(file)).collect();
    let fits = |path: &&str| {
        family(path).is_some_and(|family| languages.contains(&family))
            && (zone(path) == Zone::Test || is_conftest(path))
            && !files.iter().any(|file| file == path)
    };
    let mut rest: Vec<&str> = head.paths().into_iter().filter(fits).collect();
    let mut found: Vec<String> = Vec::new();
    let mut texts: Vec<&str> = files.iter().filter_map(|file| head.text(file)).collect();
    while let Some(text) = texts.pop() {
        let named = words_of_imports(text);
        let is_taken = |path: &&str| is_conftest(path) || named.contains(module(path));
        let (taken, left): (Vec<&str>, Vec<&str>) = rest.into_iter().partition(is_taken);
        rest = left;
        texts.extend(taken.iter().filter_map(|path| head.text(path)));
        found.extend(taken.into_iter().map(str::to_owned));
    }
    found.truncate(MOST_FILES);
    found
}

/// pytest takes it without being asked.
fn is_conftest(path: &str) -> bool {
    path == "conftest.py" || path.ends_with("/conftest.py")
}

/// What can import each other.
fn family(path: &str) -> Option<&'static str> {
    match Language::of(path)? {
        Language::Python => Some("python"),
        Language::Script(_) => Some("script"),
        _ => None,
    }
}

/// The name by which a file is imported.
fn module(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    match stem {
        "__init__" | "index" => parts.next().unwrap_or(stem),
        _ => stem,
    }
}

fn words_of_imports(text: &str) -> BTreeSet<&str> {
    let imports = ["import", "require", "from"];
    let lines = text.lines().filter(|line| imports.iter().any(|word| line.contains(word)));
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    lines.flat_map(|line| line.split(move |c: char| !is_part(c))).collect()
}
