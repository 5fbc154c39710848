//! Rows that come in any order: a test that goes over a map sees the same values in another order each time. Then they are
//! told apart by what they hold, not by when they came.

use crate::observation::{Row, Varied};
use std::collections::{BTreeMap, BTreeSet};

/// The same with the rows of unsteady assertions in an order of their own; none where all are steady.
pub(super) fn steadied(varied: &Varied) -> Option<Varied> {
    let mut sites = unsteady(&varied.head.plain);
    sites.extend(unsteady(&varied.base.plain));
    if sites.is_empty() {
        return None;
    }
    let mut varied = varied.clone();
    for side in [&mut varied.base, &mut varied.head] {
        let tables = side.plain.iter_mut().chain(side.varied.iter_mut());
        tables.for_each(|rows| sort(rows, &sites));
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
