//! Makes one verdict of a run of a JavaScript tool out of its exit code, our reporter's lines and the tool's
//! own report. All three must agree, else the run is suspect. Why a test failed is `reason`'s.

use super::channel::Channel;
use super::lines::{self, At, CaseLine, End, Kind, Line, Load, State, SuiteError};
use super::links;
use super::reason::Judge;
use super::tool::{lines_file, loads_file, selected_files};
use crate::ask::{Ask, Selection, StepEnd, StepOutput};
use crate::json_lines;
use proctor_core::item::Shape;
use proctor_core::report::{Case, CaseEnd, CollectError, Counts, RunEnd, TestReport};
use proctor_core::words::TestId;
use proctor_lang::child_file;
use proctor_lang::js::items;
use proctor_lang::tree::FolderTree;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the tool whose run is read.
pub(crate) struct Told {
    pub(crate) tool: &'static str,
    pub(crate) channel: Channel,
    pub(crate) exits: Exits,
}

/// What a tool's exit code says where the run came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exits {
    /// 1 where anything failed, or where there is no test at all.
    One,
    /// The number of what failed.
    Failures,
    /// 3 where anything failed, 2 where not all that is there was to run.
    Jasmine,
}

/// What the lines say, put together.
#[derive(Default)]
struct Story {
    begins: usize,
    started: Vec<At>,
    done: Vec<At>,
    cases: Vec<CaseLine>,
    broken: Vec<SuiteError>,
    /// Errors that belong to nothing.
    stray: Vec<lines::Raised>,
    end: Option<End>,
    /// Something was written after the end.
    after_end: bool,
}

/// The cases by id, and the files that could not be loaded.
struct Judged {
    cases: BTreeMap<TestId, Case>,
    errors: Vec<CollectError>,
}

pub(crate) fn read(ask: &Ask, done: &[StepOutput], told: &Told) -> TestReport {
    read_told(ask, done, told, |ask| {
        json_lines::read::<Line>(&child_file::read(lines_file(ask)).unwrap_or_default())
    })
}

/// The same with lines that are made of something else. The first step is the run.
pub(crate) fn read_told(
    ask: &Ask,
    done: &[StepOutput],
    told: &Told,
    lines: impl FnOnce(&Ask) -> Result<Vec<Line>, String>,
) -> TestReport {
    let tool = told.tool;
    let Some(step) = done.first() else {
        return crashed(format!("{tool} was not run"));
    };
    let lines = match lines(ask) {
        Ok(lines) => lines,
        Err(why) => {
            let note = format!("{tool}'s report can't be read: {why}");
            return TestReport::empty(RunEnd::Suspect { note });
        }
    };
    let judge = Judge::new(ask);
    let loads = lines::loads(&child_file::read(loads_file(ask)).unwrap_or_default());
    let story = tell(lines, &loads);
    let mut judged = judged(&story, &judge);
    mark_by_source(ask, &story, &judge, &mut judged.cases);
    let running = || story.running().map(|at| id(&judge, at));
    let end = match &step.end {
        StepEnd::Exited(exit) => verdict(ask, told, step, *exit, &story, &judged),
        StepEnd::TimedOut => RunEnd::TimedOut { running: running() },
        StepEnd::Signalled(signal) => {
            let at = running().map(|id| format!(" in {id}")).unwrap_or_default();
            let note = format!("{tool} was ended by signal {signal}{at}\n{}", step.tail());
            RunEnd::Crashed { note }
        }
        StepEnd::CouldNotStart(why) => {
            return crashed(format!("{tool} could not be started: {why}"));
        }
    };
    keep_selected(ask, &mut judged);
    let end = match end {
        RunEnd::Finished if !judged.errors.is_empty() => {
            RunEnd::CollectFailed { errors: judged.errors }
        }
        RunEnd::Finished if judged.cases.is_empty() => RunEnd::NoTests,
        other => other,
    };
    TestReport { end, cases: judged.cases }
}

pub(crate) fn crashed(note: String) -> TestReport {
    TestReport::empty(RunEnd::Crashed { note })
}

fn tell(lines: Vec<Line>, loads: &[Load]) -> Story {
    let mut story = Story::default();
    for line in lines {
        story.after_end |= story.end.is_some();
        match line {
            Line::Begin => story.begins += 1,
            Line::Start(at) => story.started.push(at),
            Line::Done(at) => story.done.push(at),
            Line::Case(case) => story.cases.push(case),
            Line::SuiteError(mut broken) => {
                // A file's own process knows best why it ended.
                let mut own = loads.iter().filter(|l| l.file == broken.at.file);
                if broken.at.names.is_empty()
                    && let Some(load) = own.next_back()
                {
                    broken.errors = vec![load.error.clone()];
                }
                story.broken.push(broken);
            }
            Line::Stray { file, errors } if file.is_empty() => story.stray.extend(errors),
            Line::Stray { file, errors } => {
                let at = At { file, names: Vec::new() };
                story.broken.push(SuiteError { at, hook: None, errors });
            }
            Line::End(end) => story.end = Some(end),
        }
    }
    story
}

impl Story {
    /// A test that began and never ended, the innermost last.
    fn running(&self) -> Option<&At> {
        let mut open: BTreeMap<&At, i64> = BTreeMap::new();
        for at in &self.started {
            *open.entry(at).or_default() += 1;
        }
        for at in &self.done {
            *open.entry(at).or_default() -= 1;
        }
        self.started.iter().rev().find(|at| open.get(at).is_some_and(|n| *n > 0))
    }
}

fn id(judge: &Judge, at: &At) -> TestId {
    let mut text = judge.file(&at.file);
    for name in &at.names {
        text.push_str(" > ");
        text.push_str(name);
    }
    TestId(text)
}

fn judged(story: &Story, judge: &Judge) -> Judged {
    let mut cases = BTreeMap::new();
    let mut uses: BTreeMap<TestId, usize> = BTreeMap::new();
    let mut hit = vec![false; story.broken.len()];
    for line in story.cases.iter().filter(|line| line.kind == Kind::Test) {
        let base = id(judge, &line.at);
        let times = uses.entry(base.clone()).or_default();
        *times += 1;
        let id = if *times == 1 { base } else { TestId(format!("{base} #{times}")) };
        let mut end = case_end(line, story, judge);
        for (broken, hit) in story.broken.iter().zip(&mut hit) {
            if !broken.holds(&line.at) {
                continue;
            }
            *hit = true;
            if !matches!(end, CaseEnd::Failed { .. }) {
                end = broken.end(judge);
            }
        }
        cases.insert(id, Case { end, took_ms: Some(line.ms) });
    }
    let lost = story.broken.iter().zip(hit).filter(|(_, hit)| !hit);
    let errors = lost.map(|(b, _)| judge.collect_error(&b.at.file, &b.errors)).collect();
    Judged { cases, errors }
}

impl SuiteError {
    fn holds(&self, at: &At) -> bool {
        self.at.file == at.file && at.names.starts_with(&self.at.names)
    }

    /// What it means for each test in it.
    fn end(&self, judge: &Judge) -> CaseEnd {
        let Some(hook) = &self.hook else {
            let said = self.errors.first().map(|e| judge.told(e)).unwrap_or_default();
            return CaseEnd::Errored { message: format!("in its file: {said}") };
        };
        match self.errors.first() {
            Some(raised) => {
                let named = judge.hook(raised);
                judge.hook_broke(named.as_deref().unwrap_or(hook), raised)
            }
            None => CaseEnd::Errored { message: format!("in {hook}: ") },
        }
    }
}

fn case_end(line: &CaseLine, story: &Story, judge: &Judge) -> CaseEnd {
    match line.state {
        State::Todo => CaseEnd::Skipped { why: said(&line.why, "still to do") },
        State::Skipped => CaseEnd::Skipped { why: said(&line.why, "skipped") },
        State::Unfinished => CaseEnd::Errored { message: "was not run to its end".to_owned() },
        State::Passed if line.expected == Some(true) => expected_to_fail(),
        State::Passed if line.tries > 1 => {
            let first = line.errors.first().map(|e| judge.told(e)).unwrap_or_default();
            CaseEnd::Errored { message: format!("needed {} tries: {first}", line.tries) }
        }
        State::Passed => CaseEnd::Passed,
        // A test that holds others failed because one of them did.
        State::Failed if line.errors.is_empty() => {
            let inner = story.cases.iter().find(|c| {
                c.state == State::Failed
                    && !c.errors.is_empty()
                    && c.at.file == line.at.file
                    && c.at.names.len() > line.at.names.len()
                    && c.at.names.starts_with(&line.at.names)
            });
            judge.failed(inner.unwrap_or(line))
        }
        State::Failed => judge.failed(line),
    }
}

fn expected_to_fail() -> CaseEnd {
    CaseEnd::Skipped { why: "expected to fail".to_owned() }
}

/// Where the tool does not say which tests are meant to fail, the sources do: a test with such a mark that ran and
/// passed is one.
fn mark_by_source(ask: &Ask, story: &Story, judge: &Judge, cases: &mut BTreeMap<TestId, Case>) {
    let silent = story.cases.iter().filter(|c| c.kind == Kind::Test && c.expected.is_none());
    let files: BTreeSet<String> = silent.map(|c| judge.file(&c.at.file)).collect();
    if files.is_empty() {
        return;
    }
    let paths: Vec<String> = files.into_iter().collect();
    let items = items::items(&FolderTree::new(&ask.tree), &paths);
    let marked: Vec<_> = items.iter().filter(|i| i.shape == Shape::Skipped).collect();
    for (id, case) in cases.iter_mut().filter(|(_, case)| case.end == CaseEnd::Passed) {
        if marked.iter().any(|item| item.covers(id)) {
            case.end = expected_to_fail();
        }
    }
}

fn said(why: &str, otherwise: &str) -> String {
    if why.trim().is_empty() { otherwise.to_owned() } else { why.to_owned() }
}

/// What was not asked for is left out: tools select by name, which several tests may have.
fn keep_selected(ask: &Ask, judged: &mut Judged) {
    let Selection::Ids(wanted) = &ask.only else {
        return;
    };
    judged.cases.retain(|id, _| wanted.iter().any(|w| w.covers(id)));
    if let Some(files) = selected_files(ask) {
        judged.errors.retain(|error| files.contains(&error.place.file));
    }
}

fn verdict(
    ask: &Ask,
    told: &Told,
    step: &StepOutput,
    exit: i32,
    story: &Story,
    judged: &Judged,
) -> RunEnd {
    let tool = told.tool;
    // A tool that wrote its own report did begin: then our lines were taken away.
    let reported = told.channel.file(ask).is_some_and(|file| file.is_file());
    if story.begins == 0 && exit != 0 && !reported {
        let note = format!("{tool} did not begin (exit {exit})\n{}", step.tail());
        return RunEnd::Crashed { note };
    }
    if let Some(note) = disagreement(ask, told, exit, story, judged) {
        return RunEnd::Suspect { note };
    }
    if let Some(raised) = story.stray.first() {
        let said = Judge::new(ask).told(raised);
        return RunEnd::Crashed { note: format!("an error outside of any test: {said}") };
    }
    RunEnd::Finished
}

/// The first thing in which the channels differ.
fn disagreement(
    ask: &Ask,
    told: &Told,
    exit: i32,
    story: &Story,
    judged: &Judged,
) -> Option<String> {
    let tool = told.tool;
    if story.begins == 0 {
        return Some(format!("{tool} ended with {exit} and our reporter was never loaded"));
    }
    let at = story.running().map(|at| format!(" while `{}` was running", at.names.join(" > ")));
    let at = at.unwrap_or_default();
    let Some(end) = story.end else {
        return Some(format!("{tool} ended with {exit} before its run did{at}"));
    };
    if let Some(path) = links::led_elsewhere(ask) {
        return Some(format!("{path} leads out of the tree, to another copy of the project"));
    }
    if story.begins > 1 || story.after_end || end.cases != story.cases.len() {
        return Some("our reporter's lines were written by someone else too".to_owned());
    }
    if !at.is_empty() {
        return Some(format!("{tool}'s run ended{at}"));
    }
    if let Some(note) = vanished(story) {
        return Some(format!("{note} before its tests were done"));
    }
    let bad = story.cases.iter().any(|c| c.state == State::Failed)
        || !story.broken.is_empty()
        || !story.stray.is_empty();
    if end.ok == bad && !end.leftover && !story.cases.is_empty() {
        return Some(format!("{tool} says that its run {}, its tests don't", ended(end.ok)));
    }
    let none = judged.cases.is_empty() && judged.errors.is_empty();
    if !told.exits.fit(exit, end, bad, none) {
        let counts = Counts::of(judged.cases.values());
        let lost = judged.errors.len();
        return Some(format!(
            "{tool} ended with {exit}, but its tests say: {counts}, {lost} files not loaded"
        ));
    }
    if told.channel == Channel::Counted {
        return miscounted(story, end);
    }
    let report = told.channel.file(ask).and_then(|file| child_file::read(file).ok());
    told.channel.differs(report.as_deref(), &story.cases, end.ok)
}

impl Exits {
    fn fit(self, exit: i32, end: End, bad: bool, none: bool) -> bool {
        match (self, exit) {
            (Self::One | Self::Jasmine, 0) | (Self::Jasmine, 2) => end.ok && !bad,
            // Where there is no test at all, jest and vitest fail.
            (Self::One, 1) => bad || end.leftover || none,
            (Self::Jasmine, 3) => bad,
            (Self::One | Self::Jasmine, _) => false,
            // A file that could not be loaded is counted nowhere.
            (Self::Failures, exit) => {
                let failed = end.counted.map(|counted| counted.failed.min(255));
                usize::try_from(exit).ok() == failed && (exit == 0 || bad)
            }
        }
    }
}

/// In what the tool's own numbers differ from our lines.
fn miscounted(story: &Story, end: End) -> Option<String> {
    let Some(theirs) = end.counted else {
        return Some("the tool did not say how many tests it counted".to_owned());
    };
    let count = |state: State| story.cases.iter().filter(|case| case.state == state).count();
    let (passed, failed) = (count(State::Passed), count(State::Failed));
    // What fails beside tests is counted too, and a test that broke twice is counted twice.
    let fits = passed == theirs.passed && failed <= theirs.failed;
    (!fits).then(|| {
        format!(
            "the tool counted {} passed and {} failed, our lines have {passed} and {failed}",
            theirs.passed, theirs.failed
        )
    })
}

fn ended(ok: bool) -> &'static str {
    if ok { "went well" } else { "failed" }
}

/// Tests whose process is gone. jest tells of it as of a file that can't be loaded, vitest as of an error of no test.
fn vanished(story: &Story) -> Option<String> {
    let gone = |error: &lines::Raised| {
        [&error.message, &error.stack].iter().any(|text| {
            let text = text.strip_prefix("Error: ").unwrap_or(text);
            text.starts_with("A jest worker process (pid=")
                || text.starts_with("Call retries were exceeded")
                || text.starts_with("Worker exited unexpectedly")
                || text.starts_with("worker process exited unexpectedly")
                || text.starts_with("[vitest-pool]")
        })
    };
    if let Some(broken) = story.broken.iter().find(|b| b.errors.iter().any(gone)) {
        return Some(format!("the process that ran {} left", broken.at.file));
    }
    let lost = |case: &&CaseLine| case.state == State::Unfinished || case.errors.iter().any(gone);
    if let Some(case) = story.cases.iter().find(lost) {
        let name = case.at.names.join(" > ");
        return Some(format!("the process that ran `{name}` left"));
    }
    story.stray.iter().any(gone).then(|| "a process that ran tests left".to_owned())
}
