//! A test once more in the same process: what its assertions see must not be another then, unless that is so with older tests
//! too.

use crate::branch::BranchMeasure;
use crate::observation::{END, Row, Varied, Watched};
use crate::verdict::{Finding, Weight};
use std::collections::BTreeMap;

/// New and changed tests of which an assertion holds once, and sees another value the other time.
pub(super) fn findings(measure: &BranchMeasure) -> Vec<Finding> {
    let old = measure.older.iter().find(|older| turned(&older.head.plain).is_some());
    let told = |watched: &Watched| {
        let (held, other) = turned(&watched.plain)?;
        let varied = measure.varied.iter().find(|varied| varied.test == watched.test);
        if varied.is_some_and(|varied| moves_on_base(varied, held)) {
            return None;
        }
        let (weight, rest) = match old {
            Some(old) => (Weight::Warning, format!("so does {} beside it", old.test)),
            None => (
                Weight::NeedsPerson,
                "no older test beside it does that: it may be right the first time alone; accepted: code that answers the same again, or a test that sets up what it counts on".to_owned(),
            ),
        };
        let text = format!(
            "{} sees `{}` once and `{}` when it runs twice in one process; {rest}",
            watched.test,
            held.sides.join(" and "),
            other.sides.join(" and "),
        );
        Some(Finding::new(weight, text).of(&watched.test).at(&watched.place))
    };
    let mut found: Vec<Finding> = measure.watched.iter().filter_map(told).collect();
    found.extend(measure.watched.iter().filter_map(in_a_thread));
    found
}

/// A test of which an assertion sees the same both times, and something else in a thread of its own.
fn in_a_thread(watched: &Watched) -> Option<Finding> {
    if turned(&watched.plain).is_some() {
        return None;
    }
    let pair = [watched.plain[0].clone(), watched.beside.clone()];
    let (here, there) = turned(&pair)?;
    let text = format!(
        "{} sees `{}`, and `{}` when it runs in a thread of its own: the code may know where it was begun; accepted: code that answers the same there, or a person who has looked at it",
        watched.test,
        here.sides.join(" and "),
        there.sides.join(" and "),
    );
    Some(Finding::new(Weight::NeedsPerson, text).of(&watched.test).at(&watched.place))
}

/// An assertion that holds one time and not the other, with values both times: the row that holds, and the other.
fn turned(plain: &[Vec<Row>; 2]) -> Option<(&Row, &Row)> {
    let second: BTreeMap<_, &Row> = plain[1].iter().map(|row| (row.key(), row)).collect();
    plain[0].iter().find_map(|first| {
        let again = *second.get(&first.key())?;
        let values = first.raised.is_none() && again.raised.is_none() && first.site != END;
        let differs = first.holds != again.holds && first.sides != again.sides;
        let pair = if first.holds { (first, again) } else { (again, first) };
        (values && differs).then_some(pair)
    })
}

/// Whether the base's code gives this assertion another value the second time, too.
fn moves_on_base(varied: &Varied, row: &Row) -> bool {
    let at = |rows: &[Row]| rows.iter().find(|one| one.key() == row.key()).map(|r| r.sides.clone());
    let [first, second] = &varied.base.plain;
    matches!((at(first), at(second)), (Some(one), Some(other)) if one != other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observation::Kind;

    fn row(holds: bool, value: &str) -> Row {
        let sides = vec![value.to_owned(), "1".to_owned()];
        Row {
            case: 0,
            site: 0,
            nth: 0,
            holds,
            kind: Kind::Eq,
            sides,
            raised: None,
            plain: Vec::new(),
        }
    }

    #[test]
    fn only_another_value_counts_whichever_time_it_comes() {
        let of = |first: Row, second: Row| turned(&[vec![first], vec![second]]).is_some();
        assert!(of(row(true, "1"), row(false, "2")));
        assert!(of(row(false, "2"), row(true, "1")));
        assert!(!of(row(true, "1"), row(true, "1")));
        let raised = Row { raised: Some("KeyError: 1".to_owned()), ..row(false, "2") };
        assert!(!of(row(true, "1"), raised));
        assert!(!of(Row { site: END, ..row(true, "1") }, Row { site: END, ..row(false, "2") }));
    }
}
