//! `proctor log RUN`: a run's history, events and notes in the order of time.

use crate::args::{Format, LogArgs};
use crate::out;
use crate::show::bar::Bars;
use anyhow::Result;
use proctor_core::event::Event;
use proctor_core::run::Run;
use proctor_core::words::{Millis, RunId, Status};
use proctor_desk::run::history::{json_line, states};
use proctor_desk::run::pace::Pace;
use proctor_desk::run::run_id::meant;
use proctor_desk::run::story::tell;
use proctor_desk::surroundings::Surroundings;
use proctor_desk::text::clock;
use proctor_desk::text::harmless::short;
use proctor_journal::{Journal, Lease, Note, Recorded};
use std::time::{Duration, Instant};

const BEAT: Duration = Duration::from_millis(200);
/// How long a run that should be under way may be without a driver: one that was just sent into the background
/// needs a moment to begin.
const MOMENT: Duration = Duration::from_secs(3);

pub fn log(around: &Surroundings, args: &LogArgs) -> Result<u8> {
    let journal = Journal::open(around.home.root())?;
    let id = meant(&journal, around, args.run.as_deref())?.id;
    let bars = Bars::on_stderr();
    let mut reader = Reader { journal: &journal, id: &id, seq: 0, note: 0, last: None, bars };
    let shop = around.shop()?;
    let mut last_driven = Instant::now();
    loop {
        // Asked before reading: what a driver wrote before it ended is then still shown.
        let held = Lease::held(around.home.root(), &id)?.is_some();
        if held {
            last_driven = Instant::now();
        }
        let under_way = || -> Result<bool> {
            let row = journal.find(id.as_str())?;
            Ok(row.head.status == Status::Running.name() && last_driven.elapsed() < MOMENT)
        };
        let driven = held || (args.follow && under_way()?);
        match args.format.format {
            Format::Text => reader.text()?,
            Format::Json => reader.json()?,
        }
        if !args.follow || !driven || shop.signals.asked_to_stop() {
            reader.bars.end(&id);
            return Ok(0);
        }
        if args.format.format == Format::Text {
            reader.progress();
        }
        std::thread::sleep(BEAT);
    }
}

/// How far a history was read.
struct Reader<'a> {
    journal: &'a Journal,
    id: &'a RunId,
    seq: u64,
    note: u64,
    /// Where the run is, since when, and how long its steps usually take.
    last: Option<(Run, Millis, Pace)>,
    bars: Bars,
}

impl Reader<'_> {
    /// What is new since the last time.
    fn news(&self) -> Result<Vec<Recorded<Event>>> {
        Ok(self.journal.since(self.id, self.seq)?)
    }

    fn json(&mut self) -> Result<()> {
        for recorded in self.news()? {
            out::json(&json_line(self.id, recorded.seq, recorded.at, &recorded.body)?);
            self.seq = recorded.seq;
        }
        Ok(())
    }

    /// What is under way, as whoever drives the run sees it.
    fn progress(&mut self) {
        let Some((run, since, pace)) = &self.last else { return };
        if self.bars.is_live() {
            let line = pace.line(run, clock::now().0.saturating_sub(since.0));
            self.bars.doing(self.id, line);
        }
    }

    fn text(&mut self) -> Result<()> {
        let notes = self.journal.notes_since(self.id, self.note)?;
        let last_note = notes.last().map_or(self.note, |note| note.id);
        if self.news()?.is_empty() && notes.is_empty() {
            return Ok(());
        }
        let history: Vec<Recorded<Event>> = self.journal.history(self.id)?;
        let told = states(&history);
        let news = told.iter().filter(|(recorded, _)| recorded.seq > self.seq);
        let lines = in_order(news, &notes);
        self.bars.aside(|| lines.iter().for_each(|line| out::data(line)));
        if let Some((_, state)) = told.last() {
            let began = |r: &&Recorded<Event>| matches!(r.body, Event::EffectBegan { .. });
            let since = history.iter().rev().find(began).map_or(Millis(0), |r| r.at);
            let pace = match self.last.take() {
                Some((_, _, pace)) => pace,
                None => Pace::of(self.journal, &state.brief.repo.root)?,
            };
            self.last = Some((state.clone(), since, pace));
        }
        self.seq = history.last().map_or(self.seq, |recorded| recorded.seq);
        self.note = last_note;
        Ok(())
    }
}

/// Events and notes, merged by time, as lines.
fn in_order<'a>(
    events: impl Iterator<Item = &'a (&'a Recorded<Event>, Run)>,
    notes: &[Note],
) -> Vec<String> {
    let mut dated: Vec<(Millis, Said)> = events
        .map(|(recorded, state)| (recorded.at, Said::Facts(tell(&recorded.body, state))))
        .collect();
    dated.extend(
        notes.iter().map(|note| (note.at, Said::Note(format!("  | {}", short(&note.text, 400))))),
    );
    // Stable: what happened in the same millisecond stays in its order, facts first.
    dated.sort_by_key(|(at, _)| *at);
    let mut lines = Vec::new();
    let mut folding = Folding::default();
    for (at, said) in dated {
        match said {
            Said::Facts(said) => {
                lines.extend(folding.end());
                for (i, line) in said.into_iter().enumerate() {
                    let stamp = if i == 0 { clock::time(at) } else { " ".repeat(8) };
                    lines.push(format!("{stamp} {}", out::coloured(&line)));
                }
            }
            Said::Note(line) => {
                if folding.shows() {
                    lines.push(format!("{} {line}", clock::time(at)));
                }
            }
        }
    }
    lines.extend(folding.end());
    lines
}

/// What stands at one time.
enum Said {
    Facts(Vec<String>),
    Note(String),
}

/// As many lines in a row that agents and tools printed are shown.
const MOST_IN_A_ROW: usize = 8;

/// Counts what was printed in a row.
#[derive(Default)]
struct Folding {
    met: usize,
}

impl Folding {
    fn shows(&mut self) -> bool {
        self.met += 1;
        self.met <= MOST_IN_A_ROW || out::loudness() == out::Loudness::Verbose
    }

    /// The line that stands for those that were left out.
    fn end(&mut self) -> Option<String> {
        let met = std::mem::take(&mut self.met);
        let folded = met.saturating_sub(MOST_IN_A_ROW);
        let all = out::loudness() == out::Loudness::Verbose;
        (folded > 0 && !all)
            .then(|| format!("{}   | … {folded} more lines (`-v` shows them)", " ".repeat(8)))
    }
}
