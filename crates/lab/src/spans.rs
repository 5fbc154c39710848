//! Trials as spans: whoever listens hears what each was and what its children cost. Owns the names of their fields; it must
//! not change what is tried.

use proctor_core::trial::{Coverage, Order, Selection, Trial};
use proctor_world::child::{Ended, Launch};
use std::fmt::Write;
use tracing::span::EnteredSpan;

/// A trial of this kind, for as long as the value lives.
pub(crate) fn trial(kind: &'static str, trial: &Trial) -> EnteredSpan {
    tracing::info_span!("trial", kind, what = told(trial)).entered()
}

/// Many variations of one tree in one start of the tool.
pub(crate) fn batch(count: usize) -> EnteredSpan {
    tracing::info_span!("trial", kind = "batch", what = format!("{count} variants")).entered()
}

/// A child that has ended.
pub(crate) fn child(launch: &Launch, ended: &Ended) {
    let ms = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let (wall_ms, cpu_ms) = (ms(ended.took), ms(ended.cpu));
    tracing::info!(name: "child", what = launch.name, wall_ms, cpu_ms);
}

/// What is run, and what is other than plain.
fn told(trial: &Trial) -> String {
    let mut text = match &trial.only {
        Selection::All => "all tests".to_owned(),
        Selection::Ids(ids) => format!("{} tests", ids.len()),
    };
    // Writing into a string can't fail.
    let _ = write!(text, " of {}", trial.tree.as_str().get(..8).unwrap_or_default());
    if let Order::Shuffled(_) = trial.order {
        text.push_str(", shuffled");
    }
    if trial.coverage == Coverage::Measured {
        text.push_str(", coverage");
    }
    if trial.channel.is_some() {
        text.push_str(", observing");
    }
    if !trial.edits.is_empty() {
        let _ = write!(text, ", {} edits", trial.edits.len());
    }
    if !trial.elsewhere.is_empty() {
        let _ = write!(text, ", {} factors", trial.elsewhere.len());
    }
    for (name, value) in &trial.env {
        let _ = write!(text, ", {name}={value}");
    }
    text
}
