//! Makes one verdict of a Go run out of the listing, the events of each round, and the exit codes. What does not agree
//! is suspect.

use super::compiler;
use super::listing::{Listing, position};
use super::missing::Names;
use super::reason::Judge;
use super::rounds::Rounds;
use super::selection::{asked, id};
use crate::ask::{Ask, Selection, StepEnd, StepOutput, slashed};
use proctor_core::report::{Case, CaseEnd, CollectError, Place, Reason, RunEnd, TestReport};
use proctor_core::words::TestId;
use proctor_lang::tree::joined;
use std::collections::BTreeMap;
use std::path::Path;

type Cases = BTreeMap<TestId, Case>;

pub(crate) fn read(ask: &Ask, done: &[StepOutput]) -> TestReport {
    let Some((first, rest)) = done.split_first() else {
        return crashed("go was not run".to_owned());
    };
    let listing = match listed(ask, first) {
        Ok(listing) => listing,
        Err(end) => return TestReport::empty(end),
    };
    if let Some(dir) = &listing.from_elsewhere {
        return suspect(format!("code was loaded from {dir}, which is not what is tested"));
    }
    if let Some(package) = listing.packages.values().find(|p| p.dir.is_none()) {
        return suspect(format!("{} lies outside the tree", package.path));
    }
    let names = Names::of(ask, &listing);
    let rounds = Rounds::replay(ask, &listing, rest);
    let cases = cases(ask, &listing, &rounds);
    let errors = errors(ask, &listing, &rounds, &names);
    let end = match (&rounds.broken, &rounds.suspect, rounds.next()) {
        (Some(end), _, _) => end.clone(),
        (None, Some(note), _) => RunEnd::Suspect { note: note.clone() },
        (None, None, Some(_)) => RunEnd::Crashed { note: "the run was not finished".to_owned() },
        (None, None, None) if !errors.is_empty() => RunEnd::CollectFailed { errors },
        (None, None, None) if cases.is_empty() => RunEnd::NoTests,
        (None, None, None) => RunEnd::Finished,
    };
    TestReport { end, cases }
}

/// The packages as the first step told them, or how the run ended there.
pub(crate) fn listed(ask: &Ask, first: &StepOutput) -> Result<Listing, RunEnd> {
    let crash = |note: String| RunEnd::Crashed { note };
    match &first.end {
        StepEnd::Exited(0) => {}
        StepEnd::Exited(code) => return Err(not_listed(ask, *code, first)),
        StepEnd::TimedOut => return Err(RunEnd::TimedOut { running: None }),
        StepEnd::Signalled(signal) => {
            return Err(crash(format!("go list was ended by signal {signal}\n{}", first.tail())));
        }
        StepEnd::CouldNotStart(why) => {
            return Err(crash(format!("go could not be started: {why}")));
        }
    }
    let listing = Listing::read(ask, &first.stdout);
    let listing = listing.ok_or_else(|| crash("what go list wrote can't be read".to_owned()))?;
    if listing.packages.is_empty() && !listing.astray.is_empty() {
        return Err(crash(format!("go found no packages: {}", listing.astray.join("\n"))));
    }
    Ok(listing)
}

/// A manifest that Go can't read has a place; anything else is the tool's own matter.
fn not_listed(ask: &Ask, code: i32, first: &StepOutput) -> RunEnd {
    let text = String::from_utf8_lossy(&first.stderr).into_owned();
    let errors: Vec<CollectError> = text
        .lines()
        .filter_map(|line| {
            let place = manifest_place(ask, line).or_else(|| position(ask, line))?;
            let reason =
                Reason::Other { message: text.trim().to_owned(), place: Some(place.clone()) };
            Some(CollectError { place, reason })
        })
        .collect();
    if errors.is_empty() {
        return RunEnd::Crashed { note: format!("go list ended with {code}\n{}", first.tail()) };
    }
    RunEnd::CollectFailed { errors }
}

/// `go.mod:2: unknown directive: foo`.
fn manifest_place(ask: &Ask, line: &str) -> Option<Place> {
    let name = ["go.mod:", "go.work:"].into_iter().find(|name| line.contains(name))?;
    let (lead, rest) = line.split_once(name)?;
    let number = rest.split(':').next()?.parse().ok()?;
    let file = format!("{lead}{}", name.trim_end_matches(':'));
    let path = Path::new(&file);
    let file = if path.is_absolute() {
        super::listing::inside(ask, path)?
    } else {
        joined(&slashed(Path::new(&ask.subdir)), &file)?
    };
    Some(Place { file, line: Some(number) })
}

fn crashed(note: String) -> TestReport {
    TestReport::empty(RunEnd::Crashed { note })
}

fn suspect(note: String) -> TestReport {
    TestReport::empty(RunEnd::Suspect { note })
}

fn cases(ask: &Ask, listing: &Listing, rounds: &Rounds<'_>) -> Cases {
    let mut cases = Cases::new();
    for (name, sum) in &rounds.sums {
        let Some(package) = listing.packages.get(name) else {
            continue;
        };
        let judge = Judge { ask, package, sum };
        for (test, outcome) in &sum.tests {
            let id = id(name, test);
            if asked(&ask.only, &id) {
                let end = judge.end(test, outcome);
                cases.insert(id, Case { end, took_ms: Some(outcome.told.took_ms) });
            }
        }
        for (test, message) in &sum.set_up_failed {
            let id = id(name, test);
            if asked(&ask.only, &id) && !cases.contains_key(&id) {
                let message = format!("the package broke before its tests ran\n{message}");
                cases.insert(id, Case { end: CaseEnd::Errored { message }, took_ms: None });
            }
        }
    }
    cases
}

fn errors(ask: &Ask, listing: &Listing, rounds: &Rounds<'_>, names: &Names) -> Vec<CollectError> {
    let wanted = |package: &str| match &ask.only {
        Selection::All => true,
        Selection::Ids(ids) => {
            ids.iter().any(|id| id.as_str().split_once(' ').is_some_and(|(p, _)| p == package))
        }
    };
    let mut errors = compiler::load_errors(names, listing, wanted);
    let not_built: Vec<&String> =
        rounds.sums.iter().filter(|(_, sum)| sum.not_built).map(|(name, _)| name).collect();
    if not_built.is_empty() {
        return errors;
    }
    let mut compiled = compiler::errors(ask, names, &rounds.compiler);
    if compiled.is_empty() {
        compiled.extend(not_built.iter().filter_map(|name| {
            let file = listing.packages.get(*name)?.first_file.clone();
            let place = Place { file, line: None };
            let message = format!("{name} could not be built\n{}", rounds.compiler.trim());
            let reason = Reason::Other { message, place: Some(place.clone()) };
            Some(CollectError { place, reason })
        }));
    }
    errors.append(&mut compiled);
    errors
}
