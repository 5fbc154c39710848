//! What becomes of the difference between head and base, assertion by assertion, when an input is another.

use super::answer::{Fallback, given};
use super::{Seen, seen};
use crate::observation::{END, Input, NUMBERS, Row, Sort, Variation, Varied};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// Head does what the base does.
    Dead,
    /// They differ, and head's answer is another than before.
    Moved,
    /// They differ as before, and both carry a name along.
    Carried,
    /// They differ; head's answer stays what it was while the input matters to the base, or the base has none.
    Still,
    /// They differ as before, in nothing but yes or no.
    Same,
    /// They differ as before, and nothing at all is another: the input may not matter here.
    Unmoved,
    /// It says nothing: not reached, broken on both sides, or only the expectation is another.
    Void,
}

impl Fate {
    pub(super) fn dies(self) -> bool {
        self == Self::Dead
    }

    /// For people.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Dead => "as on the base",
            Self::Moved | Self::Same | Self::Carried => "differs",
            Self::Still => "one answer",
            Self::Void | Self::Unmoved => "nothing",
        }
    }

    /// Whether head's answer is another.
    pub(super) fn moves(self) -> bool {
        matches!(self, Self::Moved | Self::Carried)
    }

    pub(super) fn lives(self) -> bool {
        matches!(self, Self::Moved | Self::Still | Self::Same | Self::Carried)
    }
}

/// A test with more inputs than this gives numbers that any answer may happen to be.
const MANY: usize = 8;

/// What stands at one place of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What<'a> {
    Values(&'a [String]),
    Raised(&'a str),
    Absent,
}

pub(super) type Key = (u32, i32, u32);

pub(super) fn what<'a>(rows: &Seen<'a>, key: Key) -> What<'a> {
    match rows.get(&key) {
        Some(Row { raised: Some(raised), .. }) => broken(raised),
        Some(row) => What::Values(&row.sides),
        None => match rows.get(&(key.0, END, 0)) {
            Some(Row { raised: Some(raised), .. }) => What::Raised(raised),
            _ => What::Absent,
        },
    }
}

/// An assertion that was not rewritten says what it saw in its exception.
fn broken(raised: &String) -> What<'_> {
    if kind(raised).contains("Assertion") {
        return What::Values(std::slice::from_ref(raised));
    }
    What::Raised(raised)
}

/// The fates of these assertions, by variation.
pub(super) fn fates(varied: &Varied, shown: &[Key]) -> Vec<Vec<Fate>> {
    let plain = (seen(&varied.head.plain[0]), seen(&varied.base.plain[0]));
    let none = Vec::new();
    let tables: Vec<(Seen<'_>, Seen<'_>)> = (0..varied.variations.len())
        .map(|n| {
            let of = |all: &'_ [Vec<Row>]| n < all.len();
            let head = if of(&varied.head.varied) { &varied.head.varied[n] } else { &none };
            let base = if of(&varied.base.varied) { &varied.base.varied[n] } else { &none };
            (seen(head), seen(base))
        })
        .collect();
    let fallbacks: Vec<Fallback> =
        shown.iter().map(|key| Fallback::of(*key, &plain.0, (varied, &tables))).collect();
    let inputs = given(varied);
    let one = |n: usize, (key, fallback): (&Key, &Fallback)| {
        let now = &tables[n].0;
        if varied.worked_out.contains(key)
            && let Some(fate) = by_oracle(varied, plain.0.get(key), now.get(key))
        {
            return fate;
        }
        let (head, base) = (what(now, *key), what(&tables[n].1, *key));
        let was = (what(&plain.0, *key), what(&plain.1, *key));
        let holds = now.get(key).is_some_and(|row| row.holds);
        let tells_apart = tells_apart(now, *key, fallback.answer);
        let place = Place {
            other: &varied.variations[n],
            inputs: &inputs,
            holds,
            answer: fallback.answer,
            fallback: fallback.of_word(&varied.variations[n].was).or(fallback.to_all.as_deref()),
            tells_apart,
            is_end: key.1 == END,
        };
        fate(&was, &(head, base), &place)
    };
    let mut found: Vec<Vec<Fate>> = (0..tables.len())
        .map(|n| shown.iter().zip(&fallbacks).map(|at| one(n, at)).collect())
        .collect();
    settle(&mut found, &varied.variations);
    let steps: Vec<usize> = (0..tables.len())
        .filter(|n| varied.variations[*n].sort == Sort::Together)
        .filter(|n| varied.variations[*n].now == NUMBERS)
        .collect();
    for (row, key) in shown.iter().enumerate() {
        let around: Vec<_> = steps.iter().map(|n| &tables[*n]).collect();
        if at_edge(*key, (&plain.0, &plain.1), &around) {
            for n in &steps {
                found[*n][row] = Fate::Moved;
            }
        }
    }
    found
}

/// Where a test works out what it expects: head's answer must go along with it. One that stands in the change, and stays
/// where the expectation is another, is the work of no rule.
fn by_oracle(varied: &Varied, was: Option<&&Row>, now: Option<&&Row>) -> Option<Fate> {
    let (was, now) = (was?, now.filter(|row| row.raised.is_none())?);
    let ([a, b], [c, d]) = (was.sides.as_slice(), now.sides.as_slice()) else { return None };
    let held = |side: &String| {
        let mut words =
            super::parts(side).into_iter().filter(|w| w.contains(|c: char| c.is_ascii_digit()));
        words.any(|word| varied.answers.iter().any(|answer| answer == word))
    };
    match (a != c, b != d) {
        (true, true) if now.holds => Some(Fate::Moved),
        (true, false) if !now.holds && held(b) => Some(Fate::Dead),
        (false, true) if !now.holds && held(a) => Some(Fate::Dead),
        _ => None,
    }
}

/// Whether an assertion that is asked several times sees other answers of the same side.
fn tells_apart(rows: &Seen<'_>, key: Key, side: usize) -> bool {
    let of = |row: &Row| row.sides.get(side).filter(|_| row.raised.is_none()).cloned();
    let own = rows.get(&key).and_then(|row| of(row));
    let mut same = rows.iter().filter(|((_, site, _), _)| *site == key.1 && *site != END);
    same.any(|(_, row)| of(row).is_some_and(|other| Some(other) != own))
}

/// Whether the input stands at an edge of the base, and head moves that edge: one step away both answer as head does here,
/// and one step to the other side as the base does.
fn at_edge(key: Key, plain: (&Seen<'_>, &Seen<'_>), steps: &[&(Seen<'_>, Seen<'_>)]) -> bool {
    let sides = |rows: &Seen<'_>| rows.get(&key).map(|row| row.sides.clone());
    let (Some(head), Some(base)) = (sides(plain.0), sides(plain.1)) else { return false };
    let Some(own) = (0..head.len()).find(|n| head.get(*n) != base.get(*n)) else { return false };
    let answer = |rows: &Seen<'_>| rows.get(&key).and_then(|row| row.sides.get(own).cloned());
    let found: Vec<Option<String>> = steps
        .iter()
        .map(|(head, base)| answer(head).filter(|is| answer(base).as_ref() == Some(is)))
        .collect();
    let (here, before) = (head.get(own).cloned(), base.get(own).cloned());
    let [one, other] = found.as_slice() else { return false };
    (*one == here && *other == before) || (*one == before && *other == here)
}

/// A word that matters to an assertion once matters to it always: where nothing moves with another one in its place, the
/// difference is there.
fn settle(found: &mut [Vec<Fate>], variations: &[Variation]) {
    let matters = |fate: Fate| fate.dies() || fate.moves() || fate == Fate::Still;
    for n in 0..found.len() {
        for row in 0..found[n].len() {
            if found[n][row] != Fate::Unmoved {
                continue;
            }
            let same = |m: &usize| {
                let (one, other) = (&variations[n], &variations[*m]);
                if one.sort == Sort::Together {
                    return other.sort == Sort::Together && one.now == other.now;
                }
                let apart = [Sort::Together, Sort::Length];
                one.was == other.was && !apart.contains(&one.sort) && !apart.contains(&other.sort)
            };
            if (0..found.len()).filter(same).any(|m| matters(found[m][row])) {
                found[n][row] = Fate::Same;
            }
        }
    }
}

/// Head's table of a variation and the base's.
pub(super) type Pair<'a> = (Seen<'a>, Seen<'a>);

struct Place<'a> {
    /// What is another.
    other: &'a Variation,
    /// The inputs as they are.
    inputs: &'a [Input],
    /// Whether the assertion holds with it.
    holds: bool,
    answer: usize,
    fallback: Option<&'a str>,
    /// Whether head says something else to another input of the same assertion.
    tells_apart: bool,
    /// Whether no assertion was seen, but how the test ended.
    is_end: bool,
}

impl Place<'_> {
    /// Whether all inputs are others.
    fn all(&self) -> bool {
        let whole = matches!(self.other.sort, Sort::Shape | Sort::Together);
        let count = self.inputs.iter().filter(|input| !super::is_edge(&input.value)).count();
        self.other.is_all() || whole && count > 0 && self.other.given.len() >= count
    }

    /// What comes out as it went in is nobody's work, unless the same input came out before.
    fn echo(&self, now: Option<&String>, was: Option<&String>) -> Option<Fate> {
        let (now, was) = (bare(now?), bare(was?));
        let goes_in = |value: &str| self.inputs.iter().any(|input| input.value == value);
        // Of many inputs one comes out by chance.
        let by_chance = self.inputs.len() > MANY && !is_telling(now);
        let is_other = self.other.given.iter().any(|given| given == now);
        if now == was || !is_other && (by_chance || !goes_in(now)) {
            return None;
        }
        if self.all() {
            return Some(if goes_in(was) { Fate::Void } else { Fate::Dead });
        }
        let same = goes_in(was) && self.other.applied(was) == now;
        (!same).then_some(Fate::Dead)
    }

    /// Whether a word that the change holds stood in the answer, and neither it nor the other stands there now.
    fn loses(&self, now: Option<&String>, was: Option<&String>) -> bool {
        let Some((now, was)) = now.zip(was).filter(|_| self.other.known && !self.holds) else {
            return false;
        };
        let one = [(self.other.was.clone(), self.other.now.clone())];
        let pairs = if self.other.pairs.is_empty() { one.as_slice() } else { &self.other.pairs };
        let lost = |(old, new): &(String, String)| {
            is_telling(old) && was.contains(old) && !now.contains(old) && !now.contains(new)
        };
        pairs.iter().any(lost)
    }

    /// Whether what is another is a word or a number that nobody writes by chance.
    fn is_telling(&self) -> bool {
        let words = self.other.pairs.iter().map(|(was, _)| was.as_str());
        is_telling(&self.other.was) && self.other.pairs.is_empty()
            || words.into_iter().any(is_telling)
    }
}

/// A word of letters, or a number that nobody writes by chance: of some digits, and not round.
pub(super) fn is_telling(word: &str) -> bool {
    let digits: String = word.chars().filter(char::is_ascii_digit).collect();
    if word.parse::<f64>().is_err() {
        return word.chars().filter(|c| c.is_alphabetic()).count() > 1 || digits.len() > 2;
    }
    let plain = digits.trim_matches('0');
    let is_power = word.parse::<u64>().is_ok_and(|n| (n & n.saturating_sub(1)) == 0);
    let least = if word.contains('.') { 2 } else { 3 };
    plain.len() >= least && !is_power
}

fn fate(was: &(What<'_>, What<'_>), now: &(What<'_>, What<'_>), place: &Place<'_>) -> Fate {
    if place.other.sort == Sort::Order {
        return Fate::Void;
    }
    match (&now.0, &now.1) {
        // Where the base broke with the test's own input too, head breaks as it does; what breaks otherwise was not reached.
        (What::Raised(_), What::Raised(_) | What::Absent) => match (was, &now.1) {
            ((_, What::Raised(was)), What::Raised(base)) if kind(was) != kind(base) => Fate::Void,
            ((What::Values(_), What::Raised(_) | What::Absent), _) => Fate::Dead,
            _ => Fate::Void,
        },
        (What::Absent, _) | (What::Raised(_), What::Values(_)) => Fate::Void,
        // That a test fails whose inputs are others says nothing: what it expects may not be another.
        (What::Values(_), _) if place.is_end && !place.holds => Fate::Void,
        (What::Values(head), What::Values(base)) => both(was, (head, base), place),
        (What::Values(head), What::Raised(_) | What::Absent) => match (&was.0, &was.1) {
            (What::Values(old), What::Raised(_) | What::Absent) => alone((old, head), place),
            _ => Fate::Moved,
        },
    }
}

/// Both sides answer.
fn both(
    was: &(What<'_>, What<'_>),
    (head, base): (&[String], &[String]),
    place: &Place<'_>,
) -> Fate {
    let (What::Values(old_head), What::Values(old_base)) = (&was.0, &was.1) else {
        // The base broke with the test's own input, and does not with this one; or both break before they come to it.
        let before =
            |was: &str| base.iter().any(|side| is_exception(side) && kind(side) != kind(was));
        return match &was.1 {
            What::Raised(was) if head == base && before(was) => Fate::Void,
            _ if head == base => Fate::Dead,
            _ => Fate::Moved,
        };
    };
    let actual = |n: &usize| old_head.get(*n) != old_base.get(*n);
    let count = old_head.len().max(old_base.len()).max(head.len());
    let own: Vec<usize> = (0..count).filter(actual).collect();
    if own.is_empty() {
        return Fate::Void;
    }
    let of = |sides: &[String]| -> Vec<Option<String>> {
        own.iter().map(|n| sides.get(*n).cloned()).collect()
    };
    if of(head) == of(base) {
        // Where neither has anything there that both had before, it was not the answer that was asked for.
        let asked = of(base) == of(old_base) || !of(base).iter().flatten().all(|v| is_nothing(v));
        return if asked { Fate::Dead } else { Fate::Void };
    }
    let head_moved = of(head) != of(old_head);
    let base_moved = of(base) != of(old_base);
    let answer = own.first().copied().unwrap_or_default();
    let carried = |now: &[String], old: &[String]| {
        now.len() == old.len() && now.iter().zip(old).all(|(now, old)| is_carried(now, old))
    };
    if head_moved
        && place.other.is_of_letters()
        && carried(head, old_head)
        && carried(base, old_base)
    {
        return Fate::Carried;
    }
    if head_moved && place.loses(head.get(answer), old_head.get(answer)) {
        return Fate::Dead;
    }
    if head_moved {
        return place.echo(head.get(answer), old_head.get(answer)).unwrap_or(Fate::Moved);
    }
    // An input that does not matter to anybody says nothing; all of them together do.
    if !base_moved && !place.all() {
        return if head == *old_head { Fate::Unmoved } else { Fate::Void };
    }
    if is_plain(head) {
        // A yes that stays one.
        return if head == *old_head { Fate::Same } else { Fate::Void };
    }
    Fate::Still
}

/// The base has no answer: head's own answers are held against each other.
fn alone((old, head): (&[String], &[String]), place: &Place<'_>) -> Fate {
    if head == old {
        return match (place.all(), is_plain(head)) {
            (false, _) => Fate::Unmoved,
            (true, true) if place.tells_apart => Fate::Same,
            // A yes, or no failure, whatever is given, and no base that says otherwise.
            (true, true) => Fate::Void,
            (true, false) => Fate::Still,
        };
    }
    let (now, was) = (head.get(place.answer), old.get(place.answer));
    if now == was {
        // What is expected is another, and the answer is not, though every input is.
        return if place.all() && !is_plain(head) { Fate::Still } else { Fate::Void };
    }
    if let Some(fate) = place.echo(now, was) {
        return fate;
    }
    if place.holds {
        return Fate::Moved;
    }
    let answer = now.map(std::slice::from_ref).unwrap_or_default();
    // Of yes and no one is always what all others get: it follows the input where some others get the first.
    let follows = is_plain(answer) && place.all() && place.tells_apart;
    let falls = place.fallback.is_some_and(|back| now.is_some_and(|now| now == back)) && !follows;
    // A word that the change holds does not go along with the others.
    let along = place.other.known && place.other.sort != Sort::Shape;
    let lost = along && (place.is_telling() || is_plain(answer));
    if falls || lost { Fate::Dead } else { Fate::Moved }
}

/// Whether two values differ in nothing but the letters of their words.
fn is_carried(now: &str, old: &str) -> bool {
    let look = |text: &str| -> String {
        let mut out = String::new();
        for c in text.chars().map(|c| if c.is_alphabetic() { 'a' } else { c }) {
            if c != 'a' || !out.ends_with('a') {
                out.push(c);
            }
        }
        out
    };
    look(now) == look(old)
}

/// Yes or no, or an exception that was expected: it can't say more.
pub(super) fn is_plain(sides: &[String]) -> bool {
    let words = ["true", "false", "none", "null", "nil", "undefined", "to its end", "no exception"];
    let plain = |side: &String| words.contains(&side.to_lowercase().as_str()) || is_exception(side);
    sides.iter().all(plain)
}

/// A value that stands for the lack of one.
pub(super) fn is_nothing(side: &str) -> bool {
    let none = ["none", "null", "nil", "undefined", "[]", "{}", "<nil>"];
    bare(side).is_empty() || none.contains(&side.to_lowercase().as_str())
}

/// `ValueError: no`.
pub(super) fn is_exception(side: &str) -> bool {
    let name = side.split_once(": ").map_or("", |(name, _)| name);
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    name.starts_with(char::is_uppercase) && name.chars().all(is_part)
}

/// A value without its quotes.
pub(super) fn bare(side: &str) -> &str {
    side.trim_matches(['"', '\'', '`'])
}

/// The sort of an exception, without what it says.
pub(super) fn kind(raised: &str) -> &str {
    raised.split(':').next().unwrap_or(raised)
}
