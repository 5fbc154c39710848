//! The neighbourhood: new tests with other inputs, on both sides. Production code that knows the tests' inputs, and does
//! what the base did for every other input, or gives one answer to all others, was made for those inputs alone.

use super::Measuring;
use super::known::{Known, has};
use crate::carry::Halt;
use crate::carry::trial::Trial;
use proctor_core::branch::{BranchKind, Exact, Sign};
use proctor_core::item::TestItem;
use proctor_core::report::{CaseEnd, Reason, RunEnd, TestReport};
use proctor_core::words::TreeId;
use proctor_experiments::{
    Neighbour, all_neighbours, decisions, echoes, is_disguised, literals, mentioned,
    small_decisions,
};
use proctor_lang::Edit;
use proctor_tools::Selection;
use std::collections::BTreeSet;

/// How many other inputs are tried for one test, and for how many tests.
const MOST_ROUNDS: usize = 4;
pub(super) const MOST_TESTS: usize = 8;

/// A test whose inputs the production code may know.
pub(super) struct Suspect {
    pub(super) item: TestItem,
    pub(super) inputs: Vec<Neighbour>,
    /// Those that it repeats; none where it could know them in disguise.
    pub(super) shared: BTreeSet<String>,
}

impl Suspect {
    /// Whether head differs from the base by something that may say nothing either: one more answer to all other inputs.
    /// One repeated input alone may be an edge.
    fn may_echo(&self, (base, head): (&TestReport, &TestReport)) -> bool {
        let seen = compare(&self.item, base, head);
        self.shared.len() > 1 && matches!(seen, Seen::Otherwise | Seen::HeadPasses)
    }
}

/// What one other input showed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    AsOnBase,
    Otherwise,
    /// Head passes, and the base does not.
    HeadPasses,
    /// The base has no such code, and head breaks.
    Breaks,
    /// The base has no such code, and head says the same to two other inputs.
    OneAnswer,
    /// The test holds whatever the input is.
    Holds,
    Nothing,
}

/// Which of an input's neighbours a test gets.
#[derive(Clone, Copy)]
pub(super) enum Which {
    Next,
    Other,
    Wild,
}

impl Which {
    pub(super) fn of(self, input: Neighbour) -> Edit {
        match self {
            Self::Next => input.edit,
            Self::Other => input.other,
            Self::Wild => input.wild,
        }
    }
}

/// What new tests give to the code, and all that stands in them.
pub(super) struct Given {
    pub(super) tests: Vec<(TestItem, Vec<Neighbour>)>,
    /// The same tests, with the numbers that stand everywhere.
    pub(super) small: Vec<Vec<Neighbour>>,
    pub(super) values: BTreeSet<String>,
}

impl Measuring<'_> {
    pub(super) fn near(&mut self) -> Result<(), Halt> {
        if self.scene.kind != BranchKind::Both {
            return Ok(());
        }
        let given = self.given();
        self.unheard(&given);
        self.unmoved(&given)?;
        self.by_length(&given)?;
        self.near_written(&given)?;
        self.near_spelled(&given)?;
        self.near_loaded()
    }

    /// Inputs that stand in the tests themselves.
    fn near_written(&mut self, given: &Given) -> Result<(), Halt> {
        let (known, disguised) = self.knows(given);
        let suspects = self.suspects(given, &known, disguised);
        let known = known.values;
        if suspects.is_empty() {
            return Ok(());
        }
        let seen = self.rounds(&suspects)?;
        let together = self.together(&suspects, &seen)?;
        let mut found = Vec::new();
        for ((suspect, seen), as_on_base) in suspects.into_iter().zip(seen).zip(together) {
            let told: Vec<Seen> =
                seen.into_iter().filter(|s| !matches!(s, Seen::Nothing | Seen::Holds)).collect();
            let otherwise = |s: &Seen| matches!(s, Seen::Otherwise | Seen::HeadPasses);
            if as_on_base || !told.is_empty() && !told.iter().any(otherwise) {
                found.push((suspect, told));
            }
        }
        let breaks = found.iter().all(|(_, told)| told.iter().all(|s| *s == Seen::Breaks));
        let items: Vec<TestItem> = found.iter().map(|(suspect, _)| suspect.item.clone()).collect();
        if found.is_empty() || self.says_what_happens_else(given, &items, &known, breaks)? {
            return Ok(());
        }
        self.measure.exact.extend(found.into_iter().map(|(suspect, _)| Exact {
            test: suspect.item.id,
            place: suspect.item.place,
            sign: if suspect.shared.is_empty() {
                Sign::Disguise
            } else {
                Sign::Literals { literals: suspect.shared.into_iter().collect() }
            },
        }));
        Ok(())
    }

    fn given(&self) -> Given {
        let mut given = Given { tests: Vec::new(), small: Vec::new(), values: BTreeSet::new() };
        for item in self.measure.items.new.iter().chain(&self.measure.items.changed) {
            let place = &item.place;
            if let (Some(text), Some(line)) = (self.scene.head.text(&place.file), place.line) {
                given.values.extend(literals(&place.file, text, line));
                let mut inputs = all_neighbours(&place.file, text, line);
                given.small.push(inputs.clone());
                inputs.retain(|input| !input.is_small());
                given.tests.push((item.clone(), inputs));
            }
        }
        given
    }

    /// The values by which changed code decides, and which new tests have nearly all of; and whether it may know values
    /// in disguise.
    fn knows(&self, given: &Given) -> (Known, bool) {
        let mut known = Known::default();
        let mut disguised = false;
        for (path, lines) in self.scene.all_lines() {
            if let Some(text) = self.scene.head.text(path) {
                disguised |= is_disguised(path, text, lines);
                known.decides_by(decisions(path, text, lines), &given.values);
                known.decides_by_small(small_decisions(path, text, lines), &given.values);
                known.mentions(mentioned(path, text, lines), &given.values);
            }
        }
        (known, disguised)
    }

    fn suspects(&self, given: &Given, known: &Known, disguised: bool) -> Vec<Suspect> {
        let red = self.measure.sorted(&self.brief).red;
        let suspect = |((item, inputs), all): (&(TestItem, Vec<Neighbour>), &Vec<Neighbour>)| {
            let mut shared = known.shared(inputs.iter().map(|input| input.was.as_str()));
            // In code that was there before, such a number is an edge.
            if self.is_new(item) {
                shared.extend(known.all_small(all));
            }
            let inputs = sorted(all.clone(), &shared);
            let may_know = !inputs.is_empty() && (disguised || !shared.is_empty());
            may_know.then(|| Suspect { item: item.clone(), inputs, shared })
        };
        let is_red = |item: &TestItem| red.iter().any(|id| item.covers(id));
        given
            .tests
            .iter()
            .zip(&given.small)
            .filter(|((item, _), _)| is_red(item))
            .filter_map(suspect)
            .take(MOST_TESTS)
            .collect()
    }

    /// Whether the base has no code that this test asks for.
    pub(super) fn is_new(&self, item: &TestItem) -> bool {
        self.measure.replay.first().is_some_and(|on_base| is_bare(item, on_base))
    }

    /// What each input of each suspect showed.
    fn rounds(&mut self, suspects: &[Suspect]) -> Result<Vec<Vec<Seen>>, Halt> {
        let old = self.scene.replay(self.shadow)?;
        let new = self.scene.head.tree.clone();
        let mut seen: Vec<Vec<Seen>> = vec![Vec::new(); suspects.len()];
        for round in 0..MOST_ROUNDS {
            let of_round: Vec<(usize, &Suspect)> =
                suspects.iter().enumerate().filter(|(_, s)| s.inputs.len() > round).collect();
            if of_round.is_empty() {
                break;
            }
            let on_base = self.with_inputs(&old, &of_round, (round, Which::Next))?;
            let on_head = self.with_inputs(&new, &of_round, (round, Which::Next))?;
            let both = self.runs.reports(&[on_base, on_head])?;
            let [on_base, on_head] = both.as_slice() else { break };
            let asked: Vec<(usize, &Suspect)> = of_round
                .iter()
                .copied()
                .filter(|(_, s)| is_bare(&s.item, on_base) || s.may_echo((on_base, on_head)))
                .collect();
            let again = if asked.is_empty() {
                None
            } else {
                let other = self.with_inputs(&new, &asked, (round, Which::Other))?;
                Some(self.runs.report(&other)?)
            };
            for (n, suspect) in of_round {
                let (Some(list), Some(input)) = (seen.get_mut(n), suspect.inputs.get(round)) else {
                    continue;
                };
                let item = &suspect.item;
                list.push(match &again {
                    Some(again) if is_bare(item, on_base) => alone(item, input, (on_head, again)),
                    Some(again) if suspect.may_echo((on_base, on_head)) => {
                        match alone(item, input, (on_head, again)) {
                            Seen::OneAnswer => Seen::OneAnswer,
                            _ => compare(item, on_base, on_head),
                        }
                    }
                    _ => compare(item, on_base, on_head),
                });
            }
        }
        Ok(seen)
    }

    /// Whether a new test says what happens with an input that the code does not name: it holds for others as well. Then
    /// the code was asked for just these values.
    pub(super) fn says_what_happens_else(
        &mut self,
        given: &Given,
        suspects: &[TestItem],
        known: &BTreeSet<String>,
        breaks: bool,
    ) -> Result<bool, Halt> {
        let tree = self.scene.head.tree.clone();
        let added: BTreeSet<String> =
            super::reading::added_names(&self.scene).into_iter().collect();
        // A test of something else says nothing about this.
        let alike = |(item, _): &&(TestItem, Vec<Neighbour>)| {
            suspects.iter().any(|suspect| asks_of_the_same(item, suspect, &added))
        };
        for (item, inputs) in given.tests.iter().filter(alike) {
            let unnamed: Vec<&Neighbour> = inputs
                .iter()
                .filter(|input| {
                    let text = input.was.starts_with('"');
                    // What is known in disguise has no kind.
                    let alike =
                        known.is_empty() || known.iter().any(|k| k.starts_with('"') == text);
                    // What comes out as it went in says nothing about others; what a message names does.
                    let once = item.text.matches(input.was.trim_matches('"')).count() < 2
                        || !self.echoes(item, input).is_empty();
                    alike && !has(known, &input.was) && (breaks || once)
                })
                .take(MOST_ROUNDS)
                .collect();
            for input in unnamed {
                let next = self.with_echoes(&tree, item, input, Which::Next);
                let other = self.with_echoes(&tree, item, input, Which::Other);
                if self.runs.reports(&[next, other])?.iter().all(|run| holds(item, run)) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Where messages that a test expects name an input.
    fn echoes(&self, item: &TestItem, input: &Neighbour) -> Vec<std::ops::Range<usize>> {
        let (file, line) = (&item.place.file, item.place.line.unwrap_or_default());
        let text = self.scene.head.text(file).unwrap_or_default();
        echoes(file, text, line, &input.was)
    }

    /// A test of head with another input, also in the messages that name it.
    fn with_echoes<'t>(
        &self,
        tree: &'t TreeId,
        item: &TestItem,
        input: &Neighbour,
        which: Which,
    ) -> Trial<'t> {
        let file = item.place.file.clone();
        let edit = which.of(input.clone());
        let new = edit.text.trim_matches(['"', '\'', '`']).to_owned();
        let named = self.echoes(item, input).into_iter().map(|range| Edit {
            line: edit.line,
            from: range.start,
            to: range.end,
            text: new.clone(),
            what: String::new(),
        });
        let edits: Vec<Edit> = named.chain([edit.clone()]).collect();
        let text = Edit::applied(self.scene.head.text(&file).unwrap_or_default(), &edits);
        Trial::of(tree).with(file, text).only(Selection::Ids(vec![item.id.clone()]))
    }

    /// These tests with the other input of this round. The test's place is found anew: a file that holds inline tests has
    /// other code on the base.
    fn with_inputs<'t>(
        &self,
        tree: &'t TreeId,
        suspects: &[(usize, &Suspect)],
        (round, which): (usize, Which),
    ) -> Result<Trial<'t>, Halt> {
        let files: BTreeSet<String> =
            suspects.iter().map(|(_, suspect)| suspect.item.place.file.clone()).collect();
        let files: Vec<String> = files.into_iter().collect();
        let mut trial = Trial::of(tree);
        let mut ids = Vec::new();
        for (file, text) in self.texts_of(tree, &files)? {
            let here = self.items_in(&file, &text);
            let mut edits = Vec::new();
            for (_, suspect) in suspects.iter().filter(|(_, s)| s.item.place.file == file) {
                let Some(line) = line_of(&suspect.item, &here) else { continue };
                let inputs = sorted(all_neighbours(&file, &text, line), &suspect.shared);
                if let Some(input) = inputs.into_iter().nth(round) {
                    edits.push(which.of(input));
                    ids.push(suspect.item.id.clone());
                }
            }
            trial = trial.with(file, Edit::applied(&text, &edits));
        }
        Ok(trial.only(Selection::Ids(ids)))
    }

    /// The tests of a file as they stand in this text of it, which need not be head's.
    pub(super) fn items_in(&self, file: &str, text: &str) -> Vec<TestItem> {
        let mut texts = self.scene.head.texts.clone();
        texts.0.insert(file.to_owned(), text.as_bytes().to_vec());
        self.runs.suite().items(&texts, &[file.to_owned()])
    }
}

/// Where a test begins, among those of its file.
pub(super) fn line_of(item: &TestItem, here: &[TestItem]) -> Option<u32> {
    here.iter().find(|other| other.id == item.id)?.place.line
}

/// Whether two tests are about the same thing: a function that both call, or a type that the change holds.
fn asks_of_the_same(one: &TestItem, other: &TestItem, added: &BTreeSet<String>) -> bool {
    /// What tests of anything have in common.
    const EVERYWHERE: &str = " Error Errorf Fatal Fatalf Fail Helper Run Some Ok Err None String Vec Result unwrap \
        to_owned to_string into len iter clone expect test it describe toBe toEqual toThrow raises assertEqual \
        assertRaises str list dict set ";
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let words = |item: &TestItem| -> BTreeSet<(String, bool)> {
        // What stands in quotes are values.
        let bare = item.text.split('"').step_by(2).collect::<Vec<_>>().join(" ");
        let mut found = BTreeSet::new();
        let mut rest = bare.as_str();
        while let Some(at) = rest.find(is_part) {
            let from = rest.get(at..).unwrap_or_default();
            let end = from.find(|c| !is_part(c)).unwrap_or(from.len());
            let (word, after) = from.split_at(end);
            found.insert((word.to_owned(), after.starts_with('(')));
            rest = after;
        }
        found
    };
    let (one, other) = (words(one), words(other));
    one.intersection(&other).any(|(word, called)| {
        let is_type = word.starts_with(char::is_uppercase) && added.contains(word);
        (*called || is_type) && !EVERYWHERE.contains(&format!(" {word} "))
    })
}

/// Inputs that the production code repeats come first, and one that it does not repeat is among them: with that it may
/// do something that the base did not.
fn sorted(mut inputs: Vec<Neighbour>, shared: &BTreeSet<String>) -> Vec<Neighbour> {
    inputs.retain(|input| !input.is_small() || shared.contains(&input.was));
    inputs.sort_by_key(|input| !shared.contains(&input.was));
    let other = inputs.iter().position(|input| !shared.contains(&input.was));
    if let Some(other) = other.filter(|at| *at >= MOST_ROUNDS) {
        inputs.swap(MOST_ROUNDS - 1, other);
    }
    inputs.truncate(MOST_ROUNDS);
    inputs
}

/// How the cases of a test ended.
fn ends<'r>(item: &TestItem, run: &'r TestReport) -> Vec<&'r CaseEnd> {
    run.cases.iter().filter(|(id, _)| item.covers(id)).map(|(_, case)| &case.end).collect()
}

/// Whether a test was run and all its cases passed.
pub(super) fn holds(item: &TestItem, run: &TestReport) -> bool {
    let ends = ends(item, run);
    !ends.is_empty() && ends.iter().all(|end| **end == CaseEnd::Passed)
}

/// Whether the base has no code that could be compared: a name is missing, or all that is there breaks.
pub(super) fn is_bare(item: &TestItem, base: &TestReport) -> bool {
    let ends = ends(item, base);
    let no_answer = |end: &&CaseEnd| {
        matches!(end, CaseEnd::Failed { reason: Reason::Missing { .. } | Reason::Panic { .. } })
    };
    let missing = matches!(base.end, RunEnd::CollectFailed { .. });
    missing || !ends.is_empty() && ends.iter().all(no_answer)
}

/// What head by itself says to two other inputs.
fn alone(item: &TestItem, input: &Neighbour, (one, other): (&TestReport, &TestReport)) -> Seen {
    let failed = |run| -> Vec<&CaseEnd> {
        ends(item, run).into_iter().filter(|end| **end != CaseEnd::Passed).collect()
    };
    let (first, second) = (failed(one), failed(other));
    let broke = |end: &&CaseEnd| matches!(end, CaseEnd::Failed { reason: Reason::Panic { .. } });
    if ends(item, one).is_empty() || ends(item, other).is_empty() {
        return Seen::Nothing;
    }
    if first.is_empty() && second.is_empty() {
        return Seen::Holds;
    }
    if first.is_empty() || second.is_empty() {
        return Seen::Otherwise;
    }
    if first.iter().chain(&second).all(broke) {
        return Seen::Breaks;
    }
    let told = |ends: &[&CaseEnd], edit: &Edit| -> Vec<String> {
        ends.iter().map(|end| erased(&told(end), edit)).collect()
    };
    let (first, second) = (told(&first, &input.edit), told(&second, &input.other));
    let telling = first.iter().all(|message| tells_more_than(message, &item.text));
    if telling && first == second { Seen::OneAnswer } else { Seen::Otherwise }
}

/// A message without the input that led to it.
fn erased(message: &str, edit: &Edit) -> String {
    let quotes = ['"', '\'', '`'];
    let input = folded(edit.text.trim_start_matches(", ").trim_matches(quotes));
    let input = input.as_str();
    let mut left = String::new();
    let mut rest = message;
    while let Some(at) = rest.find(input).filter(|_| !input.is_empty()) {
        let (before, after) = (&rest[..at], &rest[at + input.len()..]);
        left.push_str(before);
        let whole =
            !left.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric);
        left.push_str(if whole { "…" } else { input });
        rest = after;
    }
    left + rest
}

/// Whether a failure tells what came out, and not only what the test says itself.
fn tells_more_than(message: &str, test: &str) -> bool {
    let said = ["assertion failed:", "The expression evaluated to a falsy value:"];
    let rest = said.iter().find_map(|said| message.strip_prefix(said)).unwrap_or(message);
    rest.split_whitespace().any(|word| word != "…" && !test.contains(word))
}

/// Whether a test with another input says the same on both sides.
pub(super) fn compare(item: &TestItem, base: &TestReport, head: &TestReport) -> Seen {
    let told = |run| -> Vec<String> { ends(item, run).into_iter().map(told).collect() };
    let (was, is) = (told(base), told(head));
    if is.is_empty() {
        return Seen::Nothing;
    }
    let passed = |told: &[String]| told.iter().all(|end| end == "passed");
    match was == is {
        true => Seen::AsOnBase,
        false if passed(&is) => Seen::HeadPasses,
        false => Seen::Otherwise,
    }
}

/// How a case ended, in words that don't differ by chance: addresses and times are left out.
fn told(end: &CaseEnd) -> String {
    let message = match end {
        CaseEnd::Passed => return "passed".to_owned(),
        CaseEnd::Skipped { .. } => return "skipped".to_owned(),
        CaseEnd::Errored { message } => message.as_str(),
        CaseEnd::Failed { reason: Reason::Panic { message, .. } } => {
            return folded(&what_broke(message));
        }
        CaseEnd::Failed { reason } => reason.message(),
    };
    folded(message)
}

/// What an exception says, without the way that it took: the same breach may lie deeper on one side. pytest marks it.
fn what_broke(message: &str) -> String {
    // Where the depth runs out is chance.
    let bare = |line| if str::contains(line, "RecursionError") { "E RecursionError" } else { line };
    let marked = message.lines().filter(|line| line.starts_with("E ")).map(bare);
    let marked: Vec<&str> = marked.collect();
    if marked.is_empty() { message.to_owned() } else { marked.join("\n") }
}

/// The lines of a text in an order of their own: a test that goes over a map says them in any order.
fn folded(text: &str) -> String {
    let by_chance = |word: &&str| {
        word.contains("0x") || word.contains('/') || holds_address(word) || is_place(word)
    };
    let line = |line: &str| {
        line.split_whitespace().filter(|word| !by_chance(word)).collect::<Vec<_>>().join(" ")
    };
    let mut lines: Vec<String> = text.lines().map(line).filter(|line| !line.is_empty()).collect();
    lines.sort();
    lines.join(" ")
}

/// Whether a word is a place in a file: `test_shop.py:12:`. Its line could be taken for an input.
fn is_place(word: &str) -> bool {
    let mut parts = word.split(':');
    let named = parts.next().is_some_and(|name| name.contains('.'));
    let digits = |line: &str| !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit());
    named && parts.next().is_some_and(digits)
}

/// Whether a word holds the end of an address, where a tool cut off its beginning: `<generator o...7fc43303c7c0>`.
fn holds_address(word: &str) -> bool {
    word.split(|c: char| !c.is_ascii_hexdigit()).any(|run| {
        let letter = |c: char| c.is_ascii_alphabetic();
        run.len() >= 8 && run.contains(letter) && run.contains(|c: char| c.is_ascii_digit())
    })
}

#[cfg(test)]
#[path = "near_tests.rs"]
mod tests;
