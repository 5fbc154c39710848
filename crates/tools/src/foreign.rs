//! Test tools that Proctor knows by name and does not run by itself: which one a folder has, and the nearest way.

use proctor_lang::tree::{Tree, below, text};
use serde_json::Value;

/// A tool that was seen and is not run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the tests are {name}'s ({why}), which Proctor does not run by itself\nhint: {nearest}")]
pub struct Foreign {
    pub name: &'static str,
    /// `package.json has mocha`.
    pub why: String,
    /// For people: what makes its results readable.
    pub nearest: String,
}

/// Tools that write `JUnit` XML themselves, by the words that go into `test_cmd`; others need a word of their own.
enum Way {
    Writes(&'static [&'static str]),
    /// The command, and where its reports lie.
    Leaves(&'static [&'static str], &'static str),
    Needs(&'static str),
}

/// By the name of a package of npm.
const SCRIPTS: [(&str, Way); 1] =
    [("qunit", Way::Needs("a program that makes JUnit XML of its TAP"))];

/// By a file of the folder.
const FILES: [(&str, &str, Way); 9] = [
    (
        "global.json",
        "dotnet test",
        Way::Needs("the package JunitXml.TestLogger (`dotnet test --logger junit`)"),
    ),
    (
        "Directory.Build.props",
        "dotnet test",
        Way::Needs("the package JunitXml.TestLogger (`dotnet test --logger junit`)"),
    ),
    ("phpunit.xml", "PHPUnit", Way::Writes(&["vendor/bin/phpunit", "--log-junit", "{report}"])),
    (
        "phpunit.xml.dist",
        "PHPUnit",
        Way::Writes(&["vendor/bin/phpunit", "--log-junit", "{report}"]),
    ),
    (".rspec", "RSpec", Way::Needs("the gem rspec_junit_formatter, which writes JUnit XML")),
    (
        "Gemfile",
        "minitest or RSpec",
        Way::Needs("the gem minitest-reporters or rspec_junit_formatter, which write JUnit XML"),
    ),
    (
        "build.gradle",
        "Gradle",
        Way::Leaves(&["./gradlew", "test"], "build/test-results/test/*.xml"),
    ),
    (
        "build.gradle.kts",
        "Gradle",
        Way::Leaves(&["./gradlew", "test"], "build/test-results/test/*.xml"),
    ),
    (
        "CMakeLists.txt",
        "CTest",
        Way::Writes(&["ctest", "--test-dir", "build", "--output-junit", "{report}"]),
    ),
];

/// The first such tool of a folder.
pub fn foreign(tree: &dyn Tree, dir: &str) -> Option<Foreign> {
    script(tree, dir).or_else(|| {
        let there = |(file, ..): &&(&str, &str, Way)| tree.read(&below(dir, file)).is_some();
        let (file, name, way) = FILES.iter().find(there)?;
        Some(Foreign { name, why: below(dir, file), nearest: nearest(name, way) })
    })
}

/// What the script `test` names counts more than what is installed.
fn script(tree: &dyn Tree, dir: &str) -> Option<Foreign> {
    let manifest = below(dir, "package.json");
    let package: Value = serde_json::from_str(&text(tree, &manifest)?).ok()?;
    let scripts = package.get("scripts").and_then(Value::as_object);
    let commands: Vec<&str> =
        scripts.into_iter().flat_map(|all| all.values()).filter_map(Value::as_str).collect();
    let runs = |name: &str| {
        commands.iter().any(|command| {
            command.split(|c: char| c.is_whitespace() || ";&|".contains(c)).any(|word| word == name)
        })
    };
    let has = |name: &str| {
        ["devDependencies", "dependencies"]
            .iter()
            .any(|key| package.get(key).is_some_and(|list| list.get(name).is_some()))
    };
    let by_script = SCRIPTS.iter().find(|(name, _)| runs(name)).map(|one| (one, "runs"));
    let ((name, way), how) =
        by_script.or_else(|| Some((SCRIPTS.iter().find(|(name, _)| has(name))?, "has")))?;
    Some(Foreign { name, why: format!("{manifest} {how} {name}"), nearest: nearest(name, way) })
}

fn nearest(name: &str, way: &Way) -> String {
    let listed = |words: &[&str]| {
        let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        quoted.join(", ")
    };
    let told = |words: &[&str], report: &str| {
        format!(
            "write `runner = \"junit\"`, `test_cmd = [{}]` and `report = \"{report}\"` into proctor.toml",
            listed(words)
        )
    };
    match way {
        Way::Writes(words) => told(words, "{report}"),
        Way::Leaves(words, report) => told(words, report),
        Way::Needs(what) => format!(
            "{name} is read through JUnit XML, which takes {what}: `runner = \"junit\"`, a `test_cmd` for it and its `report` in proctor.toml"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_lang::tree::MemoryTree;

    fn said(files: &[(&str, &str)]) -> Option<String> {
        let tree: MemoryTree = files.iter().map(|(path, text)| (*path, *text)).collect();
        foreign(&tree, "").map(|tool| format!("{}: {}", tool.name, tool.why))
    }

    #[test]
    fn a_tool_is_named_by_what_the_scripts_run_then_by_what_is_installed_or_lies_there() {
        let both = r#"{"scripts": {"test": "npm run unit", "unit": "nyc qunit 'test/*.js'"}}"#;
        for (file, text, wanted) in [
            ("package.json", both, Some("qunit: package.json runs qunit")),
            (
                "package.json",
                r#"{"devDependencies": {"qunit": "1"}}"#,
                Some("qunit: package.json has qunit"),
            ),
            ("package.json", "{}", None),
            ("package.json", "{", None),
            ("phpunit.xml", "", Some("PHPUnit: phpunit.xml")),
            ("build.gradle.kts", "", Some("Gradle: build.gradle.kts")),
            ("README.md", "qunit", None),
        ] {
            assert_eq!(said(&[(file, text)]).as_deref(), wanted);
        }
    }

    #[test]
    fn the_nearest_way_can_be_copied() {
        let tree: MemoryTree = [("phpunit.xml", "")].into_iter().collect();
        let way = foreign(&tree, "").unwrap().nearest;
        assert!(way.contains(r#"test_cmd = ["vendor/bin/phpunit", "#), "{way}");
        assert!(way.contains(r#"report = "{report}""#), "{way}");
    }
}
