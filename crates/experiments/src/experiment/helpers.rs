//! The files that tests take functions from: what those assert is a part of the test. Found by the words of the imports,
//! since a file too many does no harm.

use crate::branch::Branch;
use crate::observe::may_help;
use crate::vary::Module;
use proctor_lang::{Language, Zone, zone};
use std::collections::BTreeSet;

/// How many of them are rewritten at most.
const MOST_FILES: usize = 32;
/// How many files that one test imports are others at most.
const MOST_MODULES: usize = 3;

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

/// The files of tests that this one imports by their own names, as it stands on head.
pub(super) fn modules(branch: &Branch<'_>, file: &str) -> Vec<String> {
    let named = branch.head.text(file).map(words_of_imports).unwrap_or_default();
    let fits = |path: &&str| {
        let (name, _) = Module::name(path);
        let own = family(path).is_some_and(|f| family(file) == Some(f)) && *path != file;
        own && zone(path) == Zone::Test && !is_conftest(path) && named.contains(name)
    };
    branch.head.paths().into_iter().filter(fits).take(MOST_MODULES).map(str::to_owned).collect()
}

/// The files of tests beside a compiled one that it sees without a word or by `mod`.
pub(super) fn beside(branch: &Branch<'_>, file: &str) -> Vec<String> {
    let text = branch.head.text(file).unwrap_or_default();
    let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(f, _)| f.to_owned());
    let is_module = |path: &str| {
        let rust = |path: &str| Language::of(path) == Some(Language::Rust);
        let own = rust(path) && rust(file) && path != file;
        let below = folder(path) == folder(file) || folder(&folder(path)) == folder(file);
        let named = text.lines().any(|line| {
            let line = line.trim().trim_start_matches("pub ");
            line.strip_prefix("mod ").and_then(|m| m.strip_suffix(';')) == Some(rust_module(path))
        });
        own && below && named && zone(path) == Zone::Test
    };
    let fits = |path: &&str| may_help(file, path) || is_module(path);
    branch.head.paths().into_iter().filter(fits).take(MOST_FILES).map(str::to_owned).collect()
}

/// `cases` of `tests/cases.rs` and of `tests/cases/mod.rs`.
fn rust_module(path: &str) -> &str {
    let plain = path.strip_suffix("/mod.rs").or_else(|| path.strip_suffix(".rs")).unwrap_or(path);
    plain.rsplit('/').next().unwrap_or(plain)
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
