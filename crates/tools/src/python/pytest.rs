//! pytest: its command line and environment. The project's own configuration is used, but only one that lies
//! in the tree. Reading what came out is `read`'s.
//!
//! Plugins stay loaded by themselves: ordinary projects rely on such ones as pytest-asyncio, and without them
//! their tests would fail for a wrong reason. Our own plugin keeps the run in one process and without retries.

use super::{batch, coverage, plain, read, roots};
use crate::ask::{
    Ask, Batch, Coverage, Covered, Manner, Order, Plan, Runner, Selection, Step, StepEnd,
    StepOutput, Variant, base_env, slashed,
};
use crate::at_hand::AtHand;
use proctor_core::item::TestItem;
use proctor_core::report::TestReport;
use proctor_core::words::TestId;
use proctor_lang::child_file;
use proctor_lang::deciding::has_ini_section;
use proctor_lang::python::items;
use proctor_lang::tree::{Tree, below, upward};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The step that runs the tests.
pub(crate) const LABEL: &str = "pytest";

/// Our plugin and what it is made of.
const PLUGIN: [(&str, &str); 4] = [
    ("proctor_report.py", include_str!("proctor_report.py")),
    ("proctor_files.py", include_str!("proctor_files.py")),
    ("proctor_raised.py", include_str!("proctor_raised.py")),
    ("proctor_probe.py", include_str!("proctor_probe.py")),
];

/// Python's pytest, 7 or later.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pytest;

impl Runner for Pytest {
    fn name(&self) -> &'static str {
        "pytest"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["python"]
    }

    fn plan(&self, ask: &Ask) -> Plan {
        plan(ask)
    }

    fn next(&self, ask: &Ask, done: &[StepOutput]) -> Option<Step> {
        let ran = done.iter().find(|step| step.label == LABEL);
        match (ask.coverage, ran) {
            (Coverage::Off, Some(_)) => None,
            (Coverage::Off, None) if ask.manner == Manner::Users => Some(plain::step(ask)),
            (Coverage::Off, None) => Some(step(ask, Around::Nothing)),
            (Coverage::Measured, None) if done.is_empty() => Some(coverage::probe(ask)),
            // Without the tool the tests run all the same.
            (Coverage::Measured, None) => {
                let there = coverage::is_there(done);
                Some(step(ask, if there { Around::Coverage } else { Around::Nothing }))
            }
            (Coverage::Measured, Some(ran)) => {
                let ended = matches!(ran.end, StepEnd::Exited(_) | StepEnd::Signalled(_));
                let last = done.last().is_some_and(|step| step.label == LABEL);
                (last && ended && coverage::is_there(done)).then(|| coverage::export(ask))
            }
        }
    }

    fn read(&self, ask: &Ask, done: &[StepOutput]) -> TestReport {
        match ask.manner {
            Manner::Ours => read::read(ask, done),
            Manner::Observing => read::observing(ask, done),
            Manner::Users => plain::read(ask, done),
        }
    }

    fn coverage(&self, ask: &Ask, done: &[StepOutput]) -> Covered {
        coverage::read(ask, done)
    }

    fn is_slowed_by_coverage(&self) -> bool {
        true
    }

    fn at_hand(&self, ask: &Ask) -> AtHand {
        let python = ask.tools.program("python");
        let name = python.file_name().map_or_else(|| "python".into(), OsStr::to_string_lossy);
        AtHand {
            imports: import_paths(ask, &roots::of(ask)),
            ..AtHand::of(ask, "python", &[&name, "-m", "pytest"])
        }
        .with("PYTHONDONTWRITEBYTECODE", "1")
    }

    fn items(&self, tree: &dyn Tree, paths: &[String]) -> Vec<TestItem> {
        items::items(tree, paths)
    }

    fn batch(&self, ask: &Ask, variants: &[Variant], workers: usize) -> Option<Batch> {
        batch::batch(ask, variants, workers)
    }

    fn leads(&self) -> bool {
        true
    }

    fn read_batch(&self, ask: &Ask, variants: &[Variant], done: &StepOutput) -> Vec<TestReport> {
        batch::read_batch(ask, variants, done)
    }
}

pub(crate) fn plan(ask: &Ask) -> Plan {
    if ask.manner == Manner::Users {
        return Plan { files: Vec::new(), folders: vec![ask.home(), ask.temp()] };
    }
    with_plugin(ask)
}

/// What our plugin needs, however the tests are started.
pub(crate) fn with_plugin(ask: &Ask) -> Plan {
    let mut files = coverage::files(ask);
    for (name, text) in PLUGIN {
        files.push((plugin_folder(ask).join(name), text.as_bytes().to_vec()));
    }
    if let Selection::Ids(ids) = &ask.only {
        let ids: Vec<&str> = ids.iter().map(TestId::as_str).collect();
        files.push((only_file(ask), serde_json::to_vec(&ids).unwrap_or_default()));
    }
    let folders = vec![ask.home(), ask.temp(), plugin_folder(ask), ask.scratch.join("coverage")];
    Plan { files, folders }
}

pub(crate) fn plugin_folder(ask: &Ask) -> PathBuf {
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

/// What pytest is started by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Around {
    Nothing,
    Coverage,
}

pub(crate) fn step(ask: &Ask, around: Around) -> Step {
    let mut argv: Vec<OsString> = vec![ask.tools.program("python").into()];
    if around == Around::Coverage {
        argv.extend(coverage::around(ask));
    }
    argv.extend(["-m", "pytest"].map(OsString::from));
    argv.extend(ask.tools.extra_args.iter().map(OsString::from));
    // Ours come last: the last of an option wins.
    let (config, root) = configuration(ask);
    argv.extend(
        ["-p", "proctor_report", "--continue-on-collection-errors", "--maxfail=0"]
            .map(OsString::from),
    );
    argv.extend(
        ["--color=no", "-o", "junit_family=xunit2", "-o", "junit_suite_name=pytest"]
            .map(OsString::from),
    );
    if ask.manner == Manner::Observing {
        // Only the channel is read of these, and many of them fail: pytest's accounts would cost more than the tests.
        argv.extend(["--tb=no", "-qq", "--capture=sys"].map(OsString::from));
    } else {
        argv.extend(["--tb=short", "-v"].map(OsString::from));
        argv.push(joined("--junitxml=", &junit_file(ask)));
    }
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
    argv.extend(chosen(ask));
    let mut env = environment(ask);
    if around == Around::Coverage {
        let (name, core) = coverage::CORE;
        env.insert(name.into(), core.into());
    }
    let cwd = ask.started_in(ask.workdir());
    Step { label: LABEL.to_owned(), argv, cwd, env }
}

/// The files of the tests that are asked for; none where all are.
pub(crate) fn chosen(ask: &Ask) -> Vec<OsString> {
    let Selection::Ids(ids) = &ask.only else {
        // What is to be collected is looked for where it is started.
        return ask.start.iter().map(|_| ask.workdir().into()).collect();
    };
    let file = |id: &TestId| id.as_str().split("::").next().unwrap_or("").to_owned();
    let files: BTreeSet<String> = ids.iter().map(file).collect();
    files.into_iter().map(|file| OsString::from(ask.tree.join(file))).collect()
}

/// The folders that the project's code is imported from, before whatever is installed: an environment may hold another
/// copy of the project.
pub(crate) fn import_paths(ask: &Ask, roots: &roots::Roots) -> Vec<PathBuf> {
    let mut paths = roots.folders.clone();
    if let Some(given) = ask.extra_env.get("PYTHONPATH") {
        paths.extend(std::env::split_paths(given).map(|path| roots::turned(ask, path)));
    }
    paths
}

pub(crate) fn environment(ask: &Ask) -> BTreeMap<OsString, OsString> {
    let roots = roots::of(ask);
    let mut paths = vec![plugin_folder(ask)];
    paths.extend(import_paths(ask, &roots));
    let listed = |paths: &[PathBuf]| std::env::join_paths(paths).unwrap_or_default();
    let mut env = base_env(ask);
    let mut set = |key: &str, value: OsString| env.insert(key.into(), value);
    set("PYTHONPATH", listed(&paths));
    // The tree holds no compiled files (whoever assembles it sees to that) and none is written. Those of the
    // installed packages are used: compiling pytest anew would cost a second in every run.
    set("PYTHONDONTWRITEBYTECODE", "1".into());
    set("PYTHONHASHSEED", "0".into());
    set("COVERAGE_FILE", coverage::numbers(ask).into());
    set("PROCTOR_REPORT", lines_file(ask).into());
    set("PROCTOR_TREE", ask.tree.clone().into());
    set("PROCTOR_SCRATCH", ask.scratch.clone().into());
    set("PROCTOR_ROOTS", listed(&roots.folders));
    set("PROCTOR_ELSEWHERE", listed(&ask.elsewhere));
    set("PROCTOR_PROJECTS", roots.projects.join("\n").into());
    if matches!(ask.only, Selection::Ids(_)) {
        set("PROCTOR_ONLY", only_file(ask).into());
    }
    match ask.order {
        Order::AsWritten => {}
        Order::Shuffled(seed) => {
            set("PROCTOR_ORDER", seed.to_string().into());
        }
    }
    for unset in [
        "PYTEST_ADDOPTS",
        "PYTEST_PLUGINS",
        "PYTHONSTARTUP",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD",
        "PYTEST_XDIST_WORKER",
        "COVERAGE_PROCESS_START",
        "COVERAGE_PROCESS_CONFIG",
        "COVERAGE_RCFILE",
    ] {
        env.remove(&OsString::from(unset));
    }
    env
}

pub(crate) fn joined(flag: &str, path: &Path) -> OsString {
    let mut text = OsString::from(flag);
    text.push(path);
    text
}

/// Given to pytest where the tree has no configuration: it must not look for one above the tree.
pub(crate) const NO_CONFIGURATION: &str = "/dev/null";

/// The configuration file that holds for the workdir, and the root that goes with it. Named outright, since
/// pytest by itself would look above the tree, and would choose by which files it is given.
pub(crate) fn configuration(ask: &Ask) -> (PathBuf, PathBuf) {
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
            let Ok(text) = child_file::read_to_string(&path) else {
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
