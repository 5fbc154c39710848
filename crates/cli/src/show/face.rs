//! Faces of a run under way: readable lines on stderr with a progress line, or the journal's own events as JSON
//! lines on stdout. A face only looks.

use crate::args::Format;
use crate::out::{self, Loudness, loudness};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use proctor_core::event::Event;
use proctor_core::run::Run;
use proctor_core::words::{Millis, RunId};
use proctor_desk::run::history::json_line;
use proctor_desk::run::story::tell;
use proctor_desk::text::harmless::short;
use proctor_engine::Watch;
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::time::Duration;

/// The face that was asked for.
pub fn face(format: Format) -> Box<dyn Watch> {
    match format {
        Format::Text => Box::new(TextFace::new()),
        Format::Json => Box::new(JsonFace),
    }
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
    bars: MultiProgress,
    runs: BTreeMap<RunId, ProgressBar>,
    live: bool,
}

impl TextFace {
    pub fn new() -> Self {
        let live = std::io::stderr().is_terminal() && loudness() > Loudness::Quiet;
        let target = if live { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Self { bars: MultiProgress::with_draw_target(target), runs: BTreeMap::new(), live }
    }

    fn bar(&mut self, run: &RunId) -> &ProgressBar {
        let bars = &self.bars;
        self.runs.entry(run.clone()).or_insert_with(|| {
            let bar = bars.add(ProgressBar::new_spinner());
            // The template is a constant; a default one would do as well.
            if let Ok(style) =
                ProgressStyle::with_template("{spinner} {prefix} {elapsed} {wide_msg}")
            {
                bar.set_style(style);
            }
            bar.set_prefix(run.to_string());
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        })
    }

    /// Lines above the progress lines; several runs are told apart by their names.
    fn say(&self, run: &RunId, lines: &[String]) {
        if loudness() == Loudness::Quiet {
            return;
        }
        let several = self.runs.len() > 1;
        self.bars.suspend(|| {
            for line in lines {
                if several {
                    out::talk(&format!("{run}: {}", out::coloured(line)));
                } else {
                    out::talk(line);
                }
            }
        });
    }
}

impl Watch for TextFace {
    fn event(&mut self, run: &RunId, _: u64, _: Millis, event: &Event, state: &Run) {
        let lines = tell(event, state);
        if self.live {
            let doing = progress(event, state);
            let bar = self.bar(run);
            if let Some(doing) = doing {
                bar.reset_elapsed();
                bar.set_message(doing);
            }
        } else if !self.runs.contains_key(run) {
            self.runs.insert(run.clone(), ProgressBar::hidden());
        }
        self.say(run, &lines);
        let still = state.in_flight.is_none() && proctor_core::run::owed(state).is_none();
        if self.live
            && still
            && let Some(bar) = self.runs.remove(run)
        {
            bar.finish_and_clear();
        }
    }

    fn tick(&mut self, _: &RunId, _: &Run) {}

    fn line(&mut self, run: &RunId, text: &str) {
        let text = short(text, 200);
        if text.is_empty() {
            return;
        }
        if self.live && loudness() < Loudness::Verbose {
            // What an agent prints is worth a glance, not a line of the terminal.
            self.bar(run).set_message(text);
        } else {
            self.say(run, &[format!("  | {text}")]);
        }
    }
}

impl Drop for TextFace {
    fn drop(&mut self) {
        for bar in self.runs.values() {
            bar.finish_and_clear();
        }
    }
}

/// What the progress line says from this event on.
fn progress(event: &Event, state: &Run) -> Option<String> {
    match event {
        Event::EffectBegan { effect, .. } => Some(effect.label().to_owned()),
        _ if state.in_flight.is_none() => Some(state.stage.name().to_owned()),
        _ => None,
    }
}
