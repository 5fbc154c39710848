//! How a face looks on while runs are driven. A face only looks: it can't change what happens.

use proctor_core::event::Event;
use proctor_core::run::Run;
use proctor_core::words::{Millis, RunId};

pub trait Watch {
    /// A fact was recorded; `state` already holds it.
    fn event(&mut self, run: &RunId, seq: u64, at: Millis, event: &Event, state: &Run);
    /// Some time passed (about ten times a second while something is under way).
    fn tick(&mut self, run: &RunId, state: &Run);
    /// A line that an agent or a test tool printed.
    fn line(&mut self, run: &RunId, text: &str);
}

/// Looks at nothing.
#[derive(Debug, Default)]
pub struct Silent;

impl Watch for Silent {
    fn event(&mut self, _: &RunId, _: u64, _: Millis, _: &Event, _: &Run) {}
    fn tick(&mut self, _: &RunId, _: &Run) {}
    fn line(&mut self, _: &RunId, _: &str) {}
}
