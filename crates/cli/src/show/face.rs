//! Faces of a run under way: readable lines on stderr with a progress line, or the journal's own events as JSON
//! lines on stdout. A face only looks.

use crate::args::Format;
use crate::out::{self, Loudness, loudness};
use crate::show::bar::Bars;
use proctor_core::event::Event;
use proctor_core::run::Run;
use proctor_core::words::{Millis, RunId};
use proctor_desk::run::history::json_line;
use proctor_desk::run::pace::Pace;
use proctor_desk::run::story::tell;
use proctor_desk::text::clock;
use proctor_desk::text::harmless::short;
use proctor_engine::{Home, Watch};
use proctor_journal::Journal;
use std::collections::{BTreeMap, BTreeSet};

/// Where there is no terminal, what is under way is said once in so many milliseconds.
const SILENCE: u64 = 60_000;

/// The face that was asked for.
pub fn face(format: Format, home: &Home) -> Box<dyn Watch> {
    match format {
        Format::Text => Box::new(TextFace::new(home)),
        Format::Json => Box::new(JsonFace),
    }
}

/// The same for whoever shows the end of a run by itself: it is told once.
pub fn face_without_end(format: Format, home: &Home) -> Box<dyn Watch> {
    match format {
        Format::Text => Box::new(TextFace { end: End::Elsewhere, ..TextFace::new(home) }),
        Format::Json => Box::new(JsonFace),
    }
}

/// Where the end of a run is told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Here,
    Elsewhere,
}

pub struct JsonFace;

impl Watch for JsonFace {
    fn event(&mut self, run: &RunId, seq: u64, at: Millis, event: &Event, _: &Run) {
        match json_line(run, seq, at, event) {
            Ok(line) => out::json(&line),
            Err(why) => out::talk(&format!("event {seq} can't be shown: {why}")),
        }
    }

    fn tick(&mut self, _: &RunId, _: &Run) {}

    fn line(&mut self, _: &RunId, _: &str) {}
}

pub struct TextFace {
    home: Home,
    bars: Bars,
    seen: BTreeSet<RunId>,
    /// By repository.
    paces: BTreeMap<String, Pace>,
    /// When the step of a run began, and when it was last spoken of.
    steps: BTreeMap<RunId, (Millis, Millis)>,
    end: End,
}

impl TextFace {
    pub fn new(home: &Home) -> Self {
        Self {
            home: home.clone(),
            bars: Bars::on_stderr(),
            seen: BTreeSet::new(),
            paces: BTreeMap::new(),
            steps: BTreeMap::new(),
            end: End::Here,
        }
    }

    /// Lines above the progress lines; several runs are told apart by their names.
    fn say(&self, run: &RunId, lines: &[String]) {
        if loudness() == Loudness::Quiet {
            return;
        }
        let several = self.seen.len() > 1;
        self.bars.aside(|| {
            for line in lines {
                if several {
                    out::talk(&format!("{run}: {}", out::coloured(line)));
                } else {
                    out::talk(line);
                }
            }
        });
    }

    fn pace(&mut self, repo: &str) -> &Pace {
        let home = &self.home;
        self.paces.entry(repo.to_owned()).or_insert_with(|| {
            let pace = Journal::open(home.root()).map(|journal| Pace::of(&journal, repo));
            // Without it there is no estimate, and no more than that.
            pace.map(Result::unwrap_or_default).unwrap_or_default()
        })
    }

    /// What is under way, on the progress line; where there is none, now and then as a line.
    fn progress(&mut self, run: &RunId, state: &Run) {
        let Some((began, told)) = self.steps.get(run).copied() else { return };
        let now = clock::now();
        let live = self.bars.is_live();
        if !live && now.0.saturating_sub(told.0) < SILENCE {
            return;
        }
        let what = self.pace(&state.brief.repo.root).line(state, now.0.saturating_sub(began.0));
        if live {
            self.bars.doing(run, what);
        } else {
            self.steps.insert(run.clone(), (began, now));
            self.say(run, &[format!("  … {what}")]);
        }
    }
}

impl Watch for TextFace {
    fn event(&mut self, run: &RunId, _: u64, at: Millis, event: &Event, state: &Run) {
        self.seen.insert(run.clone());
        if matches!(event, Event::EffectBegan { .. }) {
            self.steps.insert(run.clone(), (at, at));
            self.bars.forget_line(run);
        }
        if self.end == End::Here || !matches!(event, Event::Closed { .. }) {
            self.say(run, &tell(event, state));
        }
        if state.in_flight.is_none() {
            self.steps.remove(run);
        }
        self.progress(run, state);
        if state.in_flight.is_none() && proctor_core::run::owed(state).is_none() {
            self.bars.end(run);
        }
    }

    fn tick(&mut self, run: &RunId, state: &Run) {
        self.progress(run, state);
    }

    fn line(&mut self, run: &RunId, text: &str) {
        let text = short(text, 200);
        if text.is_empty() {
            return;
        }
        if self.bars.is_live() && loudness() < Loudness::Verbose {
            // What an agent prints is worth a glance, not a line of the terminal.
            self.bars.line(run, text);
        } else {
            self.say(run, &[format!("  | {text}")]);
        }
    }
}
