//! The last words of a demo: what was proven, what landed and where to look next. Everything said here is read
//! from the run's own history and evidence, not from the script.

use crate::demo::place::Place;
use anyhow::Result;
use proctor_core::event::{Approver, Event};
use proctor_core::proof::GreenMeasure;
use proctor_core::run::Run;
use proctor_core::words::{BlobId, Phase, RunId, TestId};
use proctor_desk::run::story::named;
use proctor_desk::text::harmless::one_line;
use proctor_engine::Home;
use proctor_journal::{Blobs, Journal, Recorded};
use std::path::Path;

/// The lines of a demo that landed.
pub fn ending(place: &Place, home: &Home, id: &RunId, run: &Run) -> Result<Vec<String>> {
    let history: Vec<Recorded<Event>> = Journal::open(home.root())?.history(id)?;
    let facts = Facts::of(history.iter().map(|recorded| &recorded.body));
    let mut lines =
        vec![String::new(), "What Proctor proved, with test runs of its own:".to_owned()];
    let measure: Option<GreenMeasure> = match &facts.evidence {
        Some(blob) => Some(Blobs::open(home.root())?.get_json(blob)?),
        None => None,
    };
    lines.extend(facts.proven(measure.as_ref()));
    if let Some(landed) = &run.landed {
        let approved = if facts.beforehand { ", approved beforehand" } else { "" };
        lines.push(format!(
            "  ✓ landed as {} on {}{approved}",
            landed.commit.short(),
            one_line(&landed.branch)
        ));
    }
    lines.push(String::new());
    lines.push(format!("git log --oneline in {}:", place.repo().display()));
    let log = place.git().line(&["log", "--oneline", "--no-color"])?;
    lines.extend(log.lines().map(|line| format!("  {}", one_line(line))));
    lines.extend(where_next(place, id));
    Ok(lines)
}

/// What a history tells, gathered.
#[derive(Debug, Default)]
struct Facts {
    red: Vec<TestId>,
    put_back: Vec<String>,
    red_refusals: usize,
    green_refusals: usize,
    rejections: usize,
    /// What the last green gate measured.
    evidence: Option<BlobId>,
    beforehand: bool,
}

impl Facts {
    fn of<'a>(history: impl Iterator<Item = &'a Event>) -> Self {
        let mut facts = Self::default();
        for event in history {
            match event {
                Event::RedProven { anchor, .. } => facts.red = anchor.red().to_vec(),
                Event::RedRefused { .. } => facts.red_refusals += 1,
                Event::GreenProven { evidence, .. } => facts.evidence = Some(evidence.clone()),
                Event::GreenRefused { .. } => facts.green_refusals += 1,
                Event::ReviewRejected { .. } => facts.rejections += 1,
                Event::Turned { turn } if turn.phase == Phase::Implement => {
                    facts.put_back.extend(turn.put_back.iter().cloned());
                }
                Event::Approved { by, .. } => facts.beforehand = *by == Approver::Beforehand,
                _ => {}
            }
        }
        facts
    }

    fn proven(&self, measure: Option<&GreenMeasure>) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(measure) = measure {
            lines.extend(self.tests(measure));
        }
        if !self.put_back.is_empty() {
            lines.push("  ✓ what the coder may not change was put back:".to_owned());
            lines.extend(named("      ", self.put_back.iter().map(String::as_str)));
        }
        lines.push(format!(
            "  ✓ sent back on the way: {}, {}, {}",
            times(self.red_refusals, "by the red gate"),
            times(self.green_refusals, "by the green gate"),
            times(self.rejections, "by the reviewer")
        ));
        lines
    }

    fn tests(&self, measure: &GreenMeasure) -> Vec<String> {
        let mut lines = vec!["  ✓ red before, green now:".to_owned()];
        lines.extend(named("      ", self.red.iter().map(TestId::as_str)));
        if let Some(last) = measure.runs.last() {
            lines.push(format!(
                "  ✓ the whole suite passes: {} tests, {} runs, each in a fresh tree",
                last.counts().passed,
                measure.runs.len()
            ));
        }
        if let Some(replay) = &measure.replay {
            let failing = self.red.iter().filter(|test| !replay.passed(test)).count();
            lines.push(format!(
                "  ✓ replay: on the old code, {failing} of {} failed once more",
                self.red.len()
            ));
        }
        lines
    }
}

fn times(count: usize, by: &str) -> String {
    match count {
        1 => format!("once {by}"),
        n => format!("{n} times {by}"),
    }
}

fn where_next(place: &Place, id: &RunId) -> Vec<String> {
    let home = quoted(&place.home());
    let command = |verb: &str| format!("  PROCTOR_HOME={home} proctor {verb} {id}");
    vec![
        String::new(),
        "Look at it more closely (proof, history, change):".to_owned(),
        command("show"),
        command("log"),
        command("diff"),
        "In a repository of your own:".to_owned(),
        "  proctor init".to_owned(),
        "  proctor fix \"what is wrong\"".to_owned(),
        format!(
            "All of this demo is in {}; delete it when you have seen enough.",
            place.folder().display()
        ),
    ]
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@".contains(c);
    if text.chars().all(plain) {
        text.into_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_can_be_pasted_into_a_shell() {
        assert_eq!(quoted(Path::new("/tmp/proctor-demo-1")), "/tmp/proctor-demo-1");
        assert_eq!(quoted(Path::new("/tmp/my demo's")), r"'/tmp/my demo'\''s'");
    }
}
