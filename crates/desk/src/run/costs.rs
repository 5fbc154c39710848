//! What runs cost, each by itself and all of them together by day: read from the journal, for `proctor list`.

use crate::text::clock;
use anyhow::Result;
use proctor_core::event::Usage;
use proctor_core::words::RunId;
use proctor_journal::{Journal, Listing, RunRow};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The one part of an event that is looked at.
#[derive(Deserialize)]
struct Costing {
    #[serde(default)]
    usage: Usage,
}

/// What was spent, by run and by day.
#[derive(Debug, Default)]
pub struct Costs {
    runs: BTreeMap<RunId, Usage>,
    days: BTreeMap<String, Usage>,
}

impl Costs {
    /// Of these runs, and of all runs on the days since the oldest of these was last heard of, today included.
    pub fn of(journal: &Journal, shown: &[RunRow]) -> Result<Self> {
        let oldest = shown.iter().map(|row| row.updated).chain([clock::now()]).min();
        let since = oldest.map(clock::day).unwrap_or_default();
        let mut costs = Self::default();
        for row in journal.runs(Listing::All)? {
            if clock::day(row.updated) < since {
                continue;
            }
            let mut all = Usage::default();
            for event in journal.history::<Costing>(&row.id)? {
                if event.body.usage.is_none() {
                    continue;
                }
                all.add(event.body.usage);
                let day = clock::day(event.at);
                if day >= since {
                    costs.days.entry(day).or_default().add(event.body.usage);
                }
            }
            costs.runs.insert(row.id, all);
        }
        Ok(costs)
    }

    pub fn run(&self, id: &RunId) -> Usage {
        self.runs.get(id).copied().unwrap_or_default()
    }

    pub fn day(&self, day: &str) -> Usage {
        self.days.get(day).copied().unwrap_or_default()
    }

    /// Newest first.
    pub fn days(&self) -> impl Iterator<Item = (&str, Usage)> {
        self.days.iter().rev().map(|(day, usage)| (day.as_str(), *usage))
    }
}
