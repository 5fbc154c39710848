//! Makes one verdict of a pytest run out of its exit code, our plugin's lines and its `JUnit` file. All three must
//! agree, else the run is suspect. Why a test failed is `reason`'s.

use super::lines::{self, Line, Phase, Seal, WrongBecause, WrongCode};
use super::pytest::{LABEL, junit_file, lines_file};
use super::reason::Judge;
use crate::ask::{Ask, Selection, StepEnd, StepOutput};
use crate::json_lines;
use crate::junit::{self, count};
use proctor_core::report::{Case, CaseEnd, CollectError, Counts, RunEnd, TestReport};
use proctor_core::words::TestId;
use proctor_lang::child_file;
use std::collections::{BTreeMap, BTreeSet};

/// What the lines say, put together.
#[derive(Default)]
struct Story {
    tool: String,
    extent: Extent,
    begun: bool,
    collect_only: bool,
    collected: Option<Vec<String>>,
    collect_errors: Vec<CollectError>,
    collect_skips: usize,
    phases: BTreeMap<String, Vec<Phase>>,
    running: Option<String>,
    wrong: Vec<WrongCode>,
    exit: Option<i32>,
    /// What the plugin would have counted, had it written these lines.
    told: Seal,
    seals: Vec<Seal>,
}

pub(crate) fn read(ask: &Ask, done: &[StepOutput]) -> TestReport {
    read_to(ask, done, Extent::Whole)
}

/// The report of a run that writes no `JUnit` file, since what its tests observe is read elsewhere.
pub(crate) fn observing(ask: &Ask, done: &[StepOutput]) -> TestReport {
    read_to(ask, done, Extent::Alone)
}

fn read_to(ask: &Ask, done: &[StepOutput], extent: Extent) -> TestReport {
    let Some(step) = done.iter().find(|step| step.label == LABEL) else {
        let why = done.last().map(|step| format!(": {:?}\n{}", step.end, step.tail()));
        return crashed(format!("pytest was not run{}", why.unwrap_or_default()));
    };
    read_step(ask, step, extent)
}

/// The report of a run of unittest, which writes no `JUnit` file: the lines, their seal and the exit code say it.
pub(crate) fn of_unittest(ask: &Ask, done: &[StepOutput]) -> TestReport {
    match done.last() {
        Some(step) => read_step(ask, step, Extent::Alone),
        None => crashed("unittest was not run".to_owned()),
    }
}

/// The report of a run that was told to end at its first failure, and to write no `JUnit` file: what became of a mutant is
/// told by the lines, their seal and the exit code.
pub(crate) fn to_first_failure(ask: &Ask, step: &StepOutput) -> TestReport {
    read_step(ask, step, Extent::ToFirstFailure)
}

/// How far a run was to go.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Extent {
    #[default]
    Whole,
    ToFirstFailure,
    /// To the end, with no second report.
    Alone,
}

fn read_step(ask: &Ask, step: &StepOutput, extent: Extent) -> TestReport {
    let bytes = child_file::read(lines_file(ask)).unwrap_or_default();
    let lines = match json_lines::read::<Line>(&bytes) {
        Ok(lines) => lines,
        Err(why) => {
            return suspect(format!("pytest's report can't be read: {why}"), BTreeMap::new());
        }
    };
    let judge = Judge::new(ask);
    let mut story = tell(lines, &judge);
    story.extent = extent;
    story.tool.clone_from(&step.label);
    story.seals = lines::seals(&step.stderr);
    let cases = cases(&story, &judge);
    let exit = match &step.end {
        StepEnd::Exited(code) => *code,
        StepEnd::TimedOut => {
            let running = story.running.clone().map(TestId);
            return TestReport { end: RunEnd::TimedOut { running }, cases };
        }
        StepEnd::Signalled(signal) => {
            let at = story.running.as_deref().map(|id| format!(" in {id}")).unwrap_or_default();
            let note = format!("{} was ended by signal {signal}{at}\n{}", step.label, step.tail());
            return TestReport { end: RunEnd::Crashed { note }, cases };
        }
        StepEnd::CouldNotStart(why) => {
            return crashed(format!("{} could not be started: {why}", step.label));
        }
    };
    let junit = child_file::read(junit_file(ask)).ok();
    let end = verdict(ask, step, exit, &story, &cases, junit.as_deref());
    TestReport { end, cases }
}

fn crashed(note: String) -> TestReport {
    TestReport::empty(RunEnd::Crashed { note })
}

fn suspect(note: String, cases: BTreeMap<TestId, Case>) -> TestReport {
    TestReport { end: RunEnd::Suspect { note }, cases }
}

fn tell(lines: Vec<Line>, judge: &Judge) -> Story {
    let mut story = Story::default();
    story.told.lines = lines.len();
    for line in lines {
        match line {
            Line::Begin { collect_only } => {
                story.begun = true;
                story.collect_only = collect_only;
            }
            Line::CollectSkip => story.collect_skips += 1,
            Line::CollectError { file, exception, text } => {
                story.collect_errors.push(judge.collect_error(file, exception.as_ref(), &text));
            }
            Line::Collected { ids } => story.collected = Some(ids),
            Line::Start { id } => story.running = Some(id),
            Line::Phase(phase) => {
                if phase.when == "teardown" {
                    story.running = None;
                }
                match phase.outcome.as_str() {
                    "passed" => story.told.passed += 1,
                    "failed" => story.told.failed += 1,
                    _ => {}
                }
                story.phases.entry(phase.id.clone()).or_default().push(phase);
            }
            Line::WrongCode(wrong) => story.wrong.push(wrong),
            Line::End { exit } => {
                story.exit = Some(exit);
                story.told.exit = exit;
            }
        }
    }
    story
}

fn cases(story: &Story, judge: &Judge) -> BTreeMap<TestId, Case> {
    story
        .phases
        .iter()
        .filter_map(|(id, phases)| {
            let end = case_end(phases, judge)?;
            let took = phases.iter().map(|p| p.ms).sum();
            Some((TestId::new(id), Case { end, took_ms: Some(took) }))
        })
        .collect()
}

/// How a test ended; none while it is still under way.
fn case_end(phases: &[Phase], judge: &Judge) -> Option<CaseEnd> {
    let failed = |when: &str| phases.iter().find(|p| p.when == when && p.outcome == "failed");
    if let Some(phase) = failed("setup").or_else(|| failed("teardown")) {
        return Some(judge.around_it(phase));
    }
    if let Some(phase) = phases.iter().find(|p| p.outcome == "rerun") {
        let message = format!("needed more than one try: {}", Judge::message(phase));
        return Some(CaseEnd::Errored { message });
    }
    if let Some(phase) = failed("call") {
        return Some(judge.call(phase));
    }
    // A test with a skipped subtest has not shown all that it was written for.
    let skipped = phases.iter().find(|p| p.outcome == "skipped" || (p.when == "call" && p.xfail));
    if let Some(phase) = skipped {
        let why = if phase.xfail { "expected to fail".to_owned() } else { phase.why.clone() };
        return Some(CaseEnd::Skipped { why });
    }
    let had = |when: &str| phases.iter().any(|p| p.when == when);
    (had("call") && had("teardown")).then_some(CaseEnd::Passed)
}

fn verdict(
    ask: &Ask,
    step: &StepOutput,
    exit: i32,
    story: &Story,
    cases: &BTreeMap<TestId, Case>,
    junit: Option<&[u8]>,
) -> RunEnd {
    let tool = &story.tool;
    match exit {
        3 => {
            return RunEnd::Crashed {
                note: format!("{tool} broke inside (exit 3)\n{}", step.tail()),
            };
        }
        // A conftest.py that can't be loaded, and nothing was begun.
        4 if !story.begun && story.exit.is_none() && !story.collect_errors.is_empty() => {
            return RunEnd::CollectFailed { errors: story.collect_errors.clone() };
        }
        4 if !story.begun || story.exit == Some(4) => {
            return RunEnd::Crashed {
                note: format!("{tool} did not accept its arguments (exit 4)\n{}", step.tail()),
            };
        }
        _ if !story.begun && exit != 0 => {
            return RunEnd::Crashed {
                note: format!("{tool} did not begin (exit {exit})\n{}", step.tail()),
            };
        }
        _ => {}
    }
    match disagreement(ask, exit, story, cases, junit) {
        Some(note) => RunEnd::Suspect { note },
        None if !story.collect_errors.is_empty() => {
            RunEnd::CollectFailed { errors: story.collect_errors.clone() }
        }
        None if exit == 2 => {
            RunEnd::Crashed { note: format!("{tool} was interrupted (exit 2)\n{}", step.tail()) }
        }
        None if cases.is_empty() => RunEnd::NoTests,
        None => RunEnd::Finished,
    }
}

/// The first thing in which the channels differ.
fn disagreement(
    ask: &Ask,
    exit: i32,
    story: &Story,
    cases: &BTreeMap<TestId, Case>,
    junit: Option<&[u8]>,
) -> Option<String> {
    let tool = &story.tool;
    if !story.begun {
        return Some(format!("{tool} ended with {exit} and our plugin was never loaded"));
    }
    let Some(reported) = story.exit else {
        let at = story
            .running
            .as_deref()
            .map(|id| format!(" while {id} was running"))
            .unwrap_or_default();
        return Some(format!("{tool} ended with {exit} before its session did{at}"));
    };
    if reported != exit {
        return Some(format!("{tool}'s session ended with {reported}, its process with {exit}"));
    }
    if story.seals != [story.told] {
        return Some(format!(
            "our report was changed after it was written: it says {:?}, and when it was written {:?}",
            story.told, story.seals
        ));
    }
    if let Some(note) = wrong_code(ask, &story.wrong) {
        return Some(note);
    }
    if story.collect_only {
        return Some("the project's options made pytest collect the tests and run none".to_owned());
    }
    if let Some(phase) =
        story.phases.values().flatten().find(|p| p.raised && p.outcome == "passed" && !p.xfail)
    {
        return Some(format!(
            "{} raised an exception in its {} and was reported as passed",
            phase.id, phase.when
        ));
    }
    if let Some(note) = not_all_run(ask, exit, story, cases) {
        return Some(note);
    }
    let counts = Counts::of(cases.values());
    let bad = has_failure(story, cases);
    let fits = match exit {
        0 => !bad && (!cases.is_empty() || story.collect_skips > 0),
        1 => bad,
        2 => !story.collect_errors.is_empty(),
        5 => !bad && cases.is_empty(),
        _ => false,
    };
    if !fits && exit != 2 {
        return Some(format!(
            "{tool} ended with {exit}, but its tests say: {} passed, {} failed, {} errored, {} skipped, {} files not collected",
            counts.passed,
            counts.failed,
            counts.errored,
            counts.skipped,
            story.collect_errors.len()
        ));
    }
    match story.extent {
        Extent::Whole => junit_differs(junit, counts, story),
        Extent::ToFirstFailure | Extent::Alone => None,
    }
}

/// Code from outside the tree that was tested in its place.
fn wrong_code(ask: &Ask, wrong: &[WrongCode]) -> Option<String> {
    let first = wrong.first()?;
    let name = if first.module.is_empty() { "code" } else { &first.module };
    let mut note = format!("{name} was loaded from {}", first.file);
    note.push_str(match first.why {
        WrongBecause::Elsewhere => ", which is another copy of the project",
        WrongBecause::SameName => ", while the tree that is tested has a module of that name",
        WrongBecause::Release => ", which is an installed release of the project",
    });
    if wrong.len() > 1 {
        let others: Vec<&str> = wrong.iter().skip(1).take(4).map(|w| w.file.as_str()).collect();
        note = format!("{note} (also {})", others.join(", "));
    }
    let python = ask.tools.program("python");
    Some(format!(
        "{note}\nhint: install the project anew in each tree, with `[setup] run` in proctor.toml, or uninstall it from the environment of {}",
        python.display()
    ))
}

fn has_failure(story: &Story, cases: &BTreeMap<TestId, Case>) -> bool {
    let counts = Counts::of(cases.values());
    counts.failed + counts.errored > 0 || !story.collect_errors.is_empty()
}

fn not_all_run(
    ask: &Ask,
    exit: i32,
    story: &Story,
    cases: &BTreeMap<TestId, Case>,
) -> Option<String> {
    let Some(collected) = &story.collected else {
        return (exit != 2).then(|| "pytest never told which tests it collected".to_owned());
    };
    let collected: BTreeSet<&str> = collected.iter().map(String::as_str).collect();
    let ran: BTreeSet<&str> = cases.keys().map(TestId::as_str).collect();
    let ended_early =
        story.extent == Extent::ToFirstFailure && exit == 1 && has_failure(story, cases);
    if let Some(id) = collected.iter().find(|id| !ran.contains(**id) && !ended_early) {
        return (exit != 2).then(|| format!("{id} was collected and has no result"));
    }
    if let Some(id) = ran.iter().find(|id| !collected.contains(**id)) {
        return Some(format!("{id} has a result and was not collected"));
    }
    if let Selection::Ids(wanted) = &ask.only {
        let asked = |id: &TestId| wanted.iter().any(|w| w.covers(id));
        if let Some(id) = cases.keys().find(|id| !asked(id)) {
            return Some(format!("{id} ran and was not asked for"));
        }
    }
    None
}

fn junit_differs(junit: Option<&[u8]>, ours: Counts, story: &Story) -> Option<String> {
    let Some(bytes) = junit else {
        return Some("pytest wrote no JUnit file".to_owned());
    };
    let theirs = match junit::read(bytes) {
        Ok(cases) => junit::counts(&cases),
        Err(why) => return Some(format!("pytest's JUnit file can't be read: {why}")),
    };
    // JUnit knows a case's outcome, not what set-up of a unittest class or a second try means to us: so those
    // that went wrong are compared as one number, and so are those that did not count.
    let wrong = (
        ours.failed + ours.errored + count(story.collect_errors.len()),
        theirs.failed + theirs.errored,
    );
    let right =
        (ours.passed + ours.skipped + count(story.collect_skips), theirs.passed + theirs.skipped);
    if wrong.0 != wrong.1 || right.0 != right.1 {
        return Some(format!(
            "our report has {} failed and {} others, JUnit has {} and {}",
            wrong.0, right.0, wrong.1, right.1
        ));
    }
    // A strict or loose expected failure that passed is `passed` for JUnit and skipped for us, never the reverse.
    (ours.passed > theirs.passed)
        .then(|| format!("our report has {} passed, JUnit has {}", ours.passed, theirs.passed))
}
