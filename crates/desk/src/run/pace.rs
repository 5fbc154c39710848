//! How far a run is and how long a step of it usually takes in its repository: one line, the same for whoever looks on. Made from
//! what the journal holds; it must not slow a run down.

use crate::run::track::{NAMES, place};
use anyhow::Result;
use proctor_core::duration::show_duration;
use proctor_core::event::Event;
use proctor_core::run::Run;
use proctor_journal::{Journal, Listing, Recorded};
use std::collections::BTreeMap;

/// How many runs of a repository are looked at, the newest.
const RUNS: usize = 8;
/// What is over at once needs no estimate.
const LEAST: u64 = 1000;

/// How long steps took before, by their name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pace {
    took: BTreeMap<&'static str, Vec<u64>>,
}

impl Pace {
    /// What the newest runs of a repository show.
    pub fn of(journal: &Journal, repo: &str) -> Result<Self> {
        let mut pace = Self::default();
        let rows = journal.runs(Listing::All)?;
        for row in rows.iter().filter(|row| row.head.repo == repo).take(RUNS) {
            // A history that can't be read says nothing about time.
            let history: Vec<Recorded<Event>> = journal.history(&row.id).unwrap_or_default();
            pace.learn(history.iter().map(|recorded| &recorded.body));
        }
        Ok(pace)
    }

    fn learn<'a>(&mut self, history: impl Iterator<Item = &'a Event>) {
        let mut under_way = BTreeMap::new();
        for event in history {
            match event {
                Event::EffectBegan { no, effect } => {
                    under_way.insert(*no, effect.label());
                }
                Event::EffectEnded { no, took_ms, .. } => {
                    if let Some(label) = under_way.remove(no) {
                        self.took.entry(label).or_default().push(*took_ms);
                    }
                }
                _ => {}
            }
        }
    }

    /// The middle of what a step took before.
    pub fn usual(&self, label: &str) -> Option<u64> {
        let mut took = self.took.get(label)?.clone();
        took.sort_unstable();
        took.get(took.len() / 2).copied()
    }

    /// The same in words, where it is long enough to be told.
    pub fn usually(&self, label: &str) -> Option<String> {
        let usual = self.usual(label).filter(|usual| *usual >= LEAST)?;
        Some(format!("usually {}", whole(usual)))
    }

    /// What is under way, how often it was tried, and for how long: `4/9 green gate, fix 1 of 3, 52s of about 2m10s`.
    pub fn line(&self, run: &Run, since_ms: u64) -> String {
        let Some(flight) = &run.in_flight else { return run.stage.name().to_owned() };
        let label = flight.effect.label();
        let step = place(&run.stage).map(|at| format!("{}/{} ", at + 1, NAMES.len()));
        let tries = tries(run).map(|text| format!(", {text}"));
        let time = match self.usual(label) {
            // What takes longer than usual has no estimate any more.
            Some(usual) if usual >= LEAST && since_ms < usual => {
                format!("{} of about {}", whole(since_ms), whole(usual))
            }
            Some(usual) if usual >= LEAST => {
                format!("{}, usually {}", whole(since_ms), whole(usual))
            }
            _ => whole(since_ms),
        };
        format!("{}{label}{}, {time}", step.unwrap_or_default(), tries.unwrap_or_default())
    }
}

/// How often it was sent back, of how often it may be.
fn tries(run: &Run) -> Option<String> {
    let (counters, limits) = (run.counters.shown(&run.limits), &run.limits);
    let of = |what: &str, used: u32, of: u32| (used > 0).then(|| format!("{what} {used} of {of}"));
    match place(&run.stage)? {
        0 | 1 => of("return", counters.red_refusals, limits.red),
        2 | 3 => of("fix", counters.fixes, limits.green),
        6 => of("review", counters.reviews + 1, limits.review),
        _ => None,
    }
}

/// Nobody waits by the millisecond.
fn whole(ms: u64) -> String {
    show_duration(ms / 1000 * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::sample;
    use proctor_core::event::{Effect, Usage};
    use proctor_core::run::InFlight;

    fn took(label: &Effect, ms: &[u64]) -> Pace {
        let mut pace = Pace::default();
        let usage = Usage::default();
        let events = ms.iter().zip(1..).flat_map(|(took_ms, no)| {
            let effect = label.clone();
            let ended = Event::EffectEnded { no, took_ms: *took_ms, usage };
            [Event::EffectBegan { no, effect }, ended]
        });
        pace.learn(events.collect::<Vec<_>>().iter());
        pace
    }

    #[test]
    fn a_step_is_told_with_its_place_and_with_what_it_took_before() {
        let mut run = sample::run(&sample::history()[..1]);
        run.in_flight = Some(InFlight { no: 1, effect: Effect::Prepare });
        assert_eq!(Pace::default().line(&run, 1900), "1/9 preparing, 1s");
        let pace = took(&Effect::Prepare, &[90_000, 10_000, 12_500]);
        assert_eq!(pace.line(&run, 3100), "1/9 preparing, 3s of about 12s");
        assert_eq!(pace.line(&run, 20_000), "1/9 preparing, 20s, usually 12s");
        run.counters.red_refusals = 2;
        assert!(pace.line(&run, 0).contains("return 2 of 3"), "{}", pace.line(&run, 0));
    }
}
