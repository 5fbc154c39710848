//! Python outside pytest: a plain program that loads the test files under other names, with small stand-ins for pytest and
//! unittest, and calls their bodies. The program is `python/main.py` and the files beside it; here it is given its work.

use super::{Ends, Outside, OutsideEnd, all_not_made, not_made};
use crate::ask::{Ask, Plan, Step, StepEnd, StepOutput, base_env};
use crate::json_lines;
use crate::python::pytest::{NO_CONFIGURATION, configuration, import_paths};
use crate::python::roots;
use proctor_core::item::TestItem;
use proctor_core::words::TestId;
use proctor_lang::child_file;
use proctor_lang::python::items;
use proctor_lang::tree::{Tree, below, parent, upward};
use proctor_lang::zone::{Zone, has_ending, zone};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// The program. Its names say nothing to the code that it calls.
const PROGRAM: [(&str, &str); 8] = [
    ("main.py", include_str!("python/main.py")),
    ("bodies.py", include_str!("python/bodies.py")),
    ("running.py", include_str!("python/running.py")),
    ("standin.py", include_str!("python/standin.py")),
    ("checks.py", include_str!("python/checks.py")),
    ("places.py", include_str!("python/places.py")),
    ("signs.py", include_str!("python/signs.py")),
    ("sources.py", include_str!("../python/proctor_probe.py")),
];

/// Seconds for the tests of one file.
const FILE_LIMIT: u32 = 300;

/// Settings of pytest that change nothing for a test's body. All others may.
const QUIET_SETTINGS: [&str; 24] = [
    "minversion",
    "addopts",
    "testpaths",
    "python_files",
    "python_classes",
    "python_functions",
    "pythonpath",
    "markers",
    "norecursedirs",
    "collect_ignore",
    "junit_family",
    "junit_suite_name",
    "cache_dir",
    "console_output_style",
    "xfail_strict",
    "strict",
    "asyncio_mode",
    "asyncio_default_fixture_loop_scope",
    "asyncio_default_test_loop_scope",
    "filterwarnings",
    "timeout",
    "required_plugins",
    "verbosity_assertions",
    "consider_namespace_packages",
];

pub(super) fn plan(ask: &Ask, tree: &dyn Tree, tests: &[TestItem]) -> Outside {
    let folder = ask.scratch.join("app");
    let mut files: Vec<_> = PROGRAM
        .into_iter()
        .map(|(name, text)| (folder.join(name), text.as_bytes().to_vec()))
        .collect();
    let work = folder.join("work.json");
    files.push((work.clone(), job(ask, tree, tests).to_string().into_bytes()));
    let mut env = base_env(ask);
    let paths = import_paths(ask, &roots::of(ask));
    env.insert("PYTHONPATH".into(), std::env::join_paths(paths).unwrap_or_default());
    env.insert("PYTHONDONTWRITEBYTECODE".into(), "1".into());
    env.insert("PYTHONHASHSEED".into(), "0".into());
    let tells = |key: &str| {
        ["PYTEST", "PROCTOR", "COVERAGE_", "TOX_"].iter().any(|p| key.starts_with(p))
            || key == "PYTHONSTARTUP"
    };
    env.retain(|key, _| !tells(&key.to_string_lossy()));
    let argv = vec![ask.tools.program("python").into(), folder.join("main.py").into(), work.into()];
    let step = Step { label: "python".to_owned(), argv, cwd: ask.workdir(), env };
    Outside {
        plan: Plan { files, folders: vec![ask.home(), ask.temp(), folder] },
        steps: vec![step],
    }
}

fn job(ask: &Ask, tree: &dyn Tree, tests: &[TestItem]) -> Value {
    let settings = Settings::of(ask);
    let roots = roots::of(ask);
    let paths = tree.paths();
    let checks: Vec<_> = paths
        .iter()
        .filter(|p| has_ending(p, "py") && zone(p) == Zone::Test)
        .chain(tests.iter().map(|test| &test.place.file))
        .map(|p| ask.tree.join(p))
        .collect();
    let mut by_file: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for test in tests {
        let ids = by_file.entry(test.place.file.as_str()).or_default();
        if !ids.contains(&test.id.as_str()) {
            ids.push(test.id.as_str());
        }
    }
    let file = |(path, ids): (&str, Vec<&str>)| {
        let all: Vec<TestId> =
            items::items(tree, &[path.to_owned()]).into_iter().map(|item| item.id).collect();
        let mut conftests: Vec<_> = upward(parent(path))
            .into_iter()
            .map(|folder| below(folder, "conftest.py"))
            .filter(|at| paths.contains(at))
            .map(|at| ask.tree.join(at))
            .collect();
        conftests.reverse();
        json!({
            "file": ask.tree.join(path), "ids": ids, "all": all, "conftests": conftests,
            "markers": settings.markers, "why": settings.unlike,
        })
    };
    json!({
        "tree": ask.tree, "scratch": ask.scratch, "program": ask.scratch.join("app"),
        "roots": roots.folders, "projects": roots.projects, "elsewhere": ask.elsewhere,
        "checks": checks, "limit": FILE_LIMIT,
        "files": by_file.into_iter().map(file).collect::<Vec<_>>(),
    })
}

/// What pytest's own configuration says that matters here.
#[derive(Default)]
struct Settings {
    /// The project's own marks.
    markers: Vec<String>,
    /// A setting that may change what a body does.
    unlike: Option<String>,
}

impl Settings {
    fn of(ask: &Ask) -> Self {
        let (path, _) = configuration(ask);
        if path == Path::new(NO_CONFIGURATION) {
            return Self::default();
        }
        let text = child_file::read_to_string(&path).unwrap_or_default();
        let table = if has_ending(&path.to_string_lossy(), "toml") {
            from_toml(&text)
        } else {
            let sections = ["pytest", "tool:pytest"];
            let own = roots::ini(&text).into_iter();
            own.filter(|((section, _), _)| sections.contains(&section.as_str()))
                .map(|((_, key), value)| (key, value))
                .collect()
        };
        Self::from_table(&table)
    }

    fn from_table(table: &BTreeMap<String, String>) -> Self {
        let quiet = |key: &str| {
            QUIET_SETTINGS.contains(&key) || key.starts_with("log_") || key.starts_with("doctest_")
        };
        let loud = table.keys().find(|key| !quiet(key));
        let options = table.get("addopts").map_or("", String::as_str);
        let mut words = options.split_whitespace();
        // Plugins, warnings that are errors, and options of plugins that set things up.
        let option = words.find(|word| {
            let plain = ["-p", "-W", "--ds", "--dc", "--env", "--disable-socket", "--import-mode"];
            plain.iter().any(|p| word.starts_with(p)) && !word.starts_with("-pno:")
        });
        let unlike = loud
            .map(|key| format!("its tool's configuration sets {key}"))
            .or_else(|| option.map(|word| format!("its tool is always called with {word}")));
        let markers = table.get("markers").map_or("", String::as_str).lines();
        let markers = markers
            .map(|line| line.split([':', '(']).next().unwrap_or("").trim().to_owned())
            .filter(|name| !name.is_empty())
            .collect();
        Self { markers, unlike }
    }
}

/// Lists with a line for each entry.
fn from_toml(text: &str) -> BTreeMap<String, String> {
    let Ok(table) = toml::from_str::<toml::Table>(text) else { return BTreeMap::new() };
    let tool = table.get("tool").and_then(|tool| tool.get("pytest"));
    let own = match tool {
        Some(tool) => tool.get("ini_options").unwrap_or(tool).as_table(),
        None => table.get("pytest").and_then(toml::Value::as_table),
    };
    let words = |value: &toml::Value| match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Array(list) => {
            list.iter().filter_map(toml::Value::as_str).collect::<Vec<_>>().join("\n")
        }
        other => other.to_string(),
    };
    own.into_iter().flatten().map(|(key, value)| (key.clone(), words(value))).collect()
}

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    id: Option<String>,
    end: End,
    #[serde(default)]
    say: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum End {
    Holds,
    Fails,
    NotMade,
    All,
}

pub(super) fn read(tests: &[TestItem], done: &[StepOutput]) -> Ends {
    let Some(step) = done.first().filter(|step| step.end == StepEnd::Exited(0)) else {
        return all_not_made(tests, "the program that calls the bodies did not come to its end");
    };
    let Ok(lines) = json_lines::read::<Line>(&step.stdout) else {
        return all_not_made(tests, "what the program that calls the bodies wrote can't be read");
    };
    if !matches!(lines.last(), Some(Line { end: End::All, .. })) {
        return all_not_made(tests, "the program that calls the bodies left early");
    }
    let told: BTreeMap<String, OutsideEnd> = lines
        .into_iter()
        .filter_map(|line| {
            let end = match line.end {
                End::Holds => OutsideEnd::Holds,
                End::Fails => OutsideEnd::Fails { message: line.say },
                End::NotMade => not_made(line.say),
                End::All => return None,
            };
            Some((line.id?, end))
        })
        .collect();
    let end = |test: &TestItem| told.get(test.id.as_str()).cloned();
    tests
        .iter()
        .map(|test| (test.id.clone(), end(test).unwrap_or_else(|| not_made("nothing was said"))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unlike(text: &str) -> Option<String> {
        Settings::from_table(&from_toml(text)).unlike
    }

    #[test]
    fn only_settings_that_change_nothing_for_a_body_are_quiet() {
        assert_eq!(unlike("[tool.pytest.ini_options]\naddopts = \"-q --strict-markers\"\n"), None);
        assert!(unlike("[tool.pytest.ini_options]\nenv = [\"A=1\"]\n").is_some());
        assert!(unlike("[tool.pytest.ini_options]\naddopts = [\"-W\", \"error\"]\n").is_some());
        let table = from_toml("[tool.pytest.ini_options]\nmarkers = [\"net: needs it\", \"db\"]\n");
        assert_eq!(Settings::from_table(&table).markers, ["net", "db"]);
    }
}
