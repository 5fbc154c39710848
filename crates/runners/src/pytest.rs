//! pytest: its command line and environment. The project's own configuration is used, but only one that lies
//! in the tree. Reading what came out is `pytest_read`'s.
//!
//! Plugins stay loaded by themselves: ordinary projects rely on such ones as pytest-asyncio, and without them
//! their tests would fail for a wrong reason. Our own plugin keeps the run in one process and without retries.

use crate::ask::{Ask, Plan, Runner, Selection, Step, StepOutput, base_env, slashed};
use crate::deciding::has_ini_section;
use crate::tree::{Tree, below, upward};
use crate::zone::{Zone, zone};
use crate::{pytest_read, python_items};
use proctor_core::item::TestItem;
use proctor_core::report::TestReport;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const PLUGIN: &str = include_str!("proctor_report.py");

/// Python's pytest, 7 or later.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pytest;

impl Runner for Pytest {
    fn name(&self) -> &'static str {
        "pytest"
    }

    fn plan(&self, ask: &Ask) -> Plan {
        let mut files =
            vec![(plugin_folder(ask).join("proctor_report.py"), PLUGIN.as_bytes().to_vec())];
        if let Selection::Ids(ids) = &ask.only {
            let ids: Vec<&str> = ids.iter().map(proctor_core::words::TestId::as_str).collect();
            files.push((only_file(ask), serde_json::to_vec(&ids).unwrap_or_default()));
        }
        let folders =
            vec![ask.home(), ask.temp(), plugin_folder(ask), ask.scratch.join("coverage")];
        Plan { files, folders }
    }

    fn next(&self, ask: &Ask, done: &[StepOutput]) -> Option<Step> {
        done.is_empty().then(|| step(ask))
    }

    fn read(&self, ask: &Ask, done: &[StepOutput]) -> TestReport {
        pytest_read::read(ask, done)
    }

    fn items(&self, tree: &dyn Tree, paths: &[String]) -> Vec<TestItem> {
        python_items::items(tree, paths)
    }

    fn zone(&self, path: &str) -> Zone {
        zone(path)
    }
}

fn plugin_folder(ask: &Ask) -> PathBuf {
    ask.scratch.join("plugin")
}

fn only_file(ask: &Ask) -> PathBuf {
    ask.scratch.join("only.json")
}

pub(crate) fn lines_file(ask: &Ask) -> PathBuf {
    ask.scratch.join("pytest.jsonl")
}

pub(crate) fn junit_file(ask: &Ask) -> PathBuf {
    ask.scratch.join("junit.xml")
}

fn step(ask: &Ask) -> Step {
    let workdir = ask.workdir();
    let python = ask.tools.python.clone().unwrap_or_else(|| PathBuf::from("python3"));
    let mut argv: Vec<OsString> = vec![python.into(), "-m".into(), "pytest".into()];
    argv.extend(ask.tools.extra_args.iter().map(OsString::from));
    // Ours come last: the last of an option wins.
    let (config, root) = configuration(ask);
    argv.extend(
        ["-p", "proctor_report", "--continue-on-collection-errors", "--maxfail=0"]
            .map(OsString::from),
    );
    argv.extend(
        [
            "--tb=short",
            "-v",
            "--color=no",
            "-o",
            "junit_family=xunit2",
            "-o",
            "junit_suite_name=pytest",
        ]
        .map(OsString::from),
    );
    argv.push(joined("--junitxml=", &junit_file(ask)));
    // A cache of this run alone. Switching the cache off would make `--ff` and the like unknown options.
    argv.push("-o".into());
    argv.push(joined("cache_dir=", &ask.scratch.join("pytest-cache")));
    argv.push("-c".into());
    argv.push(config.as_os_str().to_owned());
    argv.push(joined("--rootdir=", &root));
    if config == Path::new(NO_CONFIGURATION) {
        // Without a file of its own pytest would also load each conftest.py above the tree.
        argv.push(joined("--confcutdir=", &ask.tree));
    }
    if let Selection::Ids(ids) = &ask.only {
        let files: BTreeSet<&str> =
            ids.iter().map(|id| id.as_str().split("::").next().unwrap_or("")).collect();
        argv.extend(files.into_iter().map(|file| OsString::from(ask.tree.join(file))));
    }
    let mut paths = vec![plugin_folder(ask), workdir.clone()];
    let src = workdir.join("src");
    if src.is_dir() {
        paths.push(src);
    }
    let mut env = base_env(ask);
    if let Some(given) = ask.extra_env.get("PYTHONPATH") {
        paths.extend(std::env::split_paths(given));
    }
    env.insert("PYTHONPATH".into(), std::env::join_paths(&paths).unwrap_or_default());
    // The tree holds no compiled files (whoever assembles it sees to that) and none is written. Those of the
    // installed packages are used: compiling pytest anew would cost a second in every run.
    env.insert("PYTHONDONTWRITEBYTECODE".into(), "1".into());
    env.insert("PYTHONHASHSEED".into(), "0".into());
    env.insert("COVERAGE_FILE".into(), ask.scratch.join("coverage/data").into());
    env.insert("PROCTOR_REPORT".into(), lines_file(ask).into());
    env.insert("PROCTOR_TREE".into(), ask.tree.clone().into());
    if matches!(ask.only, Selection::Ids(_)) {
        env.insert("PROCTOR_ONLY".into(), only_file(ask).into());
    }
    for unset in
        ["PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTHONSTARTUP", "PYTEST_DISABLE_PLUGIN_AUTOLOAD"]
    {
        env.remove(&OsString::from(unset));
    }
    Step { label: "pytest".to_owned(), argv, cwd: workdir, env }
}

fn joined(flag: &str, path: &Path) -> OsString {
    let mut text = OsString::from(flag);
    text.push(path);
    text
}

/// Given to pytest where the tree has no configuration: it must not look for one above the tree.
const NO_CONFIGURATION: &str = "/dev/null";

/// The configuration file that holds for the workdir, and the root that goes with it. Named outright, since
/// pytest by itself would look above the tree, and would choose by which files it is given.
fn configuration(ask: &Ask) -> (PathBuf, PathBuf) {
    let subdir = slashed(Path::new(&ask.subdir));
    for folder in upward(&subdir) {
        for name in [
            "pytest.toml",
            ".pytest.toml",
            "pytest.ini",
            ".pytest.ini",
            "pyproject.toml",
            "tox.ini",
            "setup.cfg",
        ] {
            let path = ask.tree.join(below(folder, name));
            let Ok(text) = std::fs::read_to_string(&path) else {
                continue;
            };
            if configures_pytest(name, &text) {
                return (
                    path,
                    if folder.is_empty() { ask.tree.clone() } else { ask.tree.join(folder) },
                );
            }
        }
    }
    (PathBuf::from(NO_CONFIGURATION), ask.workdir())
}

/// Whether pytest would take its options from this file.
pub(crate) fn configures_pytest(name: &str, text: &str) -> bool {
    match name {
        "pytest.ini" | ".pytest.ini" | "pytest.toml" | ".pytest.toml" => true,
        "pyproject.toml" => toml::from_str::<toml::Table>(text)
            .is_ok_and(|table| table.get("tool").and_then(|tool| tool.get("pytest")).is_some()),
        "tox.ini" => has_ini_section(text, "pytest"),
        "setup.cfg" => has_ini_section(text, "tool:pytest"),
        _ => false,
    }
}
