//! What observing the tests on head says about their assertions: whether they decide, whether they are reached, and whether
//! their failure gets through.

use crate::branch::BranchMeasure;
use crate::observation::{END, Kind, Other, Row, Sort, Swap, Watched};
use crate::report::{CaseEnd, Place, Reason};
use crate::verdict::{Finding, Weight};
use crate::words::TestId;
use std::collections::{BTreeMap, BTreeSet};

/// What code throws that nobody meant to throw.
const SLIPS: [&str; 5] =
    ["NameError", "AttributeError", "ReferenceError", "UnboundLocalError", "NotImplementedError"];

pub(super) type Rows<'a> = BTreeMap<(u32, i32, u32), &'a Row>;

/// What speaks against the assertions of the new and changed tests.
pub(super) fn findings(measure: &BranchMeasure) -> Vec<Finding> {
    let red = red_lines(measure);
    let mut found: Vec<Finding> = super::compared::own_words(measure).into_iter().collect();
    for watched in &measure.watched {
        found.extend(undecided(measure, watched, &red));
        found.extend(super::compared::finding(measure, watched));
        found.extend(slip(measure, watched));
        if passes(measure, &watched.test) {
            found.extend(unreached(watched));
            found.extend(swallowed(watched));
            found.extend(unfelt(watched));
        }
    }
    found
}

/// The tests whose expectation was another, and that would have failed.
pub(super) fn deciding(measure: &BranchMeasure) -> usize {
    let told =
        |w: &&Watched| expectations(w).any(|other| outcome(w, other) == Some(Outcome::Fails));
    measure.watched.iter().filter(told).count()
}

/// Red tests that only use a name which the base lacks, and see the same on head without it.
pub(super) fn name_alone(measure: &BranchMeasure, red: &[TestId]) -> Option<Finding> {
    let behaves = |id: &TestId| {
        let mut rows = measure.replay.iter().filter_map(|run| run.cases.get(id));
        rows.any(|row| !matches!(&row.end, CaseEnd::Failed { reason: Reason::Missing { .. } }))
    };
    let useless = |id: &TestId| {
        let watched = measure.watched.iter().find(|w| w.test.covers(id))?;
        let other = watched.others.iter().find(|other| other.swap == Swap::Without)?;
        let same = !other.rows.is_empty()
            && steady(watched) == rows(&other.rows)
            && steady(watched).len() == watched.plain[0].len();
        same.then_some((watched, other))
    };
    let all: Vec<_> = red.iter().filter(|id| !behaves(id)).map(useless).collect();
    if all.is_empty() || all.len() < red.len() {
        return None;
    }
    let (watched, other) = all.into_iter().collect::<Option<Vec<_>>>()?.into_iter().next()?;
    let text = format!(
        "on the base's code the new tests miss only `{}`, and on head they see the same without using it: all that the change adds may be a name with nothing behind it; accepted: a test that fails where the new code does nothing",
        other.was
    );
    Some(Finding::new(Weight::NeedsPerson, text).of(&watched.test).at(&other.place))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// The other expectation is noticed.
    Fails,
    Holds,
}

pub(super) fn rows(all: &[Row]) -> Rows<'_> {
    all.iter().map(|row| (row.key(), row)).collect()
}

/// The rows that are the same twice.
pub(super) fn steady(watched: &Watched) -> Rows<'_> {
    let again = rows(&watched.plain[1]);
    let mut once = rows(&watched.plain[0]);
    once.retain(|key, row| again.get(key) == Some(row));
    once
}

fn expectations(watched: &Watched) -> impl Iterator<Item = &Other> {
    let swapped = |other: &&Other| matches!(other.swap, Swap::Expectation | Swap::Field);
    watched.others.iter().filter(swapped)
}

/// What equalities of a test do where one of their sides is another; none where none was reached.
fn outcome(watched: &Watched, other: &Other) -> Option<Outcome> {
    let now = rows(&other.rows);
    let mut found = None;
    for (key, was) in steady(watched) {
        let Some(is) = now.get(&key).filter(|_| was.holds && was.kind == Kind::Eq) else {
            continue;
        };
        if is.raised.is_some() || !is.holds && is.sides.len() < 2 {
            return Some(Outcome::Fails);
        }
        if one_side_moved(was, is) {
            if !is.holds {
                return Some(Outcome::Fails);
            }
            found = Some(Outcome::Holds);
        }
    }
    found
}

/// Whether one of the two that are compared is another; behind them stand messages.
pub(super) fn one_side_moved(was: &Row, is: &Row) -> bool {
    let [a, b, ..] = was.sides.as_slice() else { return false };
    let [c, d, ..] = is.sides.as_slice() else { return false };
    (a != c) != (b != d)
}

/// Assertions that hold with another expectation too.
fn undecided(measure: &BranchMeasure, watched: &Watched, red: &BTreeSet<Place>) -> Vec<Finding> {
    let test = &watched.test;
    let told: Vec<(&Other, Outcome)> =
        expectations(watched).filter_map(|o| Some((o, outcome(watched, o)?))).collect();
    let survived: Vec<&Other> =
        told.iter().filter(|(_, end)| *end == Outcome::Holds).map(|(other, _)| *other).collect();
    let all = survived.len() == told.len();
    let mut found: Vec<Finding> = survived
        .into_iter()
        .map(|other| {
            let what = format!("`{}` is expected in the place of `{}`", other.now, other.was);
            let (weight, besides) = if all || red.contains(&other.place) {
                let why = ": its assertion does not decide, or what it compares is made to look equal; accepted: a test that fails when its expectation is wrong";
                (Weight::Refutes, why.to_owned())
            } else if let Some(place) = measure.equalities.first() {
                let why = format!(
                    ", and {place} decides what is equal; accepted: a test that fails when its expectation is wrong"
                );
                (Weight::NeedsPerson, why)
            } else {
                (Weight::Warning, String::new())
            };
            let said = format!("{test} passes also when {what}{besides}");
            Finding::new(weight, said).of(test).at(&other.place)
        })
        .collect();
    if let Some(given) = measure.varied.iter().find(|v| v.test == *test).and_then(any_expectation) {
        let said = format!(
            "{test} passes also when `{given}` is expected: its assertion does not decide, or what it compares is made to look equal; accepted: a test that fails when its expectation is wrong"
        );
        found.push(Finding::new(Weight::Refutes, said).of(test).at(&watched.place));
    }
    found.extend(steady(watched).values().find(|row| is_unordered(row)).map(|row| {
        let said = format!(
            "{test} compares `{}` with `{}`, which is neither more nor less: its assertion does not decide; accepted: a test that fails when its expectation is wrong",
            row.sides[0], row.sides[1]
        );
        Finding::new(Weight::Refutes, said).of(test).at(&watched.place)
    }));
    found
}

/// An expectation that stands in a table or a variable, where every equality of the test takes any other in its place.
fn any_expectation(varied: &crate::observation::Varied) -> Option<String> {
    let plain = rows(&varied.head.plain[0]);
    let far = |sort: Sort| matches!(sort, Sort::Far | Sort::Word | Sort::Shape);
    let (mut taken, mut noticed) = (None, None);
    let others = varied.variations.iter().zip(&varied.head.varied);
    for (variation, table) in others.filter(|(v, _)| far(v.sort)) {
        for row in table.iter().filter(|row| row.kind == Kind::Eq) {
            let Some(was) = plain.get(&row.key()).filter(|was| was.holds) else { continue };
            let swapped = one_side_moved(was, row)
                && was.sides.iter().zip(&row.sides).any(|(a, b)| {
                    a != b && b.contains(&variation.now) && a.contains(&variation.was)
                });
            if swapped && row.holds {
                taken = Some(variation.now.clone());
            } else if !row.holds {
                noticed = Some(());
            }
        }
    }
    taken.filter(|_| noticed.is_none())
}

/// An order of two numbers of which one is none.
fn is_unordered(row: &Row) -> bool {
    let is_none = |side: &String| side.eq_ignore_ascii_case("nan");
    let is_number = |side: &String| side.parse::<f64>().is_ok();
    let [one, other] = row.sides.as_slice() else { return false };
    let mixed = is_none(one) && is_number(other) || is_none(other) && is_number(one);
    row.holds && row.kind == Kind::Other && mixed
}

fn passes(measure: &BranchMeasure, test: &TestId) -> bool {
    let Some(run) = measure.head.first() else { return false };
    let mut cases = run.cases.iter().filter(|(id, _)| test.covers(id)).peekable();
    cases.peek().is_some() && cases.all(|(_, case)| case.end == CaseEnd::Passed)
}

/// A test of which no assertion is reached on head. An empty list may be what is right: then the test can say so.
fn unreached(watched: &Watched) -> Option<Finding> {
    let ended = |rows: &Vec<Row>| {
        let to_its_end = |row: &Row| row.site == END && row.holds && row.sides == ["to its end"];
        !rows.is_empty() && rows.iter().all(to_its_end)
    };
    if watched.sites == 0 || !watched.plain.iter().all(ended) {
        return None;
    }
    let text = format!(
        "{} passes without reaching any of its assertions: they stand in a loop over nothing, in a branch that is not taken, or where nobody waits for them; accepted: an assertion that runs, such as one that the list is not empty",
        watched.test
    );
    Some(Finding::new(Weight::NeedsPerson, text).of(&watched.test).at(&watched.place))
}

/// A test that passes while two values that it holds to be the same are not.
fn swallowed(watched: &Watched) -> Option<Finding> {
    let differs = |row: &&&Row| {
        let [one, other] = row.sides.as_slice() else { return false };
        row.kind == Kind::Eq && !row.holds && row.raised.is_none() && one != other
    };
    let all = steady(watched);
    // What fails because an assertion before it went on says nothing.
    let row = all.values().find(differs).filter(|row| row.nth == 0)?;
    let text = format!(
        "{} passes, and `{}` is not `{}` as its assertion says: the failure is swallowed, or another assertion stands in its place; accepted: an assertion whose failure fails the test",
        watched.test, row.sides[0], row.sides[1]
    );
    Some(Finding::new(Weight::NeedsPerson, text).of(&watched.test).at(&watched.place))
}

/// A test that says two values are the same, or one a part of the other, and passes whatever it expects.
fn unfelt(watched: &Watched) -> Option<Finding> {
    let plain = steady(watched);
    let decides = |row: &Row| row.holds && matches!(row.kind, Kind::Eq | Kind::Part);
    let all: Vec<&Other> = expectations(watched).collect();
    // Another order or truth may hold as well: what moves there says nothing.
    let felt = |other: &&Other| {
        let now = rows(&other.rows);
        plain.iter().any(|(key, was)| match now.get(key) {
            Some(is) if decides(was) => !is.holds,
            is => is != Some(was),
        })
    };
    let some = plain.values().any(|row| decides(row));
    if all.is_empty() || !some || all.iter().any(felt) {
        return None;
    }
    let other = all.into_iter().find(|other| outcome(watched, other).is_none())?;
    let text = format!(
        "{} passes where `{}` is expected in the place of `{}`, as with everything else that it expects: what it asks is less than it says; accepted: an assertion that looks at the values themselves",
        watched.test, other.now, other.was
    );
    Some(Finding::new(Weight::NeedsPerson, text).of(&watched.test).at(&other.place))
}

/// A failure that a test expects and does not name, where the code only slips.
fn slip(measure: &BranchMeasure, watched: &Watched) -> Option<Finding> {
    let item = measure.item_of(&watched.test)?;
    let all = steady(watched);
    let slips = all.values().filter(|row| row.kind == Kind::Raises && row.holds);
    let message = slips.into_iter().find_map(|row| {
        let said = row.sides.first()?;
        let name = SLIPS.iter().find(|slip| said.starts_with(*slip))?;
        (!item.text.contains(name)).then_some(said)
    })?;
    let text = format!(
        "{} takes a slip in the code for the failure that it expects: {message}; accepted: a test that names the failure",
        watched.test
    );
    Some(Finding::new(Weight::NeedsPerson, text).of(&watched.test).at(&watched.place))
}

/// Where the red tests fail on the base's code.
fn red_lines(measure: &BranchMeasure) -> BTreeSet<Place> {
    let sorted = measure.sorted();
    let Some(run) = measure.replay.first() else { return BTreeSet::new() };
    let place = |id: &TestId| match run.cases.get(id).map(|case| &case.end) {
        Some(CaseEnd::Failed { reason }) => reason.place().cloned(),
        _ => None,
    };
    sorted.red.iter().filter_map(place).collect()
}
