//! Members of enumerations as inputs. A change for one member of one enumeration is an option that code has to know: with
//! every other member the base's answer comes back, and that is right. What needs a member of each of several
//! enumerations may have been learnt pair by pair.

use super::View;
use super::fate::Fate;
use crate::observation::{Sort, Variation};
use std::collections::BTreeSet;

/// Whether what became of an assertion with this variation says something.
pub(super) fn counts(
    view: &View<'_>,
    variation: &Variation,
    (of, fates): (usize, &[Fate]),
) -> bool {
    let dead = fates.get(of).is_some_and(|fate| fate.dies());
    variation.sort != Sort::Member || !dead || combined(view, of)
}

/// Whether other members of several enumerations each bring the base's answer back for this assertion.
fn combined(view: &View<'_>, of: usize) -> bool {
    let all = view.fates.iter().zip(&view.varied.variations);
    let dead = all.filter(|(fates, v)| {
        v.sort == Sort::Member && fates.get(of).is_some_and(|fate| fate.dies())
    });
    let of_one = dead.filter(|(_, v)| v.pairs.is_empty());
    of_one.map(|(_, v)| enumeration(&v.was)).collect::<BTreeSet<_>>().len() > 1
}

/// `Region.EU`, `Region::Eu`.
fn enumeration(member: &str) -> &str {
    member.rsplit_once(['.', ':']).map_or("", |(name, _)| name)
}
