//! Whether the difference between head and base depends on how long an input is.

use super::fate::Fate;
use super::{ENOUGH, View};
use crate::observation::{LONGER, Variation};
use std::collections::{BTreeMap, BTreeSet};

impl View<'_> {
    /// In how many trials a longer and a shorter word brought the base's answer back, where that is so with every one in its
    /// place, and words that are as long keep the difference; beside it how long inputs are, where the change holds that: then
    /// two trials are enough.
    pub(super) fn shaped(&self) -> Option<(usize, Vec<usize>)> {
        let sizes: BTreeSet<usize> = self.varied.inputs.iter().filter_map(|i| i.size).collect();
        let mut words: BTreeMap<&str, Vec<(&Variation, Fate)>> = BTreeMap::new();
        let told = self.varied.variations.iter().zip(&self.fates);
        for (v, fates) in told.filter(|(v, _)| v.is_of_letters()) {
            let told = fates.iter().filter(|fate| !matches!(fate, Fate::Void | Fate::Unmoved));
            words.entry(&v.was).or_default().extend(told.map(|fate| (v, *fate)));
        }
        words.retain(|_, told| {
            let gone = told.iter().all(|(v, fate)| !v.is_longer() || fate.dies());
            gone && told.iter().any(|(v, fate)| !v.is_longer() && fate.lives())
        });
        let told = words.into_values().flatten().map(|(v, _)| v);
        let gone: Vec<&Variation> = told.filter(|v| v.is_longer()).collect();
        let longer = |v: &&Variation| v.now == LONGER || v.now.len() > v.was.len();
        let both = gone.iter().any(longer) && !gone.iter().all(longer);
        let tried = gone.len();
        let enough = if sizes.is_empty() { both && tried >= ENOUGH } else { tried > 1 };
        let only = enough && self.varied.chooses && !self.ends_only;
        only.then(|| (tried, sizes.into_iter().collect()))
    }
}
