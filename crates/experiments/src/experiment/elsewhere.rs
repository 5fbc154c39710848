//! New tests in surroundings that differ from a gate's in all that must not matter at once. Where one does not pass there, each
//! difference is tried alone, and then the base's own tests with those that matter: what the project's tests ask for anyway
//! is not head's fault.

use super::{Done, Experiment, Found, Try, reports};
use crate::branch::Branch;
use crate::mutate::remarked;
use proctor_core::branch::{Elsewhere as Evidenced, Evidence, Moved};
use proctor_core::proof::passed_ids;
use proctor_core::report::{CaseEnd, RunEnd, TestReport};
use proctor_core::trial::{Factor, Selection, Trial};
use proctor_core::verdict::CheckName as C;
use proctor_core::words::TestId;
use proctor_lang::{Zone, parent, zone};
use std::collections::BTreeSet;

pub(super) struct Elsewhere;

impl Experiment for Elsewhere {
    fn what(&self) -> &'static str {
        "new tests in other surroundings"
    }

    fn checks(&self) -> &'static [C] {
        &[C::Isolation]
    }

    fn next(&self, branch: &Branch<'_>, done: &[Done]) -> Vec<Try> {
        let tests = steady(branch);
        if tests.is_empty() {
            return Vec::new();
        }
        let there = |factors: &[Factor], tests: &[TestId]| {
            let trial = Trial::of(branch.head.tree()).only(Selection::Ids(tests.to_vec()));
            let said =
                if factors.contains(&Factor::Remarks) { remarks(branch) } else { Vec::new() };
            let trial = said.into_iter().fold(trial, |trial, (file, text)| trial.with(file, text));
            let near =
                if factors.contains(&Factor::Start) { beside(branch, tests) } else { vec![] };
            Try::Run(trial.beside(near).elsewhere(factors))
        };
        let runs = reports(done);
        let Some(all) = runs.first() else { return vec![there(&Factor::ALL, &tests)] };
        let lost = lost(&tests, all);
        if lost.is_empty() {
            return Vec::new();
        }
        if runs.len() == 1 {
            return Factor::ALL.iter().map(|factor| there(&[*factor], &lost)).collect();
        }
        let by = moving(&lost, &runs);
        let over = runs.len() > Factor::ALL.len() + 1;
        if over || by.is_empty() {
            return Vec::new();
        }
        let near = branch.base.paths().into_iter().map(str::to_owned);
        let near: Vec<String> = near.filter(|path| zone(path) == Zone::Test).collect();
        vec![Try::Run(Trial::of(branch.base.tree()).beside(near).elsewhere(&by))]
    }

    fn evidence(&self, branch: &Branch<'_>, done: &[Done]) -> Found {
        let (tests, runs) = (steady(branch), reports(done));
        let Some(all) = runs.first() else { return Found::default() };
        let singles = || Factor::ALL.iter().zip(runs.iter().skip(1));
        let moved = |test: &TestId| {
            let by: Vec<Factor> = singles()
                .filter(|(_, run)| !passes(run, test))
                .map(|(factor, _)| *factor)
                .collect();
            let alone = singles().map(|(_, run)| run).find(|run| !passes(run, test));
            Moved { test: test.clone(), by, why: why(alone.unwrap_or(all), test) }
        };
        let on_base = runs.get(Factor::ALL.len() + 1).map_or_else(Vec::new, |there| {
            let flaky = &branch.measure.base_flaky;
            let steady = passed_ids(&branch.measure.base).filter(|id| !flaky.contains(*id));
            let moved =
                |id: &TestId| Moved { test: id.clone(), by: Vec::new(), why: why(there, id) };
            steady.filter(|id| !passes(there, id)).map(moved).collect()
        });
        let moved = lost(&tests, all).iter().map(moved).collect();
        Evidence::Elsewhere(Evidenced { tried: tests.len(), moved, on_base }).into()
    }
}

/// What lies where these tests may be started: what belongs to tests, and what they name, by itself or by a folder around it.
fn beside(branch: &Branch<'_>, tests: &[TestId]) -> Vec<String> {
    let items = tests.iter().filter_map(|id| branch.measure.item_of(id));
    let files: BTreeSet<&str> = items.map(|item| item.place.file.as_str()).collect();
    let sources: Vec<&str> = files.iter().filter_map(|file| branch.head.text(file)).collect();
    // An import names a folder for its code.
    let is_import = |line: &&str| {
        let line = line.trim_start();
        ["import ", "from ", "use ", "\"", "_ \""].iter().any(|word| line.starts_with(word))
            || line.contains("require(")
            || line.contains(" from ")
    };
    let plain = |text: &&str| -> String {
        text.lines().filter(|line| !is_import(line)).flat_map(|line| [line, "\n"]).collect()
    };
    let said: Vec<String> = sources.iter().map(plain).collect();
    let named = |path: &str| {
        let mut parts = path.split('/').filter(|part| part.len() > 1);
        // A package is named by every import.
        parts.any(|part| part.contains('.') && said.iter().any(|text| text.contains(part)))
            || said.iter().any(|text| text.contains(&format!("{}/", parent(path))))
                && !parent(path).is_empty()
    };
    let near = |path: &&str| zone(path) == Zone::Test || named(path);
    branch.head.paths().into_iter().filter(near).map(str::to_owned).collect()
}

/// The changed sources with remarks in what changed.
fn remarks(branch: &Branch<'_>) -> Vec<(String, String)> {
    let of = |(file, lines): (&String, &BTreeSet<u32>)| {
        let text = branch.head.text(file).filter(|_| branch.tests.is_source(file))?;
        Some((file.clone(), remarked(file, text, lines)?))
    };
    branch.lines.iter().filter_map(of).collect()
}

/// The new and changed tests that pass on head in each run so far.
fn steady(branch: &Branch<'_>) -> Vec<TestId> {
    let head = &branch.measure.head;
    let mut tests = branch.candidates();
    tests.retain(|id| !head.is_empty() && head.iter().all(|run| passes(run, id)));
    tests
}

/// Whether a test, or each of its cases, passes.
fn passes(run: &TestReport, test: &TestId) -> bool {
    let mut cases = run.cases.iter().filter(|(id, _)| *id == test || test.covers(id)).peekable();
    cases.peek().is_some() && cases.all(|(_, case)| case.end == CaseEnd::Passed)
}

fn lost(tests: &[TestId], run: &TestReport) -> Vec<TestId> {
    tests.iter().filter(|test| !passes(run, test)).cloned().collect()
}

/// The differences that move one of these tests by themselves.
fn moving(tests: &[TestId], runs: &[TestReport]) -> Vec<Factor> {
    let singles = Factor::ALL.iter().zip(runs.iter().skip(1));
    let moves = |run: &TestReport| tests.iter().any(|test| !passes(run, test));
    singles.filter(|(_, run)| moves(run)).map(|(factor, _)| *factor).collect()
}

/// What a test says of its failure there.
fn why(run: &TestReport, test: &TestId) -> String {
    let cases = run.cases.iter().filter(|(id, _)| *id == test || test.covers(id));
    let said = cases.into_iter().find_map(|(_, case)| match &case.end {
        CaseEnd::Failed { reason } => Some(reason.message()),
        CaseEnd::Errored { message } => Some(message.as_str()),
        CaseEnd::Passed | CaseEnd::Skipped { .. } => None,
    });
    let loading = || match &run.end {
        RunEnd::CollectFailed { errors } => errors.first().map(|error| error.reason.message()),
        _ => None,
    };
    let line = said.or_else(loading).and_then(|said| said.lines().find(|l| !l.trim().is_empty()));
    line.unwrap_or("it was not run").trim().to_owned()
}
