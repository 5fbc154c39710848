//! Mutants of the changed lines, each against the tests that could notice it, in trees that are thrown away.

use super::Measuring;
use proctor_core::branch::{BranchKind, Fate, Mutant};
use proctor_core::report::{CaseEnd, Place, RunEnd, TestReport};
use proctor_core::words::TreeId;
use proctor_experiments::{mutants, slight};
use proctor_lab::Halt;
use proctor_lab::Stage;
use proctor_lab::Suite;
use proctor_lab::TestRuns;
use proctor_lab::Trial;
use proctor_lab::{is_built, workers};
use proctor_lang::{Edit, Zone, names_dependencies, zone};
use proctor_tools::{Covered, Selection, Variant, is_manifest, sources_of};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How many mutants are tried at most.
const MOST: usize = 80;
/// How many of them when only tests changed: one that dies is enough.
const MOST_FOR_TESTS: usize = 24;
/// How many where each needs a tree of its own.
const MOST_AFRESH: usize = 16;
/// A suite that takes longer is not run as a whole for one mutant.
const LONG: Duration = Duration::from_secs(20);

/// What mutants are tried for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    /// To find what no test of the suite notices.
    Survivors,
    /// To see what some tests notice by themselves, as closely as they look.
    Kills,
}

/// A mutant and where it stands.
pub(super) struct Planned {
    pub(super) file: String,
    pub(super) edit: Edit,
}

impl Measuring<'_> {
    pub(super) fn mutants(&mut self) -> Result<(), Halt> {
        let tests = self.noticing();
        self.mutants_under(&tests)
    }

    /// The mutants, each against these tests first.
    pub(super) fn mutants_under(&mut self, tests: &Selection) -> Result<(), Halt> {
        let lines = match self.scene.kind {
            BranchKind::TestsOnly => self.reached()?,
            BranchKind::NothingExecutable | BranchKind::CodeOnly | BranchKind::Both => {
                self.scene.lines.clone()
            }
        };
        let planned = self.planned(&lines)?;
        let (switched, others): (Vec<Planned>, Vec<Planned>) =
            planned.into_iter().partition(|p| crate::carry::policy::is_rust(&p.file));
        let mut found = Vec::new();
        if !others.is_empty() {
            found.extend(self.one_by_one(&others, tests)?);
        }
        if !switched.is_empty() {
            found.extend(self.by_switch(&switched, tests)?);
        }
        self.measure.mutants = found;
        Ok(())
    }

    /// The tests that are tried first: the new ones, or all where there are none.
    pub(super) fn noticing(&self) -> Selection {
        let new = self.candidates();
        if new.is_empty() { Selection::All } else { Selection::Ids(new) }
    }

    fn planned(&mut self, lines: &BTreeMap<String, BTreeSet<u32>>) -> Result<Vec<Planned>, Halt> {
        let files: Vec<String> = lines.keys().cloned().collect();
        let texts = self.texts_of(&self.scene.head.tree, &files)?;
        let mut by_file: Vec<Vec<Planned>> = Vec::new();
        for (file, lines) in lines {
            let Some(text) = texts.get(file) else { continue };
            let mut edits = if is_source(file, self.runs.suite()) {
                mutants(file, text, lines)
            } else if is_data(file) {
                without(text)
            } else {
                Vec::new()
            };
            if self.aim == Aim::Kills && is_source(file, self.runs.suite()) {
                edits.extend(slight(file, text, lines));
            }
            by_file
                .push(edits.into_iter().map(|edit| Planned { file: file.clone(), edit }).collect());
        }
        let most = match self.scene.kind {
            BranchKind::TestsOnly => MOST_FOR_TESTS,
            _ => MOST,
        };
        let all: usize = by_file.iter().map(Vec::len).sum();
        if all > most {
            self.left_out.push(format!("mutants: {most} of {all} were tried"));
        }
        Ok(spread(by_file, most))
    }

    /// The lines that the new tests run, by what a coverage tool says; else the files that go by their names.
    fn reached(&mut self) -> Result<BTreeMap<String, BTreeSet<u32>>, Halt> {
        let ids = self.candidates();
        if ids.is_empty() {
            return Ok(BTreeMap::new());
        }
        let tree = self.scene.head.tree.clone();
        let trial = Trial::of(&tree).only(Selection::Ids(ids)).covering();
        let mut reached = BTreeMap::new();
        for found in self.runs.measured(&trial)? {
            if let Some(Covered::Lines(lines)) = found.covered {
                let own =
                    lines.files.into_iter().filter(|(path, _)| zone(path) == Zone::Production);
                reached.extend(own.map(|(path, lines)| (path, lines.hit)));
            }
        }
        if !reached.is_empty() {
            return Ok(reached);
        }
        let tests: BTreeSet<String> = self
            .measure
            .items
            .new
            .iter()
            .chain(&self.measure.items.changed)
            .filter_map(|item| self.scene.head.text(&item.place.file))
            .flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_'))
            .map(str::to_owned)
            .collect();
        let named = |path: &&String| {
            let stem = path.rsplit('/').next().and_then(|name| name.split('.').next());
            zone(path) == Zone::Production
                && is_source(path, self.runs.suite())
                && stem.is_some_and(|stem| tests.contains(stem) || matches!(stem, "lib" | "index"))
        };
        let paths: Vec<String> =
            self.scene.head.listing.keys().filter(named).take(5).cloned().collect();
        Ok(paths.into_iter().map(|path| (path, (1..=10_000).collect())).collect())
    }

    /// Each mutant in the place of its file, some at the same time.
    pub(super) fn one_by_one(
        &mut self,
        planned: &[Planned],
        noticing: &Selection,
    ) -> Result<Vec<Mutant>, Halt> {
        let tree = self.scene.head.tree.clone();
        let texts = self.texts_for(planned)?;
        let few = matches!(noticing, Selection::Ids(_));
        let further = (few && self.further() == Whole::Run).then(|| limit_of(self.suite_took));
        let Some(known) = self.in_one_batch(planned, &texts, noticing)? else {
            return self.afresh(planned, noticing);
        };
        let open: Vec<usize> = (0..planned.len()).filter(|n| !known.contains_key(n)).collect();
        let next = AtomicUsize::new(0);
        let fates: Mutex<BTreeMap<usize, Fate>> = Mutex::new(known);
        let workers: Vec<TestRuns<'_>> =
            (0..workers().min(open.len())).map(|n| self.runs.beside(n)).collect();
        let done: Vec<Result<Left, Halt>> = std::thread::scope(|scope| {
            let handles: Vec<_> = workers
                .into_iter()
                .map(|runs| {
                    let (next, fates, open) = (&next, &fates, &open);
                    let (tree, texts) = (&tree, &texts);
                    scope.spawn(move || {
                        let Some(mut bench) = Bench::set_up(runs, tree, noticing, further)? else {
                            return Ok(Left::Something);
                        };
                        loop {
                            let at = next.fetch_add(1, Ordering::SeqCst);
                            let Some(n) = open.get(at).copied() else { break };
                            let Some(Planned { file, edit }) = planned.get(n) else { break };
                            let text = texts.get(file).map_or("", String::as_str);
                            let fate = bench.fate(file, text, edit)?;
                            if let Ok(mut fates) = fates.lock() {
                                fates.insert(n, fate);
                            }
                        }
                        bench.left()
                    })
                })
                .collect();
            let broke = || Err(Halt::lasting("a worker broke; this is a bug in Proctor"));
            handles.into_iter().map(|handle| handle.join().unwrap_or_else(|_| broke())).collect()
        });
        let mut out_of_time = None;
        for result in done {
            match result {
                Ok(Left::Nothing) => {}
                Ok(Left::Something) => return self.afresh(planned, noticing),
                Err(Halt::TimeUp) => out_of_time = Some(Halt::TimeUp),
                Err(other) => return Err(other),
            }
        }
        if out_of_time.is_some() {
            self.left_out.push("mutants: not all were tried, the budget was used up".to_owned());
        }
        let fates = fates.into_inner().unwrap_or_default();
        Ok(told(planned, &texts, |n| fates.get(&n).copied().unwrap_or(Fate::NotTried)))
    }

    /// Mutants in one start of the test tool, where it has a way to that; what could not be told that way is left out. A
    /// run without any mutant stands at the beginning and at the end: both must pass. None where the tests left something
    /// behind that makes them fail.
    fn in_one_batch(
        &mut self,
        planned: &[Planned],
        texts: &BTreeMap<String, String>,
        noticing: &Selection,
    ) -> Result<Option<BTreeMap<usize, Fate>>, Halt> {
        let tree = self.scene.head.tree.clone();
        let mut runs = self.runs.beside(workers() + 1);
        let standing = runs.stand(&Trial::of(&tree))?;
        let limit_ms = limit_of(self.suite_took);
        let variant = |n: &usize, only: &Selection| {
            let text = |p: &Planned| p.edit.apply(texts.get(&p.file).map_or("", String::as_str));
            let file = planned.get(*n).map(|p| (p.file.clone(), text(p).into_bytes()));
            Variant { files: file.into_iter().collect(), only: only.clone(), limit_ms }
        };
        let plain = Variant { files: BTreeMap::new(), only: noticing.clone(), limit_ms };
        let mut fates = BTreeMap::new();
        let mut open: Vec<usize> = (0..planned.len()).collect();
        let whole = matches!(noticing, Selection::Ids(_)) && self.further() == Whole::Run;
        let rounds = [Some(noticing.clone()), whole.then_some(Selection::All)];
        for only in rounds.into_iter().flatten() {
            let mut variants = vec![plain.clone()];
            variants.extend(open.iter().map(|n| variant(n, &only)));
            // One for those that begin with all tests collected, one for those that can't.
            variants.extend([plain.clone(), plain.clone()]);
            let reports = runs.batch(&standing, &tree, &variants, workers())?.unwrap_or_default();
            let [first, mutants @ .., second, third] = reports.as_slice() else {
                return Ok(Some(BTreeMap::new()));
            };
            let steady = [first, second, third].into_iter().all(all_pass);
            if !steady || mutants.len() != open.len() {
                let spoilt = all_pass(first) && matches!(third.end, RunEnd::Finished);
                return Ok((!spoilt).then(BTreeMap::new));
            }
            for (n, report) in open.iter().zip(mutants) {
                match report.end {
                    // What broke may be the way in which they run here: it is tried by itself.
                    RunEnd::Suspect { .. } | RunEnd::Crashed { .. } => fates.remove(n),
                    _ => fates.insert(*n, fate_of(report)),
                };
            }
            open.retain(|n| fates.get(n) == Some(&Fate::Survived));
            if open.is_empty() {
                break;
            }
        }
        Ok(Some(fates))
    }

    /// Some mutants, each in a tree of its own: for tests that leave something behind, which would else make every mutant
    /// after the first look killed.
    pub(super) fn afresh(
        &mut self,
        planned: &[Planned],
        noticing: &Selection,
    ) -> Result<Vec<Mutant>, Halt> {
        let tree = self.scene.head.tree.clone();
        let texts = self.texts_for(planned)?;
        let step = planned.len().div_ceil(MOST_AFRESH).max(1);
        let mut open: Vec<usize> = (0..planned.len()).step_by(step).collect();
        self.left_out.push(format!(
            "mutants: {} of {} were tried, each in a tree of its own, since the tests leave something behind",
            open.len(),
            planned.len()
        ));
        let whole = matches!(noticing, Selection::Ids(_)) && self.further() == Whole::Run;
        let rounds = [Some(noticing.clone()), whole.then_some(Selection::All)];
        let mut fates = BTreeMap::new();
        for only in rounds.into_iter().flatten() {
            let plain = Trial::of(&tree).only(only).within(limit_of(self.suite_took));
            let with = |n: &usize| {
                planned.get(*n).map_or(plain.clone(), |Planned { file, edit }| {
                    let text = texts.get(file).map_or("", String::as_str);
                    plain.clone().with(file, edit.apply(text))
                })
            };
            let trials: Vec<Trial<'_>> =
                std::iter::once(plain.clone()).chain(open.iter().map(with)).collect();
            let reports = self.runs.reports(&trials)?;
            let Some((first, mutants)) = reports.split_first() else { break };
            if !all_pass(first) {
                return Err(Halt::lasting(
                    "the tests do not pass by themselves, so mutants can't be tried",
                ));
            }
            fates.extend(open.iter().copied().zip(mutants.iter().map(fate_of)));
            open.retain(|n| fates.get(n) == Some(&Fate::Survived));
            if open.is_empty() {
                break;
            }
        }
        Ok(told(planned, &texts, |n| fates.get(&n).copied().unwrap_or(Fate::NotTried)))
    }

    pub(super) fn further(&self) -> Whole {
        let long = self.suite_took > LONG;
        if long || self.aim == Aim::Kills { Whole::Spared } else { Whole::Run }
    }

    pub(super) fn texts_for(&self, planned: &[Planned]) -> Result<BTreeMap<String, String>, Halt> {
        let files: BTreeSet<String> = planned.iter().map(|p| p.file.clone()).collect();
        self.texts_of(&self.scene.head.tree, &files.into_iter().collect::<Vec<_>>())
    }
}

/// One worker's tree, on which mutants come and go.
struct Bench<'a> {
    runs: TestRuns<'a>,
    tree: &'a TreeId,
    standing: Stage,
    tests: &'a Selection,
    limit_ms: u64,
    /// The limit of the whole suite, where that is run for what the first tests do not notice.
    further: Option<u64>,
}

/// What the tests left in a tree that makes them fail there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    Nothing,
    Something,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Whole {
    Run,
    Spared,
}

impl<'a> Bench<'a> {
    fn set_up(
        mut runs: TestRuns<'a>,
        tree: &'a TreeId,
        tests: &'a Selection,
        further: Option<u64>,
    ) -> Result<Option<Self>, Halt> {
        let standing = runs.stand(&Trial::of(tree))?;
        let began = Instant::now();
        let report = runs.report_on(&standing, &Trial::of(tree).only(tests.clone()))?;
        let limit_ms = limit_of(began.elapsed());
        let passes = all_pass(&report);
        Ok(passes.then_some(Self { runs, tree, standing, tests, limit_ms, further }))
    }

    fn fate(&mut self, file: &str, text: &str, edit: &Edit) -> Result<Fate, Halt> {
        let trial = Trial::of(self.tree).with(file, edit.apply(text));
        let few = trial.clone().only(self.tests.clone()).within(self.limit_ms);
        let mut fate = self.runs.report_on(&self.standing, &few).map(|report| fate_of(&report));
        if let (Ok(Fate::Survived), Some(limit)) = (&fate, self.further) {
            let all = trial.within(limit);
            fate = self.runs.report_on(&self.standing, &all).map(|report| fate_of(&report));
        }
        self.standing.put(file, text.as_bytes())?;
        fate
    }

    /// Whether the tree is still what it was: tests that spoil it would make every mutant look killed.
    fn left(&mut self) -> Result<Left, Halt> {
        let trial = Trial::of(self.tree).only(self.tests.clone());
        let passes = all_pass(&self.runs.report_on(&self.standing, &trial)?);
        Ok(if passes { Left::Nothing } else { Left::Something })
    }
}

/// Whether a file that is no source may be what the work is about. What says how the project is built, tested and put
/// together is not: without it nothing would run, or all of it as before.
fn is_data(file: &str) -> bool {
    zone(file) == Zone::Production && !is_manifest(file) && !names_dependencies(file)
}

/// For data: the file with nothing in it. What depends on its text notices.
fn without(text: &str) -> Vec<Edit> {
    let what = "the file is empty".to_owned();
    let edit = Edit { line: 1, from: 0, to: text.len(), text: String::new(), what };
    if text.is_empty() { Vec::new() } else { vec![edit] }
}

/// Takes from each file in turn, so that a long one does not hide the others; the order within a file stays.
fn spread(by_file: Vec<Vec<Planned>>, most: usize) -> Vec<Planned> {
    let all: usize = by_file.iter().map(Vec::len).sum();
    let mut chosen = Vec::new();
    for list in by_file {
        let share = if all <= most { list.len() } else { (list.len() * most).div_ceil(all) };
        let step = list.len().div_ceil(share.max(1)).max(1);
        chosen.extend(list.into_iter().step_by(step));
    }
    chosen.truncate(most);
    chosen
}

pub(super) fn told(
    planned: &[Planned],
    texts: &BTreeMap<String, String>,
    fate: impl Fn(usize) -> Fate,
) -> Vec<Mutant> {
    let mutant = |(n, Planned { file, edit }): (usize, &Planned)| Mutant {
        place: Place { file: file.clone(), line: Some(edit.line) },
        what: edit.what.clone(),
        diff: edit.diff(file, texts.get(file).map_or("", String::as_str)),
        fate: fate(n),
    };
    planned.iter().enumerate().map(mutant).collect()
}

pub(super) fn limit_of(took: Duration) -> u64 {
    u64::try_from((took * 3 + Duration::from_secs(3)).as_millis()).unwrap_or(u64::MAX)
}

pub(super) fn all_pass(report: &TestReport) -> bool {
    matches!(report.end, RunEnd::Finished)
        && report
            .cases
            .values()
            .all(|case| matches!(case.end, CaseEnd::Passed | CaseEnd::Skipped { .. }))
}

pub(super) fn fate_of(report: &TestReport) -> Fate {
    match &report.end {
        RunEnd::Finished if report.cases.is_empty() => Fate::NotViable,
        RunEnd::Finished if all_pass(report) => Fate::Survived,
        RunEnd::NoTests => Fate::NotViable,
        RunEnd::CollectFailed { errors } => {
            // A program that does not build says nothing about the tests; a module that breaks when it is loaded does.
            let builds = errors.iter().all(|error| is_loaded(&error.place.file));
            if builds { Fate::Killed } else { Fate::NotViable }
        }
        RunEnd::Finished
        | RunEnd::TimedOut { .. }
        | RunEnd::Crashed { .. }
        | RunEnd::Suspect { .. } => Fate::Killed,
    }
}

/// Whether a file of this name is loaded, not compiled.
fn is_loaded(path: &str) -> bool {
    !path.rsplit_once('.').is_some_and(|(_, ending)| is_built(ending))
}

pub(super) fn is_source(path: &str, suite: &Suite) -> bool {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    suite.benches.iter().any(|bench| sources_of(&bench.project.runner).contains(&ending))
}
