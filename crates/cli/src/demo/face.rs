//! The demo's face: the text face of every run, with the agent's own lines kept on the screen. A face only looks.

use crate::out;
use crate::show::face::TextFace;
use anstyle::Style;
use proctor_core::event::{Effect, Event};
use proctor_core::run::Run;
use proctor_core::words::{Millis, RunId};
use proctor_desk::text::harmless::short;
use proctor_engine::{Home, Watch};

pub struct DemoFace {
    inner: TextFace,
    home: Home,
}

impl DemoFace {
    pub fn new(home: &Home) -> Self {
        Self { inner: TextFace::new(home), home: home.clone() }
    }

    /// A line of our own. The progress line is taken away first, and comes back with the next event.
    fn aside(&mut self, line: &str) {
        self.inner = TextFace::new(&self.home);
        out::talk(line);
    }
}

impl Watch for DemoFace {
    fn event(&mut self, run: &RunId, seq: u64, at: Millis, event: &Event, state: &Run) {
        if let Event::EffectBegan { effect: Effect::Ask { .. }, .. } = event {
            self.aside("");
        }
        self.inner.event(run, seq, at, event, state);
    }

    fn tick(&mut self, run: &RunId, state: &Run) {
        self.inner.tick(run, state);
    }

    fn line(&mut self, _: &RunId, text: &str) {
        let text = short(text, 200);
        if !text.is_empty() {
            let italic = Style::new().italic();
            self.aside(&format!("  {italic}“{text}”{italic:#}"));
        }
    }
}
