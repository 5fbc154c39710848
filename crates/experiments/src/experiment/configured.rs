//! New tests without a changed configuration, and without what it alone leads to: what they show must not come from it. Where
//! it may make other code of the code, they have to pass; else only what says that the code does something else counts.

use super::{Done, Experiment, Found, Try, reports};
use crate::branch::Branch;
use crate::unasked::words;
use proctor_core::branch::{BranchKind, Configured as Needing, Evidence, Role};
use proctor_core::report::{CaseEnd, CollectError, Place, Reason, RunEnd};
use proctor_core::trial::{Selection, Trial};
use proctor_core::verdict::CheckName as C;
use proctor_core::words::TestId;
use proctor_lang::{Zone, rewrites_code, zone};

pub(super) struct Configured;

impl Experiment for Configured {
    fn what(&self) -> &'static str {
        "new tests without changed configuration"
    }

    fn checks(&self) -> &'static [C] {
        &[C::Harness]
    }

    fn next(&self, branch: &Branch<'_>, done: &[Done]) -> Vec<Try> {
        let red = branch.sorted().red;
        if !done.is_empty() || red.is_empty() || branch.kind != BranchKind::Both {
            return Vec::new();
        }
        let paths = put_back(branch);
        if paths.is_empty() {
            return Vec::new();
        }
        let mut trial = Trial::of(branch.head.tree()).only(Selection::Ids(red));
        let old = (branch.texts)(branch.base.tree(), &paths);
        for path in paths {
            let text = old.get(&path).map(|text| text.as_bytes().to_vec());
            trial.edits.insert(path, text);
        }
        vec![Try::Run(trial)]
    }

    fn evidence(&self, branch: &Branch<'_>, done: &[Done]) -> Found {
        let Some(report) = reports(done).pop() else { return Found::default() };
        let rewriting = rewriting(branch);
        let told = |id: &TestId| {
            let mut own = report.cases.iter().filter(|(case, _)| *case == id || id.covers(case));
            if rewriting.is_empty() {
                own.any(
                    |(_, case)| matches!(&case.end, CaseEnd::Failed { reason } if shows(reason)),
                )
            } else {
                !own.any(|(_, case)| case.end == CaseEnd::Passed)
            }
        };
        // What production code lacks there, it takes from the configuration.
        let lacks = |error: &CollectError| error.reason.place().is_some_and(is_production);
        let unloaded = match &report.end {
            RunEnd::CollectFailed { errors } => errors.iter().any(lacks),
            _ => false,
        };
        let red = branch.sorted().red;
        let test = red.iter().find(|id| told(id)).or_else(|| red.first().filter(|_| unloaded));
        test.map_or_else(Found::default, |test| {
            let by = if rewriting.is_empty() { put_back(branch) } else { rewriting.clone() };
            Evidence::Configured(Needing { test: test.clone(), by, elsewhere: false }).into()
        })
    }
}

/// Whether a failure says that the code does something else, and not that something of the tests is not there.
fn shows(reason: &Reason) -> bool {
    let says = matches!(reason, Reason::Assertion { .. } | Reason::Panic { .. });
    says || reason.place().is_some_and(is_production)
}

fn is_production(place: &Place) -> bool {
    zone(&place.file) == Zone::Production
}

/// The changed files that may make other code of the code.
fn rewriting(branch: &Branch<'_>) -> Vec<String> {
    let rewrites = |path: &&String| {
        let old = branch.base.text(path).unwrap_or_default();
        branch.head.text(path).is_some_and(|new| rewrites_code(path, old, new))
    };
    branch.touched.iter().filter(rewrites).cloned().collect()
}

/// What is as on the base: the changed configuration of test tools, and changed sources that it alone leads to.
fn put_back(branch: &Branch<'_>) -> Vec<String> {
    let mut paths = rewriting(branch);
    let is_configuration = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        let own = zone(path) == Zone::Deciding && name != "build.rs";
        own || ["pyproject.toml", "setup.cfg"].contains(&name)
    };
    let changed = branch.surroundings.iter().filter(|touched| touched.role == Role::Decides);
    paths.extend(changed.map(|t| t.path.clone()).filter(|path| is_configuration(path)));
    let all: Vec<String> = branch.head.paths().into_iter().map(str::to_owned).collect();
    let all: Vec<String> = all.into_iter().filter(|path| is_configuration(path)).collect();
    let told = (branch.texts)(branch.head.tree(), &all);
    let led_to = |path: &&String| {
        let names = names_of(path);
        told.values().any(|text| names.iter().any(|name| holds(text, name)))
            && !is_taken_in(branch, path)
    };
    paths.extend(branch.lines.keys().filter(led_to).cloned());
    paths.sort();
    paths.dedup();
    paths
}

/// How a configuration may name a source: by its path, and in Python as a module.
fn names_of(path: &str) -> Vec<String> {
    let module = path.strip_suffix(".py").map(|stem| stem.replace('/', "."));
    let module = module.map(|name| name.trim_start_matches("src.").to_owned());
    [path.to_owned()].into_iter().chain(module.filter(|name| name.contains('.'))).collect()
}

/// Whether a text holds a name that does not go on.
fn holds(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let next = text.get(at + name.len()..).and_then(|rest| rest.chars().next());
        !next.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':'))
    })
}

/// Whether any other source takes this one in.
fn is_taken_in(branch: &Branch<'_>, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    let takes = |line: &str| {
        ["import", "require(", "from ", "use ", "mod "].iter().any(|word| line.contains(word))
            && words(line).any(|word| word == stem)
    };
    let others = branch.head.paths().into_iter();
    let others = others.filter(|other| *other != path && zone(other) != Zone::Deciding);
    let mut texts = others.filter_map(|other| branch.head.text(other));
    texts.any(|text| text.lines().any(takes))
}
