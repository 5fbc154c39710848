//! Rows that come in any order: a test that goes over a map sees the same values in another order each time. Then they are
//! told apart by what they hold, not by when they came.

use crate::observation::{Row, Variation, Varied};
use std::collections::{BTreeMap, BTreeSet};

/// The same with the rows of unsteady assertions in an order of their own; none where all are steady.
pub(super) fn steadied(varied: &Varied) -> Option<Varied> {
    let mut sites = unsteady(&varied.head.plain);
    sites.extend(unsteady(&varied.base.plain));
    if sites.is_empty() {
        return None;
    }
    let mut varied = varied.clone();
    let variations = varied.variations.clone();
    for side in [&mut varied.base, &mut varied.head] {
        side.plain.iter_mut().for_each(|rows| sort(rows, &sites));
        for (rows, variation) in side.varied.iter_mut().zip(&variations) {
            sort(rows, &sites);
            align(rows, &side.plain[0], (&sites, variation));
        }
    }
    Some(varied)
}

type Site = (u32, i32);

/// The assertions that saw the same values twice, and not in the same order.
fn unsteady(plain: &[Vec<Row>; 2]) -> BTreeSet<Site> {
    let of = |rows: &[Row]| {
        let mut found: BTreeMap<Site, Vec<Vec<String>>> = BTreeMap::new();
        for row in rows {
            found.entry((row.case, row.site)).or_default().push(row.sides.clone());
        }
        found
    };
    let (one, other) = (of(&plain[0]), of(&plain[1]));
    let sorted = |mut all: Vec<Vec<String>>| {
        all.sort();
        all
    };
    let moved = |(site, rows): (Site, Vec<Vec<String>>)| {
        let again = other.get(&site)?.clone();
        (rows != again && sorted(rows) == sorted(again)).then_some(site)
    };
    one.into_iter().filter_map(moved).collect()
}

/// By what is expected first: that stays where an answer moves.
fn sort(rows: &mut [Row], sites: &BTreeSet<Site>) {
    for site in sites {
        let mut own: Vec<&mut Row> =
            rows.iter_mut().filter(|row| (row.case, row.site) == *site).collect();
        let key = |row: &Row| row.sides.iter().rev().cloned().collect::<Vec<_>>();
        let mut order: Vec<usize> = (0..own.len()).collect();
        order.sort_by_key(|n| own.get(*n).map(|row| key(row)));
        for (nth, n) in order.into_iter().enumerate() {
            if let Some(row) = own.get_mut(n) {
                row.nth = u32::try_from(nth).unwrap_or(u32::MAX);
            }
        }
    }
}

/// Another input moves a row to another place of that order: what is expected says which row it was, as it is or with the words
/// that are others; the rest follows in its order.
fn align(rows: &mut [Row], plain: &[Row], (sites, variation): (&BTreeSet<Site>, &Variation)) {
    let expected = |row: &Row| row.sides.last().cloned().unwrap_or_default();
    for site in sites {
        let is_own = |row: &&Row| (row.case, row.site) == *site;
        let mut open: BTreeMap<u32, String> =
            plain.iter().filter(is_own).map(|row| (row.nth, expected(row))).collect();
        let mut own: Vec<&mut Row> =
            rows.iter_mut().filter(|row| (row.case, row.site) == *site).collect();
        own.sort_by_key(|row| row.nth);
        let mut placed = vec![None; own.len()];
        let ways: [&dyn Fn(&str) -> String; 2] =
            [&str::to_owned, &|text: &str| variation.applied(text)];
        for way in ways {
            for (row, slot) in own.iter().zip(&mut placed).filter(|(_, slot)| slot.is_none()) {
                let now = expected(row);
                *slot = open.iter().find(|(_, was)| way(was) == now).map(|(nth, _)| *nth);
                slot.and_then(|nth: u32| open.remove(&nth));
            }
        }
        let beyond = u32::try_from(plain.iter().filter(is_own).count()).unwrap_or(u32::MAX);
        let mut rest = open.into_keys().chain(beyond..);
        for (row, slot) in own.into_iter().zip(placed) {
            row.nth = slot.or_else(|| rest.next()).unwrap_or(u32::MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observation::{Kind, Sort};

    fn row(nth: u32, answer: &str, expected: &str) -> Row {
        let sides = vec![answer.to_owned(), expected.to_owned()];
        let (holds, kind) = (answer == expected, Kind::default());
        Row { case: 0, site: 0, nth, holds, kind, sides, raised: None, plain: Vec::new() }
    }

    #[test]
    fn a_row_that_another_input_moves_keeps_its_place() {
        let variation = Variation {
            sort: Sort::Far,
            was: "from".into(),
            now: "htap".into(),
            known: false,
            named: false,
            given: Vec::new(),
            pairs: Vec::new(),
        };
        let plain = [row(0, "all", "all"), row(1, "from a", "from a"), row(2, "go", "go")];
        let sites = BTreeSet::from([(0, 0)]);
        let mut rows = vec![row(0, "all", "all"), row(1, "go", "go"), row(2, "htap a", "htap a")];
        align(&mut rows, &plain, (&sites, &variation));
        let nth: Vec<u32> = rows.iter().map(|row| row.nth).collect();
        assert_eq!(nth, [0, 2, 1]);
        let mut more =
            vec![row(0, "all", "all"), row(1, "x", "x"), row(2, "y", "y"), row(3, "z", "z")];
        align(&mut more, &plain, (&sites, &variation));
        let nth: Vec<u32> = more.iter().map(|row| row.nth).collect();
        assert_eq!(nth, [0, 1, 2, 3]);
    }
}
