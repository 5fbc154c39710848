//! A refactoring under other inputs: what older tests see of both codes is the same for whatever they give.

use crate::branch::BranchMeasure;
use crate::concern::Concern;
use crate::observation::{END, Row, Variation, Varied};
use crate::verdict::Finding;

/// One answer that is another, told of the first test that shows it.
pub(super) fn finding(measure: &BranchMeasure) -> Option<Finding> {
    let (older, (variation, was, is)) =
        measure.refactored.iter().find_map(|older| Some((older, differs(older)?)))?;
    let at = other_side(was, is);
    let given = if variation.was.is_empty() {
        "with other inputs".to_owned()
    } else {
        format!("with `{}` in the place of `{}`", variation.now, variation.was)
    };
    let text = format!(
        "{} sees the same on both sides, and {given} the base's code says {} and head's {}: a refactoring keeps what the code does; accepted: code that gives the same there too, or without `--type refactor` a test of what is so now",
        older.test,
        told(was, at),
        told(is, at)
    );
    Some(Finding::for_person(Concern::ChangedBehaviour, text).of(&older.test).at(&older.place))
}

/// The first other input to which both sides, alike for the test's own, give another answer.
fn differs(varied: &Varied) -> Option<(&Variation, &Row, &Row)> {
    let [one, two] = &varied.base.plain;
    let (base, head) = (&varied.base.varied, &varied.head.varied);
    let is_steady = |row: &Row| {
        let all = [one, two].into_iter().chain(&varied.head.plain);
        row.site != END && all.into_iter().all(|rows| rows.contains(row))
    };
    let steady: Vec<_> = one.iter().filter(|row| is_steady(row)).map(Row::key).collect();
    varied.variations.iter().zip(base.iter().zip(head)).find_map(|(variation, (base, head))| {
        let pairs = base.iter().filter_map(|was| {
            Some((
                was,
                head.iter().find(|is| is.key() == was.key() && steady.contains(&was.key()))?,
            ))
        });
        let (was, is) = pairs.into_iter().find(|(was, is)| is_other(was, is))?;
        Some((variation, was, is))
    })
}

/// What breaks on both sides may say so in other words.
fn is_other(was: &Row, is: &Row) -> bool {
    match (&was.raised, &is.raised) {
        (Some(_), Some(_)) => false,
        (None, None) => was.sides != is.sides || was.holds != is.holds,
        _ => true,
    }
}

/// The first side in which two rows differ.
fn other_side(was: &Row, is: &Row) -> usize {
    was.sides.iter().zip(&is.sides).position(|(was, is)| was != is).unwrap_or_default()
}

fn told(row: &Row, side: usize) -> String {
    match &row.raised {
        Some(raised) => format!("`{}`", raised.lines().next().unwrap_or_default()),
        None => format!("`{}`", row.sides.get(side).map_or("", String::as_str)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observation::{Kind, Sort, Tables};
    use crate::report::Place;
    use crate::words::TestId;

    fn saw(answer: &str) -> Vec<Row> {
        let (sides, raised) = match answer.strip_prefix('!') {
            Some(error) => (Vec::new(), Some(error.to_owned())),
            None => (vec![answer.to_owned(), "3".to_owned()], None),
        };
        let (kind, holds) = (Kind::Eq, answer == "3");
        vec![Row { case: 1, site: 0, nth: 0, kind, holds, sides, raised, plain: Vec::new() }]
    }

    /// As it is, once more, and with another input.
    fn said(base: [&str; 3], head: [&str; 3]) -> Option<(String, String)> {
        let tables = |[own, again, other]: [&str; 3]| Tables {
            plain: [saw(own), saw(again)],
            varied: vec![saw(other)],
        };
        let variation = Variation {
            sort: Sort::Near,
            was: "5".to_owned(),
            now: "0".to_owned(),
            known: false,
            named: false,
            given: Vec::new(),
            pairs: Vec::new(),
        };
        let varied = Varied {
            red: false,
            chooses: true,
            test: TestId::new("test_a.py::test_page"),
            place: Place { file: "test_a.py".to_owned(), line: Some(1) },
            inputs: Vec::new(),
            variations: vec![variation],
            names: Vec::new(),
            answers: Vec::new(),
            worked_out: Vec::new(),
            base: tables(base),
            head: tables(head),
        };
        differs(&varied).map(|(_, was, is)| (told(was, 0), told(is, 0)))
    }

    #[test]
    fn another_answer_to_another_input_is_told() {
        let other = Some(("`0`".to_owned(), "`25`".to_owned()));
        assert_eq!(said(["3", "3", "0"], ["3", "3", "25"]), other);
        let broken = Some(("`0`".to_owned(), "`KeyError: a`".to_owned()));
        assert_eq!(said(["3", "3", "0"], ["3", "3", "!KeyError: a"]), broken);
    }

    #[test]
    fn the_same_answer_and_two_ways_of_breaking_are_not() {
        assert_eq!(said(["3", "3", "0"], ["3", "3", "0"]), None);
        assert_eq!(said(["3", "3", "!KeyError: a"], ["3", "3", "!ValueError"]), None);
    }

    #[test]
    fn what_is_another_each_time_says_nothing() {
        assert_eq!(said(["3", "4", "5"], ["3", "4", "6"]), None);
    }
}
