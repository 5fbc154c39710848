//! One run as a page shows it: how it got where it is, what was seen on both sides, what was tried against it, what changed,
//! what it cost, what its agents said. Read from the journal and the shadow repository; nothing is judged anew.

use crate::run::changes::Changes;
use crate::run::history::states;
use crate::run::story::tell;
use crate::text::harmless::{harmless, short};
use crate::verdict::html::{Card as Check, Seen, cards, seen};
use anyhow::Result;
use proctor_core::branch::{Fate, Mutant};
use proctor_core::check::checks;
use proctor_core::concern::Raised;
use proctor_core::effect::Effect;
use proctor_core::event::Event;
use proctor_core::proof::{Anchor, GreenMeasure};
use proctor_core::run::Run;
use proctor_core::verdict::{Check as Judged, CheckStatus};
use proctor_core::words::{Millis, RunId, TestId};
use proctor_engine::Home;
use proctor_journal::{Blobs, Journal, Note, Recorded};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// As many notes are shown, the latest.
const NOTES: usize = 2_000;
/// As many lines of one diff.
const LINES: usize = 5_000;

#[derive(Clone, Debug, Serialize)]
pub struct Told {
    pub seq: u64,
    pub at: Millis,
    pub lines: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Said {
    pub at: Millis,
    pub text: String,
}

/// A sealed test and what it is worth.
#[derive(Clone, Debug, Serialize)]
pub struct Sealed {
    pub test: TestId,
    pub class: &'static str,
    pub word: &'static str,
    pub means: &'static str,
}

/// A small change of the new code, and whether a test noticed.
#[derive(Clone, Debug, Serialize)]
pub struct Tried {
    pub class: &'static str,
    pub word: &'static str,
    pub place: String,
    pub what: String,
    pub diff: String,
}

/// A line of a diff; of new code, whether the tests ran it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DiffLine {
    pub class: &'static str,
    pub ran: &'static str,
    pub text: String,
}

/// One step of the run in time and money.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Spent {
    pub no: u32,
    pub what: String,
    /// Who was at work: an agent, or Proctor itself.
    pub agent: bool,
    pub began: Millis,
    pub took_ms: u64,
    pub tokens: u64,
    pub micro_usd: u64,
}

/// Everything that is shown of one run beside its card.
pub struct Detail {
    pub run: Run,
    pub history: Vec<Told>,
    pub notes: Vec<Said>,
    pub sealed: Vec<Sealed>,
    pub raised: Vec<Raised>,
    pub measure: Option<GreenMeasure>,
    pub checks: Vec<Judged>,
    pub mutants: Vec<Tried>,
    pub tests_diff: Vec<DiffLine>,
    pub code_diff: Vec<DiffLine>,
    pub spent: Vec<Spent>,
    /// What can't be shown, and why.
    pub missing: Vec<String>,
}

impl Detail {
    pub fn of(home: &Home, journal: &Journal, id: &RunId) -> Result<Self> {
        let history: Vec<Recorded<Event>> = journal.history(id)?;
        let told = states(&history);
        let Some(run) = told.last().map(|(_, state)| state.clone()) else {
            anyhow::bail!("the history of run {id} does not begin with a brief");
        };
        let mut missing = Vec::new();
        let measure = measure(home, &run).unwrap_or_else(|why| {
            missing.push(format!("what the green gate measured: {why:#}"));
            None
        });
        let (tests, code) = diffs(home, &run).unwrap_or_else(|why| {
            missing.push(format!("the diff: {why:#}"));
            Default::default()
        });
        let ran = ran(measure.as_ref());
        let lines = |(recorded, state): &(&Recorded<Event>, Run)| Told {
            seq: recorded.seq,
            at: recorded.at,
            lines: tell(&recorded.body, state),
        };
        let probe = measure.as_ref().and_then(|measure| measure.probe.as_deref());
        let made = |check: &Judged| check.status != CheckStatus::Skip;
        Ok(Self {
            history: told.iter().map(lines).filter(|told| !told.lines.is_empty()).collect(),
            notes: notes(journal, id)?,
            sealed: run.stage.anchor().map(sealed).unwrap_or_default(),
            raised: run.raised.open(),
            checks: probe
                .map(|probe| checks(probe).into_iter().filter(made).collect())
                .unwrap_or_default(),
            mutants: probe.map(|probe| tried(&probe.mutants)).unwrap_or_default(),
            tests_diff: diff_lines(&tests, &BTreeMap::new()),
            code_diff: diff_lines(&code, &ran),
            spent: spent(&history),
            measure,
            missing,
            run,
        })
    }

    /// What the assertions of the new tests saw, base and head side by side.
    pub fn seen(&self) -> Seen {
        seen(&self.measure.as_ref().map(GreenMeasure::observed).unwrap_or_default())
    }

    pub fn cards(&self) -> Vec<Check<'_>> {
        cards(&self.checks)
    }
}

fn measure(home: &Home, run: &Run) -> Result<Option<GreenMeasure>> {
    let Some(evidence) = &run.measured else { return Ok(None) };
    Ok(Some(Blobs::open(home.root())?.get_json(evidence)?))
}

fn diffs(home: &Home, run: &Run) -> Result<(Vec<u8>, Vec<u8>)> {
    let Some(changes) = Changes::of(home, run)? else { return Ok(Default::default()) };
    let parts = changes.parts()?;
    Ok((parts.tests, parts.code))
}

fn notes(journal: &Journal, id: &RunId) -> Result<Vec<Said>> {
    let notes = journal.notes_since(id, 0)?;
    let from = notes.len().saturating_sub(NOTES);
    let said = |note: &Note| Said { at: note.at, text: harmless(&note.text) };
    Ok(notes[from..].iter().map(said).collect())
}

fn sealed(anchor: &Anchor) -> Vec<Sealed> {
    let kinds = [
        (anchor.red(), "fail", "red", "fails on the old code for a right reason"),
        (anchor.guards(), "pass", "guard", "passes on the old code too"),
        (anchor.others(), "note", "other", "fails on the old code, which proves nothing"),
        (anchor.changed(), "warn", "changed", "an older test with another text"),
        (anchor.unseen(), "note", "held out", "the coder was not shown it"),
    ];
    let rows = kinds.into_iter().flat_map(|(tests, class, word, means)| {
        tests.iter().map(move |test| Sealed { test: test.clone(), class, word, means })
    });
    rows.collect()
}

/// Those that nobody noticed first.
fn tried(mutants: &[Mutant]) -> Vec<Tried> {
    let mut all: Vec<&Mutant> = mutants.iter().collect();
    all.sort_by_key(|mutant| match mutant.fate {
        Fate::Survived => 0,
        Fate::NotTried => 1,
        Fate::Killed => 2,
        Fate::NotViable => 3,
    });
    all.into_iter().map(Tried::of).collect()
}

impl Tried {
    pub fn of(mutant: &Mutant) -> Self {
        let (class, word) = match mutant.fate {
            Fate::Killed => ("pass", "killed"),
            Fate::Survived => ("fail", "survived"),
            Fate::NotViable => ("note", "not viable"),
            Fate::NotTried => ("note", "not tried"),
        };
        let place = mutant.place.to_string();
        Self { class, word, place, what: mutant.what.clone(), diff: mutant.diff.clone() }
    }
}

/// Which lines ran and which did not, by file.
type Ran = BTreeMap<String, (BTreeSet<u32>, BTreeSet<u32>)>;

fn ran(measure: Option<&GreenMeasure>) -> Ran {
    let Some(measure) = measure else { return Ran::new() };
    let probed = measure.probe.as_deref().and_then(|probe| probe.coverage.as_ref());
    let Some(coverage) = measure.coverage.as_ref().or(probed) else { return Ran::new() };
    let files = coverage.lines.files.iter();
    files.map(|(file, lines)| (file.clone(), (lines.hit.clone(), lines.missed.clone()))).collect()
}

/// A unified diff in lines; new lines with whether a test ran them.
fn diff_lines(bytes: &[u8], ran: &Ran) -> Vec<DiffLine> {
    let text = harmless(&String::from_utf8_lossy(bytes));
    let (mut file, mut line, mut inside) = (String::new(), 0_u32, false);
    let mut lines = Vec::new();
    for text in text.lines().take(LINES) {
        let (mut class, mut word) = ("same", "");
        if text.starts_with("diff ") {
            (class, inside) = ("file", false);
        } else if let Some(rest) = text.strip_prefix("@@ -") {
            (class, inside) = ("hunk", true);
            line = rest.split('+').nth(1).map_or(0, first_number);
        } else if !inside {
            class = "file";
            if let Some(path) = text.strip_prefix("+++ ") {
                path.strip_prefix("b/").unwrap_or(path).trim_end().clone_into(&mut file);
            }
        } else if text.starts_with('+') {
            class = "add";
            word = ran.get(&file).map_or("", |(hit, missed)| match line {
                at if hit.contains(&at) => "ran",
                at if missed.contains(&at) => "missed",
                _ => "",
            });
            line += 1;
        } else if text.starts_with('-') {
            class = "del";
        } else {
            line += 1;
        }
        lines.push(DiffLine { class, ran: word, text: text.to_owned() });
    }
    lines
}

fn first_number(text: &str) -> u32 {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

fn spent(history: &[Recorded<Event>]) -> Vec<Spent> {
    let mut steps: Vec<Spent> = Vec::new();
    for recorded in history {
        match &recorded.body {
            Event::EffectBegan { no, effect } => steps.push(Spent {
                no: *no,
                what: match effect {
                    Effect::Ask { phase, .. } => phase.name().to_owned(),
                    other => short(other.label(), 40),
                },
                agent: matches!(effect, Effect::Ask { .. }),
                began: recorded.at,
                took_ms: 0,
                tokens: 0,
                micro_usd: 0,
            }),
            Event::EffectEnded { no, took_ms, usage } => {
                if let Some(step) = steps.iter_mut().rev().find(|step| step.no == *no) {
                    step.took_ms = *took_ms;
                    step.tokens = usage.tokens;
                    step.micro_usd = usage.micro_usd;
                }
            }
            _ => {}
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_line_says_whether_a_test_ran_it() {
        let diff = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,3 @@ def f\n x\n-old\n+new\n+never\n";
        let ran = Ran::from([("a.py".to_owned(), ([2].into(), [3].into()))]);
        let lines = diff_lines(diff.as_bytes(), &ran);
        let told: Vec<(&str, &str)> = lines.iter().map(|line| (line.class, line.ran)).collect();
        let wanted = [
            ("file", ""),
            ("file", ""),
            ("file", ""),
            ("hunk", ""),
            ("same", ""),
            ("del", ""),
            ("add", "ran"),
            ("add", "missed"),
        ];
        assert_eq!(told, wanted);
    }
}
