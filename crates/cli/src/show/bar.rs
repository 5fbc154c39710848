//! Progress lines at a terminal, one a run: what is under way, then the last line that somebody printed. As wide as the terminal.

use crate::out::{Loudness, loudness};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use proctor_core::words::RunId;
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::time::Duration;

pub struct Bars {
    shown: MultiProgress,
    runs: BTreeMap<RunId, Bar>,
    live: bool,
}

struct Bar {
    shown: ProgressBar,
    doing: String,
    line: String,
}

impl Bars {
    pub fn on_stderr() -> Self {
        let live = std::io::stderr().is_terminal() && loudness() > Loudness::Quiet;
        let target = if live { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Self { shown: MultiProgress::with_draw_target(target), runs: BTreeMap::new(), live }
    }

    pub fn is_live(&self) -> bool {
        self.live
    }

    pub fn doing(&mut self, run: &RunId, what: String) {
        self.of(run).set(|bar| bar.doing = what);
    }

    pub fn line(&mut self, run: &RunId, line: String) {
        self.of(run).set(|bar| bar.line = line);
    }

    /// Another step begins: what was printed before is no news.
    pub fn forget_line(&mut self, run: &RunId) {
        if let Some(bar) = self.runs.get_mut(run) {
            bar.set(|bar| bar.line.clear());
        }
    }

    pub fn end(&mut self, run: &RunId) {
        if let Some(Bar { shown, .. }) = self.runs.remove(run) {
            shown.finish_and_clear();
        }
    }

    /// Prints with the progress lines out of the way.
    pub fn aside(&self, print: impl FnOnce()) {
        self.shown.suspend(print);
    }

    fn of(&mut self, run: &RunId) -> &mut Bar {
        let bars = &self.shown;
        self.runs.entry(run.clone()).or_insert_with(|| {
            let bar = bars.add(ProgressBar::new_spinner());
            // The template is a constant; a default one would do as well.
            if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(120));
            Bar { shown: bar, doing: String::new(), line: String::new() }
        })
    }
}

impl Bar {
    fn set(&mut self, change: impl FnOnce(&mut Self)) {
        change(self);
        let line = if self.line.is_empty() { String::new() } else { format!(" · {}", self.line) };
        self.shown.set_message(format!("{}{line}", self.doing));
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        for Bar { shown, .. } in self.runs.values() {
            shown.finish_and_clear();
        }
    }
}
