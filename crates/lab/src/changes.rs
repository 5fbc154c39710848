//! Many small changes of one tree, each against the tests that could notice it: in one start of the tool where it has a way
//! to that, else on trees that stand, some at the same time; what is compiled is built once for all of them. Where the tests
//! leave something behind, each change gets a tree of its own. What a fate means is judged elsewhere.

use crate::batched::AT_ONCE;
use crate::countdown::Countdown;
use crate::noticed::Noticed;
use crate::rounds::Rounds;
use crate::switching::by_switch;
use crate::{Halt, Stage, TestRuns, is_built, workers};
use proctor_core::branch::Fate;
use proctor_core::report::{CaseEnd, RunEnd, TestReport};
use proctor_core::trial::{Selection, Sought, Trial};
use proctor_core::words::TreeId;
use proctor_lang::{Change, switched};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tracing::Span;

/// How many are tried where each needs a tree of its own.
const MOST_AFRESH: usize = 16;

/// As many are worth a worker of its own: each runs the tests twice without any change, before and after.
const EACH: usize = 4;

/// What is tried.
#[derive(Clone, Copy)]
pub struct Changes<'a> {
    pub tree: &'a TreeId,
    /// The text of every file that is changed.
    pub texts: &'a BTreeMap<String, String>,
    pub all: &'a [Change],
    /// The tests that come first.
    pub noticing: &'a Selection,
    /// By change, what it is a part of: the whole suite follows for parts in which nothing is noticed. None where nothing follows.
    pub parts: Option<&'a [Vec<usize>]>,
    /// What is counted, for people.
    pub what: &'static str,
    pub sought: Sought,
    /// How long the whole suite takes.
    pub suite_took: Duration,
    /// Where it is kept which test noticed what.
    pub noticed: &'a Noticed,
}

/// What became of the changes, in their order, and what is to be said of it.
#[derive(Clone, Debug, Default)]
pub struct Fates {
    pub fates: Vec<Fate>,
    pub left_out: Vec<String>,
}

/// How trying many of them went.
pub(crate) enum Tried {
    Fates(BTreeMap<usize, Fate>),
    /// The tests left something in a tree that makes them fail there: every change would look noticed.
    Spoilt,
    /// They can't be built together.
    Unbuilt,
}

impl<'a> Changes<'a> {
    pub(crate) fn text(&self, file: &str) -> &'a str {
        self.texts.get(file).map_or("", String::as_str)
    }

    /// Nothing follows where every test comes first.
    pub(crate) fn rounds(&self) -> Rounds<'a> {
        Rounds::new(self.parts.filter(|_| matches!(self.noticing, Selection::Ids(_))))
    }
}

impl TestRuns<'_> {
    /// Tries all of them. What was not come to has the fate of what was not tried.
    pub fn fates(&mut self, changes: &Changes<'_>) -> Result<Fates, Halt> {
        let taken = switchable(changes);
        let (switched, others): (Vec<usize>, Vec<usize>) =
            (0..changes.all.len()).partition(|n| taken.contains(n));
        let mut found =
            Fates { fates: vec![Fate::NotTried; changes.all.len()], left_out: Vec::new() };
        for (numbers, how) in [(others, How::Standing), (switched, How::Switched)] {
            if numbers.is_empty() {
                continue;
            }
            let own: Vec<Change> =
                numbers.iter().filter_map(|n| changes.all.get(*n).cloned()).collect();
            let parts: Option<Vec<Vec<usize>>> = changes.parts.map(|parts| {
                numbers.iter().map(|n| parts.get(*n).cloned().unwrap_or_default()).collect()
            });
            let part = Changes { all: &own, parts: parts.as_deref(), ..*changes };
            let mut tried = match how {
                How::Standing => self.standing(&part, &mut found.left_out)?,
                How::Switched => by_switch(self, &part)?,
            };
            if matches!(tried, Tried::Unbuilt) {
                tried = self.standing(&part, &mut found.left_out)?;
            }
            let fates = match tried {
                Tried::Fates(fates) => fates,
                Tried::Spoilt | Tried::Unbuilt => self.afresh(&part, &mut found.left_out)?,
            };
            for (n, fate) in fates {
                let at = numbers.get(n).and_then(|at| found.fates.get_mut(*at));
                if let Some(at) = at {
                    *at = fate;
                }
            }
        }
        Ok(found)
    }

    /// Whether the set-up makes something that need not follow a source which changes later.
    fn builds(&self, tree: &TreeId) -> Result<bool, Halt> {
        if self.lab().setting.setup.run.is_empty() {
            return Ok(false);
        }
        let stage = self.stand(&Trial::of(tree))?;
        let listing = self.shadow.list(tree)?;
        Ok(stage.has_products(&listing))
    }

    /// On trees that stand: in one start of the tool as far as that goes, the rest one by one.
    fn standing(
        &mut self,
        changes: &Changes<'_>,
        left_out: &mut Vec<String>,
    ) -> Result<Tried, Halt> {
        if self.builds(changes.tree)? {
            return Ok(Tried::Spoilt);
        }
        let Some(mut rounds) = self.in_one_batch(changes)? else { return Ok(Tried::Spoilt) };
        let open: Vec<usize> = (0..changes.all.len()).filter(|n| !rounds.knows(*n)).collect();
        if open.is_empty() {
            return Ok(Tried::Fates(rounds.end()));
        }
        let some = workers().min(open.len().div_ceil(EACH));
        let benches = (0..some).map(|n| Bench::set_up(self.beside(n), changes));
        let Some(mut benches) = benches.collect::<Result<Option<Vec<_>>, _>>()? else {
            return Ok(Tried::Spoilt);
        };
        let counting = Countdown::new(self.lab(), changes.what, open.len());
        let round = (changes.noticing, Some(&counting));
        let mut in_time = together(&mut benches, &open, round, |n, fate| rounds.first(n, fate))?;
        loop {
            let next = rounds.next(1);
            if next.is_empty() || !in_time {
                break;
            }
            let all = (&Selection::All, None);
            in_time = together(&mut benches, &next, all, |n, fate| rounds.whole(n, fate))?;
        }
        if !in_time {
            left_out.push("mutants: not all were tried, the budget was used up".to_owned());
            return Ok(Tried::Fates(rounds.end()));
        }
        for bench in benches.iter_mut().filter(|_| changes.sought == Sought::Fates) {
            if bench.left()? == Left::Something {
                return Ok(Tried::Spoilt);
            }
        }
        Ok(Tried::Fates(rounds.end()))
    }

    /// Some of them, each in a tree of its own.
    fn afresh(
        &mut self,
        changes: &Changes<'_>,
        left_out: &mut Vec<String>,
    ) -> Result<BTreeMap<usize, Fate>, Halt> {
        let count = changes.all.len();
        let mut open = some_of_each(changes, MOST_AFRESH);
        left_out.push(format!(
            "mutants: {} of {count} were tried, each in a tree of its own, since the tests or the set-up leave something behind",
            open.len()
        ));
        let mut rounds = changes.rounds();
        let mut only = changes.noticing.clone();
        let mut is_first = true;
        while !open.is_empty() {
            let plain = Trial::of(changes.tree).only(only).within(limit_of(changes.suite_took));
            let with = |n: &usize| {
                changes.all.get(*n).map_or(plain.clone(), |Change { file, edit }| {
                    plain.clone().with(file, edit.apply(changes.text(file)))
                })
            };
            let trials: Vec<Trial> =
                std::iter::once(plain.clone()).chain(open.iter().map(with)).collect();
            let reports = self.reports(&trials)?;
            let Some((first, tried)) = reports.split_first() else { break };
            if !all_pass(first) {
                return Err(Halt::lasting(
                    "the tests do not pass by themselves, so mutants can't be tried",
                ));
            }
            for (n, report) in open.iter().zip(tried) {
                changes.noticed.hear(changes.all.get(*n), report);
                if is_first {
                    rounds.first(*n, fate_of(report));
                } else {
                    rounds.whole(*n, fate_of(report));
                }
            }
            (is_first, only, open) = (false, Selection::All, rounds.next(AT_ONCE));
        }
        Ok(rounds.end())
    }
}

/// The changes that can be built once for all.
fn switchable(changes: &Changes<'_>) -> BTreeSet<usize> {
    let mut by_file: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (n, change) in changes.all.iter().enumerate() {
        by_file.entry(&change.file).or_default().push(n);
    }
    let mut taken = BTreeSet::new();
    for (file, numbers) in by_file {
        let edits: Vec<_> =
            numbers.iter().filter_map(|n| Some(changes.all.get(*n)?.edit.clone())).collect();
        let held = switched(file, changes.text(file), &edits, 1).map_or(Vec::new(), |s| s.taken);
        taken.extend(held.into_iter().filter_map(|at| numbers.get(at)));
    }
    taken
}

/// So many changes, the first of each part before the second of any.
fn some_of_each(changes: &Changes<'_>, most: usize) -> Vec<usize> {
    let mut met: BTreeMap<&[usize], usize> = BTreeMap::new();
    let mut turn = |n: usize| {
        let own = changes.parts.and_then(|parts| parts.get(n)).map_or(&[][..], Vec::as_slice);
        let met = met.entry(own).or_default();
        *met += 1;
        (*met, n)
    };
    let mut turns: Vec<(usize, usize)> = (0..changes.all.len()).map(&mut turn).collect();
    turns.sort_unstable();
    let mut taken: Vec<usize> = turns.into_iter().take(most).map(|(_, n)| n).collect();
    taken.sort_unstable();
    taken
}

/// What one worker found out, and how it ended.
type Share = (Vec<(usize, Fate)>, Result<(), Halt>);

/// These changes against these tests, some at the same time. Whether there was time for all of them.
fn together(
    benches: &mut [Bench<'_>],
    numbers: &[usize],
    (only, counting): (&Selection, Option<&Countdown<'_>>),
    mut keep: impl FnMut(usize, Fate),
) -> Result<bool, Halt> {
    let next = AtomicUsize::new(0);
    let done: Vec<Share> = std::thread::scope(|scope| {
        let work = |bench| {
            let (next, span) = (&next, Span::current());
            scope.spawn(move || span.in_scope(|| some(bench, numbers, next, (only, counting))))
        };
        let handles: Vec<_> = benches.iter_mut().map(work).collect();
        let broke = || Err(Halt::lasting("a worker broke; this is a bug in Proctor"));
        let joined = handles.into_iter().map(std::thread::ScopedJoinHandle::join);
        joined.map(|done| done.unwrap_or_else(|_| (Vec::new(), broke()))).collect()
    });
    let mut in_time = true;
    for (fates, end) in done {
        for (n, fate) in fates {
            keep(n, fate);
        }
        match end {
            Ok(()) => {}
            Err(Halt::TimeUp) => in_time = false,
            Err(other) => return Err(other),
        }
    }
    Ok(in_time)
}

/// One worker's share: as many as it comes to.
fn some(
    bench: &mut Bench<'_>,
    numbers: &[usize],
    next: &AtomicUsize,
    (only, counting): (&Selection, Option<&Countdown<'_>>),
) -> (Vec<(usize, Fate)>, Result<(), Halt>) {
    let mut fates = Vec::new();
    while let Some(n) = numbers.get(next.fetch_add(1, Ordering::SeqCst)) {
        let Some(change) = bench.changes.all.get(*n) else { break };
        match bench.fate(change, only) {
            Ok(fate) => {
                fates.push((*n, fate));
                counting.inspect(|counting| counting.tick());
            }
            Err(halt) => return (fates, Err(halt)),
        }
    }
    (fates, Ok(()))
}

#[derive(Clone, Copy)]
enum How {
    Standing,
    Switched,
}

/// One worker's tree, on which changes come and go.
struct Bench<'a> {
    runs: TestRuns<'a>,
    changes: &'a Changes<'a>,
    standing: Stage,
    limit_ms: u64,
}

/// What the tests left in a tree that makes them fail there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    Nothing,
    Something,
}

impl<'a> Bench<'a> {
    fn set_up(mut runs: TestRuns<'a>, changes: &'a Changes<'a>) -> Result<Option<Self>, Halt> {
        let plain = Trial::of(changes.tree);
        let standing = runs.stand(&plain)?;
        if changes.sought == Sought::Unnoticed {
            let limit_ms = limit_of(changes.suite_took);
            return Ok(Some(Self { runs, changes, standing, limit_ms }));
        }
        let began = Instant::now();
        let report = runs.report_on(&standing, &plain.only(changes.noticing.clone()))?;
        let limit_ms = limit_of(began.elapsed());
        let passes = all_pass(&report);
        Ok(passes.then_some(Self { runs, changes, standing, limit_ms }))
    }

    fn fate(&mut self, change: &Change, only: &Selection) -> Result<Fate, Halt> {
        let Change { file, edit } = change;
        let text = self.changes.text(file);
        let limit_ms = match only {
            Selection::All => limit_of(self.changes.suite_took).max(self.limit_ms),
            Selection::Ids(_) => self.limit_ms,
        };
        let trial = Trial::of(self.changes.tree).with(file, edit.apply(text));
        let trial = trial.only(only.clone()).within(limit_ms);
        let fate = self.runs.report_on(&self.standing, &trial).map(|report| {
            self.changes.noticed.hear(Some(change), &report);
            fate_of(&report)
        });
        self.standing.put(file, text.as_bytes())?;
        fate
    }

    /// Whether the tree is still what it was.
    fn left(&mut self) -> Result<Left, Halt> {
        let trial = Trial::of(self.changes.tree).only(self.changes.noticing.clone());
        let passes = all_pass(&self.runs.report_on(&self.standing, &trial)?);
        Ok(if passes { Left::Nothing } else { Left::Something })
    }
}

pub(crate) fn limit_of(took: Duration) -> u64 {
    u64::try_from((took * 3 + Duration::from_secs(3)).as_millis()).unwrap_or(u64::MAX)
}

pub(crate) fn all_pass(report: &TestReport) -> bool {
    matches!(report.end, RunEnd::Finished)
        && report
            .cases
            .values()
            .all(|case| matches!(case.end, CaseEnd::Passed | CaseEnd::Skipped { .. }))
}

pub(crate) fn fate_of(report: &TestReport) -> Fate {
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
