//! Changes that are built all at once, with a variable that says which one is alive. The build is made once, and so is
//! every tree; only the tests run again for each.

use crate::changes::{Changes, Tried, all_pass, fate_of, limit_of};
use crate::countdown::Countdown;
use crate::noticed::failed;
use crate::{Begun, Halt, Stage, TestRuns, Upon, workers};
use proctor_core::branch::Fate;
use proctor_core::report::{CaseEnd, RunEnd, TestReport};
use proctor_core::trial::{Selection, Sought, Trial};
use proctor_core::words::{TestId, TreeId};
use proctor_lang::{Change, Edit, SWITCH, blamed, switched};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// How often a switched text is built anew without what did not build.
const BUILDS: usize = 6;

/// By file: a text that holds many changes, and their numbers.
type Texts = BTreeMap<String, (String, Vec<usize>)>;

/// All of them in one build. What can't be in it is not viable.
pub(crate) fn by_switch(runs: &TestRuns<'_>, changes: &Changes<'_>) -> Result<Tried, Halt> {
    let mut dropped: BTreeSet<usize> = BTreeSet::new();
    let mut fates: BTreeMap<usize, Fate> =
        (0..changes.all.len()).map(|n| (n, Fate::NotViable)).collect();
    for _ in 0..BUILDS {
        let built = switched_texts(changes, &dropped);
        let mut trial = Trial::of(changes.tree).env(SWITCH, "0");
        for (file, (text, _)) in &built {
            trial = trial.with(file.clone(), text.clone());
        }
        let mut runs = runs.beside(workers());
        let standing = runs.stand(&trial)?;
        let plain = Trial::of(changes.tree).env(SWITCH, "0").only(changes.noticing.clone());
        let since = Instant::now();
        let (report, begun) = runs.begun_on(&standing, &plain)?;
        let took = since.elapsed();
        if let RunEnd::CollectFailed { errors } = &report.end {
            let before = dropped.len();
            for (file, (text, _)) in &built {
                let lines: BTreeSet<u32> = errors
                    .iter()
                    .filter(|error| &error.place.file == file)
                    .filter_map(|error| error.place.line)
                    .collect();
                dropped.extend(blamed(text, &lines));
            }
            if dropped.len() == before {
                return Ok(Tried::Unbuilt);
            }
            continue;
        }
        if !all_pass(&report) {
            return Ok(Tried::Unbuilt);
        }
        let (tree, noticing) = (changes.tree, changes.noticing);
        let row = Row { runs, tree, standing, begun, noticing };
        let Some(found) = row.fates(&built, (&report, took), changes)? else {
            return Ok(Tried::Spoilt);
        };
        fates.extend(found);
        return Ok(Tried::Fates(fates));
    }
    Ok(Tried::Unbuilt)
}

/// A built tree, on which one mutant after the other comes alive.
struct Row<'a> {
    runs: TestRuns<'a>,
    tree: &'a TreeId,
    standing: Stage,
    begun: Begun,
    noticing: &'a Selection,
}

/// A choice of tests with its time limits: where nothing is built, and where the build is made anew.
#[derive(Clone)]
struct Round {
    only: Selection,
    upon: u64,
    built: u64,
    /// Whether nothing follows.
    is_last: bool,
}

impl Row<'_> {
    /// What became of each mutant, by its place in the list; none where the tests left something behind that makes them
    /// fail, so that every mutant would look killed.
    fn fates(
        mut self,
        built: &Texts,
        (report, took): (&TestReport, Duration),
        changes: &Changes<'_>,
    ) -> Result<Option<BTreeMap<usize, Fate>>, Halt> {
        let began = Instant::now();
        let swift = self.plain()?.filter(|again| passed(again) == passed(report));
        if swift.is_none() {
            self.begun = Begun::default();
        }
        let (upon, built_ms) = (limit_of(began.elapsed()), limit_of(took));
        let is_last = changes.parts.is_none();
        let first = Round { only: self.noticing.clone(), upon, built: built_ms, is_last };
        let ms = limit_of(changes.suite_took);
        let all = Round { only: Selection::All, upon: ms, built: ms.max(built_ms), is_last: true };
        let mut rounds = changes.rounds();
        let numbers: Vec<usize> = built.values().flat_map(|(_, taken)| taken).copied().collect();
        let counting = Countdown::new(self.runs.lab(), changes.what, numbers.len());
        for n in numbers {
            rounds.first(n - 1, self.fate(n, &first)?);
            counting.tick();
        }
        while let Some(n) = rounds.next(1).first() {
            rounds.whole(*n, self.fate(n + 1, &all)?);
        }
        let whole = if changes.sought == Sought::Unnoticed {
            true
        } else if swift.is_some() {
            self.plain()?.is_some() || self.plain()?.is_some()
        } else {
            let plain = Trial::of(self.tree).env(SWITCH, "0").only(self.noticing.clone());
            all_pass(&self.runs.report_on(&self.standing, &plain)?)
        };
        Ok(whole.then(|| rounds.end()))
    }

    /// The first tests without any mutant and without a build, where they pass.
    fn plain(&mut self) -> Result<Option<TestReport>, Halt> {
        let trial = Trial::of(self.tree).env(SWITCH, "0").only(self.noticing.clone());
        let upon = self.runs.report_upon(&self.standing, &trial, &self.begun)?;
        Ok(upon.map(|upon| upon.report).filter(all_pass))
    }

    /// Tests that are compiled each time come last: where another one notices, nobody waits for them, and where the whole suite
    /// follows they are among its tests.
    fn fate(&mut self, number: usize, round: &Round) -> Result<Fate, Halt> {
        if let Selection::Ids(ids) = &round.only {
            let (last, first): (Vec<TestId>, Vec<TestId>) =
                ids.iter().cloned().partition(|id| self.runs.compiles(id));
            if !last.is_empty() && !first.is_empty() {
                let of = |ids| Round { only: Selection::Ids(ids), ..round.clone() };
                return match self.fate_by(number, &of(first))? {
                    Fate::Survived if !round.is_last => Ok(Fate::Survived),
                    Fate::Killed => Ok(Fate::Killed),
                    _ => self.fate_by(number, round),
                };
            }
        }
        self.fate_by(number, round)
    }

    fn fate_by(&mut self, number: usize, round: &Round) -> Result<Fate, Halt> {
        let trial = Trial::of(self.tree).env(SWITCH, number.to_string());
        let upon = trial.clone().within(round.upon);
        let wanted = upon.clone().only(round.only.clone());
        if let Some(Upon { report, is_alike }) =
            self.runs.report_upon(&self.standing, &wanted, &self.begun)?
        {
            match (&report.end, failed(&report)) {
                (RunEnd::Finished, None) if all_pass(&report) => return Ok(fate_of(&report)),
                (RunEnd::TimedOut { .. }, _) => return Ok(Fate::Killed),
                // Nothing stood beside it that could have ended its process.
                (RunEnd::Crashed { .. }, _) if is_one(&round.only) => return Ok(Fate::Killed),
                (RunEnd::Finished, Some(_)) if is_alike || is_one(&round.only) => {
                    return Ok(Fate::Killed);
                }
                (RunEnd::Finished, Some(id)) if self.runs.compiles(&id) => return Ok(Fate::Killed),
                (RunEnd::Finished, Some(id)) => {
                    // Tests share one process here, also where the project gives each its own: the failure must be this
                    // test's alone.
                    let alone = upon.only(Selection::Ids(vec![id]));
                    let alone = self.runs.report_upon(&self.standing, &alone, &self.begun)?;
                    if alone.is_some_and(|upon| failed(&upon.report).is_some()) {
                        return Ok(Fate::Killed);
                    }
                }
                _ => {}
            }
        }
        let built = trial.within(round.built).only(round.only.clone());
        Ok(fate_of(&self.runs.report_on(&self.standing, &built)?))
    }
}

/// Whether a test that is chosen so has no other beside it.
pub(crate) fn is_one(only: &Selection) -> bool {
    matches!(only, Selection::Ids(ids) if ids.len() == 1)
}

fn passed(report: &TestReport) -> BTreeSet<&TestId> {
    let good = report.cases.iter().filter(|(_, case)| case.end == CaseEnd::Passed);
    good.map(|(id, _)| id).collect()
}

fn switched_texts(changes: &Changes<'_>, dropped: &BTreeSet<usize>) -> Texts {
    let mut built = BTreeMap::new();
    let mut at = 0;
    while let Some(Change { file, .. }) = changes.all.get(at) {
        let rest = changes.all.iter().skip(at);
        let of_file = rest.take_while(|change| &change.file == file).count();
        // Numbers count from one over all files. What did not build stays in the list and changes nothing.
        let text = changes.texts.get(file).map_or("", String::as_str);
        let edits: Vec<Edit> = (at..at + of_file)
            .filter_map(|n| changes.all.get(n).map(|change| (n, &change.edit)))
            .map(|(n, edit)| if dropped.contains(&(n + 1)) { idle(edit) } else { edit.clone() })
            .collect();
        if let Some(one) = switched(file, text, &edits, at + 1) {
            let numbers = one.taken.iter().map(|index| at + 1 + index);
            let taken = numbers.filter(|n| !dropped.contains(n)).collect();
            built.insert(file.clone(), (one.text, taken));
        }
        at += of_file;
    }
    built
}

/// An edit in the same place that changes nothing.
fn idle(edit: &Edit) -> Edit {
    Edit { to: edit.from, text: String::new(), ..edit.clone() }
}
