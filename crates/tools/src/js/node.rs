//! `node --test`: which files it runs, its command line and environment. Reading what came out is `read`'s.
//!
//! The files are found here and named outright: node would look for them in its own way in each of its versions. It
//! selects tests by their own titles alone, so a selection runs the whole files, and the rest is left out of the report.

use super::channel::Channel;
use super::read::{self, Exits, Told};
use super::{command, globs, lines, tool};
use crate::ask::{Ask, Coverage, Covered, Order, Plan, Runner, Step, StepOutput, slashed};
use crate::at_hand::AtHand;
use crate::json_lines;
use crate::lcov;
use proctor_core::item::TestItem;
use proctor_core::report::{RunEnd, TestReport};
use proctor_lang::child_file;
use proctor_lang::js::items;
use proctor_lang::js::script::Script;
use proctor_lang::tree::{FolderTree, Tree, below};
use proctor_lang::zone::{SCRIPTS, has_ending};
use std::ffi::OsString;
use std::path::Path;

const REPORTER: &str = include_str!("proctor_node.mjs");
const REPORTER_NAME: &str = "proctor_node.mjs";
const TOLD: Told = Told { tool: "node --test", channel: Channel::Junit, exits: Exits::One };

/// Node's own test runner, 20.11 or later.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeTest;

impl Runner for NodeTest {
    fn name(&self) -> &'static str {
        "node"
    }

    fn programs(&self) -> &'static [&'static str] {
        &["node"]
    }

    fn plan(&self, ask: &Ask) -> Plan {
        tool::plan(ask, REPORTER_NAME, REPORTER)
    }

    fn next(&self, ask: &Ask, done: &[StepOutput]) -> Option<Step> {
        if done.is_empty() { step(ask) } else { None }
    }

    fn read(&self, ask: &Ask, done: &[StepOutput]) -> TestReport {
        if done.is_empty() {
            return TestReport::empty(RunEnd::NoTests);
        }
        let report = read::read(ask, done, &TOLD);
        match silent_file(ask) {
            Some(file) if matches!(report.end, RunEnd::Finished | RunEnd::CollectFailed { .. }) => {
                let note = format!("the process that ran {file} left without telling of its tests");
                TestReport { end: RunEnd::Suspect { note }, cases: report.cases }
            }
            Some(_) | None => report,
        }
    }

    fn coverage(&self, ask: &Ask, _done: &[StepOutput]) -> Covered {
        lcov::read(ask, &tool::lcov_file(ask), &ask.workdir())
    }

    fn at_hand(&self, ask: &Ask) -> AtHand {
        tool::at_hand(ask, &["node", "--test"])
    }

    fn items(&self, tree: &dyn Tree, paths: &[String]) -> Vec<TestItem> {
        items::items(tree, paths)
    }
}

/// A file that passed as a whole and told of no test, though its source has some: its process left early.
fn silent_file(ask: &Ask) -> Option<String> {
    let bytes = child_file::read(tool::lines_file(ask)).ok()?;
    let root = super::frames::Root::of(ask);
    let tree = FolderTree::new(&ask.tree);
    json_lines::read::<lines::Line>(&bytes).ok()?.into_iter().find_map(|line| {
        let lines::Line::Case(case) = line else { return None };
        let whole = case.kind == lines::Kind::File && case.state == lines::State::Passed;
        let file = root.inside(&case.at.file).filter(|_| whole)?;
        (!items::items(&tree, std::slice::from_ref(&file)).is_empty()).then_some(file)
    })
}

fn step(ask: &Ask) -> Option<Step> {
    let given = command::of(ask, "node");
    let mut files: Vec<String> = match tool::selected_files(ask) {
        Some(files) => files.into_iter().filter(|f| ask.tree.join(f).is_file()).collect(),
        None => test_files(ask, &given.args),
    };
    match ask.order {
        Order::AsWritten => {}
        Order::Shuffled(seed) => files.sort_by_cached_key(|file| scattered(seed, file)),
    }
    if files.is_empty() {
        return None;
    }
    let reporter = tool::reporter(ask, REPORTER_NAME);
    let mut argv: Vec<OsString> = vec![ask.tools.program("node").into()];
    argv.extend(given.node.iter().map(OsString::from));
    // Also loaded into the test files' own processes.
    argv.push("--import".into());
    argv.push(reporter.clone().into());
    argv.push("--test".into());
    argv.push(tool::flag("--test-reporter=", &reporter));
    argv.push("--test-reporter-destination=stdout".into());
    argv.push("--test-reporter=junit".into());
    argv.push(tool::flag("--test-reporter-destination=", &tool::junit_file(ask)));
    if ask.coverage == Coverage::Measured {
        argv.push("--experimental-test-coverage".into());
        argv.push("--test-reporter=lcov".into());
        argv.push(tool::flag("--test-reporter-destination=", &tool::lcov_file(ask)));
    }
    argv.extend(files.into_iter().map(|file| OsString::from(ask.tree.join(file))));
    let mut env = tool::environment(ask);
    env.extend(given.env);
    Some(Step { label: "node --test".to_owned(), argv, cwd: ask.started_in(ask.workdir()), env })
}

/// A place for a file that only the number decides. Each file has its own process, and inside it node's usual versions
/// keep the order of the source: only the files change places.
fn scattered(seed: u32, file: &str) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = file.bytes().fold(start, |at, byte| {
        (at ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(23)
    });
    mixed ^ (mixed >> 32)
}

/// The files that node would run: those that the project's own command names, else those with a test's name.
pub(super) fn test_files(ask: &Ask, patterns: &[String]) -> Vec<String> {
    let tree = FolderTree::new(&ask.tree);
    let subdir = slashed(Path::new(&ask.subdir));
    let inside = below(&subdir, "");
    let seen_from_here = |path: &str| path.strip_prefix(&inside).map(str::to_owned);
    tree.paths()
        .into_iter()
        .filter(|path| {
            let Some(name) = seen_from_here(path) else { return false };
            if patterns.is_empty() {
                is_test_file(&name) && can_be_run(&tree, path)
            } else {
                // What lies beside the tests in a folder that is named is data, unless node could run it.
                let runs = SCRIPTS.iter().any(|e| has_ending(&name, e)) && can_be_run(&tree, path);
                let fits = |pattern: &String| {
                    globs::fits(pattern, &name) && (runs || !globs::is_folder(pattern, &name))
                };
                patterns.iter().any(fits)
            }
        })
        .collect()
}

/// By node's own rules for names, those of TypeScript too.
pub(crate) fn is_test_file(path: &str) -> bool {
    let mut folders = path.split('/').rev();
    let name = folders.next().unwrap_or(path);
    let Some((stem, ending)) = name.rsplit_once('.') else {
        return false;
    };
    if !["js", "mjs", "cjs", "ts", "mts", "cts"].contains(&ending) || has_ending(stem, "d") {
        return false;
    }
    stem == "test"
        || stem.starts_with("test-")
        || [".test", "-test", "_test"].iter().any(|end| stem.ends_with(end))
        || folders.any(|folder| folder == "test")
}

/// TypeScript is run by newer versions of node or with a loader: only such files as use node's own tests.
fn can_be_run(tree: &dyn Tree, path: &str) -> bool {
    if ["js", "mjs", "cjs"].iter().any(|e| has_ending(path, e)) {
        return true;
    }
    Script::read(tree, path).is_some_and(|script| script.source.contains("node:test"))
}
