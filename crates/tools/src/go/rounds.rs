//! The rounds of a run. Go tests of one package share a process: a panic ends it, and the tests that had not run yet
//! have no result. Those are run again without the one that broke, until each test has an end. Here is which round
//! comes next and what all of them told together; the verdict is `read`'s.

use super::events::{self, Closed, PackageEnd, PackageTold, TestEnd, TestTold, Told};
use super::kept;
use super::listing::{Listing, Package};
use super::selection::{by_package, id, pattern, top};
use crate::ask::{Ask, Selection, StepEnd, StepOutput};
use proctor_core::report::RunEnd;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// More would mean that something is wrong with the run as a whole.
const MOST_ROUNDS: usize = 60;

/// One `go test`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Round {
    pub(crate) packages: Vec<String>,
    pub(crate) tests: Wanted,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wanted {
    All,
    These(BTreeSet<String>),
}

/// A test, and how its process ended around it.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) end: TestEnd,
    pub(crate) told: TestTold,
    pub(crate) process: Process,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Process {
    RanOn,
    /// It ended before it told its result: what was said there may be a panic's trace.
    Broke,
}

/// What all rounds told about a package.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    pub(crate) tests: BTreeMap<String, Outcome>,
    pub(crate) not_built: bool,
    /// Tests that were never begun since the package's own set-up failed, and what it said.
    pub(crate) set_up_failed: BTreeMap<String, String>,
}

pub(crate) struct Rounds<'a> {
    listing: &'a Listing,
    queue: VecDeque<Round>,
    pub(crate) sums: BTreeMap<String, Sum>,
    pub(crate) compiler: String,
    /// Set where the run did not come to its end.
    pub(crate) broken: Option<RunEnd>,
    pub(crate) suspect: Option<String>,
}

impl<'a> Rounds<'a> {
    /// Goes through the steps that were done, which are those that `next` asked for.
    pub(crate) fn replay(ask: &Ask, listing: &'a Listing, done: &[StepOutput]) -> Self {
        let mut rounds = Self {
            listing,
            queue: first(ask, listing),
            sums: BTreeMap::new(),
            compiler: String::new(),
            broken: None,
            suspect: None,
        };
        for (count, step) in done.iter().enumerate() {
            let Some(round) = rounds.queue.pop_front() else {
                rounds.doubt("more was run than asked for".to_owned());
                break;
            };
            rounds.take(&round, step);
            if count + 1 >= MOST_ROUNDS && !rounds.queue.is_empty() {
                let note = format!("after {MOST_ROUNDS} rounds some tests still had no result");
                rounds.broken.get_or_insert(RunEnd::Crashed { note });
            }
        }
        rounds
    }

    /// The round that is to be run now.
    pub(crate) fn next(&self) -> Option<&Round> {
        if self.broken.is_some() { None } else { self.queue.front() }
    }

    fn doubt(&mut self, note: String) {
        self.suspect.get_or_insert(note);
    }

    fn take(&mut self, round: &Round, step: &StepOutput) {
        let told = events::read(&step.stdout);
        self.compiler.push_str(&told.compiler);
        self.compiler.push_str(&String::from_utf8_lossy(&step.stderr));
        let code = match &step.end {
            StepEnd::Exited(code) => *code,
            other => {
                self.broken = Some(broken(other, step, &told));
                self.keep_ended(round, told);
                return;
            }
        };
        if let Some(line) = &told.astray {
            self.doubt(format!("go test wrote a line that is no event: {line}"));
        }
        let failed = told
            .packages
            .values()
            .any(|p| matches!(p.end, Some(PackageEnd::Failed | PackageEnd::NotBuilt)));
        let known = round.packages.iter().any(|p| told.packages.contains_key(p));
        if code != 0 && !known {
            let note = format!("go test ended with {code} before it ran anything\n{}", step.tail());
            self.broken = Some(RunEnd::Crashed { note });
            return;
        }
        if (code != 0) != failed {
            let word = if failed { "a package failed" } else { "no package failed" };
            self.doubt(format!("go test ended with {code} and {word}"));
        }
        let mut packages = told.packages;
        for name in &round.packages {
            let Some(package) = self.listing.packages.get(name) else {
                continue;
            };
            match packages.remove(name) {
                Some(told) => self.package(round, package, told),
                None => self.doubt(format!("go test said nothing about {name}")),
            }
        }
        if let Some(name) = packages.keys().next() {
            self.doubt(format!("go test told of {name}, which was not asked for"));
        }
    }

    /// What had ended before the run as a whole was ended.
    fn keep_ended(&mut self, round: &Round, told: Told) {
        for (name, package) in told.packages {
            if round.packages.contains(&name) {
                let process =
                    if package.closed.is_some() { Process::RanOn } else { Process::Broke };
                self.keep(&name, package.tests, process);
            }
        }
    }

    fn keep(&mut self, package: &str, tests: BTreeMap<String, TestTold>, process: Process) {
        let sum = self.sums.entry(package.to_owned()).or_default();
        for (name, told) in tests {
            if let Some(end) = told.end {
                sum.tests.insert(name, Outcome { end, told, process });
            }
        }
    }

    fn package(&mut self, round: &Round, package: &Package, told: PackageTold) {
        let name = package.path.clone();
        if let Some(odd) = &told.odd {
            self.doubt(format!("{name}: {odd}"));
        }
        let expected = expected(round, package);
        let tops: BTreeSet<&str> =
            told.tests.keys().map(String::as_str).filter(|t| top(t) == *t).collect();
        if let Some(stranger) = tops.iter().find(|t| !expected.contains(**t)) {
            self.doubt(format!("{name} tells of {stranger}, which was not to be run"));
        }
        match (told.end, told.closed) {
            (Some(PackageEnd::NotBuilt), _) => {
                self.sums.entry(name).or_default().not_built = true;
            }
            (Some(PackageEnd::NoTestFiles), _) => {
                if !expected.is_empty() {
                    self.doubt(format!("{name} has tests and go test found none"));
                }
                self.sums.entry(name).or_default();
            }
            (Some(PackageEnd::Passed), closed) => {
                if closed != Some(Closed::Pass) && !expected.is_empty() {
                    self.doubt(format!("{name} ended with success before it told its result"));
                }
                self.whole(&name, &expected, told, PackageEnd::Passed);
            }
            (Some(PackageEnd::Failed), Some(Closed::Fail)) => {
                self.whole(&name, &expected, told, PackageEnd::Failed);
            }
            (Some(PackageEnd::Failed), Some(Closed::Pass)) => {
                self.doubt(format!("{name} failed after its tests had passed"));
                self.keep(&name, told.tests, Process::RanOn);
            }
            (Some(PackageEnd::Failed), None) => self.aborted(package, &expected, told),
            (None, _) => {
                let at = told
                    .tests
                    .iter()
                    .max_by_key(|(_, t)| t.begun)
                    .map(|(test, _)| format!(" in {test}"))
                    .unwrap_or_default();
                self.doubt(format!("{name} ended before it told its result{at}"));
                // Go gives the end of the process to the test that it broke off in: no end of this round counts.
                self.sums.entry(name).or_default();
            }
        }
    }

    /// A package whose process came to its own end: each test must have ended, and they must agree with it.
    fn whole(
        &mut self,
        name: &str,
        expected: &BTreeSet<String>,
        told: PackageTold,
        end: PackageEnd,
    ) {
        let hint =
            " (its output may lack a line end, which Go before 1.20 can't tell from a result)";
        if let Some((open, _)) = told.unfinished().first() {
            self.doubt(format!("{name} came to its end and {open} did not{hint}"));
        }
        if let Some(lost) = expected.iter().find(|t| !told.tests.contains_key(*t)) {
            self.doubt(format!("{name} came to its end and {lost} never ran"));
        }
        let failed =
            |test: &str| told.tests.get(test).is_some_and(|t| t.end == Some(TestEnd::Failed));
        let any = told.tests.keys().any(|t| failed(t));
        if any != (end == PackageEnd::Failed) {
            let word = if any {
                "passed and one of its tests failed"
            } else {
                "failed and none of its tests did"
            };
            self.doubt(format!("{name} {word}"));
        }
        for test in told.tests.keys().filter(|t| failed(t)) {
            let above = test.match_indices('/').filter_map(|(at, _)| test.get(..at));
            for parent in above.filter(|p| told.tests.contains_key(*p)) {
                if !failed(parent) {
                    self.doubt(format!("{name} {parent} did not fail and its subtest {test} did"));
                }
            }
        }
        self.keep(name, told.tests, Process::RanOn);
    }

    /// A package whose process ended before its tests were done.
    fn aborted(&mut self, package: &Package, expected: &BTreeSet<String>, told: PackageTold) {
        let name = package.path.clone();
        if told.tests.is_empty() {
            let message = told.output.trim().to_owned();
            let sum = self.sums.entry(name).or_default();
            sum.set_up_failed.extend(expected.iter().map(|t| (t.clone(), message.clone())));
            return;
        }
        let open: BTreeSet<String> =
            told.unfinished().iter().map(|(test, _)| top(test).to_owned()).collect();
        let panicked = told.tests.values().any(|t| t.end == Some(TestEnd::Failed) && has_trace(t));
        let mut rest: BTreeSet<String> =
            expected.iter().filter(|t| !told.tests.contains_key(*t)).cloned().collect();
        let mut alone = BTreeSet::new();
        let mut tests = told.tests;
        if panicked {
            rest.extend(open.iter().cloned());
        } else if let (Some(only), 1) = (open.first(), open.len()) {
            // The one test that was running is the one that ended the process.
            for (test, told) in &mut tests {
                if top(test) == only && told.end.is_none() {
                    told.end = Some(TestEnd::Failed);
                }
            }
        } else if open.is_empty() {
            self.doubt(format!("{name} ended with a failure that none of its tests explains"));
            rest.clear();
        } else {
            alone.clone_from(&open);
        }
        // A half-told family is told anew in its next round.
        tests.retain(|test, _| !rest.contains(top(test)) && !alone.contains(top(test)));
        self.keep(&name, tests, Process::Broke);
        let mut again = |tests: BTreeSet<String>| {
            let round = Round { packages: vec![name.clone()], tests: Wanted::These(tests) };
            self.queue.push_back(round);
        };
        for test in alone {
            again(BTreeSet::from([test]));
        }
        if !rest.is_empty() {
            again(rest);
        }
    }
}

/// The rounds that the ask itself needs.
fn first(ask: &Ask, listing: &Listing) -> VecDeque<Round> {
    match &ask.only {
        Selection::All => {
            let packages: Vec<String> = listing.loadable().map(|p| p.path.clone()).collect();
            let whole = Round { packages, tests: Wanted::All };
            let rounds = kept::split(ask, listing, whole).into_iter();
            rounds.filter(|r| !r.packages.is_empty()).collect()
        }
        Selection::Ids(ids) => {
            let mut by_tests: BTreeMap<BTreeSet<String>, Vec<String>> = BTreeMap::new();
            for (package, tests) in by_package(ids, listing) {
                by_tests.entry(tests).or_default().push(package);
            }
            let rounds = by_tests.into_iter();
            let rounds = rounds.map(|(t, packages)| Round { packages, tests: Wanted::These(t) });
            rounds.flat_map(|round| kept::split(ask, listing, round)).collect()
        }
    }
}

/// The tests of a package that a round has to bring to an end.
fn expected(round: &Round, package: &Package) -> BTreeSet<String> {
    match &round.tests {
        Wanted::These(tests) if pattern(tests).is_some() => {
            tests.iter().map(|t| top(t).to_owned()).filter(|t| package.tests.contains(t)).collect()
        }
        Wanted::All | Wanted::These(_) => package.tests.clone(),
    }
}

/// Whether the runtime's account of a broken process is in what a test said.
pub(crate) fn has_trace(test: &TestTold) -> bool {
    test.lines.iter().any(|l| l.text.starts_with("panic: ") || l.text.starts_with("fatal error: "))
}

/// The end of a run whose step did not end by itself.
fn broken(end: &StepEnd, step: &StepOutput, told: &Told) -> RunEnd {
    match end {
        StepEnd::TimedOut => {
            let open =
                told.packages.iter().filter(|(_, p)| p.end.is_none()).flat_map(|(name, p)| {
                    p.unfinished()
                        .into_iter()
                        .map(move |(test, t)| (t.paused, t.begun, id(name, test)))
                });
            RunEnd::TimedOut { running: open.min().map(|(.., id)| id) }
        }
        StepEnd::Signalled(signal) => RunEnd::Crashed {
            note: format!("go test was ended by signal {signal}\n{}", step.tail()),
        },
        StepEnd::CouldNotStart(why) => {
            RunEnd::Crashed { note: format!("go could not be started: {why}") }
        }
        StepEnd::Exited(code) => {
            RunEnd::Crashed { note: format!("go test ended with {code}\n{}", step.tail()) }
        }
    }
}
