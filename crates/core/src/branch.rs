//! What was measured about a branch, before anything is said about it. Made by the engine, judged by [`crate::check`].

mod needs;

use crate::brief::{ChangedTests, Percent};
use crate::concern::Concern;
use crate::item::{ItemChanges, Shape, TestItem};
use crate::observation::{Asked, Varied, Watched};
use crate::proof::{Again, CoverageMeasure, RedRule};
use crate::report::{Place, TestReport};
use crate::verdict::{CheckName, Finding};
use crate::words::{TaskType, TestId};
pub use needs::{Configured, Elsewhere, Moved, Needs, OneSided, Unrefused};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What a branch changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BranchKind {
    /// Nothing that could change what the program does.
    NothingExecutable,
    TestsOnly,
    CodeOnly,
    Both,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchMeasure {
    pub kind: BranchKind,
    /// Whether no source file of production code changed: data at most.
    pub bare: bool,
    /// By what red is judged.
    #[serde(default)]
    pub rule: RedRule,
    /// Kinds of findings that the base accepts beforehand.
    #[serde(default)]
    pub accepted: BTreeSet<Concern>,
    /// What the work is said to be, where it was said.
    pub said: Option<TaskType>,
    pub changed_tests: ChangedTests,
    /// The largest share of mutants that may survive, where a person said one.
    #[serde(default)]
    pub survivors: Option<Percent>,
    pub items: ItemChanges,
    /// Tests that head's tool reports and no text of a test stands for: inherited ones, those of a macro.
    #[serde(default)]
    pub unwritten: BTreeSet<TestId>,
    /// Tests that have another name or place now, and otherwise the same text.
    pub renamed: Vec<Renamed>,
    /// The whole suite on the base.
    pub base: TestReport,
    pub base_flaky: BTreeSet<TestId>,
    /// The whole suite on head: as written, then shuffled.
    pub head: Vec<TestReport>,
    /// Head's new and changed tests on the base's production code.
    pub replay: Vec<TestReport>,
    pub again: Again,
    /// The base's tests and configuration on head's production code, where the branch touched them.
    pub old_on_head: Option<TestReport>,
    /// Old tests that another one of the same name hides.
    pub hidden: Vec<TestItem>,
    /// Old tests whose text is another now, each with what both texts ask on head's code.
    #[serde(default)]
    pub asked: Vec<Asked>,
    /// Files that decide how tests run, or that tests stand on, and that the branch changed.
    pub surroundings: Vec<Touched>,
    pub canaries: Vec<CanaryRun>,
    /// New and changed tests on head, with their own expectations and with others.
    #[serde(default)]
    pub watched: Vec<Watched>,
    pub alone: Vec<Alone>,
    pub outside: BTreeMap<TestId, OutsideEnd>,
    /// What became of the new tests in other surroundings.
    #[serde(default)]
    pub elsewhere: Elsewhere,
    /// Questions of the change that nothing it is given decides, and of which tests need one answer alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ambient: Vec<OneSided>,
    /// Refusals of the base that are gone without a test that asks for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unrefused: Vec<Unrefused>,
    pub mutants: Vec<Mutant>,
    /// New tests observed with their own inputs and with others.
    #[serde(default)]
    pub varied: Vec<Varied>,
    /// Older tests beside the new ones, with other inputs.
    #[serde(default)]
    pub older: Vec<Varied>,
    /// Older tests on both sides of a refactoring, with other inputs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refactored: Vec<Varied>,
    /// Parts of the production change that could be left out without any test noticing.
    #[serde(default)]
    pub unshown: Vec<Hunk>,
    /// What reading the changed sources showed.
    pub source: Vec<Finding>,
    /// Changed files that are no code, and that something opened while head's tests were built and ran.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub opened: BTreeSet<String>,
    /// Changed files of tests or sources whose text can't be read.
    #[serde(default)]
    pub unreadable: Vec<String>,
    /// Places where production code asks whether it is under test.
    pub detections: Vec<Place>,
    /// Places where production code decides what is equal.
    #[serde(default)]
    pub equalities: Vec<Place>,
    /// A new test that passes only with a configuration that may make other code of the code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configured: Option<Configured>,
    /// New tests that pass only with a changed file of set-up, of which they name nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_up: Vec<Configured>,
    pub coverage: Option<CoverageMeasure>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub untried: Vec<Untried>,
    /// Checks that were not made, each with why.
    pub unmade: BTreeMap<CheckName, Unmade>,
}

/// Why a check was not made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum Unmade {
    /// The person left it out.
    NotWanted,
    /// The time was used up.
    NoTime,
    /// A person ended it before.
    Interrupted,
    /// It could not change a verdict that was clear already.
    Decided,
    /// No test shows the change: whatever it says, nothing is proven.
    Unshown,
    /// Something stood in the way.
    Hindered { what: String },
}

impl std::fmt::Display for Unmade {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotWanted => f.write_str("left out as asked"),
            Self::NoTime => f.write_str("left out: the budget was used up"),
            Self::Interrupted => f.write_str("not made: it was interrupted before"),
            Self::Decided => f.write_str("not made: head is refuted without it"),
            Self::Unshown => f.write_str(
                "not made: no test shows this change, so nothing could be proven with it",
            ),
            Self::Hindered { what } => f.write_str(what),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Renamed {
    pub was: TestItem,
    pub is: TestItem,
}

/// A file that decides how tests run, or that tests stand on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touched {
    pub path: String,
    pub role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Decides how tests run.
    Decides,
    /// A helper, a fixture, data, a snapshot.
    Supports,
}

/// Whose configuration a run was under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Under {
    Head,
    Base,
}

/// A run with tests of our own beside the project's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CanaryRun {
    pub under: Under,
    pub planted: Vec<Planted>,
    /// Test files that could not be given any.
    pub bare: Vec<String>,
    pub report: TestReport,
}

/// The tests of our own in one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planted {
    pub file: String,
    pub passes: Vec<TestId>,
    pub fails: Vec<TestId>,
    pub skips: Vec<TestId>,
}

/// One test run with no other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alone {
    pub test: TestId,
    pub report: TestReport,
}

/// What a test's body did outside the runner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "kebab-case")]
pub enum OutsideEnd {
    Holds,
    Fails { message: String },
    NotMade { why: String },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutant {
    pub place: Place,
    pub what: String,
    pub diff: String,
    pub fate: Fate,
    /// What it is a part of, the outermost first: its function, then new branches of that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// Why a person let it pass before, where it survived then too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled: Option<String>,
    /// The test that noticed it first, where one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<TestId>,
}

impl Mutant {
    /// By what it is known again: the same change of the same lines in the same function, wherever they stand by then.
    pub fn mark(&self) -> String {
        let changes = |line: &&str| {
            let header = line.starts_with("---") || line.starts_with("+++");
            line.starts_with(['-', '+']) && !header
        };
        let function = self.parts.first().map_or("", |part| part.what.as_str());
        let lines: Vec<&str> = self.diff.lines().filter(changes).collect();
        [&[self.place.file.as_str(), function, &self.what], lines.as_slice()].concat().join("\n")
    }
}

/// A function or a branch that the change touched.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Part {
    /// Where it begins.
    pub line: u32,
    /// For people: "`price`", "the branch in line 7".
    pub what: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    Killed,
    Survived,
    /// It does not build, or nothing can be run with it.
    NotViable,
    /// Not every test that could notice it was run with it.
    NotTried,
}

/// What an experiment shows. Kept in the measure of its branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Head's new and changed tests on the base's production code.
    Replay(Vec<TestReport>),
    /// The base's tests on head's production code.
    Old(TestReport),
    /// One more run of head's suite.
    Head(TestReport),
    Again(Again),
    Ambient(Vec<OneSided>),
    Unrefused(Vec<Unrefused>),
    Canaries(Vec<CanaryRun>),
    Alone(Vec<Alone>),
    Outside(BTreeMap<TestId, OutsideEnd>),
    Elsewhere(Elsewhere),
    Configured(Configured),
    SetUp(Vec<Configured>),
    Mutants(Vec<Mutant>),
    Unshown(Vec<Hunk>),
    /// What changed tests ask, as they were and as they are.
    Asked(Vec<Asked>),
    /// New and changed tests on head, with other expectations.
    Watched(Vec<Watched>),
    /// New tests with other inputs, and older ones beside them.
    Varied {
        new: Vec<Varied>,
        older: Vec<Varied>,
    },
    Refactored(Vec<Varied>),
    Coverage(CoverageMeasure),
    Untried(Untried),
}

/// What an experiment would have tried and did not, since there was too much of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Untried {
    pub check: CheckName,
    /// The things that are tried, in the plural.
    pub what: String,
    pub tried: usize,
    pub of: usize,
}

/// A part of a change: lines that belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hunk {
    pub file: String,
    /// The first line on head, and the last; the same line twice where lines were only taken away.
    pub from: u32,
    pub to: u32,
    pub diff: String,
}

impl BranchMeasure {
    /// A branch about which nothing was measured yet.
    pub fn new(kind: BranchKind) -> Self {
        Self {
            kind,
            bare: false,
            rule: RedRule::default(),
            accepted: BTreeSet::new(),
            said: None,
            changed_tests: ChangedTests::NeedAPerson,
            survivors: None,
            items: ItemChanges::default(),
            unwritten: BTreeSet::new(),
            renamed: Vec::new(),
            base: TestReport::empty(crate::report::RunEnd::NoTests),
            base_flaky: BTreeSet::new(),
            head: Vec::new(),
            replay: Vec::new(),
            again: Again::default(),
            old_on_head: None,
            hidden: Vec::new(),
            asked: Vec::new(),
            surroundings: Vec::new(),
            canaries: Vec::new(),
            watched: Vec::new(),
            alone: Vec::new(),
            outside: BTreeMap::new(),
            elsewhere: Elsewhere::default(),
            ambient: Vec::new(),
            unrefused: Vec::new(),
            mutants: Vec::new(),
            varied: Vec::new(),
            older: Vec::new(),
            refactored: Vec::new(),
            unshown: Vec::new(),
            source: Vec::new(),
            opened: BTreeSet::new(),
            unreadable: Vec::new(),
            detections: Vec::new(),
            equalities: Vec::new(),
            configured: None,
            set_up: Vec::new(),
            coverage: None,
            untried: Vec::new(),
            unmade: BTreeMap::new(),
        }
    }

    /// Keeps what an experiment shows.
    pub fn take(&mut self, evidence: Evidence) {
        match evidence {
            Evidence::Replay(reports) => self.replay = reports,
            Evidence::Old(report) => self.old_on_head = Some(report),
            Evidence::Head(report) => self.head.push(report),
            Evidence::Again(again) => self.again = again,
            Evidence::Ambient(found) => self.ambient = found,
            Evidence::Unrefused(found) => self.unrefused = found,
            Evidence::Canaries(runs) => self.canaries = runs,
            Evidence::Alone(alone) => self.alone = alone,
            Evidence::Outside(ends) => self.outside = ends,
            Evidence::Elsewhere(found) => self.elsewhere = found,
            Evidence::Configured(configured) => self.configured = Some(configured),
            Evidence::SetUp(found) => self.set_up = found,
            Evidence::Mutants(mutants) => self.mutants = mutants,
            Evidence::Unshown(hunks) => self.unshown = hunks,
            Evidence::Asked(asked) => self.asked = asked,
            Evidence::Watched(watched) => self.watched = watched,
            Evidence::Varied { new, older } => (self.varied, self.older) = (new, older),
            Evidence::Refactored(all) => self.refactored = all,
            Evidence::Coverage(found) => self.coverage = Some(found),
            Evidence::Untried(untried) => self.untried.push(untried),
        }
    }

    pub fn is_refactoring(&self) -> bool {
        self.said == Some(TaskType::Refactor)
    }

    /// Head's new and changed tests by what the base's code does with them.
    pub fn sorted(&self) -> crate::proof::Sorted {
        let mut baseline = self.base.clone();
        // One that fails with head's tests around it says something else than on the base, whoever wrote it.
        let fails = |id: &TestId| {
            self.replay.iter().any(|run| run.cases.contains_key(id) && !run.passed(id))
        };
        baseline.cases.retain(|id, _| !(self.unwritten.contains(id) && fails(id)));
        let mut items = self.items.clone();
        items.new.extend(self.made());
        let measure = crate::proof::RedMeasure {
            baseline,
            runs: self.replay.clone(),
            items,
            secrets: Vec::new(),
            again: Again::default(),
            held_out: None,
        };
        measure.sorted(&self.rule)
    }

    /// Head's new tests that no source names, since a macro or a table makes them: the tool has found them. Where they stand
    /// is not known.
    fn made(&self) -> Vec<TestItem> {
        let written = |id: &TestId| self.item_of(id).is_some();
        let renamed = |id: &TestId| self.renamed.iter().any(|pair| pair.is.covers(id));
        let reported = self.head.first().into_iter().flat_map(|run| run.cases.keys());
        let new = reported.filter(|id| !self.base.cases.contains_key(id));
        let made = new.filter(|id| !written(id) && !renamed(id)).map(|id| TestItem {
            id: id.clone(),
            place: Place { file: String::new(), line: None },
            text: String::new(),
            shape: Shape::Sound,
        });
        made.collect()
    }

    /// Whether an id is one of head's new or changed tests.
    pub fn is_new(&self, id: &TestId) -> bool {
        let items = &self.items;
        items.new.iter().chain(&items.changed).any(|item| item.covers(id))
            || !self.base.cases.contains_key(id)
    }

    /// The item that an id belongs to.
    pub fn item_of(&self, id: &TestId) -> Option<&TestItem> {
        self.items.new.iter().chain(&self.items.changed).find(|item| item.covers(id))
    }
}
