//! What a run showed of a bug, read back for the notebook: the failing tests on the clean base, and what the turns said.
//! Reads what was measured; judges nothing.

use crate::context::EngineError;
use crate::evidence::{GateKind, GateOutcome, gather};
use proctor_core::event::{Event, Turn};
use proctor_core::hunt::{RunNotes, Sighting, TestFile};
use proctor_core::proof::{Anchor, RedMeasure};
use proctor_core::report::{CaseEnd, Place, Reason, RunEnd};
use proctor_core::run::Run;
use proctor_core::turn::Claim;
use proctor_core::words::{Phase, RunId, TestId};
use proctor_journal::{Journal, Recorded};
use proctor_lab::Shop;
use proctor_lang::{Zone, by_hand, zone};
use proctor_world::objects::DiffFor;
use proctor_world::shadow::{Shadow, ShadowError};
use std::path::Path;

/// How much of what a test tool said is kept.
const LONGEST_OUTPUT: usize = 20_000;
/// How many lines before the one that failed belong to it.
const LINES_BEFORE: usize = 3;
/// How many test files, and how much of one, go into the notebook.
const MOST_FILES: usize = 20;
const LONGEST_FILE: usize = 100_000;

/// What the red gate of a run proved; none where it proved nothing.
pub fn sighting(shop: &Shop, id: &RunId) -> Result<Option<Sighting>, EngineError> {
    let journal = Journal::open(shop.home.root()).map_err(EngineError::Journal)?;
    let evidence = gather(&shop.home, &journal, id)?;
    let anchor = evidence.history.iter().rev().find_map(|recorded| match &recorded.body {
        Event::RedProven { anchor, .. } => Some((**anchor).clone()),
        _ => None,
    });
    let gate = evidence
        .gates
        .iter()
        .rfind(|gate| gate.kind == GateKind::Red && gate.outcome == GateOutcome::Proven);
    let (Some(anchor), Some(gate)) = (anchor, gate) else { return Ok(None) };
    let measure: Option<RedMeasure> = serde_json::from_slice(&gate.bytes).ok();
    let run = &evidence.run;
    let reason = measure.as_ref().and_then(|measure| first_reason(measure, &anchor));
    let trees = Trees::open(shop, run, &anchor).ok();
    let files = trees.as_ref().map(Trees::test_files).unwrap_or_default();
    let (place, assertion) = match (&reason, &trees) {
        (Some(reason), Some(trees)) => trees.seen(reason),
        (Some(reason), None) => (None, reason.message().to_owned()),
        (None, _) => (None, String::new()),
    };
    let runner = run.baseline.as_ref().map(|baseline| baseline.runner.clone()).unwrap_or_default();
    let names: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
    Ok(Some(Sighting {
        tests: anchor.red().iter().map(ToString::to_string).collect(),
        place,
        assertion,
        output: reason.map(|reason| cut(reason.message(), LONGEST_OUTPUT)).unwrap_or_default(),
        command: anchor
            .red()
            .first()
            .map(|test| by_hand(&runner, test, &names))
            .unwrap_or_default(),
        base: run.brief.repo.base.to_string(),
        files,
        notes: notes_of(&evidence.history, Phase::WriteTests),
    }))
}

/// What the turns of a run said.
pub fn run_notes(shop: &Shop, id: &RunId) -> Result<RunNotes, EngineError> {
    let journal = Journal::open(shop.home.root()).map_err(EngineError::Journal)?;
    let history = journal.history::<Event>(id).map_err(EngineError::Journal)?;
    let run = Run::replay(history.iter().map(|recorded| &recorded.body))
        .ok_or_else(|| EngineError::NoBrief { run: id.clone() })?;
    let description = turns(&history).rev().find_map(|turn| match &turn.claim {
        Claim::Implemented { description, .. } => Some(description.clone()),
        _ => None,
    });
    let landed = run.landed.as_ref();
    Ok(RunNotes {
        reproduction: notes_of(&history, Phase::WriteTests),
        fix_description: description.unwrap_or_default(),
        fix: notes_of(&history, Phase::Implement),
        review: notes_of(&history, Phase::Review),
        branch: landed.map_or(&run.brief.landing.branch, |landed| &landed.branch).clone(),
        commit: landed.map(|landed| landed.commit.clone()),
        micro_usd: run.spent.usage.micro_usd,
    })
}

fn turns(history: &[Recorded<Event>]) -> impl DoubleEndedIterator<Item = &Turn> {
    history.iter().filter_map(|recorded| match &recorded.body {
        Event::Turned { turn } => Some(&**turn),
        _ => None,
    })
}

/// Every note of a phase, each on a line of its own.
fn notes_of(history: &[Recorded<Event>], phase: Phase) -> String {
    let of = |turn: &&Turn| turn.phase == phase;
    let notes: Vec<&str> = turns(history).filter(of).map(|turn| turn.claim.notes()).collect();
    notes.into_iter().filter(|note| !note.trim().is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// Why the first red test failed.
fn first_reason(measure: &RedMeasure, anchor: &Anchor) -> Option<Reason> {
    let run = measure.runs.first()?;
    let of = |test: &TestId| {
        run.cases.iter().find_map(|(id, case)| match &case.end {
            CaseEnd::Failed { reason } if test == id || test.covers(id) => Some(reason.clone()),
            _ => None,
        })
    };
    let collected = || match &run.end {
        RunEnd::CollectFailed { errors } => errors.first().map(|error| error.reason.clone()),
        _ => None,
    };
    anchor.red().iter().find_map(of).or_else(collected)
}

/// The base and the tests on top of it.
struct Trees {
    shadow: Shadow,
    run: Run,
    anchor: Anchor,
}

impl Trees {
    fn open(shop: &Shop, run: &Run, anchor: &Anchor) -> Result<Self, ShadowError> {
        let shadow = Shadow::open(shop.home.root(), Path::new(&run.brief.repo.git_dir), &run.base)?;
        Ok(Self { shadow, run: run.clone(), anchor: anchor.clone() })
    }

    fn text(&self, side: Side, path: &str) -> Option<String> {
        let tree = match side {
            Side::Base => self.shadow.tree_of(&self.run.base).ok()?,
            Side::Tests => self.anchor.at().tree.clone(),
        };
        let listing = self.shadow.list(&tree).ok()?;
        let bytes = self.shadow.read_blob(&listing.get(path)?.oid).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// What the tester changed.
    fn test_files(&self) -> Vec<TestFile> {
        let Ok(base) = self.shadow.tree_of(&self.run.base) else { return Vec::new() };
        let changed = self.shadow.changed(&base, &self.anchor.at().tree).unwrap_or_default();
        let file = |(path, _): (String, _)| {
            // Of a source that holds tests among other code only what was added is a test.
            let text = if zone(&path) == Zone::Test {
                self.text(Side::Tests, &path)?
            } else {
                let diff = {
                    let only = [path.clone()];
                    self.shadow.diff(&base, &self.anchor.at().tree, &only, DiffFor::Reading)
                };
                String::from_utf8_lossy(&diff.ok()?).into_owned()
            };
            Some(TestFile { text: cut(&text, LONGEST_FILE), path })
        };
        changed.into_iter().filter_map(file).take(MOST_FILES).collect()
    }

    /// Where the production code broke, and which lines of the test failed with which words.
    fn seen(&self, reason: &Reason) -> (Option<String>, String) {
        let message = said(reason);
        let Some(place) = reason.place() else { return (None, message) };
        let lines = self.lines_before(place);
        let assertion = format!("{}\n{message}", lines.join("\n"));
        let crash = matches!(reason, Reason::Panic { .. }) && self.is_production(place);
        (crash.then(|| place.to_string()), if crash { String::new() } else { assertion })
    }

    /// Whether a line is the user's own code: tests may stand in the same file, and theirs is not there at the base.
    fn is_production(&self, place: &Place) -> bool {
        let Some(index) = place.line.and_then(|n| usize::try_from(n).ok()?.checked_sub(1)) else {
            return false;
        };
        let line = |side| {
            let text = self.text(side, &place.file)?;
            text.lines().nth(index).map(|line| line.trim().to_owned())
        };
        zone(&place.file) == Zone::Production
            && line(Side::Base).is_some_and(|text| !text.is_empty())
            && line(Side::Base) == line(Side::Tests)
    }

    /// The line that failed and what leads to it inside the same test.
    fn lines_before(&self, place: &Place) -> Vec<String> {
        let text = self.text(Side::Tests, &place.file).unwrap_or_default();
        let all: Vec<&str> = text.lines().map(str::trim).collect();
        let Some(last) = place.line.and_then(|n| usize::try_from(n).ok()?.checked_sub(1)) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for index in (last.saturating_sub(LINES_BEFORE)..=last).rev() {
            let Some(line) = all.get(index) else { continue };
            if begins_a_test(line) {
                break;
            }
            if !line.is_empty() {
                found.insert(0, (*line).to_owned());
            }
        }
        found
    }
}

/// What a failure says, without where the test stands and what it is called.
fn said(reason: &Reason) -> String {
    let file = reason.place().and_then(|place| place.file.rsplit('/').next()).unwrap_or_default();
    let line = |line: &str| -> Option<String> {
        let text = match line.split_once(file).filter(|_| !file.is_empty()) {
            Some((_, rest)) => rest.trim_start_matches(|c: char| c == ':' || c.is_ascii_digit()),
            None => line,
        };
        let text = text.trim();
        (!text.is_empty() && !text.starts_with("in ")).then(|| text.to_owned())
    };
    reason.message().lines().filter_map(line).collect::<Vec<_>>().join("\n")
}

#[derive(Clone, Copy)]
enum Side {
    Base,
    Tests,
}

/// Two tests of the same bug have different names: the line with the name says nothing.
fn begins_a_test(line: &str) -> bool {
    [
        "def ",
        "async def ",
        "func ",
        "fn ",
        "pub fn ",
        "test(",
        "it(",
        "#[",
        "@",
        "class ",
        "describe(",
    ]
    .iter()
    .any(|start| line.starts_with(start))
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
