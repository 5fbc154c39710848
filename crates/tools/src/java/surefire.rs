//! Makes one verdict of a Maven run out of its exit codes and Surefire's reports. They must agree, and each class of
//! tests must have left a report, else the run is no proof of anything.

use super::cases::{self, Cases, any_bad};
use super::junit::Found;
use super::{javac, maven};
use crate::ask::{Ask, Selection, StepEnd, StepOutput, slashed};
use proctor_core::item::Shape;
use proctor_core::report::{Counts, RunEnd, TestReport};
use proctor_lang::java::items;
use proctor_lang::tree::{FolderTree, Tree, parent, text, upward};
use proctor_lang::zone::{Zone, has_ending, zone};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What a run has left so far.
pub(super) struct Left {
    pub(super) found: Found,
    pub(super) cases: Cases,
    /// Classes whose tests should have run and have no result.
    pub(super) missing: BTreeSet<String>,
    /// A pom chooses among the tests: which of them should run is not known.
    narrowed: bool,
}

impl Left {
    pub(super) fn of(ask: &Ask) -> Self {
        let (found, cases) = maven::so_far(ask);
        let tree = FolderTree::new(&ask.tree);
        let paths = tree.paths();
        let narrowed = narrows(&tree, &paths);
        let seen: BTreeSet<&str> =
            found.report.cases.iter().flat_map(|c| [outer(&c.class), outer(&c.suite)]).collect();
        let mut missing: BTreeMap<String, String> = expected(ask, &tree, &paths);
        missing.retain(|class, _| !seen.contains(class.as_str()));
        if narrowed {
            let reported = reported_modules(ask);
            missing.retain(|_, file| !reported.contains(module(&paths, file)));
        }
        Self { found, cases, missing: missing.into_keys().collect(), narrowed }
    }

    /// The others have reports, so it is not the tool that can't run.
    pub(super) fn rest_can_be_run(&self) -> bool {
        self.found.files > 0 && !self.missing.is_empty() && !self.narrowed
    }

    fn missing_in_words(&self) -> String {
        self.missing.iter().take(5).cloned().collect::<Vec<_>>().join(", ")
    }
}

fn outer(class: &str) -> &str {
    class.split('$').next().unwrap_or(class)
}

/// The classes that Surefire runs by their names, with their files; of the asked ones only, where some are asked for.
fn expected(ask: &Ask, tree: &FolderTree, paths: &[String]) -> BTreeMap<String, String> {
    let inside = proctor_lang::tree::below(&slashed(Path::new(&ask.subdir)), "");
    let chosen =
        ask.tools.extra_args.iter().any(|a| a.starts_with("-pl") || a.starts_with("--projects"));
    let sources: Vec<String> = paths
        .iter()
        .filter(|p| has_ending(p, "java") && p.starts_with(&inside) && zone(p) == Zone::Test)
        .cloned()
        .collect();
    let mut found = BTreeMap::new();
    for item in items::items(tree, &sources) {
        let class = outer(item.id.as_str().split("::").next().unwrap_or_default());
        let simple = class.rsplit('.').next().unwrap_or(class);
        let ends = ["Test", "Tests", "TestCase"].iter().any(|e| simple.ends_with(e));
        let wanted = match &ask.only {
            // Which modules are run is the user's choice.
            Selection::All => !chosen && (ends || simple.starts_with("Test")),
            Selection::Ids(ids) => ids.iter().any(|id| item.covers(id) || id.covers(&item.id)),
        };
        if wanted && item.shape != Shape::Skipped {
            found.insert(class.to_owned(), item.place.file.clone());
        }
    }
    found
}

/// Whether some pom says which tests are run.
fn narrows(tree: &FolderTree, paths: &[String]) -> bool {
    let words =
        ["<exclude", "<include", "<groups", "<excludedGroups", "<suiteXmlFile", "<skip", "<test>"];
    paths
        .iter()
        .filter(|p| p.rsplit('/').next() == Some("pom.xml"))
        .filter_map(|p| text(tree, p))
        .any(|pom| words.iter().any(|word| pom.contains(word)))
}

/// The folder of the nearest pom.
fn module<'a>(paths: &[String], file: &'a str) -> &'a str {
    let has_pom = |folder: &&str| paths.contains(&proctor_lang::tree::below(folder, "pom.xml"));
    upward(parent(file)).into_iter().find(has_pom).unwrap_or_default()
}

/// The modules that left a report.
pub(super) fn reported_modules(ask: &Ask) -> BTreeSet<String> {
    maven::report_files(ask)
        .iter()
        .filter_map(|file| file.ancestors().nth(3)?.strip_prefix(&ask.tree).ok().map(slashed))
        .collect()
}

pub(super) fn read(ask: &Ask, done: &[StepOutput]) -> TestReport {
    let Some(first) = done.first() else {
        return TestReport::empty(RunEnd::Crashed { note: "Maven was not run".to_owned() });
    };
    let left = Left::of(ask);
    let end = broken(done).unwrap_or_else(|| verdict(ask, first, done, &left));
    TestReport { end, cases: cases::asked(ask, left.cases) }
}

/// A step that did not come to its end.
fn broken(done: &[StepOutput]) -> Option<RunEnd> {
    done.iter().find_map(|step| {
        let label = &step.label;
        match &step.end {
            StepEnd::Exited(_) => None,
            StepEnd::TimedOut => Some(RunEnd::TimedOut { running: None }),
            StepEnd::Signalled(signal) => {
                let note = format!("`{label}` was ended by signal {signal}\n{}", said(step));
                Some(RunEnd::Crashed { note })
            }
            // Without a javac the compiler's own words are missing, and nothing else.
            StepEnd::CouldNotStart(_) if label == "javac" => None,
            StepEnd::CouldNotStart(why) => {
                Some(RunEnd::Crashed { note: format!("`{label}` could not be started: {why}") })
            }
        }
    })
}

fn verdict(ask: &Ask, first: &StepOutput, done: &[StepOutput], left: &Left) -> RunEnd {
    if let Some(note) = left.found.suspicion() {
        return RunEnd::Suspect { note };
    }
    let bad = any_bad(&left.cases);
    let counts = Counts::of(left.cases.values());
    if first.end == StepEnd::Exited(0) {
        return match (bad, left.cases.is_empty()) {
            (_, true) => RunEnd::NoTests,
            (false, false) => RunEnd::Finished,
            (true, false) => {
                let note = format!("Maven ended with 0, but its reports say: {counts}");
                RunEnd::Suspect { note }
            }
        };
    }
    let Some((compile, more)) = done.get(1..).and_then(<[StepOutput]>::split_first) else {
        return failed(bad, counts);
    };
    if compile.end != StepEnd::Exited(0) {
        let errors = javac::errors(ask, more);
        if errors.is_empty() {
            let note = format!("Maven could not build the tests\n{}", said(first));
            return RunEnd::Crashed { note };
        }
        return RunEnd::CollectFailed { errors };
    }
    match more.last() {
        Some(rest) if rest.end == StepEnd::Exited(0) || left.missing.is_empty() => {
            failed(bad, counts)
        }
        None if left.found.files > 0 && left.missing.is_empty() => failed(bad, counts),
        _ => {
            let note = match left.missing_in_words() {
                names if names.is_empty() => {
                    "Maven ended with an error and left no report".to_owned()
                }
                names => format!("these classes of tests left no report: {names}"),
            };
            RunEnd::Crashed { note: format!("{note}\n{}", said(first)) }
        }
    }
}

fn failed(bad: bool, counts: Counts) -> RunEnd {
    if bad {
        return RunEnd::Finished;
    }
    let note = format!("Maven ended with an error, but its reports say: {counts}");
    RunEnd::Suspect { note }
}

/// What Maven said, for a note: its errors are on the ordinary channel.
fn said(step: &StepOutput) -> String {
    let text = String::from_utf8_lossy(&step.stdout);
    let lines: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("[ERROR]"))
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take(12)
        .collect();
    if lines.is_empty() { step.tail() } else { lines.join("\n") }
}
