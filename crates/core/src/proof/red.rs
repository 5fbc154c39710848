//! The red gate's judgement: which of the new tests fail on the old code, and for a right reason.

use super::{
    Anchor, PinProof, Point, RedMeasure, RedProof, errors_in_words, first_line, fresh_errors,
    passed_ids, ran,
};
use crate::assignment::names_case;
use crate::brief::{Brief, Hang};
use crate::fault::{Named, Names, RedFault};
use crate::item::{Shape, TestItem};
use crate::report::{CaseEnd, CollectError, Owner, Reason, RunEnd, TestReport};
use crate::words::{TaskType, TestId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// By what red is told from what proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedRule {
    pub kind: TaskType,
    /// Names that tests may miss; those of the project where none is given.
    pub targets: Vec<String>,
    pub hang: Hang,
}

impl RedRule {
    pub fn of(brief: &Brief) -> Self {
        let (kind, targets, hang) = (brief.kind, brief.targets.clone(), brief.rules.hang);
        Self { kind, targets, hang }
    }
}

impl Default for RedRule {
    fn default() -> Self {
        Self { kind: TaskType::Feature, targets: Vec::new(), hang: Hang::Unknown }
    }
}

pub(super) struct RedJudge<'a> {
    pub(super) brief: &'a Brief,
    pub(super) measure: &'a RedMeasure,
}

/// New tests, and how each of them behaves on the old code.
struct Sorting<'a> {
    rule: &'a RedRule,
    measure: &'a RedMeasure,
}

/// The new and changed tests, sorted by how they behave on the old code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sorted {
    pub red: Vec<TestId>,
    pub guards: Vec<TestId>,
    pub wrong: Vec<Named>,
    /// Fail for a reason that proves nothing, or could not be run beside what does not compile.
    pub others: Vec<Named>,
    pub skipped: Vec<TestId>,
    pub flaky: Vec<TestId>,
}

impl RedJudge<'_> {
    pub(super) fn judge(&self, at: &Point) -> Result<Anchor, Vec<RedFault>> {
        let runs = &self.measure.runs;
        let rule = RedRule::of(self.brief);
        let sorting = Sorting { rule: &rule, measure: self.measure };
        let Some(first) = runs.first() else {
            return Err(vec![RedFault::DidNotRun { why: "no test run was made".to_owned() }]);
        };
        if let Some(why) =
            runs.iter().filter(|run| sorting.hangs(run).is_none()).find_map(|run| ran(run).err())
        {
            return Err(vec![RedFault::DidNotRun { why }]);
        }
        let candidates = sorting.candidates(first);
        if candidates.is_empty() {
            return Err(self.no_candidates(first));
        }
        let sorted = sorting.sort(&candidates);
        let mut faults = self.source_faults(first);
        faults.extend(self.old_tests(first));
        if !sorted.skipped.is_empty() {
            faults.push(RedFault::Skipped { tests: sorted.skipped.iter().cloned().collect() });
        }
        if !sorted.flaky.is_empty() {
            faults.push(RedFault::Flaky { tests: sorted.flaky.iter().cloned().collect() });
        }
        if !self.measure.secrets.is_empty() {
            faults.push(RedFault::Secrets { findings: self.measure.secrets.clone() });
        }
        if let Some(wanted) = self.brief.test_count {
            let found = u32::try_from(self.measure.items.new.len().max(candidates.len()))
                .unwrap_or(u32::MAX);
            if found != wanted {
                faults.push(RedFault::WrongCount { wanted, found });
            }
        }
        let named = |case: &String| candidates.iter().any(|id| names_case(id, case));
        let missing: Vec<String> =
            self.brief.assignment.cases.iter().filter(|case| !named(case)).cloned().collect();
        if !missing.is_empty() {
            faults.push(RedFault::CasesMissing { cases: missing });
        }
        faults.extend(self.by_type(&sorted));
        if !faults.is_empty() {
            return Err(faults);
        }
        let changed = self.measure.items.changed.iter().map(|i| i.id.clone()).collect();
        let first_hang: Vec<TestId> = sorting.hangs(first).cloned().into_iter().collect();
        Ok(match self.brief.kind {
            TaskType::BugFix | TaskType::Feature => Anchor::Red(RedProof {
                at: at.clone(),
                red: sorted.red,
                guards: sorted.guards,
                others: sorted.others.into_iter().map(|named| named.test).collect(),
                changed,
                hanging: first_hang,
                held_out: self.measure.held_out.clone(),
            }),
            TaskType::Refactor => {
                let held_out = self.measure.held_out.clone();
                Anchor::Pinned(PinProof {
                    at: at.clone(),
                    pinned: sorted.guards,
                    changed,
                    held_out,
                })
            }
        })
    }
}

impl Sorting<'_> {
    /// New ids, ids of changed items, and the items of files that could not be collected.
    fn candidates(&self, first: &TestReport) -> BTreeSet<TestId> {
        let items = &self.measure.items;
        let baseline = &self.measure.baseline;
        let mut found: BTreeSet<TestId> = first
            .cases
            .keys()
            .filter(|id| {
                !baseline.cases.contains_key(id) || items.changed.iter().any(|i| i.covers(id))
            })
            .cloned()
            .collect();
        found.extend(self.hangs(first).cloned());
        if matches!(first.end, RunEnd::CollectFailed { .. }) {
            for item in items.new.iter().chain(&items.changed) {
                if !first.cases.keys().any(|id| item.covers(id)) {
                    found.insert(item.id.clone());
                }
            }
        }
        found
    }

    /// The new test that was running when the time was up, where the task says that hanging is the bug.
    fn hangs<'r>(&self, run: &'r TestReport) -> Option<&'r TestId> {
        let RunEnd::TimedOut { running: Some(id) } = &run.end else {
            return None;
        };
        let items = &self.measure.items;
        let new = !self.measure.baseline.cases.contains_key(id)
            || items.new.iter().chain(&items.changed).any(|i| i.covers(id));
        (self.rule.hang == Hang::IsTheBug && new).then_some(id)
    }

    fn sort(&self, candidates: &BTreeSet<TestId>) -> Sorted {
        let mut sorted = Sorted::default();
        for id in candidates {
            let mut ends = self.measure.runs.iter().map(|run| self.standing(run, id));
            let first = ends.next().unwrap_or(Standing::Unknown);
            if ends.any(|end| end.word() != first.word()) {
                sorted.flaky.push(id.clone());
                continue;
            }
            match first {
                Standing::Red => sorted.red.push(id.clone()),
                Standing::Passes => sorted.guards.push(id.clone()),
                Standing::Skipped => sorted.skipped.push(id.clone()),
                Standing::Wrong(why) => sorted.wrong.push(Named { test: id.clone(), why }),
                Standing::Odd(why) => sorted.others.push(Named { test: id.clone(), why }),
                Standing::Unknown => {
                    let why = "it could not be run on the old code".to_owned();
                    sorted.others.push(Named { test: id.clone(), why });
                }
            }
        }
        sorted
    }

    fn standing(&self, run: &TestReport, id: &TestId) -> Standing {
        if self.hangs(run) == Some(id) {
            return Standing::Red;
        }
        if let Some(case) = run.cases.get(id) {
            return match &case.end {
                CaseEnd::Passed => Standing::Passes,
                CaseEnd::Skipped { .. } => Standing::Skipped,
                CaseEnd::Errored { message } => {
                    Standing::Wrong(format!("its set-up broke: {}", first_line(message)))
                }
                CaseEnd::Failed { reason: reason @ Reason::Other { .. } } => {
                    Standing::Odd(self.right(reason).err().unwrap_or_default())
                }
                // An operator comes with more than the method's name: a base class, a decorator.
                CaseEnd::Failed { reason } if is_operator(reason) => match self.right(reason) {
                    Ok(()) => Standing::Red,
                    Err(why) => Standing::Odd(why),
                },
                CaseEnd::Failed { reason } => self.standing_of(reason),
            };
        }
        let RunEnd::CollectFailed { errors } = &run.end else {
            return Standing::Unknown;
        };
        let items = &self.measure.items;
        let written = || items.new.iter().chain(&items.changed);
        let file = written().find(|i| &i.id == id).map(|i| &i.place.file);
        // An error in a file that holds no test (a shared helper) concerns every test that could not be run, unless it was
        // there before.
        let fresh = fresh_errors(&self.measure.baseline, run);
        let shared = |e: &&CollectError| {
            fresh.contains(e) && !written().any(|i| i.place.file == e.place.file)
        };
        let own = |e: &&CollectError| Some(&e.place.file) == file;
        let mut standing = Standing::Unknown;
        for error in errors.iter().filter(|e| own(e) || shared(e)) {
            match self.standing_of(&error.reason) {
                Standing::Wrong(why) => return Standing::Wrong(why),
                better => standing = better,
            }
        }
        standing
    }

    fn standing_of(&self, reason: &Reason) -> Standing {
        match self.right(reason) {
            Ok(()) => Standing::Red,
            Err(why) => Standing::Wrong(why),
        }
    }

    /// An assertion, a crash of the code under test, or a missing name under the rule of targets.
    fn right(&self, reason: &Reason) -> Result<(), String> {
        let place = reason.place().map(|p| format!(" at {p}")).unwrap_or_default();
        match reason {
            Reason::Assertion { .. } | Reason::Panic { .. } => Ok(()),
            Reason::Missing { name, owner, message, .. } => {
                let targets = &self.rule.targets;
                if targets.iter().any(|target| names_target(target, name, message)) {
                    return Ok(());
                }
                match (targets.is_empty(), self.rule.kind, owner) {
                    (true, TaskType::Feature, Owner::Project) => Ok(()),
                    (true, TaskType::Feature, Owner::Elsewhere) => {
                        Err(format!("`{name}` is missing{place}, and it is not the project's own"))
                    }
                    (true, TaskType::Feature, Owner::TestItself) => {
                        Err(format!("`{name}` is undefined in the test itself{place}"))
                    }
                    _ => {
                        Err(format!("`{name}` is missing{place}, and it is not a declared target"))
                    }
                }
            }
            Reason::Other { message, .. } => Err(format!("{}{place}", first_line(message))),
        }
    }
}

impl RedJudge<'_> {
    fn no_candidates(&self, first: &TestReport) -> Vec<RedFault> {
        let errors = fresh_errors(&self.measure.baseline, first);
        if !errors.is_empty() {
            return vec![RedFault::Unusable { why: errors_in_words(&errors) }];
        }
        let items = &self.measure.items;
        let mut faults: Vec<RedFault> = self.source_faults(first);
        faults.extend(self.old_tests(first));
        let lost: Names = items.new.iter().map(|i| i.id.clone()).collect();
        if faults.is_empty() && !lost.is_empty() {
            faults.push(RedFault::NotCollected { tests: lost });
        }
        if faults.is_empty() {
            faults.push(RedFault::NothingNew);
        }
        faults
    }

    /// What reading the sources says: hollow, skipped by a mark, never collected.
    fn source_faults(&self, first: &TestReport) -> Vec<RedFault> {
        let items = &self.measure.items;
        let written = || items.new.iter().chain(&items.changed);
        let mut faults = Vec::new();
        // What was seen to fail in an assertion has one, wherever that stands.
        let asserts = |i: &&TestItem| {
            let mut cases = first.cases.iter().filter(|(id, _)| i.covers(id));
            let fails =
                |end: &CaseEnd| matches!(end, CaseEnd::Failed { reason: Reason::Assertion { .. } });
            i.shape == Shape::NoAssertion && cases.any(|(_, case)| fails(&case.end))
        };
        let hollow: Vec<Named> = written().filter(|i| !asserts(i)).filter_map(hollow).collect();
        if !hollow.is_empty() {
            faults.push(RedFault::Hollow { tests: hollow });
        }
        let marked = |i: &&TestItem| i.shape == Shape::Skipped;
        let skipped: Names = written()
            .filter(marked)
            .filter(|item| !first.cases.keys().any(|id| item.covers(id)))
            .map(|i| i.id.clone())
            .collect();
        if !skipped.is_empty() {
            faults.push(RedFault::Skipped { tests: skipped });
        }
        if matches!(first.end, RunEnd::Finished) {
            let lost: Names = written()
                .filter(|i| !marked(i) && !first.cases.keys().any(|id| i.covers(id)))
                .map(|i| i.id.clone())
                .collect();
            if !lost.is_empty() {
                faults.push(RedFault::NotCollected { tests: lost });
            }
        }
        faults
    }

    /// Tests of the base must still be there and behave as they did.
    fn old_tests(&self, first: &TestReport) -> Vec<RedFault> {
        let items = &self.measure.items;
        let mut faults = Vec::new();
        let mut gone: BTreeSet<TestId> = items.gone.iter().map(|i| i.id.clone()).collect();
        let old = |id: &&TestId| !items.changed.iter().any(|i| i.covers(id));
        let mut broke = Vec::new();
        for id in passed_ids(&self.measure.baseline).filter(old) {
            match first.cases.get(id).map(|c| &c.end) {
                Some(CaseEnd::Passed) => {}
                Some(_) if self.measure.again.excuses(id, &self.measure.runs) => {}
                Some(_) => broke.push(id.clone()),
                None if matches!(first.end, RunEnd::Finished) => {
                    gone.insert(id.clone());
                }
                None => {}
            }
        }
        if !gone.is_empty() {
            faults.push(RedFault::OldTestsGone { tests: gone.into_iter().collect() });
        }
        if !broke.is_empty() {
            faults.push(RedFault::BrokeOthers { tests: broke.into_iter().collect() });
        }
        faults
    }

    fn by_type(&self, sorted: &Sorted) -> Option<RedFault> {
        let names = |ids: &[TestId]| ids.iter().cloned().collect::<Names>();
        match self.brief.kind {
            TaskType::Refactor => {
                let mut not_pinned = sorted.wrong.clone();
                not_pinned.extend(sorted.others.iter().cloned());
                not_pinned.extend(
                    sorted
                        .red
                        .iter()
                        .map(|t| Named { test: t.clone(), why: "it fails".to_owned() }),
                );
                (!not_pinned.is_empty()).then_some(RedFault::NotPinned { tests: not_pinned })
            }
            TaskType::BugFix | TaskType::Feature => {
                if !sorted.wrong.is_empty() {
                    Some(RedFault::WrongReason { tests: sorted.wrong.clone() })
                } else if sorted.red.is_empty() && !sorted.others.is_empty() {
                    Some(RedFault::WrongReason { tests: sorted.others.clone() })
                } else if sorted.red.is_empty() && !sorted.guards.is_empty() {
                    Some(RedFault::PassedTooEarly { tests: names(&sorted.guards) })
                } else if self.brief.rules.strict_red && !sorted.guards.is_empty() {
                    Some(RedFault::GuardsRefused { tests: names(&sorted.guards) })
                } else {
                    None
                }
            }
        }
    }
}

impl RedMeasure {
    /// The new and changed tests by what they do on the old code, as far as that was measured.
    pub fn sorted(&self, rule: &RedRule) -> Sorted {
        let sorting = Sorting { rule, measure: self };
        let candidates = self.runs.first().map(|first| sorting.candidates(first));
        sorting.sort(&candidates.unwrap_or_default())
    }

    /// Old tests that passed on the base and did not beside the new ones; see [`super::GreenMeasure::unsettled`].
    pub fn unsettled(&self) -> Vec<TestId> {
        let failed = |id: &&TestId| {
            let case = self.runs.first().and_then(|run| run.cases.get(*id));
            case.is_some_and(|c| c.end != CaseEnd::Passed)
        };
        let old = |id: &&TestId| !self.items.changed.iter().any(|i| i.covers(id));
        passed_ids(&self.baseline).filter(old).filter(failed).cloned().collect()
    }

    /// The new and changed tests as far as the first run knows them: what a repeat has to run.
    pub fn candidates(&self) -> Vec<TestId> {
        let Some(first) = self.runs.first() else {
            return Vec::new();
        };
        let items = &self.items;
        let reported = first.cases.keys().filter(|id| {
            !self.baseline.cases.contains_key(id) || items.changed.iter().any(|i| i.covers(id))
        });
        let written = items.new.iter().chain(&items.changed).map(|i| &i.id);
        reported.chain(written).cloned().collect::<BTreeSet<TestId>>().into_iter().collect()
    }
}

/// How one new test behaves on the old code.
enum Standing {
    Red,
    Passes,
    Skipped,
    /// Fails for a reason that no work on the production code could mend.
    Wrong(String),
    /// Fails in the test's own code: no proof, but it may pass once the work is done.
    Odd(String),
    /// It could not be run because something beside it did not compile.
    Unknown,
}

impl Standing {
    fn word(&self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Passes => "passes",
            Self::Skipped => "skipped",
            Self::Wrong(_) => "wrong",
            Self::Odd(_) => "odd",
            Self::Unknown => "unknown",
        }
    }
}

pub(super) fn hollow(item: &TestItem) -> Option<Named> {
    let why = match item.shape {
        Shape::NoAssertion => "no assertion",
        Shape::ConstantFailure => "it fails whatever the code does",
        Shape::Sound | Shape::Skipped => return None,
    };
    Some(Named { test: item.id.clone(), why: format!("{why}, at {}", item.place) })
}

/// Endings of source files, which say nothing about the name that a target means.
const ENDINGS: [&str; 11] =
    ["py", "rs", "go", "js", "mjs", "cjs", "jsx", "ts", "mts", "tsx", "java"];

/// Whether a declared target (a path, `module.name`, `Type::method`, a bare name) is the missing name.
fn names_target(target: &str, name: &str, message: &str) -> bool {
    let segments = |text: &str| -> Vec<String> {
        text.split(['.', ':', '/', '#'])
            .filter(|s| !s.is_empty() && !ENDINGS.contains(s))
            .map(str::to_owned)
            .collect()
    };
    let (wanted, missing) = (segments(target), segments(name));
    let Some(last) = wanted.last() else {
        return false;
    };
    missing.contains(last)
        || ["'", "`", "\""].iter().any(|q| message.contains(&format!("{q}{last}{q}")))
}

/// Whether an operator of one of the project's own types is missing.
fn is_operator(reason: &Reason) -> bool {
    let Reason::Missing { name, owner: Owner::Project, .. } = reason else { return false };
    let last = name.rsplit('.').next().unwrap_or(name);
    last.starts_with("__") && last.ends_with("__")
}
