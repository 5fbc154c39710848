//! Whether the tests run enough of the work: of the lines that it changed, and of the files that it is about.

use crate::brief::{Brief, Percent};
use crate::fault::ThinFault;
use crate::report::{LineCoverage, Lines};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What was measured of coverage, where it was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageMeasure {
    pub lines: LineCoverage,
    /// The lines of production code that the work added or changed, by file. Only files that a tool measured.
    pub changed: BTreeMap<String, BTreeSet<u32>>,
    /// What could not be measured, and the command that would help.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Lines that could run: how many did, and which did not.
struct Share {
    hit: usize,
    missed: BTreeMap<String, BTreeSet<u32>>,
}

impl Share {
    fn percent(&self) -> Percent {
        let missed: usize = self.missed.values().map(BTreeSet::len).sum();
        Percent::of(self.hit, self.hit + missed)
    }
}

impl CoverageMeasure {
    /// The share of the changed lines that ran; none where nothing was measured.
    pub fn of_changed(&self) -> Option<Percent> {
        (!self.lines.files.is_empty()).then(|| self.changed_share().percent())
    }

    /// Whether nothing is left to be measured: every changed line that can run did, or nothing here can tell.
    pub fn is_settled(&self) -> bool {
        let all = !self.lines.files.is_empty() && self.changed_share().missed.is_empty();
        all || !self.warnings.is_empty()
    }

    fn changed_share(&self) -> Share {
        let mut share = Share { hit: 0, missed: BTreeMap::new() };
        for (file, changed) in &self.changed {
            let missed: BTreeSet<u32> = match self.lines.files.get(file) {
                Some(Lines { hit, missed }) => {
                    share.hit += changed.intersection(hit).count();
                    changed.intersection(missed).copied().collect()
                }
                // The tool never saw it loaded: none of it ran.
                None => changed.clone(),
            };
            if !missed.is_empty() {
                share.missed.insert(file.clone(), missed);
            }
        }
        share
    }

    fn file_share(&self, file: &str) -> Option<Share> {
        let lines = self.lines.files.get(file)?;
        let missed = BTreeMap::from([(file.to_owned(), lines.missed.clone())]);
        Some(Share { hit: lines.hit.len(), missed })
    }

    /// What falls short of the share that was asked for. What no tool could measure is a warning, not a fault.
    pub(super) fn faults(&self, brief: &Brief) -> Vec<ThinFault> {
        let Some(wanted) = brief.rules.coverage.filter(|_| !self.lines.files.is_empty()) else {
            return Vec::new();
        };
        let files = brief
            .targets
            .iter()
            .filter_map(|target| Some((format!("the target {target}"), self.file_share(target)?)));
        std::iter::once(("the changed lines".to_owned(), self.changed_share()))
            .chain(files)
            .filter(|(_, share)| share.percent() < wanted)
            .map(|(what, share)| ThinFault::Coverage {
                what,
                reached: share.percent(),
                wanted,
                missed: share.missed.iter().map(|(file, lines)| places(file, lines)).collect(),
            })
            .collect()
    }
}

/// `cart.py:3-5, 9`.
fn places(file: &str, lines: &BTreeSet<u32>) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for line in lines {
        match ranges.last_mut() {
            Some((_, end)) if *end + 1 == *line => *end = *line,
            _ => ranges.push((*line, *line)),
        }
    }
    let shown: Vec<String> = ranges
        .iter()
        .map(|(from, to)| if from == to { from.to_string() } else { format!("{from}-{to}") })
        .collect();
    format!("{file}:{}", shown.join(", "))
}
