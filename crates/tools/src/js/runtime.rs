//! bun and deno: runtimes with tests of their own, which tell of them in `JUnit` XML. A file that could not be loaded is in no
//! report: it is loaded once more, alone, by a program that writes down why.

use super::arguments::{self, Known};
use super::channel::Channel;
use super::lines::{self, At, CaseLine, Counted, End, Kind, Line, Raised, State, SuiteError};
use super::read::{self, Exits, Told};
use super::{command, tool};
use crate::ask::{
    Ask, Coverage, Covered, Plan, Runner, Selection, Step, StepEnd, StepOutput, slashed,
};
use crate::lcov;
use proctor_core::item::TestItem;
use proctor_core::report::{RunEnd, TestReport};
use proctor_lang::child_file;
use proctor_lang::js::items;
use proctor_lang::tree::{FolderTree, Tree, below};
use proctor_lang::zone::{SCRIPTS, Zone, has_ending, zone};
use roxmltree::{Document, Node};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

pub(crate) struct Runtime {
    pub(crate) name: &'static str,
    programs: &'static [&'static str],
    pub(crate) known: &'static Known,
    /// Files that speak for it.
    pub(crate) configurations: &'static [&'static str],
    words: &'static [&'static str],
    report: &'static str,
    /// What has it measure the lines, and where it is told to write them.
    measures: &'static [&'static str],
    measured: &'static str,
    /// What runs the program that loads files.
    loads: &'static [&'static str],
    told: Told,
}

pub(crate) const BUN: Runtime = Runtime {
    name: "bun",
    programs: &["bun"],
    known: &arguments::BUN,
    configurations: &["bunfig.toml"],
    words: &["--reporter=junit"],
    report: "--reporter-outfile=",
    measures: &["--coverage", "--coverage-reporter=lcov"],
    measured: "--coverage-dir=",
    loads: &["test"],
    told: Told { tool: "bun test", channel: Channel::Counted, exits: Exits::One },
};

pub(crate) const DENO: Runtime = Runtime {
    name: "deno",
    programs: &["deno"],
    known: &arguments::DENO,
    configurations: &["deno.json", "deno.jsonc"],
    // What types say is a check of its own; one wrong word would end all tests.
    words: &["--no-check"],
    report: "--junit-path=",
    measures: &[],
    measured: "--coverage=",
    loads: &["run", "-A", "--no-check"],
    told: Told { tool: "deno test", channel: Channel::Counted, exits: Exits::One },
};

pub(crate) const ALL: [&Runtime; 2] = [&BUN, &DENO];

/// Its name as bun takes it for a test.
const LOADS: (&str, &str) = ("proctor_loads.test.mjs", include_str!("proctor_loads.test.mjs"));

pub(crate) fn by_name(name: &str) -> Option<&'static Runtime> {
    ALL.into_iter().find(|one| one.name == name)
}

impl Runner for &'static Runtime {
    fn name(&self) -> &'static str {
        self.name
    }

    fn programs(&self) -> &'static [&'static str] {
        self.programs
    }

    fn plan(&self, ask: &Ask) -> Plan {
        tool::plan(ask, LOADS.0, LOADS.1)
    }

    fn next(&self, ask: &Ask, done: &[StepOutput]) -> Option<Step> {
        let Some(first) = done.first() else {
            return Some(self.run(ask, tool::selected_files(ask)));
        };
        if !matches!(first.end, StepEnd::Exited(code) if code != 0) {
            return None;
        }
        let lost = lost(ask);
        match done.len() {
            1 => (!lost.is_empty()).then(|| self.load(ask, &lost)),
            // deno runs nothing where one file can't be loaded: now it is given the others.
            2 if !tool::junit_file(ask).is_file() => {
                let broken: BTreeSet<String> = broken(ask).into_iter().map(|b| b.0).collect();
                let whole: BTreeSet<String> = lost.difference(&broken).cloned().collect();
                let some = !broken.is_empty() && !whole.is_empty();
                some.then(|| self.run(ask, Some(whole)))
            }
            _ => None,
        }
    }

    fn read(&self, ask: &Ask, done: &[StepOutput]) -> TestReport {
        let ended = done.first().is_some_and(|step| step.end == StepEnd::Exited(0));
        if ended && !tool::junit_file(ask).is_file() {
            let note = format!("{} ended with 0 and wrote no report", self.told.tool);
            return TestReport::empty(RunEnd::Suspect { note });
        }
        read::read_told(ask, done, &self.told, told)
    }

    fn coverage(&self, ask: &Ask, _done: &[StepOutput]) -> Covered {
        lcov::read(ask, &tool::lcov_file(ask), &ask.workdir())
    }

    fn items(&self, tree: &dyn Tree, paths: &[String]) -> Vec<TestItem> {
        items::items(tree, paths)
    }
}

impl Runtime {
    fn run(&self, ask: &Ask, files: Option<BTreeSet<String>>) -> Step {
        let given = command::of(ask, self.name);
        let mut argv: Vec<OsString> = vec![ask.tools.program(self.name).into(), "test".into()];
        match &files {
            Some(_) => argv.extend(self.known.options(&given.args).map(OsString::from)),
            None => argv.extend(given.args.iter().map(OsString::from)),
        }
        if self.name == "deno"
            && !given.args.iter().any(|word| word.starts_with("--allow") || word == "-A")
        {
            argv.push("-A".into());
        }
        argv.extend(self.words.iter().map(OsString::from));
        argv.push(tool::flag(self.report, &tool::junit_file(ask)));
        if ask.coverage == Coverage::Measured {
            argv.extend(self.measures.iter().map(OsString::from));
            argv.push(tool::flag(self.measured, &tool::coverage_folder(ask)));
        }
        argv.extend(files.into_iter().flatten().map(|file| OsString::from(ask.tree.join(file))));
        self.step(ask, self.told.tool, argv)
    }

    fn load(&self, ask: &Ask, lost: &BTreeSet<String>) -> Step {
        let mut argv: Vec<OsString> = vec![ask.tools.program(self.name).into()];
        argv.extend(self.loads.iter().map(OsString::from));
        argv.push(tool::reporter(ask, LOADS.0).into());
        let mut step = self.step(ask, "load", argv);
        let files: Vec<_> = lost.iter().map(|file| ask.tree.join(file)).collect();
        step.env.insert("PROCTOR_LOST".into(), std::env::join_paths(files).unwrap_or_default());
        step
    }

    fn step(&self, ask: &Ask, label: &str, argv: Vec<OsString>) -> Step {
        let mut env = tool::environment(ask);
        env.extend(command::of(ask, self.name).env);
        env.insert("DENO_NO_UPDATE_CHECK".into(), "1".into());
        Step { label: label.to_owned(), argv, cwd: ask.workdir(), env }
    }
}

/// Test files that are in no report.
fn lost(ask: &Ask) -> BTreeSet<String> {
    let tree = FolderTree::new(&ask.tree);
    let inside = below(&slashed(Path::new(&ask.subdir)), "");
    let is_test = |path: &String| {
        path.starts_with(&inside)
            && zone(path) == Zone::Test
            && SCRIPTS.iter().any(|ending| has_ending(path, ending))
            && !items::items(&tree, std::slice::from_ref(path)).is_empty()
    };
    let wanted = match &ask.only {
        Selection::All => tree.paths().into_iter().filter(is_test).collect(),
        Selection::Ids(_) => tool::selected_files(ask).unwrap_or_default(),
    };
    let xml = child_file::read_to_string(tool::junit_file(ask)).unwrap_or_default();
    let told: BTreeSet<String> = match Document::parse(&xml) {
        Ok(document) => suites(document.root_element()).map(|s| file(ask, s)).collect(),
        Err(_) => BTreeSet::new(),
    };
    wanted.into_iter().filter(|path| !told.contains(path)).collect()
}

/// The files that could not be loaded, and why.
fn broken(ask: &Ask) -> Vec<(String, Raised)> {
    let root = super::frames::Root::of(ask);
    lines::loads(&child_file::read(tool::loads_file(ask)).unwrap_or_default())
        .into_iter()
        .filter_map(|load| Some((root.inside(&load.file)?, load.error)))
        .collect()
}

fn suites<'a, 'i>(root: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    root.children().filter(|node| node.has_tag_name("testsuite"))
}

/// The file of an outermost suite, relative to the tree.
fn file(ask: &Ask, suite: Node<'_, '_>) -> String {
    let name = suite.attribute("file").or_else(|| suite.attribute("name")).unwrap_or_default();
    below(&slashed(Path::new(&ask.subdir)), name.trim_start_matches("./"))
}

/// What the report says, as our reporters would.
fn told(ask: &Ask) -> Result<Vec<Line>, String> {
    let mut found = Vec::new();
    let (mut passed, mut failed) = (0, 0);
    if let Ok(xml) = child_file::read_to_string(tool::junit_file(ask)) {
        let document = Document::parse(&xml).map_err(|why| why.to_string())?;
        let root = document.root_element();
        let number = |name: &str| root.attribute(name).and_then(|n| n.parse::<usize>().ok());
        for suite in suites(root) {
            cases(ask, suite, &ask.tree.join(file(ask, suite)).to_string_lossy(), &[], &mut found);
        }
        let left = root.descendants().filter(|node| node.has_tag_name("skipped")).count();
        failed = number("failures").unwrap_or_default() + number("errors").unwrap_or_default();
        passed = number("tests").unwrap_or_default().saturating_sub(failed + left);
    }
    for (file, error) in broken(ask) {
        let at = At { file: ask.tree.join(file).to_string_lossy().into_owned(), names: Vec::new() };
        found.push(Line::SuiteError(SuiteError { at, hook: None, errors: vec![error] }));
    }
    let count = found.iter().filter(|line| matches!(line, Line::Case(_))).count();
    let ok = failed == 0 && count == found.len();
    let end = End { ok, cases: count, leftover: false, counted: Some(Counted { passed, failed }) };
    found.insert(0, Line::Begin);
    found.push(Line::End(end));
    Ok(found)
}

fn cases(ask: &Ask, suite: Node<'_, '_>, file: &str, above: &[String], found: &mut Vec<Line>) {
    for node in suite.children().filter(Node::is_element) {
        let name = node.attribute("name").unwrap_or_default().to_owned();
        let names: Vec<String> = above.iter().cloned().chain([name.clone()]).collect();
        if node.has_tag_name("testsuite") {
            cases(ask, node, file, &names, found);
        }
        if !node.has_tag_name("testcase") {
            continue;
        }
        let child = |tag: &str| node.children().find(|n| n.has_tag_name(tag));
        let failure = child("failure").or_else(|| child("error"));
        let errors: Vec<Raised> = failure.map(|f| raised(ask, f)).into_iter().collect();
        if name == "(unnamed)" && failure.is_some() {
            // How bun calls what stands around tests.
            let at = At { file: file.to_owned(), names: above.to_vec() };
            found.push(Line::SuiteError(SuiteError { at, hook: Some("beforeAll".into()), errors }));
            continue;
        }
        let state = match (failure, child("skipped")) {
            (Some(_), _) => State::Failed,
            (None, Some(_)) => State::Skipped,
            (None, None) => State::Passed,
        };
        let steps = errors.iter().any(|error| {
            error.message.ends_with("test step failed")
                || error.message.ends_with("test steps failed")
        });
        found.push(Line::Case(CaseLine {
            at: At { file: file.to_owned(), names },
            kind: Kind::Test,
            state,
            expected: None,
            tries: 1,
            ms: 0,
            why: String::new(),
            hook: None,
            leaf: true,
            errors: if steps { Vec::new() } else { errors },
        }));
    }
}

/// The error of a report; frames that it has relative to the folder are made whole.
fn raised(ask: &Ask, failure: Node<'_, '_>) -> Raised {
    let text = failure.text().unwrap_or_default();
    let whole = |line: &str| {
        let Some(place) = line.trim_start().strip_prefix("at ") else { return line.to_owned() };
        let (name, at) = match place.rsplit_once(" (") {
            Some((name, at)) => (name, at.trim_end_matches(')')),
            None => ("<anonymous>", place),
        };
        let file = ask.workdir().join(at.split(':').next().unwrap_or(at));
        if !at.starts_with('/') && file.is_file() {
            return format!("    at {name} ({})", ask.workdir().join(at).display());
        }
        format!("    at {place}")
    };
    let stack: Vec<String> = text.lines().map(whole).collect();
    let message = failure.attribute("message").unwrap_or_default();
    let message = message.strip_prefix("Uncaught ").unwrap_or(message);
    let kind = failure.attribute("type").map_or_else(
        || message.split_once(": ").map_or("", |(kind, _)| kind).to_owned(),
        str::to_owned,
    );
    let said = message.strip_prefix(&format!("{kind}: ")).unwrap_or(message);
    Raised {
        message: said.trim_end().to_owned(),
        stack: stack.join("\n"),
        name: if kind.contains(' ') { String::new() } else { kind },
        ..Raised::default()
    }
}
