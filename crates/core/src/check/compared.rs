//! What the assertions of a red test leave out: fields that an equality does not compare, values that a helper does not
//! look at, and how far off an answer may be.

use super::watched::{Rows, one_side_moved, rows, steady};
use crate::branch::BranchMeasure;
use crate::generality::parts;
use crate::observation::{END, Kind, Other, Row, Sort, Swap, Varied, Watched};
use crate::verdict::{Finding, Weight};
use std::collections::{BTreeMap, BTreeSet};

/// What speaks against one red test: the first of these.
pub(super) fn finding(measure: &BranchMeasure, watched: &Watched) -> Option<Finding> {
    let varied = measure.varied.iter().find(|v| v.red && v.test == watched.test)?;
    let plain = steady(watched);
    let with = |swap: Swap| watched.others.iter().filter(move |other| other.swap == swap);
    let others = with(Swap::Field).chain(with(Swap::Alone));
    let (text, place) = if let Some([field, one, other]) = left_out(varied, &plain) {
        let text = format!(
            "says that both are the same, and `{field}` is `{one}` in one and `{other}` in the other: what decides leaves it out"
        );
        (text, &watched.place)
    } else if let Some([one, other]) = loose(&plain) {
        let text =
            format!("says that `{one}` and `{other}` are the same: a text is taken for a number");
        (text, &watched.place)
    } else if let Some(other) = others.into_iter().find(|other| is_unseen(other, &plain)) {
        let text = format!(
            "passes also with `{}` in the place of `{}`, and none of its assertions sees it",
            other.now, other.was
        );
        (text, &other.place)
    } else if let Some(was) = any_takes(varied) {
        let text = format!(
            "passes with anything in the place of `{was}`, which moves only one of two that it compares"
        );
        (text, &watched.place)
    } else {
        let other = with(Swap::Near).find(|other| is_tolerated(other, &plain))?;
        let text = format!(
            "passes also where `{}` is expected in the place of `{}`: it takes what is that far off",
            other.now, other.was
        );
        (text, &other.place)
    };
    let text = format!(
        "{} {text}; accepted: an assertion that looks at the values themselves, as exact as they are",
        watched.test
    );
    Some(Finding::new(Weight::NeedsPerson, text).of(&watched.test).at(place))
}

/// Where every red assertion compares two values that the test works out, and that nothing gives on the base: both are
/// the change's own words.
pub(super) fn own_words(measure: &BranchMeasure) -> Option<Finding> {
    let red: Vec<&Varied> = measure.varied.iter().filter(|varied| varied.red).collect();
    let first = red.first()?;
    if !red.iter().all(|varied| says_its_own(varied)) {
        return None;
    }
    let text = format!(
        "what {} expects is worked out by the change on both sides, and the base gives neither: it says that two answers of head are the same, and not that they are right; accepted: a test that writes what it expects",
        first.test
    );
    Some(Finding::new(Weight::NeedsPerson, text).of(&first.test).at(&first.place))
}

fn says_its_own(varied: &Varied) -> bool {
    let base = rows(&varied.base.plain[0]);
    let asked = varied.head.plain[0].iter().filter(|row| row.site != END && row.holds);
    let mut turned =
        asked.filter(|row| base.get(&row.key()).is_none_or(|was| !was.holds)).peekable();
    let own = |row: &Row| {
        let there = base.get(&row.key()).filter(|was| !was.sides.is_empty());
        let new = there.is_some_and(|was| !was.sides.iter().any(|side| row.sides.contains(side)));
        varied.worked_out.contains(&row.key()) && new
    };
    turned.peek().is_some() && turned.all(own)
}

/// Two that are said to be the same, and are so but for the quotes around numbers in them.
fn loose(plain: &Rows<'_>) -> Option<[String; 2]> {
    let bare = |side: &str| side.replace(['"', '\''], "");
    plain.values().find_map(|row| {
        let [one, other] = row.sides.as_slice() else { return None };
        let asked = row.holds && row.kind == Kind::Eq && row.raised.is_none();
        let quoted = |side: &str| side.matches(['"', '\'']).count();
        let number = !bare(one).contains(char::is_alphabetic);
        let alike = number && bare(one) == bare(other) && quoted(one) != quoted(other);
        (asked && alike).then(|| [one.clone(), other.clone()])
    })
}

/// The first field in which plain copies of what is said to be the same are not, where the test writes what is in it.
fn left_out(varied: &Varied, plain: &Rows<'_>) -> Option<[String; 3]> {
    let written: BTreeSet<&str> = varied.inputs.iter().flat_map(|i| parts(&i.value)).collect();
    let again = rows(&varied.head.plain[1]);
    plain.iter().find_map(|(key, row)| {
        let [_, _, field, one, other] = row.plain.as_slice() else { return None };
        let steady = again.get(key).is_some_and(|again| again.plain == row.plain);
        let asked = row.holds && row.kind == Kind::Eq && steady;
        let mut words = parts(one).into_iter().chain(parts(other));
        let told = asked && words.any(|word| written.contains(word));
        told.then(|| [field.clone(), one.clone(), other.clone()])
    })
}

/// Whether a test that is another in one place sees exactly what it sees as it is.
fn is_unseen(other: &Other, plain: &Rows<'_>) -> bool {
    let now = rows(&other.rows);
    let same = |(key, was): (&_, &&Row)| {
        now.get(key).is_some_and(|is| *is == *was && is.plain == was.plain && was.holds)
    };
    !plain.is_empty() && now.len() == plain.len() && plain.iter().all(same)
}

/// What a test gives to one side alone of two that are the same whatever stands in its place.
fn any_takes(varied: &Varied) -> Option<&str> {
    let plain = rows(&varied.head.plain[0]);
    let mut told: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (variation, table) in varied.variations.iter().zip(&varied.head.varied) {
        let one = matches!(variation.sort, Sort::Near | Sort::Far | Sort::Word | Sort::Shape);
        if !one || variation.was.is_empty() || table.is_empty() {
            continue;
        }
        let (taken, all) = told.entry(&variation.was).or_default();
        *all += 1;
        let now = rows(table);
        let still = |(key, was): (&_, &&Row)| now.get(key).is_some_and(|is| takes(was, is));
        let fails = now.values().any(|row| !row.holds);
        *taken += usize::from(!fails && plain.iter().any(still));
    }
    told.into_iter().find(|(_, (taken, all))| *taken > 1 && taken == all).map(|(was, _)| was)
}

/// Whether an equality holds still though one of its sides is another, by what it says or by its plain copy.
fn takes(was: &Row, is: &Row) -> bool {
    let plain =
        |row: &Row| Row { sides: row.plain.iter().take(2).cloned().collect(), ..row.clone() };
    let moved = one_side_moved(&untolerant(was), &untolerant(is))
        || was.sides == is.sides && one_side_moved(&plain(was), &plain(is));
    was.kind == Kind::Eq && was.holds && is.holds && moved
}

/// The same without how far off its values may be: `2.54 ± 0.01` is 2.54, whatever is given for the rest.
fn untolerant(row: &Row) -> Row {
    let exact = |side: &String| {
        let mut parts = side.split(" ± ");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |told, part| told + part.trim_start_matches(|c| !",)]}".contains(c)))
    };
    Row { sides: row.sides.iter().map(exact).collect(), ..row.clone() }
}

/// Whether a nearness takes an expectation that is half as much again: the lesser of two is how far off it is, or a third
/// value says how far it may be.
fn is_tolerated(other: &Other, plain: &Rows<'_>) -> bool {
    let now = rows(&other.rows);
    let number = |side: &String| side.parse::<f64>().ok();
    plain.iter().any(|(key, was)| {
        let Some(is) = now.get(key).filter(|is| is.holds && is.raised.is_none()) else {
            return false;
        };
        if !was.holds || was.kind != Kind::Other || was.sides.len() != is.sides.len() {
            return false;
        }
        match (was.sides.as_slice(), is.sides.as_slice()) {
            ([a, b], [c, d]) => {
                let (lesser, bound) = if a == c { ((b, d), a) } else { ((a, c), b) };
                let below =
                    |side: &String| number(side).zip(number(bound)).is_some_and(|(n, m)| n < m);
                (a == c) != (b == d)
                    && *lesser.1 != other.now
                    && number(lesser.1) != other.now.parse().ok()
                    && below(lesser.0)
                    && below(lesser.1)
            }
            ([a, b, off, ..], [c, d, ..]) => {
                let off = off.rsplit('=').next().unwrap_or(off);
                off.parse::<f64>().is_ok() && one_moved_to((a, c), (b, d), &other.now)
            }
            _ => false,
        }
    })
}

fn one_moved_to(one: (&String, &String), other: (&String, &String), now: &str) -> bool {
    let is = |side: &String| side == now || side.parse::<f64>().ok() == now.parse::<f64>().ok();
    (one.0 != one.1 && other.0 == other.1 && is(one.1))
        || (other.0 != other.1 && one.0 == one.1 && is(other.1))
}
