//! Which folders of a tree are tested, and with what. Settled on the base commit and recorded with the baseline; every
//! later gate uses the same, whatever the change did to the files that name a tool.
//!
//! Where a repository holds several projects, each test id begins with its project, so that no two can be confused.

use crate::furnish::Furniture;
use crate::sources::{Surveyed, sources};
use crate::{Halt, Lab};
use proctor_core::brief::{Hang, ProjectSpec, RunnerSpec};
use proctor_core::event::Project;
use proctor_core::item::TestItem;
use proctor_core::report::{RunEnd, TestReport};
use proctor_core::words::{TestId, TreeId};
use proctor_lang::Tree;
use proctor_tools::{
    Ask, Nextest, RUNNERS, Runner, Selection, Tools, by_name, detect, foreign, from_command,
    only_unittest,
};
use proctor_world::include;
use proctor_world::leftovers::TOKEN;
use proctor_world::shadow::Shadow;
use proctor_world::venv;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Everything that is tested in one tree.
#[derive(Clone, Default)]
pub struct Suite {
    pub benches: Vec<Bench>,
    /// Files of the user's checkout that every tree gets.
    pub copies: Vec<String>,
    /// What the installed packages of the checkout are known by.
    packages: Option<String>,
    /// Folders of the checkout that installed packages are imported from. Tests see them empty: the tree's own serve.
    pub editable: Vec<PathBuf>,
}

/// One project: its runner and what that needs from this machine.
#[derive(Clone)]
pub struct Bench {
    pub project: Project,
    pub runner: Arc<dyn Runner>,
    pub tools: Tools,
    pub env: BTreeMap<String, String>,
    /// What every id of this project begins with; empty where there is only one project.
    prefix: String,
}

const NO_RUNNER: &str = "no test runner was found in this repository\nhint: name one with `--runner NAME` or `--test-cmd`, or write `runner = …` into proctor.toml; add a first test where there is none";

impl Lab {
    /// The suite of a tree.
    pub fn suite(&self, shadow: &Shadow, tree: &dyn Tree) -> Result<Suite, Halt> {
        self.suite_of_projects(shadow, &self.planned(tree)?)
    }

    /// The suite of a commit, found from its files.
    pub fn suite_of(&self, shadow: &Shadow, tree: &TreeId) -> Result<Suite, Halt> {
        let listing = shadow.list(tree)?;
        self.suite(shadow, &Surveyed::new(shadow, &listing)?)
    }

    /// A suite of projects that are known.
    pub fn suite_of_projects(
        &self,
        shadow: &Shadow,
        planned: &[(Project, RunnerSpec)],
    ) -> Result<Suite, Halt> {
        let several = planned.len() > 1;
        let labels: Vec<String> = planned.iter().map(|(project, _)| label(project)).collect();
        let mut benches = Vec::new();
        for ((project, spec), name) in planned.iter().zip(&labels) {
            let twice = labels.iter().filter(|label| *label == name).count() > 1;
            let prefix = match (several, twice) {
                (false, _) => String::new(),
                (true, false) => format!("{name}: "),
                (true, true) => format!("{name} ({}): ", project.runner),
            };
            benches.push(self.bench(project.clone(), spec, prefix)?);
        }
        // What every tree gets is the base's to say, whatever the change did to the file that says it.
        let base = shadow.list(&shadow.tree_of(&self.base)?)?;
        let named = sources(shadow, &base, |path| path == include::FILE)?;
        let root = self.root();
        let scripts = benches.iter().any(Bench::is_script);
        let packages = scripts.then(|| proctor_world::packages::identity(root)).flatten();
        let pythons = benches.iter().filter_map(|bench| bench.tools.programs.get("python"));
        let editable = pythons
            .flat_map(|python| venv::paths_into(&installed_beside(python), root))
            .map(|inside| root.join(inside))
            .collect();
        Ok(Suite { benches, copies: self.copies(&named, &base)?, packages, editable })
    }

    /// The projects with what was said about each: by flags and configuration, by the baseline's record, or found.
    pub fn planned(&self, tree: &dyn Tree) -> Result<Vec<(Project, RunnerSpec)>, Halt> {
        let setting = &self.setting;
        let subdir = setting.repo.subdir.as_str();
        if !self.settled.is_empty() {
            let spec = |project: &Project| self.spec_of(&project.dir);
            return Ok(self.settled.iter().map(|p| (p.clone(), spec(p))).collect());
        }
        if setting.runner.command.is_some() || !setting.runner.report.is_empty() {
            return Ok(vec![(named(subdir, &setting.runner)?, setting.runner.clone())]);
        }
        let given: Vec<&ProjectSpec> =
            setting.projects.iter().filter(|p| inside(&p.dir, subdir)).collect();
        if setting.runner.name.is_none() && !given.is_empty() {
            let plan = |p: &&ProjectSpec| match (&p.runner.name, &p.runner.command) {
                (None, None) => found_in(tree, &p.dir, &p.runner),
                _ => Ok((named(&p.dir, &p.runner)?, p.runner.clone())),
            };
            return given.iter().map(plan).collect();
        }
        let mut found = detect(tree, subdir);
        if let Some(name) = &setting.runner.name {
            found.retain(|f| f.runner == name);
            if found.is_empty() {
                return Ok(vec![(named(subdir, &setting.runner)?, setting.runner.clone())]);
            }
        }
        if found.is_empty() {
            let other = foreign(tree, subdir).map(|tool| tool.to_string());
            return Err(Halt::lasting(other.unwrap_or_else(|| NO_RUNNER.to_owned())));
        }
        for f in found.iter_mut().filter(|f| f.runner == "pytest" && setting.runner.name.is_none())
        {
            if only_unittest(tree, &f.dir) && !self.has_pytest(&f.dir)? {
                f.runner = "unittest";
                f.why = format!(
                    "unittest: {}, and pytest is not installed",
                    f.why.replacen("pytest: ", "", 1)
                );
            }
        }
        let project = |f: &proctor_tools::Found| Project {
            dir: f.dir.clone(),
            runner: f.runner.to_owned(),
            why: f.why.clone(),
        };
        Ok(found.iter().map(|f| (project(f), RunnerSpec::default())).collect())
    }

    /// What flags or configuration say about a folder that is known already.
    fn spec_of(&self, dir: &str) -> RunnerSpec {
        let setting = &self.setting;
        if setting.runner.command.is_some() || !setting.runner.report.is_empty() {
            return setting.runner.clone();
        }
        let own = setting.projects.iter().find(|p| p.dir == dir);
        own.map(|p| p.runner.clone()).unwrap_or_default()
    }

    fn bench(&self, project: Project, spec: &RunnerSpec, prefix: String) -> Result<Bench, Halt> {
        let Some(runner) = by_name(&project.runner) else {
            return Err(unknown(&project.runner));
        };
        let mut tools = Tools { reports: spec.report.clone(), ..Tools::default() };
        let mut given = None;
        match &spec.command {
            Some(argv) if project.runner == "junit" => tools.command.clone_from(argv),
            Some(argv) => {
                let command =
                    from_command(argv).map_err(|error| Halt::lasting(error.to_string()))?;
                tools.extra_args = command.extra_args;
                given = command.program.map(|path| path.to_string_lossy().into_owned());
            }
            None => {}
        }
        let env = self.find_tools(&*runner, &project.dir, given.as_deref(), &mut tools)?;
        if self.setting.hang == Hang::IsTheBug {
            // nextest does not tell which test was running when the time was up.
            tools.nextest = Nextest::Absent;
        }
        Ok(Bench { project, runner: runner.into(), tools, env, prefix })
    }
}

fn label(project: &Project) -> String {
    if project.dir.is_empty() { project.runner.clone() } else { project.dir.clone() }
}

fn inside(dir: &str, subdir: &str) -> bool {
    subdir.is_empty() || dir == subdir || dir.starts_with(&format!("{subdir}/"))
}

fn unknown(name: &str) -> Halt {
    Halt::lasting(format!(
        "the test runner `{name}` is not known\nhint: {} are",
        RUNNERS.join(", ")
    ))
}

/// A project whose tool was named.
fn named(dir: &str, spec: &RunnerSpec) -> Result<Project, Halt> {
    let runner = match (&spec.name, &spec.command) {
        (Some(name), _) => name.clone(),
        (None, Some(_)) if !spec.report.is_empty() => "junit".to_owned(),
        (None, Some(argv)) => {
            from_command(argv).map_err(|error| Halt::lasting(error.to_string()))?.runner.to_owned()
        }
        (None, None) => return Err(Halt::lasting(NO_RUNNER)),
    };
    Ok(Project { dir: dir.to_owned(), runner, why: "as configured".to_owned() })
}

/// A project whose folder was named and whose tool was not.
fn found_in(tree: &dyn Tree, dir: &str, spec: &RunnerSpec) -> Result<(Project, RunnerSpec), Halt> {
    let found = detect(tree, dir).into_iter().find(|f| f.dir == dir);
    let Some(found) = found else {
        return Err(Halt::lasting(format!(
            "no test runner was found in the project folder {dir}\nhint: name one with `runner = …` in its [[project]]"
        )));
    };
    let project = Project { dir: found.dir, runner: found.runner.to_owned(), why: found.why };
    Ok((project, spec.clone()))
}

impl Suite {
    /// What the same tree could behave otherwise by: programs, environment, packages, copied files.
    pub fn surroundings(&self, root: &Path) -> String {
        let stamp = |path: &Path| {
            let about = std::fs::metadata(path).ok();
            let when = about.as_ref().and_then(|a| a.modified().ok());
            format!("{} {:?} {when:?};", path.display(), about.map(|a| a.len()))
        };
        // Writing into a string can't fail.
        let mut text = format!("{:?} ", self.packages);
        for bench in &self.benches {
            let mut env = bench.env.clone();
            // Names the run, and decides nothing.
            env.remove(TOKEN);
            let _ = write!(text, "{:?} {:?} {env:?} ", bench.project, bench.tools);
            for path in bench.tools.programs.values() {
                text.push_str(&stamp(path));
                for site in installed_beside(path) {
                    text.push_str(&stamp(&site));
                }
            }
            for (home, names) in HOMES {
                if let Some(path) = env.get(home).map(Path::new) {
                    for name in names {
                        text.push_str(&stamp(&path.join(name)));
                    }
                }
            }
        }
        for name in &self.copies {
            let bytes = std::fs::read(root.join(name)).unwrap_or_default();
            let _ = write!(text, "{name} {} ", blake3::hash(&bytes));
        }
        text
    }

    pub fn projects(&self) -> Vec<Project> {
        self.benches.iter().map(|bench| bench.project.clone()).collect()
    }

    /// Whether a tool keeps what it builds from run to run and goes by times to tell what is out of date. The others go
    /// by content, or keep nothing.
    pub fn goes_by_times(&self) -> bool {
        self.benches.iter().any(|bench| bench.project.runner == "cargo")
    }

    /// The runners' names, for people.
    pub fn name(&self) -> String {
        let mut names: Vec<&str> = self.benches.iter().map(|b| b.runner.name()).collect();
        names.dedup();
        names.join(", ")
    }

    /// The tests in these source files, of every project that they lie in.
    pub fn items(&self, tree: &dyn Tree, paths: &[String]) -> Vec<TestItem> {
        let items = |bench: &Bench| {
            let own: Vec<String> =
                paths.iter().filter(|path| inside(path, &bench.project.dir)).cloned().collect();
            bench
                .runner
                .items(tree, &own)
                .into_iter()
                .map(|mut item| {
                    item.id = bench.outside(&item.id);
                    item
                })
                .collect::<Vec<_>>()
        };
        self.benches.iter().flat_map(items).collect()
    }
}

/// What decides in the folders that tools keep for a user. Cargo writes into its own whenever it runs, whatever runs it.
const HOMES: [(&str, &[&str]); 3] = [
    ("CARGO_HOME", &["config", "config.toml", "registry/src", "registry/index", "git/checkouts"]),
    ("RUSTUP_HOME", &["", "settings.toml", "toolchains"]),
    ("GOMODCACHE", &[""]),
];

/// Where a Python keeps what is installed for it. Each install changes the folder.
pub(crate) fn installed_beside(python: &Path) -> Vec<PathBuf> {
    let prefix = python.parent().and_then(Path::parent);
    prefix.and_then(venv::describe).map(|found| found.site_packages).unwrap_or_default()
}

impl Bench {
    /// Whether its packages lie in `node_modules`.
    pub fn is_script(&self) -> bool {
        ["node", "bun", "deno"].iter().any(|name| self.runner.programs().contains(name))
    }

    pub(crate) fn is_python(&self) -> bool {
        self.runner.programs().contains(&"python")
    }

    pub fn tools_with(&self, given: &Furniture) -> Tools {
        let mut tools = self.tools.clone();
        if let Some(python) =
            given.python.as_ref().filter(|_| tools.programs.contains_key("python"))
        {
            tools.programs.insert("python".to_owned(), python.clone());
        }
        tools
    }

    pub fn env_with(&self, given: &Furniture) -> BTreeMap<String, String> {
        let mut env = self.env.clone();
        env.extend(given.env.clone());
        env
    }

    /// What third-party build products can be used again by; none for tools that keep none.
    pub fn warm_key(&self, ask: &Ask) -> Option<String> {
        if self.project.runner != "cargo" {
            return None;
        }
        let lock = [ask.workdir(), ask.tree.clone()]
            .iter()
            .find_map(|folder| std::fs::read(folder.join("Cargo.lock")).ok())?;
        let toolchain: Vec<_> = ["RUSTUP_TOOLCHAIN", "CARGO_HOME", "RUSTUP_HOME"]
            .iter()
            .map(|name| ask.extra_env.get(*name))
            .collect();
        let text = format!(
            "{} {:?} {toolchain:?} {:?}",
            blake3::hash(&lock),
            ask.tools.programs.get("cargo"),
            ask.tools.extra_args
        );
        Some(blake3::hash(text.as_bytes()).to_hex().to_string())
    }

    /// A tool's own id as everybody else knows it.
    pub fn outside(&self, id: &TestId) -> TestId {
        TestId::new(format!("{}{id}", self.prefix))
    }

    /// What of a selection is this project's, in its tool's own ids; none where nothing of it is.
    pub fn selected(&self, only: &Selection) -> Option<Selection> {
        let Selection::Ids(ids) = only else {
            return Some(Selection::All);
        };
        let own: Vec<TestId> = ids
            .iter()
            .filter_map(|id| id.as_str().strip_prefix(self.prefix.as_str()))
            .map(TestId::new)
            .collect();
        (!own.is_empty()).then_some(Selection::Ids(own))
    }

    /// Those of these tests that are this project's, with its tool's own ids.
    pub fn own_items(&self, items: &[TestItem]) -> Vec<TestItem> {
        let own = |item: &TestItem| {
            let id = item.id.as_str().strip_prefix(self.prefix.as_str())?;
            let here = inside(&item.place.file, &self.project.dir);
            here.then(|| TestItem { id: TestId::new(id), ..item.clone() })
        };
        items.iter().filter_map(own).collect()
    }

    /// A report with the ids that everybody else knows.
    pub fn told(&self, report: TestReport) -> TestReport {
        if self.prefix.is_empty() {
            return report;
        }
        let end = match report.end {
            RunEnd::TimedOut { running } => {
                RunEnd::TimedOut { running: running.map(|id| self.outside(&id)) }
            }
            RunEnd::Crashed { note } => RunEnd::Crashed { note: format!("{}{note}", self.prefix) },
            RunEnd::Suspect { note } => RunEnd::Suspect { note: format!("{}{note}", self.prefix) },
            end @ (RunEnd::Finished | RunEnd::NoTests | RunEnd::CollectFailed { .. }) => end,
        };
        let cases = report.cases.into_iter().map(|(id, case)| (self.outside(&id), case)).collect();
        TestReport { end, cases }
    }
}

/// The reports of several projects as one. What could not be judged in one of them can't be judged in the whole.
pub fn merged(reports: Vec<TestReport>) -> TestReport {
    let mut whole = TestReport::empty(RunEnd::NoTests);
    for report in reports {
        whole.cases.extend(report.cases);
        whole.end = worse(whole.end, report.end);
    }
    whole
}

fn worse(one: RunEnd, other: RunEnd) -> RunEnd {
    let rank = |end: &RunEnd| match end {
        RunEnd::NoTests => 0,
        RunEnd::Finished => 1,
        RunEnd::CollectFailed { .. } => 2,
        RunEnd::TimedOut { .. } => 3,
        RunEnd::Crashed { .. } => 4,
        RunEnd::Suspect { .. } => 5,
    };
    match (one, other) {
        (RunEnd::CollectFailed { mut errors }, RunEnd::CollectFailed { errors: more }) => {
            errors.extend(more);
            RunEnd::CollectFailed { errors }
        }
        (one, other) if rank(&other) > rank(&one) => other,
        (one, _) => one,
    }
}
