//! What the assertions of a test saw, with the test's own inputs and with others, on the base and on head. Data only: what
//! it means is said in `generality`.

mod kept;

use crate::report::Place;
use crate::words::TestId;
pub use kept::{Kept, kept, lost};
use serde::{Deserialize, Serialize};

/// The site of the row that says how a case ended.
pub const END: i32 = -1;

/// The sites from here on are those of functions that help tests, a thousand a file.
pub const HELPERS: i32 = 10_000;

/// What is another where all of one kind are, and not every input.
pub const NUMBERS: &str = "numbers";
pub const STRINGS: &str = "strings";
pub const LONGER: &str = "strings, longer";

/// Before the path of the one file that a test reads and that is another.
pub const TEXT_OF: &str = "text of ";

/// What one assertion saw at one time.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Which start of the test it was: a parametrised test starts once a case.
    pub case: u32,
    /// Which assertion of the test, in the order of the source; [`END`] for the end of the case.
    pub site: i32,
    /// The how many-th time in this case.
    pub nth: u32,
    /// Whether the assertion would have held.
    pub holds: bool,
    #[serde(default)]
    pub kind: Kind,
    /// The values that it looked at: both sides of a comparison, the arguments of a check.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<String>,
    /// The exception that came in the place of a value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raised: Option<String>,
    /// Plain copies of both sides of an equality, made of their fields, where those show more than the sides say of
    /// themselves; behind them the first field in which they are not the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plain: Vec<String>,
}

/// A field that nobody asked for may be another each time: it makes no other row.
impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
            && (self.holds, self.kind) == (other.holds, other.kind)
            && (&self.sides, &self.raised) == (&other.sides, &other.raised)
    }
}

impl Eq for Row {}

impl Row {
    /// Where it stands in the table of its variation.
    pub fn key(&self) -> (u32, i32, u32) {
        (self.case, self.site, self.nth)
    }
}

/// What an assertion asks of the values that it looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Whether one value is there, or true.
    Truth,
    /// An order, a pattern, a nearness, or what nobody could tell.
    #[default]
    Other,
    /// Whether one value is a part of another.
    Part,
    /// Whether something fails.
    Raises,
    /// Whether two values are the same.
    Eq,
}

/// One way of giving a test other inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variation {
    pub sort: Sort,
    /// The input or the word of it that is another now; empty where several are.
    pub was: String,
    pub now: String,
    /// Whether the change holds that word, and the base's own files of it do not.
    pub known: bool,
    /// Whether the change uses it as a name, adds it to a table or passes it on: an option, say, that the code has to know.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub named: bool,
    /// The inputs that are others, as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<String>,
    /// Each word that is another, where it is more than one: what was and what is now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<(String, String)>,
}

impl Variation {
    /// Whether one number is another with more or fewer digits.
    pub fn has_other_digits(&self) -> bool {
        let number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
        number(&self.was) && number(&self.now) && self.was.len() != self.now.len()
    }

    /// Whether texts have another length with it.
    pub fn is_longer(&self) -> bool {
        if self.sort == Sort::Together {
            return self.now == LONGER;
        }
        let one = [(self.was.clone(), self.now.clone())];
        let pairs = if self.pairs.is_empty() { one.as_slice() } else { &self.pairs };
        self.is_of_letters()
            && pairs.iter().any(|(was, now)| was.chars().count() != now.chars().count())
    }

    /// Whether every input is another.
    pub fn is_all(&self) -> bool {
        self.sort == Sort::Together && self.now.is_empty()
    }

    /// The one file whose text is another.
    pub fn file(&self) -> Option<&str> {
        self.now.strip_prefix(TEXT_OF).filter(|_| self.sort == Sort::Together)
    }

    /// Whether only letters are others, and no number.
    pub fn is_of_letters(&self) -> bool {
        let one = [(self.was.clone(), self.now.clone())];
        let pairs = if self.pairs.is_empty() { one.as_slice() } else { &self.pairs };
        match self.sort {
            Sort::Together => self.now == STRINGS || self.now == LONGER,
            Sort::Length | Sort::Member | Sort::Order => false,
            _ => pairs.iter().all(|(was, _)| !was.contains(|c: char| c.is_ascii_digit())),
        }
    }

    /// A text with what is other in it, wherever it stands as a whole word or number.
    pub fn applied(&self, text: &str) -> String {
        let one = [(self.was.clone(), self.now.clone())];
        let pairs = if self.pairs.is_empty() { one.as_slice() } else { &self.pairs };
        let (mut out, mut rest, mut before) = (String::new(), text, None);
        while let Some(first) = rest.chars().next() {
            let fits = |(was, _): &&(String, String)| {
                let after = rest.strip_prefix(was.as_str()).filter(|_| !was.is_empty());
                let ends = |after: &str| !joined(was.chars().last(), after.chars().next());
                after.is_some_and(ends) && !joined(before, Some(first))
            };
            let found = pairs.iter().filter(fits).max_by_key(|(was, _)| was.len());
            let own = first.to_string();
            let (was, now) = found.map_or((&own, &own), |(was, now)| (was, now));
            out.push_str(now);
            before = was.chars().last();
            rest = rest.get(was.len()..).unwrap_or_default();
        }
        out
    }
}

/// Whether two letters or two digits beside each other belong to one word.
fn joined(one: Option<char>, other: Option<char>) -> bool {
    let Some((one, other)) = one.zip(other) else { return false };
    one.is_alphabetic() && other.is_alphabetic() || one.is_ascii_digit() && other.is_ascii_digit()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sort {
    /// A number, by a small step.
    Near,
    /// A number, by a large one.
    Far,
    /// A string, as long and of the same shape.
    Shape,
    /// A word, through the whole test, with another length.
    Word,
    /// A list with an element more or less.
    Length,
    /// The name of a class or function that the test defines.
    Name,
    /// A member of an enumeration, through the whole test.
    Member,
    /// The keys of mappings, in another order: no input is another.
    Order,
    /// All inputs at once.
    Together,
}

/// An input of a test, and whether the change repeats it whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    pub value: String,
    pub known: bool,
    /// How long a text is, where the change holds that number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<usize>,
}

/// A new test, observed with its own inputs and with others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Varied {
    /// Whether it is red on the base; a guard can only say what other inputs give.
    #[serde(default)]
    pub red: bool,
    /// Whether the change holds a constant or a condition, by which alone it could tell inputs apart.
    #[serde(default = "yes")]
    pub chooses: bool,
    pub test: TestId,
    pub place: Place,
    pub inputs: Vec<Input>,
    pub variations: Vec<Variation>,
    /// Names of the test's own that stand as constants in the change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// What its assertions expect that stands as a constant in the change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<String>,
    /// The places of equalities of which the test writes neither side: it works out what it expects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub worked_out: Vec<(u32, i32, u32)>,
    pub base: Tables,
    pub head: Tables,
}

fn yes() -> bool {
    true
}

impl Varied {
    /// Where head gives one answer whatever it is given, and the base tells inputs apart: the other input, what the base
    /// gives for it, and head's one answer.
    pub fn alike(&self) -> Option<Alike<'_>> {
        let steady =
            |tables: &Tables, row: &Row| tables.plain.iter().all(|rows| rows.contains(row));
        let asked = self.head.plain[0].iter().filter(|row| row.site != END && row.holds);
        let mut asked = asked.filter(|row| steady(&self.head, row) && steady(&self.base, row));
        asked.find_map(|row| {
            let again = |table: &Vec<Row>| table.iter().find(|r| r.key() == row.key()).cloned();
            let (base, head): (Vec<_>, Vec<_>) = (
                self.base.varied.iter().map(again).collect(),
                self.head.varied.iter().map(again).collect(),
            );
            let moved = head.iter().flatten().any(|r| r.sides != row.sides || r.raised.is_some());
            let told = |was: &Option<Row>| {
                was.as_ref().is_some_and(|r| r.raised.is_none() && r.sides != row.sides)
            };
            let n = base.iter().zip(&head).position(|(was, is)| told(was) && is.is_some())?;
            let (variation, base) = (self.variations.get(n)?, base.get(n)?.clone()?);
            (!moved).then(|| Alike { variation, base: base.sides, head: &row.sides })
        })
    }
}

/// One answer to everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alike<'a> {
    pub variation: &'a Variation,
    pub base: Vec<String>,
    pub head: &'a [String],
}

/// The rows of one side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tables {
    /// The test as it is, twice: what differs between the two moves by itself.
    pub plain: [Vec<Row>; 2],
    /// One table a variation.
    pub varied: Vec<Vec<Row>>,
}

/// A new, changed or renamed test on head, with its own expectations and with others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watched {
    pub test: TestId,
    pub place: Place,
    /// How many places of its text ask something.
    pub sites: usize,
    /// The test as it is, twice.
    pub plain: [Vec<Row>; 2],
    /// The same in a thread of its own; nothing where that was not tried.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<Row>,
    pub others: Vec<Other>,
}

/// A test with something else in the place of one thing that is no input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Other {
    pub swap: Swap,
    pub place: Place,
    pub was: String,
    pub now: String,
    pub rows: Vec<Row>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Swap {
    /// What is expected is another value.
    Expectation,
    /// The same, in a value that is built where it is expected: a field of it is another.
    Field,
    /// A number that is expected is half as much again.
    Near,
    /// What is given, and stands in something else that is given, is another there alone.
    Alone,
    /// The statements that use a name which the base lacks are left out.
    Without,
}

/// An older test on head's code: what its old text asks there, and what its new text does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The test as it is now.
    pub test: TestId,
    /// Where the old text stands.
    pub place: Place,
    pub old: [Vec<Row>; 2],
    /// Empty where others stand in its place.
    #[serde(default)]
    pub new: Vec<Row>,
}
