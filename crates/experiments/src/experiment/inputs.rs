//! New tests observed with their own inputs and expectations and with others, on the base's code and on head's: one run a
//! side. Older tests beside them are there with other inputs too. What the rows mean is judged in `core`.

use super::files::{self, Way, is_data};
use super::helpers::{self, modules};
use super::look::{Dropped, Instead, Memory, OWN, Script, Seen, Subject};
use super::siblings::add_around;
use super::{Done, Experiment, Found, Try};
use crate::branch::{Branch, Side};
use crate::observe::sites;
use crate::vary::{
    About, Double, Enumerations, MOST, TABLE_WAYS, Varying, Without, apart, doubles, length,
    named_in, other_tables, vary, vary_about, vary_module, without,
};
use crate::words::{Words, calls, is_property};
use proctor_core::branch::{BranchKind, Evidence};
use proctor_core::generality::{parts, said};
use proctor_core::item::TestItem;
use proctor_core::observation::{
    Input, Kind, LONGER, Other, Row, Sort, Swap, Tables, Variation, Varied, Watched,
};
use proctor_core::report::{CaseEnd, Place, Reason, RunEnd, TestReport};
use proctor_core::verdict::CheckName as C;
use proctor_core::words::TestId;
use proctor_lang::{Language, Zone, zone};
use similar::{DiffTag, TextDiff};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// How many copies with other inputs all tests have together, and one at the least: where there are many tests, each has those
/// that say most.
pub(super) const COPIES: usize = 24 * MOST;
const LEAST: usize = 8;
/// How many tests are observed at most.
const MOST_TESTS: usize = COPIES / LEAST;
/// How many older tests beside them, and in how many ways.
const MOST_OLDER: usize = 6;
const MOST_OLDER_WAYS: usize = 6;

#[derive(Default)]
pub(super) struct Inputs {
    memory: Memory,
    read: OnceCell<Read>,
}

/// What reading the branch told once.
struct Read {
    words: Words,
    subjects: Vec<Subject>,
    /// How many red tests there are, observed or not.
    red: usize,
}

impl Read {
    fn of(branch: &Branch<'_>) -> Self {
        let words = Words::of(branch);
        let (mut subjects, red) = subjects(branch, &words);
        subjects.extend(older(branch, &subjects));
        Self { words, subjects, red }
    }
}

impl Experiment for Inputs {
    fn what(&self) -> &'static str {
        "new tests with other inputs and expectations"
    }

    fn checks(&self) -> &'static [C] {
        &[C::RedReplay, C::Harness]
    }

    fn next(&self, branch: &Branch<'_>, done: &[Done]) -> Vec<Try> {
        self.script(branch, done).err().map(|next| *next).into_iter().collect()
    }

    fn evidence(&self, branch: &Branch<'_>, done: &[Done]) -> Found {
        self.script(branch, done).unwrap_or_default()
    }
}

impl Inputs {
    fn script(&self, branch: &Branch<'_>, done: &[Done]) -> Result<Found, Box<Try>> {
        if branch.kind == BranchKind::CodeOnly {
            return Ok(Found::default());
        }
        let read = self.read.get_or_init(|| Read::of(branch));
        if read.subjects.is_empty() {
            return Ok(Found::default());
        }
        let script = Script::new(branch, done, &self.memory);
        let found = observed(branch, script, read)?;
        let count = (read.red.min(MOST_TESTS), read.red);
        Ok(found.of_all(C::RedReplay, "new tests with other inputs", count))
    }
}

fn observed(
    branch: &Branch<'_>,
    mut script: Script<'_, '_>,
    Read { words, subjects, .. }: &Read,
) -> Result<Found, Box<Try>> {
    let mut subjects = subjects.clone();
    let new = branch.head.tree();
    // Head first: what does not compile there is left out on the base from the beginning.
    let mut dropped = Dropped::new();
    let head = script.seen(new, &subjects, &mut dropped)?;
    let fresh: Vec<usize> = (0..subjects.len()).filter(|n| !subjects[*n].old).collect();
    let watch = |n: &usize| watched(*n, &subjects[*n], (&head, &dropped));
    let mut watched: Vec<Watched> = fresh.iter().map(watch).collect();
    let useless = useless(branch, &subjects);
    if !useless.is_empty() {
        let texts = useless.iter().map(|(file, w)| (file.clone(), w.text.clone())).collect();
        let seen = script.seen_with(new, &subjects, &texts)?;
        for (n, watched) in fresh.iter().zip(&mut watched) {
            let rows = seen.get(&(*n, 0)).cloned();
            watched.others.extend(left_out(watched, &useless, rows));
        }
    }
    let Some(old) = branch.mixed.replay.as_ref().filter(|_| varies(branch)) else {
        return Ok(script.found(vec![Evidence::Watched(watched)]));
    };
    for subject in &mut subjects {
        subject.doubles.clear();
    }
    let on_head = dropped.clone();
    let base = script.seen(old, &subjects, &mut dropped)?;
    let mut data = Vec::new();
    let around = ["values around it", "values around it", LONGER, "values around it"];
    let around = tables(branch, &subjects).into_iter().zip(around);
    let around = around.map(|(files, what)| Way { files, what: what.to_owned() });
    let ways = files::ways(branch, &subjects, words).into_iter().chain(around);
    for Way { files: way, what } in ways.filter(|way| !way.files.is_empty()) {
        let seen = script.seen_with(new, &subjects, &way)?;
        for (n, watched) in fresh.iter().zip(&mut watched) {
            watched.others.extend(files::expecting(&what, seen.get(&(*n, 0))));
        }
        let seen = files::readable(&way, &head, seen);
        // What does not compile there with its own values does not with others, and each trial is a build.
        let base =
            if base.is_empty() { Seen::new() } else { script.seen_with(old, &subjects, &way)? };
        data.push((base, seen, what));
    }
    let mut evidence = vec![Evidence::Watched(watched)];
    let (mut all, mut older) = (Vec::new(), Vec::new());
    for (n, subject) in subjects.into_iter().enumerate() {
        // A test that the base does not build is varied on head alone.
        let dropped = if base.contains_key(&(n, 0)) { &dropped } else { &on_head };
        if subject.old {
            older.push(varied(n, subject, words, (&base, &head, dropped)));
            continue;
        }
        let around = subject.varying.around.iter().map(|a| a.variation.clone()).collect();
        let mut told = varied(n, subject, words, (&base, &head, dropped));
        add_around(n, around, &mut told, (&base, &head));
        for (base, head, what) in &data {
            told.variations.push(all_values(what));
            told.base.varied.push(base.get(&(n, 0)).cloned().unwrap_or_default());
            told.head.varied.push(head.get(&(n, 0)).cloned().unwrap_or_default());
        }
        all.push(told);
    }
    evidence.push(Evidence::Varied { new: all, older });
    Ok(script.found(evidence))
}

/// Whether there is a base to hold other inputs against.
fn varies(branch: &Branch<'_>) -> bool {
    branch.kind == BranchKind::Both && !branch.measure.is_refactoring()
}

/// The new tests, those that are red first, and what can be varied in them.
fn subjects(branch: &Branch<'_>, words: &Words) -> (Vec<Subject>, usize) {
    let red = branch.sorted().red;
    let varies = varies(branch);
    let items = branch.measure.items.new.iter().chain(&branch.measure.items.changed);
    let is_red = |item: &TestItem| red.iter().any(|id| item.covers(id));
    let (mut all, guards): (Vec<TestItem>, Vec<TestItem>) = items.cloned().partition(is_red);
    all.extend(fed(branch, &red, &all));
    let count = all.len();
    all.extend(guards);
    let most = (COPIES / all.len().clamp(1, MOST_TESTS)).min(MOST);
    let all_members = enumerations(branch, &all);
    let subject = |(n, item): (usize, TestItem)| {
        let file = &item.place.file;
        let text = branch.head.text(file)?;
        let line = item.place.line?;
        let new = new_lines(branch, file, text);
        let is_new = |line: u32| new.contains(&line);
        let is_file = |name: &str| names_file(branch, name);
        let knows = &|word: &str| words.knows(word) || words.has_part(word, text);
        let is_name = |word: &str| is_called(branch, (file.as_str(), text), word);
        let enumerations = &all_members;
        let about =
            About { knows, is_new: &is_new, is_file: &is_file, is_name: &is_name, enumerations };
        let mut varying = vary_about(file, text, line, &about)?;
        for path in modules(branch, file) {
            let Some(module) = branch.head.text(&path) else { continue };
            let new = new_lines(branch, &path, module);
            let about = About { is_new: &|line| new.contains(&line), ..about };
            let made = vary_module((file, text, line), (&path, module), &about);
            let (around, inputs) = made.unwrap_or_default();
            varying.around.extend(around);
            varying.inputs.extend(inputs);
        }
        varying.variations.truncate(most);
        let own = varying.variations.iter_mut().map(|(variation, _)| variation);
        let all = own.chain(varying.around.iter_mut().map(|around| &mut around.variation));
        for variation in all.filter(|v| v.sort != Sort::Member) {
            variation.named =
                words.has_named(variation, &varying.inputs) || is_property(text, &variation.was);
        }
        // Guards beside nothing that is red are held against other expectations alone.
        if !varies || count == 0 {
            varying.variations.clear();
            varying.around.clear();
        }
        let (doubles, sites) = (doubles(file, text, line), sites(file, text, line));
        Some(Subject { doubles, sites, item, varying, red: n < count, old: false })
    };
    let subjects = all.into_iter().take(MOST_TESTS).enumerate().filter_map(subject);
    (subjects.collect(), count)
}

/// The enumerations of head's sources, with the members that the base has too where it knows them.
fn enumerations(branch: &Branch<'_>, items: &[TestItem]) -> Enumerations {
    let files: BTreeSet<&str> = items.iter().map(|item| item.place.file.as_str()).collect();
    let texts = files.into_iter().filter_map(|file| branch.head.text(file));
    let named = texts.flat_map(named_in).collect();
    let of = |side: &dyn Side| {
        let mut known = Enumerations::default();
        let all = side.paths().into_iter().filter_map(|path| Some((path, side.text(path)?)));
        all.for_each(|(path, text)| known.read(path, text, &named));
        known
    };
    let mut known = of(branch.head);
    known.keep_common(&of(branch.base));
    known
}

/// Older tests beside those that are red: what they give is another in one place, and in all of them.
fn older(branch: &Branch<'_>, subjects: &[Subject]) -> Vec<Subject> {
    let red: BTreeSet<&str> =
        subjects.iter().filter(|s| s.red).map(|s| s.item.place.file.as_str()).collect();
    let files: Vec<String> = red.into_iter().map(str::to_owned).collect();
    let known = |item: &TestItem| branch.measure.item_of(&item.id).is_some();
    let passes = |item: &TestItem| {
        let cases = |run: &TestReport| {
            run.cases.iter().any(|(id, c)| item.covers(id) && c.end == CaseEnd::Passed)
        };
        cases(&branch.measure.base) && branch.measure.head.iter().all(cases)
    };
    let old = branch.tests.items(branch.head.texts(), &files).into_iter();
    let subject = |item: TestItem| {
        let (file, line) = (&item.place.file, item.place.line?);
        let text = branch.head.text(file)?;
        let mut varying = Varying { variations: apart(file, text, line), ..Varying::default() };
        let more = vary(file, text, line, &|_| false)?.variations;
        varying.variations.extend(more.into_iter().take(MOST_OLDER_WAYS));
        (varying.variations.len() > 1).then(|| Subject {
            varying,
            old: true,
            ..Subject::plain(item)
        })
    };
    let old = old.filter(|item| !known(item) && passes(item)).filter_map(subject);
    if varies(branch) { old.take(MOST_OLDER).collect() } else { Vec::new() }
}

/// Tests that are red and not new: what feeds them is, such as a table that a loop goes over.
fn fed(branch: &Branch<'_>, red: &[TestId], known: &[TestItem]) -> Vec<TestItem> {
    let missing: Vec<&TestId> =
        red.iter().filter(|id| !known.iter().any(|item| item.covers(id))).collect();
    let (base, head) = (branch.base, branch.head);
    let differs = |path: &&String| {
        zone(path) == Zone::Test && head.text(path).is_some() && head.text(path) != base.text(path)
    };
    if missing.is_empty() {
        return Vec::new();
    }
    let files: Vec<&String> = head.texts().0.keys().filter(differs).collect();
    let items = files.into_iter().filter_map(|file| Some(branch.items_in(file, head.text(file)?)));
    items.flatten().filter(|item| missing.iter().any(|id| item.covers(id))).collect()
}

/// The files of these tests without the statements that use a name which the base lacks.
fn useless(branch: &Branch<'_>, subjects: &[Subject]) -> BTreeMap<String, Without> {
    let names = missing(branch);
    let files: BTreeSet<&String> = subjects.iter().map(|s| &s.item.place.file).collect();
    let one = |file: &String| Some((file.clone(), without(file, branch.head.text(file)?, &names)?));
    files.into_iter().filter_map(one).collect()
}

/// What a test sees without those statements.
fn left_out(
    watched: &Watched,
    useless: &BTreeMap<String, Without>,
    rows: Option<Vec<Row>>,
) -> Option<Other> {
    let file = &watched.place.file;
    let Without { name, line, .. } = useless.get(file)?;
    let place = Place { file: file.clone(), line: Some(*line) };
    let (swap, was, now, rows) = (Swap::Without, name.clone(), String::new(), rows?);
    Some(Other { swap, place, was, now, rows })
}

/// The names that the new tests miss on the base's code.
fn missing(branch: &Branch<'_>) -> Vec<String> {
    let errors = branch.measure.replay.iter().flat_map(|run| match &run.end {
        RunEnd::CollectFailed { errors } => errors.as_slice(),
        _ => &[],
    });
    let cases = branch.measure.replay.iter().flat_map(|run| run.cases.values());
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

/// Whether a string is the name or the path of a file or folder of head's tree, or of one of data without its ending.
fn names_file(branch: &Branch<'_>, name: &str) -> bool {
    let inside = name.trim_start_matches("./").trim_start_matches("../").trim_end_matches('/');
    let wanted: Vec<&str> = inside.split('/').collect();
    let holds = |path: &str| {
        let plain = path.rsplit_once('.').filter(|_| is_data(path)).map(|(plain, _)| plain);
        [Some(path), plain].into_iter().flatten().any(|path| {
            let parts: Vec<&str> = path.split('/').collect();
            parts.windows(wanted.len()).any(|some| some == wanted)
        })
    };
    !inside.is_empty() && branch.head.paths().into_iter().any(holds)
}

/// Whether a script's test, or the base's code, calls something by a word.
fn is_called(branch: &Branch<'_>, (file, text): (&str, &str), word: &str) -> bool {
    let is_script = |path: &&str| matches!(Language::of(path), Some(Language::Script(_)));
    let code = branch.base.paths().into_iter().filter(|path| zone(path) != Zone::Test);
    let texts = code.filter(is_script).filter_map(|path| branch.base.text(path));
    is_script(&file) && std::iter::once(text).chain(texts).any(|text| calls(text, word))
}

/// The lines of a test file that the base does not have.
fn new_lines(branch: &Branch<'_>, file: &str, text: &str) -> BTreeSet<u32> {
    lines_between(branch.base.text(file).unwrap_or_default(), text)
}

/// Not each by itself: a row of a new table may stand in an older one too.
fn lines_between(old: &str, new: &str) -> BTreeSet<u32> {
    let [old, new] = [old, new].map(|text| text.lines().map(str::trim).collect::<Vec<_>>());
    let diff = TextDiff::from_slices(&old, &new);
    let changed = diff.ops().iter().filter(|op| op.tag() != DiffTag::Equal);
    changed
        .flat_map(similar::DiffOp::new_range)
        .filter_map(|at| u32::try_from(at + 1).ok())
        .collect()
}

/// The files of these tests with other values around the tests, way by way.
fn tables(branch: &Branch<'_>, subjects: &[Subject]) -> Vec<Instead> {
    let mut files: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    // Where a file can stand there under another name, that is done for each test.
    let beside =
        |file: &str| matches!(Language::of(file), Some(Language::Python | Language::Script(_)));
    for subject in subjects.iter().filter(|s| !s.old && !beside(&s.item.place.file)) {
        let place = &subject.item.place;
        files.entry(place.file.clone()).or_default().extend(place.line);
        for path in helpers::beside(branch, &place.file) {
            files.entry(path).or_default();
        }
    }
    let other = |way: usize, file: &str, lines: &[u32]| {
        let text = branch.head.text(file)?;
        let new = new_lines(branch, file, text);
        let about = About {
            knows: &|_| false,
            is_new: &|line| new.contains(&line),
            is_file: &|name| names_file(branch, name),
            is_name: &|_| false,
            enumerations: &Enumerations::default(),
        };
        other_tables(file, text, lines, (&about, way))
    };
    let one = |way: usize| -> Instead {
        let all = files.iter();
        all.filter_map(|(file, lines)| Some((file.clone(), other(way, file, lines)?))).collect()
    };
    (0..TABLE_WAYS).map(one).collect()
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
        beside: rows(first + subject.doubles.len()),
        others: subject.doubles.iter().enumerate().map(other).collect(),
    }
}

/// The equalities on head of which no side is written in the test.
fn worked_out<'w>(
    head: &Tables,
    written: impl Iterator<Item = &'w String>,
) -> Vec<(u32, i32, u32)> {
    let written: BTreeSet<&str> = written.flat_map(|value| parts(value)).collect();
    let is_worked_out = |row: &&Row| {
        let side = row.sides.first().map_or("", |side| side.as_str());
        let mut words =
            parts(side).into_iter().filter(|w| w.contains(|c: char| c.is_ascii_digit()));
        let none = words.clone().next().is_some() && !words.any(|word| written.contains(word));
        row.kind == Kind::Eq && row.holds && row.sides.len() == 2 && none
    };
    head.plain[0].iter().filter(is_worked_out).map(Row::key).collect()
}

pub(super) fn varied(
    n: usize,
    subject: Subject,
    words: &Words,
    (base, head, dropped): (&Seen, &Seen, &Dropped),
) -> Varied {
    let count = subject.varying.variations.len();
    let rows = |seen: &Seen, copy: usize| seen.get(&(n, copy)).cloned().unwrap_or_default();
    // What was left out stands there as the test is, and says nothing.
    let other = |seen: &Seen, copy: usize| {
        if dropped.contains(&(n, copy)) { Vec::new() } else { rows(seen, copy) }
    };
    let tables = |seen: &Seen| Tables {
        plain: [rows(seen, 0), rows(seen, 1)],
        varied: (0..count).map(|v| other(seen, v + OWN)).collect(),
    };
    let Varying { inputs, expected, names, variations, .. } = subject.varying;
    let input = |value: String| {
        let size = Some(length(&value)).filter(|n| *n > 2 && words.counts(*n));
        let size = size.filter(|_| value.parse::<f64>().is_err());
        Input { known: words.repeats(&value), value, size }
    };
    let (base, head) = (tables(base), tables(head));
    // What is expected need not stand in the test: a file or a function may hold it.
    let told = head.plain[0].iter().filter(|row| row.holds).flat_map(|row| &row.sides);
    let told = told.flat_map(|side| parts(side).into_iter().chain([said(side)])).map(str::to_owned);
    let worked_out = worked_out(&head, inputs.iter().chain(&expected));
    let expected: BTreeSet<String> = expected.into_iter().chain(told).collect();
    Varied {
        red: subject.red,
        chooses: words.chooses(),
        names: names.into_iter().filter(|name| words.names_part(name)).collect(),
        worked_out,
        answers: expected.into_iter().filter(|value| words.has_answer(value)).collect(),
        inputs: inputs.into_iter().map(input).collect(),
        variations: variations.into_iter().map(|(variation, _)| variation).collect(),
        test: subject.item.id,
        place: subject.item.place,
        base,
        head,
    }
}

#[cfg(test)]
mod tests {
    use super::lines_between;

    #[test]
    fn rows_of_a_new_test_are_new_though_an_older_one_has_the_same() {
        let less = "func TestLess() {\n\trows := []row{\n\t\t{1, 2},\n\t}\n}\n";
        let equal = less.replace("Less", "LessEqual");
        let found = lines_between(less, &format!("{less}\n{equal}"));
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [6, 7, 8, 9, 10, 11]);
        assert!(lines_between(less, &less.replace('\t', "    ")).is_empty());
    }
}
