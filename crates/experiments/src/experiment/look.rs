//! Tests that observe, run on a tree: their copies with other inputs and expectations beside them, and again without those
//! that do not compile. Written as one script over what was done so far: where a run is missing, it is what comes next.

use super::helpers::imported;
use super::siblings::siblings;
use super::{Done, Found, Try};
use crate::branch::Branch;
use crate::observe::{
    Channel, HELPER, Helping, Observing, Sample, helpers, helping_file, in_a_thread, may_help,
    observing_with, read_channel,
};
use crate::vary::{Double, Varying};
use proctor_core::branch::Evidence;
use proctor_core::item::TestItem;
use proctor_core::observation::Row;
use proctor_core::report::{CaseEnd, RunEnd, TestReport};
use proctor_core::trial::{Selection, Trial};
use proctor_core::verdict::CheckName as C;
use proctor_core::words::{TestId, TreeId};
use proctor_lang::Edit;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How often a side is built again without the copies that do not compile.
const MOST_BUILDS: usize = 4;
/// So many copies of a test are as it is.
pub(super) const OWN: usize = 2;
/// How long one side may take at least and at most.
const LEAST_MS: u64 = 60_000;
const MOST_MS: u64 = 240_000;

/// A test with what is other in its copies.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub(super) item: TestItem,
    pub(super) varying: Varying,
    pub(super) doubles: Vec<Double>,
    /// How many places of its text ask something.
    pub(super) sites: usize,
    pub(super) red: bool,
    /// Whether it was there before, and is as it was.
    pub(super) old: bool,
}

impl Subject {
    /// A test that is observed as it is.
    pub(super) fn plain(item: TestItem) -> Self {
        let (varying, doubles) = (Varying::default(), Vec::new());
        Self { item, varying, doubles, sites: 0, red: false, old: false }
    }

    /// Its copies that are not as it is.
    fn others(&self, number: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let count = self.varying.variations.len() + self.doubles.len();
        (OWN..OWN + count).map(move |copy| (number, copy))
    }
}

/// The rows of one side, by test and copy.
pub(super) type Seen = BTreeMap<(usize, usize), Vec<Row>>;

/// The copies that are left out, since the language does not take them.
pub(super) type Dropped = BTreeSet<(usize, usize)>;

/// Other texts for files of the tree.
pub(super) type Instead = BTreeMap<String, String>;

/// A tree with tests observing, and what became of their files.
type Set = Option<(Trial, BTreeMap<String, Observing>)>;

/// What a script made of a branch when it came by the last time, step by step: it begins anew with each run that is done,
/// and reading and rewriting the same files again would cost more than the runs do.
#[derive(Default)]
pub(super) struct Memory(RefCell<Vec<Rc<Set>>>);

/// A script on its way through what was done.
pub(super) struct Script<'a, 'b> {
    branch: &'a Branch<'b>,
    done: std::slice::Iter<'a, Done>,
    memory: &'a Memory,
    step: usize,
    pub(super) left_out: Vec<String>,
    /// Sides on which copies passed and told nothing: each tells at least how it ended.
    mute: usize,
    /// Sides that told something.
    telling: usize,
}

impl<'a, 'b> Script<'a, 'b> {
    pub(super) fn new(branch: &'a Branch<'b>, done: &'a [Done], memory: &'a Memory) -> Self {
        let (done, left_out) = (done.iter(), Vec::new());
        Self { branch, done, memory, step: 0, left_out, mute: 0, telling: 0 }
    }

    /// What this step makes, or made before.
    fn set(&mut self, make: impl FnOnce(&Self) -> Set) -> Rc<Set> {
        let known = self.memory.0.borrow().get(self.step).cloned();
        self.step += 1;
        known.unwrap_or_else(|| {
            let set = Rc::new(make(self));
            self.memory.0.borrow_mut().push(Rc::clone(&set));
            set
        })
    }

    /// What came of a trial; where it was not made yet, it is to be.
    fn ran(&mut self, trial: &Trial) -> Result<(&'a TestReport, &'a [u8]), Box<Try>> {
        match self.done.next() {
            Some(Done::Ran { report, heard, .. }) => Ok((report, heard)),
            _ => Err(Box::new(Try::Run(trial.clone()))),
        }
    }

    /// What the assertions of these tests see on a tree. Copies that do not compile are left out, and the rest is built
    /// again; a test that does not compile as it is has nothing to see there.
    pub(super) fn seen(
        &mut self,
        tree: &TreeId,
        subjects: &[Subject],
        dropped: &mut Dropped,
    ) -> Result<Seen, Box<Try>> {
        let mut own = subjects.to_vec();
        for _ in 0..MOST_BUILDS {
            let set = self.set(|s| s.observing(tree, &own, (dropped, &Instead::new())));
            let Some((trial, made)) = set.as_ref() else { break };
            let (report, heard) = self.ran(trial)?;
            let seen = read_channel(heard);
            self.telling += usize::from(!seen.is_empty());
            self.mute += usize::from(seen.is_empty() && has_passed(report));
            if matches!(report.end, RunEnd::TimedOut { .. }) {
                let told = "some copies of the new tests were not observed: their time was used up";
                self.left_out.push(told.to_owned());
                return Ok(seen);
            }
            if !seen.is_empty() || !matches!(report.end, RunEnd::CollectFailed { .. }) {
                return Ok(seen);
            }
            let count = dropped.len();
            dropped.extend(faulty(report, made));
            if dropped.len() == count && own.iter().any(|s| !s.varying.around.is_empty()) {
                // Nobody is to blame by its line: a file beside them may be.
                for subject in &mut own {
                    subject.varying.around.clear();
                }
                continue;
            }
            if dropped.len() == count {
                // Else the tests are seen as they are.
                dropped.extend(subjects.iter().enumerate().flat_map(|(n, s)| s.others(n)));
            }
            if dropped.len() == count {
                break;
            }
        }
        Ok(Seen::new())
    }

    /// What was found. Where one side told what it saw and another that ran did not, nobody knows what that would have been.
    pub(super) fn found(self, evidence: Vec<Evidence>) -> Found {
        let found = Found { evidence, left_out: self.left_out };
        let sides = if self.telling > 0 { self.telling + self.mute } else { 0 };
        found.of_all(C::RedReplay, "sides on which tests tell what they see", (self.telling, sides))
    }

    /// What the tests as they are see where these files are others.
    pub(super) fn seen_with(
        &mut self,
        tree: &TreeId,
        subjects: &[Subject],
        files: &Instead,
    ) -> Result<Seen, Box<Try>> {
        let set = self.set(|s| {
            let plain = subjects.iter().map(|s| Subject::plain(s.item.clone()));
            let plain: Vec<Subject> = plain.collect();
            let (trial, made) = s.observing(tree, &plain, (&Dropped::new(), files))?;
            let rest = files.iter().filter(|(path, _)| !made.contains_key(*path));
            let with = rest.fold(trial, |t, (path, text)| t.with(path.clone(), text.clone()));
            Some((with, made))
        });
        let Some((trial, _)) = set.as_ref() else { return Ok(Seen::new()) };
        Ok(read_channel(self.ran(trial)?.1))
    }

    /// A tree with these tests observing, and what became of their files; what stands in `instead` is their text.
    fn observing(
        &self,
        tree: &TreeId,
        subjects: &[Subject],
        (dropped, instead): (&Dropped, &Instead),
    ) -> Set {
        let files: BTreeSet<String> = subjects.iter().map(|s| s.item.place.file.clone()).collect();
        let files: Vec<String> = files.into_iter().collect();
        let helping = self.helping(tree, &files, instead);
        let left_out = dropped.iter().filter(|(of, _)| *of == HELPER).map(|(_, n)| *n).collect();
        let helping = Helping { files: &helping, left_out: &left_out };
        let channel = Channel(format!("c{}", self.branch.nonce));
        let mut trial = Trial::of(tree).listening(channel.0.clone()).within(self.limit_ms());
        let (mut ids, mut made) = (Vec::new(), BTreeMap::new());
        for (path, text) in siblings(self.branch, subjects, helping.files, &channel) {
            ids.extend(copies(self.branch.items_in(&path, &text)));
            trial = trial.with(path, text);
        }
        for (file, text) in helping.files.iter().filter(|(file, _)| files.contains(file)) {
            let here = self.branch.items_in(file, text);
            let exact = !instead.contains_key(file);
            let of_file = subjects.iter().enumerate().filter(|(_, s)| s.item.place.file == *file);
            let samples: Vec<Sample> =
                of_file.filter_map(|(n, s)| sample(n, s, (&here, dropped), exact)).collect();
            let samples = beside_others(file, text, (samples, subjects));
            let with = observing_with(file, text, &samples, (&channel, &helping));
            let Some(with) = with else { continue };
            ids.extend(copies(self.branch.items_in(file, &with.text)));
            made.insert(file.clone(), with);
        }
        for (file, text) in helping.files.iter().filter(|(file, _)| !files.contains(file)) {
            let with = helpers(file, text, (&channel, &helping));
            made.extend(with.map(|with| (file.clone(), with)));
        }
        for (file, with) in &made {
            for (path, text) in with.beside.iter().chain([(file, &with.text)]) {
                trial = trial.with(path.clone(), text.clone());
            }
        }
        for (file, text) in (self.branch.texts)(tree, &imported(self.branch, &files)) {
            if let Some(with) = helping_file(&file, &text, &channel) {
                trial = trial.with(file, with);
            }
        }
        (!ids.is_empty()).then(|| (trial.only(Selection::Ids(ids)), made))
    }

    /// The files of tests whose functions can help those of these files, and these themselves, as they stand in a tree.
    fn helping(&self, tree: &TreeId, files: &[String], instead: &Instead) -> Instead {
        let helps = |path: &&str| files.iter().any(|file| file == path || may_help(file, path));
        // A file that head does not have any more can be among them.
        let around = self.branch.head.paths().into_iter().filter(helps).map(str::to_owned);
        let paths: BTreeSet<String> = around.chain(files.iter().cloned()).collect();
        let paths: Vec<String> = paths.into_iter().collect();
        let mut texts = (self.branch.texts)(tree, &paths);
        let other = instead.iter().filter(|(path, _)| paths.contains(path));
        texts.extend(other.map(|(path, text)| (path.clone(), text.clone())));
        texts
    }

    /// How long the copies of all tests may take together: the suite's own time counts, since it may hold a build.
    fn limit_ms(&self) -> u64 {
        let suite = u64::try_from(self.branch.suite_took.as_millis()).unwrap_or(u64::MAX);
        suite.saturating_mul(10).saturating_add(30_000).clamp(LEAST_MS, MOST_MS)
    }
}

/// Whether a copy ran to its end.
fn has_passed(report: &TestReport) -> bool {
    let mut copies = report.cases.iter().filter(|(id, _)| id.as_str().contains("__o"));
    copies.any(|(_, case)| case.end == CaseEnd::Passed)
}

/// The ids that the test tool gives to copies.
fn copies(items: Vec<TestItem>) -> impl Iterator<Item = TestId> {
    let all = items.into_iter().map(|item| item.id);
    // A title that is only known when the test runs stands for every copy.
    all.filter(|id| id.as_str().contains("__o") || id.as_str().contains('…'))
}

/// A test as it stands in this side's text, with its copies: as it is, twice, and once a variation.
fn sample(
    number: usize,
    subject: &Subject,
    (here, dropped): (&[TestItem], &Dropped),
    exact: bool,
) -> Option<Sample> {
    if (0..OWN).any(|copy| dropped.contains(&(number, copy))) {
        return None;
    }
    let TestItem { id, text, .. } = &subject.item;
    let same = |other: &&TestItem| other.id == *id && (!exact || other.text == *text);
    let line = here.iter().find(same)?.place.line?;
    let varied = subject.varying.variations.iter().map(|(_, edits)| edits.clone());
    let doubles = subject.doubles.iter().map(|double| double.edits.clone());
    let copies: Vec<Vec<Edit>> =
        [Vec::new(), Vec::new()].into_iter().chain(varied).chain(doubles).collect();
    // What does not compile is there as the test is, so that the numbers stay.
    let kept = |(copy, edits): (usize, Vec<Edit>)| {
        if dropped.contains(&(number, copy)) { Vec::new() } else { edits }
    };
    Some(Sample { number, line, copies: copies.into_iter().enumerate().map(kept).collect() })
}

/// The same samples, with a copy behind all others of each that stands in the table, which runs in a thread of its own.
fn beside_others(
    file: &str,
    text: &str,
    (mut samples, subjects): (Vec<Sample>, &[Subject]),
) -> Vec<Sample> {
    for sample in &mut samples {
        let is_seen = subjects.get(sample.number).is_some_and(|subject| subject.red);
        let edit = is_seen.then(|| in_a_thread(file, text, sample.line)).flatten();
        sample.copies.extend(edit.map(|edit| vec![edit]));
    }
    samples
}

/// The copies that a compiler complains about.
fn faulty(report: &TestReport, made: &BTreeMap<String, Observing>) -> Dropped {
    let RunEnd::CollectFailed { errors } = &report.end else { return Dropped::new() };
    let copy = |file: &String, line: u32| {
        let lines = made.get(file)?.lines.iter();
        lines.into_iter().find(|(range, ..)| range.contains(&line)).map(|(_, t, v)| (*t, *v))
    };
    errors.iter().filter_map(|e| copy(&e.place.file, e.place.line?)).collect()
}
