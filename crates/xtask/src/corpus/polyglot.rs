//! The polyglot benchmark: exercises in several languages, each with a stub, tests that are switched off but for the
//! first, and an example that solves it. It reads the corpus in its own layout and must not judge.

use super::pair::{Corpus, Ending, Files, Language, Needs, Pair, Wanted, names, text};
use anyhow::{Context, Result};
use serde_json::Value;
use std::path::Path;

/// A folder by which the corpus is known.
pub const MARK: &str = "python/exercises";

/// Exercises whose stub works and is only ugly: their tests pass before anything is done.
const TIDY: [(Language, &str); 3] =
    [(Language::Go, "ledger"), (Language::Go, "markdown"), (Language::JavaScript, "ledger")];

pub fn pairs(root: &Path) -> Result<Vec<Pair>> {
    let mut pairs = Vec::new();
    for language in Language::ALL {
        let folder = root.join(language.word()).join("exercises/practice");
        for name in names(&folder)? {
            let exercise = folder.join(&name);
            let pair = pair(&exercise, language, &name);
            pairs.push(pair.with_context(|| format!("{} {name}", language.word()))?);
        }
    }
    Ok(pairs)
}

fn pair(folder: &Path, language: Language, name: &str) -> Result<Pair> {
    let config: Value = serde_json::from_str(&text(&folder.join(".meta/config.json"))?)
        .context(".meta/config.json is not JSON")?;
    let mut all = Files::new();
    read(folder, "", &mut all)?;
    let named = listed(&config, "test");
    let (tests, mut base): (Files, Files) =
        all.into_iter().partition(|(path, _)| named.contains(path) || is_test(language, path));
    let tests: Files =
        tests.into_iter().map(|(path, text)| (path, switched_on(language, &text))).collect();
    let example = listed(&config, "example").into_iter().next().context("it names no example")?;
    let solved = listed(&config, "solution").into_iter().next().context("it names no solution")?;
    let solution = Files::from([(solved, text(&folder.join(example))?)]);
    ready(&mut base, folder, language, &config)?;
    // As with the features of Rust: a test behind a tag that is not set would never run.
    if tests.values().any(|text: &String| text.contains("//go:build bonus")) {
        let command = "test_cmd = \"go test -tags=bonus ./...\"\n";
        base.insert("proctor.toml".to_owned(), command.to_owned());
    }
    Ok(Pair {
        corpus: Corpus::Polyglot,
        language,
        name: name.to_owned(),
        wanted: if TIDY.contains(&(language, name)) { Wanted::Tidy } else { Wanted::Add },
        ending: Ending::Sure,
        needs: match language {
            Language::Python => Needs::Nothing,
            Language::Go => Needs::GoBuild,
            Language::Rust => Needs::Crates,
            Language::JavaScript => Needs::Packages,
        },
        base,
        tests,
        solution,
        by_heart: None,
    })
}

/// What stands on the base besides the stub: what git is to ignore, and for Rust how the exercise is built.
fn ready(base: &mut Files, folder: &Path, language: Language, config: &Value) -> Result<()> {
    let ignored = match language {
        Language::Python => "__pycache__/\n.pytest_cache/\n",
        Language::Go => "",
        Language::Rust => "/target/\n",
        Language::JavaScript => "node_modules\n",
    };
    base.insert(".gitignore".to_owned(), ignored.to_owned());
    // A new dependency is a decision of its own and no part of these exercises, so the example's are there before.
    let manifest = folder.join(".meta/Cargo-example.toml");
    if manifest.is_file() {
        base.insert("Cargo.toml".to_owned(), text(&manifest)?);
    }
    // Tests behind a feature that is off would never run, and Proctor refuses tests that never run.
    let features = base.get("Cargo.toml").is_some_and(|text| text.contains("[features]"));
    let release = config["custom"]["test-in-release-mode"] == true;
    let command = match (release, features) {
        (false, false) => return Ok(()),
        (true, false) => "cargo test --release",
        (false, true) => "cargo test --all-features",
        (true, true) => "cargo test --release --all-features",
    };
    base.insert("proctor.toml".to_owned(), format!("test_cmd = \"{command}\"\n"));
    Ok(())
}

fn listed(config: &Value, key: &str) -> Vec<String> {
    let list = config["files"][key].as_array().cloned().unwrap_or_default();
    list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Tests that the exercise's own list leaves out: tables of cases, and later steps.
fn is_test(language: Language, path: &str) -> bool {
    match language {
        Language::Python => path.ends_with("_test.py"),
        Language::Go => path.ends_with("_test.go"),
        Language::Rust => path.starts_with("tests/"),
        Language::JavaScript => path.ends_with(".spec.js"),
    }
}

/// All tests but the first are switched off in the corpus, for people who solve one after the other.
fn switched_on(language: Language, text: &str) -> String {
    match language {
        Language::Python | Language::Go => text.to_owned(),
        Language::Rust => {
            text.split_inclusive('\n').filter(|line| line.trim() != "#[ignore]").collect()
        }
        Language::JavaScript => {
            let words = [
                ("xtest", "test"),
                ("xit", "it"),
                ("xdescribe", "describe"),
                ("test.skip", "test"),
            ];
            words.into_iter().fold(text.to_owned(), |text, (off, on)| swapped(&text, off, on))
        }
    }
}

/// Puts one word in the place of another, where it is a whole word that is called.
fn swapped(text: &str, off: &str, on: &str) -> String {
    let part_of_a_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let mut done = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(off) {
        let whole = !before.ends_with(part_of_a_name) && after.starts_with(['(', '.']);
        done.push_str(before);
        done.push_str(if whole { on } else { off });
        rest = after;
    }
    done + rest
}

/// The files of an exercise that a person would see: what begins with a dot is the corpus' own.
fn read(folder: &Path, above: &str, files: &mut Files) -> Result<()> {
    for name in names(folder)?.into_iter().filter(|name| !name.starts_with('.')) {
        let (full, path) = (folder.join(&name), format!("{above}{name}"));
        if full.is_dir() {
            read(&full, &format!("{path}/"), files)?;
        } else {
            files.insert(path, text(&full)?);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(root: &Path, files: &[(&str, &str)]) {
        for (path, text) in files {
            let full = root.join(path);
            std::fs::create_dir_all(full.parent().unwrap()).unwrap();
            std::fs::write(full, text).unwrap();
        }
    }

    #[test]
    fn an_exercise_is_split_into_stub_tests_and_example() {
        let root = tempfile::tempdir().unwrap();
        let config = "{\"files\": {\"solution\": [\"src/lib.rs\", \"Cargo.toml\"], \"test\": [\"tests/a.rs\"], \
                      \"example\": [\".meta/example.rs\"]}, \"custom\": {\"test-in-release-mode\": true}}";
        put(
            root.path(),
            &[
                (".meta/config.json", config),
                (".meta/example.rs", "solved"),
                (".meta/Cargo-example.toml", "with crates"),
                ("Cargo.toml", "bare"),
                ("src/lib.rs", "stub"),
                ("tests/a.rs", "#[test]\n#[ignore]\nfn a() {}\n"),
            ],
        );
        let pair = pair(root.path(), Language::Rust, "a").unwrap();
        assert_eq!(pair.tests["tests/a.rs"], "#[test]\nfn a() {}\n");
        assert_eq!(pair.solution, Files::from([("src/lib.rs".to_owned(), "solved".to_owned())]));
        let base: Vec<&String> = pair.base.keys().collect();
        assert_eq!(base, [".gitignore", "Cargo.toml", "proctor.toml", "src/lib.rs"]);
        assert_eq!(pair.base["Cargo.toml"], "with crates");
    }

    #[test]
    fn every_test_of_a_script_is_switched_on() {
        let text = "test('a', f);\nxtest('b', f);\n  xit('c', f);\ntest.skip('d', f);\nexit();\nxtest.each(e);\n";
        let on =
            "test('a', f);\ntest('b', f);\n  it('c', f);\ntest('d', f);\nexit();\ntest.each(e);\n";
        assert_eq!(switched_on(Language::JavaScript, text), on);
    }
}
