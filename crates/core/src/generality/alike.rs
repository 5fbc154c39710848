//! One answer to all inputs, on a side.

use super::fate::{self, Fate};
use super::{ENOUGH, View, is_edge, seen};
use crate::observation::{Row, Sort};

/// Whether the base answers one thing to whatever it is given: then the input matters to nobody here.
pub(super) fn on_base(view: &View<'_>, key: (u32, i32, u32)) -> bool {
    let of = |rows: &[Row]| seen(rows).get(&key).map(|row| (row.sides.clone(), row.raised.clone()));
    let Some((sides, None)) = of(&view.varied.base.plain[0]) else { return false };
    let there = sides.first().is_some_and(|side| !fate::is_nothing(side));
    let same = |rows: &Vec<Row>| of(rows).is_none_or(|(now, _)| now.first() == sides.first());
    there && view.varied.base.varied.iter().all(same)
}

/// Whether, where each input is another, the base's answer is too, so often that it is no chance, and head's stays. Such an
/// answer need not stand in the change: it may be put together there.
pub(super) fn to_all(view: &View<'_>, of: usize, key: (u32, i32, u32)) -> bool {
    let count = view.varied.inputs.iter().filter(|i| !is_edge(&i.value)).count();
    let Some(own) = seen(&view.varied.base.plain[0]).get(&key).map(|row| row.sides.clone()) else {
        return false;
    };
    let moved = |rows: &[Row]| {
        let row = rows.iter().find(|row| row.key() == key);
        row.is_some_and(|row| row.raised.is_none() && row.sides != own)
    };
    let others =
        |fates: &Vec<Fate>| matches!(fates.get(of), Some(Fate::Moved | Fate::Carried | Fate::Dead));
    if view.fates.iter().any(others) {
        return false;
    }
    let tables = view.varied.variations.iter().zip(&view.varied.base.varied).zip(&view.fates);
    let all = tables.filter(|((v, rows), fates)| {
        let each = v.is_all() || v.sort == Sort::Together && v.given.len() >= count;
        each && count > 0 && moved(rows) && fates.get(of) == Some(&Fate::Still)
    });
    all.count() >= ENOUGH
}
