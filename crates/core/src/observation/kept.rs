//! Whether a new text of tests still asks what the old one asked. Both were observed on the same code, so that what the
//! assertions looked at can be held against each other, value by value.

use super::{Asked, END, Kind, Row};
use std::collections::BTreeMap;

/// What became of the questions of an old text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    All,
    /// As many are asked in their place, and as strong ones.
    Others {
        lost: Vec<String>,
    },
    /// Some are not asked any more, or in a weaker way.
    Less {
        lost: Vec<String>,
    },
}

/// One question, as far as it can be told again in another text.
type Question<'a> = (Kind, Vec<&'a str>);

/// Holds the questions of an old text, seen twice, against those of a new one.
pub fn kept(old: &[Vec<Row>; 2], new: &[Row]) -> Kept {
    let mut asked = counted(new);
    let mut lost = missing(old, &mut asked);
    // An old expectation that fails, or a question that is asked more strongly now, keeps one of its values.
    let failing: Vec<Question<'_>> =
        old[0].iter().filter(|row| !row.holds).filter_map(question).collect();
    lost.retain(|(kind, sides)| {
        let may = *kind < Kind::Raises || failing.contains(&(*kind, sides.clone()));
        let same = |(now, values): &Question<'_>| {
            *now >= *kind
                && *now != Kind::Raises
                && values.iter().any(|value| sides.contains(value))
        };
        !(may && take(&mut asked, same))
    });
    if lost.is_empty() {
        return Kept::All;
    }
    // The strongest first, so that none is taken for less than it asks.
    lost.sort_by_key(|(kind, _)| std::cmp::Reverse(*kind));
    let less =
        lost.iter().filter(|was| !take(&mut asked, |now| now.0 >= was.0 && !is_wider(was, now)));
    let less = less.count();
    let lost = lost.iter().map(told).collect();
    if less > 0 { Kept::Less { lost } } else { Kept::Others { lost } }
}

/// What tests that belong together asked and others in their place do not ask at all, each with its test.
pub fn lost<'a>(old: &'a [Asked], new: &'a [Row]) -> Vec<(&'a Asked, String)> {
    let mut asked = counted(new);
    let of = |test: &'a Asked| {
        let missing = missing(&test.old, &mut asked);
        missing.iter().map(|question| (test, told(question))).collect::<Vec<_>>()
    };
    old.iter().flat_map(of).collect()
}

/// The questions that are not among those asked; the others are taken away.
fn missing<'a>(
    old: &'a [Vec<Row>; 2],
    asked: &mut BTreeMap<Question<'a>, usize>,
) -> Vec<Question<'a>> {
    let (once, twice) = (counted(&old[0]), counted(&old[1]));
    let mut lost = Vec::new();
    for (question, count) in once {
        // What moves by itself can't be found again.
        let steady = count.min(twice.get(&question).copied().unwrap_or_default());
        for _ in 0..steady {
            let again = |other: &Question<'_>| *other == question || is_wider(other, &question);
            if !take(asked, again) {
                lost.push(question.clone());
            }
        }
    }
    lost
}

/// Whether the same failure would be taken as more than before: beside it stand the kinds that are accepted.
fn is_wider(was: &Question<'_>, now: &Question<'_>) -> bool {
    was.0 == Kind::Raises
        && now.0 == Kind::Raises
        && was.1.len() < now.1.len()
        && was.1.iter().all(|side| now.1.contains(side))
}

fn question(row: &Row) -> Option<Question<'_>> {
    // Of what fails only an equality says what was asked; a failure that is told is none.
    let told = row.holds || row.kind == Kind::Eq;
    if row.site == END || row.raised.is_some() || !told {
        return None;
    }
    let mut sides: Vec<&str> = row.sides.iter().map(String::as_str).collect();
    sides.sort_unstable();
    Some((row.kind, sides))
}

fn counted(rows: &[Row]) -> BTreeMap<Question<'_>, usize> {
    let mut found = BTreeMap::new();
    for question in rows.iter().filter_map(question) {
        *found.entry(question).or_default() += 1;
    }
    found
}

/// Takes one question that fits away.
fn take<'a>(
    asked: &mut BTreeMap<Question<'a>, usize>,
    fits: impl Fn(&Question<'a>) -> bool,
) -> bool {
    match asked.iter_mut().find(|(other, left)| **left > 0 && fits(other)) {
        Some((_, left)) => {
            *left -= 1;
            true
        }
        None => false,
    }
}

fn told((kind, sides): &Question<'_>) -> String {
    let values = sides.iter().map(|side| format!("`{side}`")).collect::<Vec<_>>();
    match kind {
        Kind::Eq => format!("the equality of {}", values.join(" and ")),
        Kind::Raises => format!("the failure {}", values.join(", ")),
        Kind::Truth => format!("the truth of {}", values.join(", ")),
        Kind::Part => format!("whether there is {}", values.join(" in ")),
        Kind::Other => format!("a question about {}", values.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kind: Kind, holds: bool, sides: &[&str]) -> Row {
        let sides = sides.iter().map(|s| (*s).to_owned()).collect();
        Row { case: 1, site: 0, nth: 0, holds, kind, sides, raised: None, plain: Vec::new() }
    }

    fn eq(sides: &[&str]) -> Row {
        row(Kind::Eq, true, sides)
    }

    fn of(old: &[Row], new: &[Row]) -> Kept {
        kept(&[old.to_vec(), old.to_vec()], new)
    }

    #[track_caller]
    fn is_less(old: &[Row], new: &[Row]) {
        assert!(matches!(of(old, new), Kept::Less { .. }), "{:?}", of(old, new));
    }

    #[test]
    fn what_is_asked_again_in_any_order_and_place_is_kept() {
        let (one, two) = (eq(&["6", "6"]), eq(&["0", "0"]));
        assert_eq!(of(&[one.clone(), two.clone()], &[two.clone(), one.clone()]), Kept::All);
        assert_eq!(of(&[eq(&["a", "b"])], &[eq(&["b", "a"])]), Kept::All);
        assert_eq!(of(&[], &[one]), Kept::All);
    }

    #[test]
    fn a_question_that_is_gone_is_named_with_its_values() {
        let Kept::Less { lost } = of(&[eq(&["6", "6"]), eq(&["0", "0"])], &[eq(&["6", "6"])])
        else {
            panic!()
        };
        assert_eq!(lost, ["the equality of `0` and `0`"]);
        is_less(&[eq(&["6", "6"]), eq(&["6", "6"])], &[eq(&["6", "6"])]);
        is_less(&[eq(&["6", "6"])], &[]);
    }

    #[test]
    fn an_equality_may_not_become_a_truth_and_a_truth_may_become_an_equality() {
        is_less(&[eq(&["6", "6"])], &[row(Kind::Truth, true, &["6"])]);
        is_less(&[eq(&["6", "6"])], &[row(Kind::Other, true, &["6", "9"])]);
        assert_eq!(of(&[row(Kind::Truth, true, &["6"])], &[eq(&["6", "6"])]), Kept::All);
    }

    #[test]
    fn as_many_other_questions_are_for_a_person() {
        let others = of(&[eq(&["4", "4"])], &[eq(&["9", "9"])]);
        assert!(matches!(others, Kept::Others { .. }), "{others:?}");
    }

    #[test]
    fn an_expectation_that_fails_may_be_another() {
        let failing = row(Kind::Eq, false, &["5", "6"]);
        assert_eq!(of(std::slice::from_ref(&failing), &[eq(&["5", "5"])]), Kept::All);
        is_less(&[failing], &[row(Kind::Truth, true, &["5"])]);
    }

    #[test]
    fn a_failure_may_be_told_more_closely_and_not_less() {
        let named = row(Kind::Raises, true, &["KeyError: 'a'"]);
        let any = row(Kind::Raises, true, &["KeyError: 'a'", "as LookupError", "as Exception"]);
        is_less(std::slice::from_ref(&named), std::slice::from_ref(&any));
        assert_eq!(of(&[any], &[named]), Kept::All);
    }

    #[test]
    fn what_moves_by_itself_is_not_looked_for() {
        let (one, other) = (vec![eq(&["12:01"])], vec![eq(&["12:02"])]);
        assert_eq!(kept(&[one, other], &[]), Kept::All);
    }
}
