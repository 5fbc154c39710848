//! New tests observed with their own inputs and expectations and with others, on the base's code and on head's: one run a
//! side. What the rows mean is judged in `core`.

use super::Measuring;
use super::conduct::texts_of;
use super::siblings::add_around;
use super::words::Words;
use proctor_core::branch::BranchKind;
use proctor_core::generality::parts;
use proctor_core::item::TestItem;
use proctor_core::observation::{
    Input, LONGER, Other, Row, Sort, Tables, Variation, Varied, Watched,
};
use proctor_core::report::{CaseEnd, Place, Reason, RunEnd, TestReport};
use proctor_core::words::{TestId, TreeId};
use proctor_experiments::{
    About, Channel, Double, HELPER, Helping, Observing, Sample, TABLE_WAYS, Varying, doubles,
    helpers, helping_file, observing_with, other_data, other_tables, read_channel, sites,
    vary_about,
};
use proctor_lab::Halt;
use proctor_lab::Trial;
use proctor_lang::{Edit, Language, Zone, zone};
use proctor_tools::Selection;
use proctor_world::listing::{Entry, Mode};
use std::collections::{BTreeMap, BTreeSet};

/// How many tests are observed at most.
const MOST_TESTS: usize = 24;
/// How often a side is built again without the copies that do not compile.
const MOST_BUILDS: usize = 4;
/// So many copies of a test are as it is.
const OWN: usize = 2;
/// How long one side may take at least and at most.
const LEAST_MS: u64 = 60_000;
const MOST_MS: u64 = 240_000;
/// How many files of cases are looked into, and how large one may be.
const MOST_FILES: usize = 32;
const MOST_BYTES: usize = 256 * 1024;

/// A test with what can be varied in it.
pub(super) struct Subject {
    pub(super) item: TestItem,
    pub(super) varying: Varying,
    doubles: Vec<Double>,
    sites: usize,
    red: bool,
}

impl Subject {
    /// A test that is observed as it is.
    pub(super) fn plain(item: TestItem) -> Self {
        let (varying, doubles) = (Varying::default(), Vec::new());
        Self { item, varying, doubles, sites: 0, red: false }
    }
}

/// The rows of one side, by test and copy.
pub(super) type Seen = BTreeMap<(usize, usize), Vec<Row>>;

/// A tree with tests that observe, and what became of their files.
type Set<'t> = (Trial, BTreeMap<String, Observing>);

/// The copies that are left out, since the language does not take them.
pub(super) type Dropped = BTreeSet<(usize, usize)>;

impl Measuring<'_> {
    pub(super) fn generalise(&mut self) -> Result<(), Halt> {
        if self.scene.kind == BranchKind::CodeOnly {
            return Ok(());
        }
        let words = Words::of(&self.scene);
        let mut subjects = self.subjects(&words);
        if subjects.is_empty() {
            return Ok(());
        }
        let new = self.scene.head.tree.clone();
        // Head first: what does not compile there is left out on the base from the beginning.
        let mut dropped = Dropped::new();
        let head = self.observed(&new, &subjects, &mut dropped)?;
        let watched = subjects.iter().enumerate().map(|(n, s)| watched(n, s, (&head, &dropped)));
        self.measure.watched = watched.collect();
        if !self.varies() {
            return Ok(());
        }
        subjects.iter_mut().for_each(|subject| subject.doubles.clear());
        let Some(old) = self.mixed.replay.clone() else { return Ok(()) };
        let base = self.observed(&old, &subjects, &mut dropped)?;
        let files = self.files_of_cases(&subjects)?;
        let mut data = Vec::new();
        let tables = self.tables(&subjects);
        let files = files.iter().map(|files| (files, "values in files"));
        let around = ["values around it", "values around it", LONGER, "values around it"];
        let around = tables.iter().zip(around);
        for (way, what) in files.chain(around).filter(|(files, _)| !files.is_empty()) {
            let head = self.with_data(&new, &subjects, way)?;
            // What does not compile there with its own values does not with others, and each trial is a build.
            let base =
                if base.is_empty() { Seen::new() } else { self.with_data(&old, &subjects, way)? };
            data.push((base, head, what));
        }
        for (n, subject) in subjects.into_iter().enumerate() {
            let around = subject.varying.around.iter().map(|(v, _)| v.clone()).collect();
            let mut told = varied(n, subject, &words, (&base, &head));
            add_around(n, around, &mut told, (&base, &head));
            for (base, head, what) in &data {
                told.variations.push(all_values(what));
                told.base.varied.push(base.get(&(n, 0)).cloned().unwrap_or_default());
                told.head.varied.push(head.get(&(n, 0)).cloned().unwrap_or_default());
            }
            self.measure.varied.push(told);
        }
        Ok(())
    }

    /// Whether there is a base to hold other inputs against.
    fn varies(&self) -> bool {
        self.scene.kind == BranchKind::Both && !self.measure.is_refactoring()
    }

    /// The names that the new tests miss on the base's code.
    fn missing(&self) -> Vec<String> {
        let errors = self.measure.replay.iter().flat_map(|run| match &run.end {
            RunEnd::CollectFailed { errors } => errors.as_slice(),
            _ => &[],
        });
        let cases = self.measure.replay.iter().flat_map(|run| run.cases.values());
        let failed = cases.filter_map(|case| match &case.end {
            CaseEnd::Failed { reason } => Some(reason),
            _ => None,
        });
        let names = errors.map(|error| &error.reason).chain(failed).filter_map(|r| match r {
            Reason::Missing { name, .. } => Some(name.clone()),
            _ => None,
        });
        names.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// How long the copies of all tests may take together: the suite's own time counts, since it may hold a build.
    fn observing_ms(&self) -> u64 {
        let suite = u64::try_from(self.suite_took.as_millis()).unwrap_or(u64::MAX);
        suite.saturating_mul(10).saturating_add(30_000).clamp(LEAST_MS, MOST_MS)
    }

    /// The files of cases that stand among head's tests or are named by these, with other values in them, in two ways.
    fn files_of_cases(&self, subjects: &[Subject]) -> Result<[BTreeMap<String, String>; 2], Halt> {
        let files: BTreeSet<&str> = subjects.iter().map(|s| s.item.place.file.as_str()).collect();
        let sources: Vec<&str> =
            files.into_iter().filter_map(|file| self.scene.head.text(file)).collect();
        let named = |path: &str| {
            let name = path.rsplit('/').next().unwrap_or(path);
            sources.iter().any(|text| text.contains(name))
        };
        let fits = |(path, entry): &(&String, &Entry)| {
            let own = zone(path) == Zone::Test || named(path);
            own && entry.mode == Mode::File && is_data(path)
        };
        let paths: Vec<String> = self
            .scene
            .head
            .listing
            .iter()
            .filter(fits)
            .map(|(path, _)| path.clone())
            .take(MOST_FILES)
            .collect();
        let texts = texts_of(self.shadow, &self.scene.head.tree, &paths)?;
        let small = texts.into_iter().filter(|(_, text)| text.len() <= MOST_BYTES);
        let mut found = [BTreeMap::new(), BTreeMap::new()];
        for (path, text) in small {
            for (way, files) in found.iter_mut().enumerate() {
                files.extend(other_data(&path, &text, way).map(|other| (path.clone(), other)));
            }
        }
        Ok(found)
    }

    /// The files of these tests with other values around the tests, way by way.
    fn tables(&self, subjects: &[Subject]) -> Vec<BTreeMap<String, String>> {
        let mut files: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        // Where a file can stand there under another name, that is done for each test.
        let beside =
            |file: &str| matches!(Language::of(file), Some(Language::Python | Language::Script(_)));
        for subject in subjects.iter().filter(|s| !beside(&s.item.place.file)) {
            let place = &subject.item.place;
            files.entry(&place.file).or_default().extend(place.line);
        }
        let other = |way: usize, file: &str, lines: &[u32]| {
            let text = self.scene.head.text(file)?;
            let new = self.new_lines(file, text);
            let about = About {
                knows: &|_| false,
                is_new: &|line| new.contains(&line),
                is_file: &|name| self.names_file(name),
            };
            other_tables(file, text, lines, (&about, way))
        };
        let one = |way: usize| -> BTreeMap<String, String> {
            let all = files.iter();
            all.filter_map(|(file, lines)| Some(((*file).to_owned(), other(way, file, lines)?)))
                .collect()
        };
        (0..TABLE_WAYS).map(one).collect()
    }

    /// The lines of a test file that the base does not have.
    fn new_lines(&self, file: &str, text: &str) -> BTreeSet<u32> {
        let old = self.scene.base.text(file).unwrap_or_default();
        let old: BTreeSet<&str> = old.lines().map(str::trim).collect();
        let lines = text.lines().zip(1_u32..);
        lines.filter(|(line, _)| !old.contains(line.trim())).map(|(_, n)| n).collect()
    }

    /// What the tests as they are see where the files of cases are others.
    fn with_data(
        &mut self,
        tree: &TreeId,
        subjects: &[Subject],
        files: &BTreeMap<String, String>,
    ) -> Result<Seen, Halt> {
        let plain: Vec<Subject> = subjects.iter().map(|s| Subject::plain(s.item.clone())).collect();
        let Some((trial, made)) = self.observing(tree, &plain, (&Dropped::new(), files))? else {
            return Ok(Seen::new());
        };
        let rest = files.iter().filter(|(path, _)| !made.contains_key(*path));
        let trial = rest.fold(trial, |t, (path, text)| t.with(path.clone(), text.clone()));
        let trial = trial.within(self.observing_ms());
        Ok(read_channel(&self.runs.observed(&trial)?.1))
    }

    /// The new tests, those that are red first, and what can be varied in them.
    fn subjects(&mut self, words: &Words) -> Vec<Subject> {
        let red = self.measure.sorted(&self.brief).red;
        let (varies, missing) = (self.varies(), self.missing());
        let items = self.measure.items.new.iter().chain(&self.measure.items.changed);
        let is_red = |item: &TestItem| red.iter().any(|id| item.covers(id));
        let (mut all, guards): (Vec<TestItem>, Vec<TestItem>) = items.cloned().partition(is_red);
        all.extend(self.fed(&red, &all));
        let count = all.len();
        if count > MOST_TESTS {
            self.left_out
                .push(format!("{MOST_TESTS} of {count} new tests were observed with other inputs"));
        }
        all.extend(guards);
        let subject = |(n, item): (usize, TestItem)| {
            let file = &item.place.file;
            let text = self.scene.head.text(file)?;
            let line = item.place.line?;
            let new = self.new_lines(file, text);
            let is_new = |line: u32| new.contains(&line);
            let is_file = |name: &str| self.names_file(name);
            let about =
                About { knows: &|word| words.knows(word), is_new: &is_new, is_file: &is_file };
            let mut varying = vary_about(file, text, line, &about)?;
            for (variation, _) in varying.variations.iter_mut().chain(&mut varying.around) {
                variation.named = words.has_named(&variation.was, &varying.inputs);
            }
            // Guards beside nothing that is red are held against other expectations alone.
            if !varies || count == 0 {
                varying.variations.clear();
                varying.around.clear();
            }
            let (doubles, sites) = (doubles(file, text, line, &missing), sites(file, text, line));
            Some(Subject { doubles, sites, item, varying, red: n < count })
        };
        all.into_iter().take(MOST_TESTS).enumerate().filter_map(subject).collect()
    }

    /// Tests that are red and not new: what feeds them is, such as a table that a loop goes over.
    fn fed(&self, red: &[TestId], known: &[TestItem]) -> Vec<TestItem> {
        let missing: Vec<&TestId> =
            red.iter().filter(|id| !known.iter().any(|item| item.covers(id))).collect();
        let (base, head) = (&self.scene.base, &self.scene.head);
        let differs = |path: &&String| {
            zone(path) == Zone::Test
                && head.text(path).is_some()
                && head.text(path) != base.text(path)
        };
        if missing.is_empty() {
            return Vec::new();
        }
        let files: Vec<&String> = head.texts.0.keys().filter(differs).collect();
        let items =
            files.into_iter().filter_map(|file| Some(self.items_in(file, head.text(file)?)));
        items.flatten().filter(|item| missing.iter().any(|id| item.covers(id))).collect()
    }

    /// What the assertions of these tests see on a tree. Copies that do not compile are left out, and the rest is built
    /// again; a test that does not compile as it is has nothing to see there.
    pub(super) fn observed(
        &mut self,
        tree: &TreeId,
        subjects: &[Subject],
        dropped: &mut Dropped,
    ) -> Result<Seen, Halt> {
        for _ in 0..MOST_BUILDS {
            let none = BTreeMap::new();
            let set = self.observing(tree, subjects, (dropped, &none))?;
            let Some((trial, made)) = set else { break };
            let limit = self.observing_ms();
            let (report, heard) = self.runs.observed(&trial.within(limit))?;
            let seen = read_channel(&heard);
            if matches!(report.end, RunEnd::TimedOut { .. }) {
                let told = "some copies of the new tests were not observed: their time was used up";
                self.left_out.push(told.to_owned());
                return Ok(seen);
            }
            let faulty = faulty(&report, &made);
            if !seen.is_empty() || faulty.is_empty() {
                return Ok(seen);
            }
            dropped.extend(faulty);
        }
        Ok(Seen::new())
    }

    /// A tree with these tests observing; what stands in `instead` is their text.
    fn observing<'t>(
        &self,
        tree: &'t TreeId,
        subjects: &[Subject],
        (dropped, instead): (&Dropped, &BTreeMap<String, String>),
    ) -> Result<Option<Set<'t>>, Halt> {
        let files: BTreeSet<String> = subjects.iter().map(|s| s.item.place.file.clone()).collect();
        let files: Vec<String> = files.into_iter().collect();
        let helping = self.helping(tree, &files, instead)?;
        let left_out = dropped.iter().filter(|(of, _)| *of == HELPER).map(|(_, n)| *n).collect();
        let helping = Helping { files: &helping, left_out: &left_out };
        let channel = Channel(format!("c{}", self.nonce));
        let mut trial = Trial::of(tree).listening(channel.0.clone());
        let (mut ids, mut made) = (Vec::new(), BTreeMap::new());
        for (path, text) in self.siblings(subjects, helping.files, &channel) {
            ids.extend(self.copies_in(&path, &text));
            trial = trial.with(path, text);
        }
        for (file, text) in helping.files.iter().filter(|(file, _)| files.contains(file)) {
            let here = self.items_in(file, text);
            let of_file = subjects.iter().enumerate().filter(|(_, s)| s.item.place.file == *file);
            let samples: Vec<Sample> =
                of_file.filter_map(|(n, s)| sample(n, s, (&here, dropped))).collect();
            let with = observing_with(file, text, &samples, (&channel, &helping));
            let Some(with) = with else { continue };
            ids.extend(self.copies_in(file, &with.text));
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
        for (file, text) in texts_of(self.shadow, tree, &self.helpers(&files))? {
            if let Some(with) = helping_file(&file, &text, &channel) {
                trial = trial.with(file, with);
            }
        }
        Ok((!ids.is_empty()).then(|| (trial.only(Selection::Ids(ids)), made)))
    }

    /// The ids that the test tool gives to the copies in a text.
    fn copies_in(&self, file: &str, text: &str) -> Vec<TestId> {
        let all = self.items_in(file, text).into_iter().map(|item| item.id);
        // A title that is only known when the test runs stands for every copy.
        all.filter(|id| id.as_str().contains("__o") || id.as_str().contains('…')).collect()
    }

    /// Whether a string is the name or the path of a file or folder of head's tree.
    fn names_file(&self, name: &str) -> bool {
        let inside = name.trim_start_matches("./").trim_start_matches("../").trim_end_matches('/');
        let holds = |path: &String| {
            let parts: Vec<&str> = path.split('/').collect();
            let wanted: Vec<&str> = inside.split('/').collect();
            parts.windows(wanted.len()).any(|some| some == wanted)
        };
        !inside.is_empty() && self.scene.head.listing.keys().any(holds)
    }

    /// The tests of a file as they stand in this text of it, which need not be head's.
    pub(super) fn items_in(&self, file: &str, text: &str) -> Vec<TestItem> {
        let mut texts = self.scene.head.texts.clone();
        texts.0.insert(file.to_owned(), text.as_bytes().to_vec());
        self.runs.suite().items(&texts, &[file.to_owned()])
    }
}

/// A test as it stands in this side's text, with its copies: as it is, twice, and once a variation.
fn sample(
    number: usize,
    subject: &Subject,
    (here, dropped): (&[TestItem], &Dropped),
) -> Option<Sample> {
    if (0..OWN).any(|copy| dropped.contains(&(number, copy))) {
        return None;
    }
    let same = |other: &&TestItem| other.id == subject.item.id && other.text == subject.item.text;
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

/// What may hold cases.
fn is_data(path: &str) -> bool {
    let ending = path.rsplit('.').next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(ending, "json" | "jsonl" | "ndjson" | "csv" | "tsv")
        && !matches!(name, "package.json" | "package-lock.json" | "tsconfig.json")
}

/// All values of one kind that come from outside of a test. Whether it is given them is not known.
fn all_values(what: &str) -> Variation {
    Variation {
        sort: Sort::Together,
        was: String::new(),
        now: what.to_owned(),
        known: false,
        named: false,
        given: Vec::new(),
        pairs: Vec::new(),
    }
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

/// What a test sees on head, as it is and held against something else.
fn watched(n: usize, subject: &Subject, (head, dropped): (&Seen, &Dropped)) -> Watched {
    let first = subject.varying.variations.len() + OWN;
    let rows = |copy: usize| {
        let seen = head.get(&(n, copy)).filter(|_| !dropped.contains(&(n, copy)));
        seen.cloned().unwrap_or_default()
    };
    let file = &subject.item.place.file;
    let other = |(at, double): (usize, &Double)| Other {
        swap: double.swap,
        place: Place { file: file.clone(), line: Some(double.line) },
        was: double.was.clone(),
        now: double.now.clone(),
        rows: rows(first + at),
    };
    Watched {
        test: subject.item.id.clone(),
        place: subject.item.place.clone(),
        sites: subject.sites,
        plain: [rows(0), rows(1)],
        others: subject.doubles.iter().enumerate().map(other).collect(),
    }
}

fn varied(n: usize, subject: Subject, words: &Words, (base, head): (&Seen, &Seen)) -> Varied {
    let count = subject.varying.variations.len();
    let rows = |seen: &Seen, copy: usize| seen.get(&(n, copy)).cloned().unwrap_or_default();
    let tables = |seen: &Seen| Tables {
        plain: [rows(seen, 0), rows(seen, 1)],
        varied: (0..count).map(|v| rows(seen, v + 2)).collect(),
    };
    let Varying { inputs, expected, names, variations, .. } = subject.varying;
    let input = |value: String| {
        let size = Some(value.chars().count()).filter(|n| *n > 2 && words.counts(*n));
        let size = size.filter(|_| value.parse::<f64>().is_err());
        Input { known: words.repeats(&value), value, size }
    };
    let (base, head) = (tables(base), tables(head));
    // What is expected need not stand in the test: a file or a function may hold it.
    let told = head.plain[0].iter().filter(|row| row.holds).flat_map(|row| &row.sides);
    let told = told.flat_map(|side| parts(side)).map(str::to_owned);
    let expected: BTreeSet<String> = expected.into_iter().chain(told).collect();
    Varied {
        red: subject.red,
        names: names.into_iter().filter(|name| words.names_part(name)).collect(),
        answers: expected.into_iter().filter(|value| words.repeats(value)).collect(),
        inputs: inputs.into_iter().map(input).collect(),
        variations: variations.into_iter().map(|(variation, _)| variation).collect(),
        test: subject.item.id,
        place: subject.item.place,
        base,
        head,
    }
}
