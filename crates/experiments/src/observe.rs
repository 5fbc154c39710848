//! Observations: tests rewritten so that their assertions hand what they see to a channel and never fail, each beside
//! copies of itself with other inputs. What a language needs for that is in the files below; nothing is run here, and what
//! the rows mean is not said here.
//!
//! The channel is a file in the folder for temporary files, one JSON object a line:
//! `{"t":3,"v":7,"b":1}` when a case of test 3 begins in its variation 7, `{"t":3,"v":7,"s":0,"ok":true,"l":["1","2"]}` for what
//! the assertion at site 0 saw, with `"x":"ValueError: no"` where an exception came in the place of a value, and site -1
//! when the case ends. Functions that help tests have sites of their own, from [`HELPERS`] on. `"k"` says what is asked: `eq`, `truth`, `raises`, `other`. Values are copied into text by our own code, with their types where they are not plain.

mod go;
mod helping;
mod java;
mod places;
mod python;
mod rust;
mod script;

pub use helping::{HELPER, Helping, helpers, may_help};
use proctor_core::observation::{END, HELPERS, Kind, Row};
use proctor_lang::edit::Edit;
use proctor_lang::{Language, Role, TestModel, syntax};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use tree_sitter::{Node, Tree};

/// More rows of one table say nothing more.
const MOST_ROWS: usize = 400;

/// One test that is to be observed.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Its number in the channel.
    pub number: usize,
    /// Where it begins, as the runner says.
    pub line: u32,
    /// What is other in each of its copies; places count from the beginning of its [`span`].
    pub copies: Vec<Vec<Edit>>,
}

/// A file of tests that observe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observing {
    pub text: String,
    /// Files that must stand beside it, by path.
    pub beside: BTreeMap<String, String>,
    /// The numbers of the samples that are in it; the others can't be rewritten.
    pub samples: Vec<usize>,
    /// By lines of `text`: which copy of which sample stands there, or which function that helps ([`HELPER`]), so that
    /// one that does not compile can be left out.
    pub lines: Vec<(Range<u32>, usize, usize)>,
}

/// The channel's name, which nobody could foresee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel(pub String);

/// A copy of a test: of which sample, and the how many-th.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Copy {
    pub(crate) sample: usize,
    pub(crate) number: usize,
}

impl Copy {
    /// What is put behind the test's name.
    pub(crate) fn suffix(self) -> String {
        format!("__o{}", self.number)
    }
}

/// A source that is being rewritten.
pub(crate) struct Source<'a> {
    pub(crate) file: &'a str,
    pub(crate) text: &'a str,
    pub(crate) root: Node<'a>,
    pub(crate) model: TestModel<'a>,
    /// Functions that tell themselves what they see when a test calls them.
    pub(crate) helped: BTreeSet<String>,
}

impl<'a> Source<'a> {
    /// Read by what its language is.
    fn new(file: &'a str, text: &'a str, tree: &'a Tree, language: Language) -> Self {
        let root = tree.root_node();
        let model = TestModel::of(language, root, text);
        Self { file, text, root, model, helped: BTreeSet::new() }
    }

    /// The functions within a span that are in no other there.
    fn functions(&self, span: &Range<usize>) -> impl Iterator<Item = Node<'a>> {
        let is = |n: Node<'a>| {
            let inside = n.start_byte() >= span.start && n.end_byte() <= span.end;
            inside && self.model.is(n, Role::Function)
        };
        let meets = |n: Node<'_>| n.start_byte() < span.end && n.end_byte() > span.start;
        syntax::nodes_into(self.root, move |n| meets(n) && !is(n)).filter(move |n| is(*n))
    }
}

/// A function that helps tests.
pub(crate) struct Aid {
    pub(crate) name: String,
    pub(crate) span: Range<usize>,
    pub(crate) edits: Vec<Edit>,
}

/// How one language is observed.
trait Observer {
    /// The whole of the test that begins at a line, with what is written above it; none where it can't be observed.
    fn span(&self, source: &Source<'_>, line: u32) -> Option<Range<usize>>;
    /// What makes a copy out of the test: its name, and its assertions. Places count from the beginning of the file. Only
    /// insertions and replacements that leave the test's literals alone.
    fn copy(&self, source: &Source<'_>, span: &Range<usize>, copy: Copy) -> Vec<Edit>;
    /// What the file needs besides, outside of the spans: where the channel is made, what may be missing on the base.
    fn around(&self, source: &Source<'_>, channel: &Channel) -> Vec<Edit>;
    /// The assertions of functions that help tests, which tell while a copy runs and assert as they are written else. Their
    /// sites are counted from `first`. Only outside of the spans.
    fn helping(&self, _source: &Source<'_>, _first: usize) -> Vec<Edit> {
        Vec::new()
    }
    /// The functions of a file that help tests, with what makes them tell what they see. What they ask has numbers from
    /// `first`; places count from the beginning of the file.
    fn helpers(&self, _source: &Source<'_>, _first: usize) -> Vec<Aid> {
        Vec::new()
    }
    /// Files that must stand beside it.
    fn beside(&self, _source: &Source<'_>, _channel: &Channel) -> BTreeMap<String, String> {
        BTreeMap::new()
    }
    /// What stands between two copies.
    fn between(&self) -> &'static str {
        "\n"
    }
}

fn observer(file: &str) -> Option<(Language, Box<dyn Observer>)> {
    let language = Language::of(file)?;
    let observer: Box<dyn Observer> = match language {
        Language::Python => Box::new(python::Python),
        Language::Script(_) => Box::new(script::Script),
        Language::Go => Box::new(go::Go),
        Language::Rust => Box::new(rust::Rust),
        Language::Java => Box::new(java::Java),
    };
    Some((language, observer))
}

pub(crate) fn parsed(language: Language, text: &str) -> Option<Tree> {
    language.parse(&proctor_lang::readable(language, text))
}

/// The whole of the test that begins at this line.
pub fn span(file: &str, text: &str, line: u32) -> Option<Range<usize>> {
    let (language, observer) = observer(file)?;
    let tree = language.parse(text)?;
    observer.span(&Source::new(file, text, &tree, language), line)
}

/// What has the test that begins at this line run in a thread of its own; none where each test has one anyway, or the language
/// knows none.
pub fn in_a_thread(file: &str, text: &str, line: u32) -> Option<Edit> {
    let (language, observer) = observer(file)?;
    let tree = (language == Language::Python).then(|| language.parse(text))??;
    let span = observer.span(&Source::new(file, text, &tree, language), line)?;
    let own = text.get(span)?;
    let indent = own.get(..own.len() - own.trim_start().len())?;
    // What waits for others belongs to the loop that it was begun in.
    (!own.contains("async ")).then(|| put(0, 0, format!("{indent}@_ob_beside\n")))
}

/// How many places of the test that begins at this line ask something: each says its number behind those of the copy.
pub fn sites(file: &str, text: &str, line: u32) -> usize {
    let Some((language, observer)) = observer(file) else { return 0 };
    let Some(tree) = language.parse(text) else { return 0 };
    let source = Source::new(file, text, &tree, language);
    let Some(span) = observer.span(&source, line) else { return 0 };
    let told = |edit: &Edit| {
        ["0, 0, ", "0 0 "].iter().any(|at| {
            let rest = edit.text.split_once(at).map(|(_, rest)| rest);
            rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        })
    };
    let edits = observer.copy(&source, &span, Copy { sample: 0, number: 0 });
    edits.iter().filter(|edit| told(edit)).count()
}

/// The first site of the functions that help tests in a file: far behind those of a test, and each file's own.
fn first_of_helpers(file: &str) -> usize {
    let sum = file.bytes().fold(7_usize, |sum, byte| (sum * 31 + usize::from(byte)) % 1000);
    HELPERS.unsigned_abs() as usize + sum * 1000
}

/// A file that tests take functions from, with the assertions of those observing while a copy of a test runs; none where
/// nothing is asserted there.
pub fn helping_file(file: &str, text: &str, channel: &Channel) -> Option<String> {
    let (language, observer) = observer(file)?;
    let tree = language.parse(text)?;
    let source = Source::new(file, text, &tree, language);
    let mut edits = observer.helping(&source, first_of_helpers(file));
    if edits.is_empty() || tree.root_node().has_error() {
        return None;
    }
    edits.extend(observer.around(&source, channel));
    Some(Edit::applied(text, &edits))
}

/// A file of tests with these of them observing, each of them as many times as it has copies, and helped by nothing but
/// the file itself.
pub fn observing(
    file: &str,
    text: &str,
    samples: &[Sample],
    channel: &Channel,
) -> Option<Observing> {
    let (files, left_out) = (&BTreeMap::new(), &BTreeSet::new());
    observing_with(file, text, samples, (channel, &Helping { files, left_out }))
}

/// The same with what helps the tests from other files.
pub fn observing_with(
    file: &str,
    text: &str,
    samples: &[Sample],
    (channel, helping): (&Channel, &Helping<'_>),
) -> Option<Observing> {
    let (language, observer) = observer(file)?;
    let tree = language.parse(text)?;
    let mut source = Source::new(file, text, &tree, language);
    source.helped = helping.names(file, text);
    let mut edits = observer.around(&source, channel);
    edits.extend(helping.edits(&*observer, &source));
    let mut assertions = observer.helping(&source, first_of_helpers(file));
    let mut found = Vec::new();
    for sample in samples {
        let Some(span) = observer.span(&source, sample.line) else { continue };
        let copies = copies(&*observer, &source, &span, sample);
        // What is done to the file as a whole stays outside.
        edits.retain(|edit| edit.to <= span.start || edit.from >= span.end);
        assertions.retain(|edit| edit.to < span.start || edit.from > span.end);
        let line = u32::try_from(source.text[..span.start].lines().count()).unwrap_or(u32::MAX);
        let text = copies.join(observer.between());
        edits.push(Edit { line, from: span.start, to: span.end, text, what: String::new() });
        found.push(sample.number);
    }
    if found.is_empty() {
        return None;
    }
    edits.extend(assertions);
    let text = Edit::applied(source.text, &edits);
    let lines = lines(&text, samples);
    let beside = observer.beside(&source, channel);
    Some(Observing { text, beside, samples: found, lines })
}

fn copies(
    observer: &dyn Observer,
    source: &Source<'_>,
    span: &Range<usize>,
    sample: &Sample,
) -> Vec<String> {
    let whole = source.text.get(span.clone()).unwrap_or_default();
    let made = sample.copies.iter().enumerate().map(|(number, inputs)| {
        let copy = Copy { sample: sample.number, number };
        let mut edits = observer.copy(source, span, copy);
        for edit in &mut edits {
            edit.from = edit.from.saturating_sub(span.start);
            edit.to = edit.to.saturating_sub(span.start);
        }
        edits.extend(inputs.iter().cloned());
        Edit::applied(whole, &edits)
    });
    made.collect()
}

/// Where the copies stand: each is found by the mark that its language puts into it.
fn lines(text: &str, samples: &[Sample]) -> Vec<(Range<u32>, usize, usize)> {
    let mut found: Vec<(Range<u32>, usize, usize)> = Vec::new();
    for (line, number) in text.lines().zip(1_u32..) {
        for sample in samples {
            for copy in 0..sample.copies.len() {
                if line.contains(&mark(Copy { sample: sample.number, number: copy })) {
                    if let Some(last) = found.last_mut() {
                        last.0.end = last.0.end.min(number);
                    }
                    found.push((number..u32::MAX, sample.number, copy));
                }
            }
        }
        if let Some(helper) = helping::beginning(line) {
            if let Some(last) = found.last_mut() {
                last.0.end = last.0.end.min(number);
            }
            found.push((number..u32::MAX, HELPER, helper));
        }
        if helping::ends(line)
            && let Some(last) = found.last_mut()
        {
            last.0.end = number + 1;
        }
    }
    found
}

/// A word that stands once in each copy, in the line of its beginning: `ob_3_7_`.
pub(crate) fn mark(copy: Copy) -> String {
    format!("ob_{}_{}_", copy.sample, copy.number)
}

/// One line of the channel.
#[derive(Deserialize)]
struct Line {
    t: usize,
    v: usize,
    #[serde(default)]
    b: u8,
    #[serde(default)]
    s: i32,
    #[serde(default)]
    ok: bool,
    #[serde(default)]
    k: String,
    #[serde(default)]
    l: Vec<String>,
    #[serde(default)]
    x: Option<String>,
    #[serde(default)]
    p: Vec<String>,
}

/// What the channel holds, by sample and copy. A line that is no row is left out: code under test can write there too.
pub fn read_channel(bytes: &[u8]) -> BTreeMap<(usize, usize), Vec<Row>> {
    let mut found: BTreeMap<(usize, usize), Vec<Row>> = BTreeMap::new();
    let mut cases: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    let mut times: BTreeMap<(usize, usize, u32, i32), u32> = BTreeMap::new();
    for line in bytes.split(|b| *b == b'\n') {
        let Ok(line) = serde_json::from_slice::<Line>(line) else { continue };
        let of = (line.t, line.v);
        if line.b == 1 {
            *cases.entry(of).or_default() += 1;
            continue;
        }
        let case = cases.get(&of).copied().unwrap_or_default();
        let nth = times.entry((line.t, line.v, case, line.s)).or_default();
        let rows = found.entry(of).or_default();
        if rows.len() < MOST_ROWS || line.s == END {
            let (site, holds, sides, raised) = (line.s, line.ok, line.l, line.x);
            let kind = match line.k.as_str() {
                "eq" => Kind::Eq,
                "truth" => Kind::Truth,
                "raises" => Kind::Raises,
                "part" => Kind::Part,
                _ => Kind::Other,
            };
            let plain = line.p;
            rows.push(Row { case, site, nth: *nth, holds, kind, sides, raised, plain });
        }
        *nth += 1;
    }
    found
}

/// Replaces what stands between two places.
pub(crate) fn put(from: usize, to: usize, text: impl Into<String>) -> Edit {
    Edit { line: 0, from, to, text: text.into(), what: String::new() }
}

#[cfg(test)]
#[path = "observe/tests.rs"]
mod tests;
