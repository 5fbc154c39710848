//! One run, opened: its history, the agent's notes, the tests with what they are worth, the diffs of tests and code.

use proctor_core::event::Event;
use proctor_core::run::Run;
use proctor_core::words::RunId;
use proctor_desk::run::board::Board;
use proctor_desk::run::changes::Changes;
use proctor_desk::run::history::states;
use proctor_desk::run::proven::proven;
use proctor_desk::run::story::tell;
use proctor_desk::text::clock;
use proctor_desk::text::harmless::harmless;
use proctor_engine::Home;

/// As many lines of a diff are kept.
const MOST: usize = 20_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    History,
    Notes,
    Tests,
    TestDiff,
    CodeDiff,
}

impl Tab {
    pub const ALL: [Self; 5] =
        [Self::History, Self::Notes, Self::Tests, Self::TestDiff, Self::CodeDiff];

    pub fn name(self) -> &'static str {
        match self {
            Self::History => "history",
            Self::Notes => "notes",
            Self::Tests => "tests",
            Self::TestDiff => "diff: tests",
            Self::CodeDiff => "diff: code",
        }
    }

    fn at(self) -> usize {
        Self::ALL.iter().position(|tab| *tab == self).unwrap_or(0)
    }

    pub fn next(self) -> Self {
        Self::ALL[(self.at() + 1) % Self::ALL.len()]
    }

    pub fn before(self) -> Self {
        Self::ALL[(self.at() + Self::ALL.len() - 1) % Self::ALL.len()]
    }
}

pub struct Detail {
    pub run: RunId,
    pub tab: Tab,
    pub top: usize,
    pub lines: Vec<String>,
}

impl Detail {
    pub fn of(run: RunId, tab: Tab) -> Self {
        Self { run, tab, top: 0, lines: Vec::new() }
    }

    /// Reads what the tab shows, anew.
    pub fn read(&mut self, home: &Home, board: &Board) {
        let Some(run) = board.run(&self.run) else { return };
        let lines = match self.tab {
            Tab::History => history(board, &self.run),
            Tab::Notes => notes(board, &self.run),
            Tab::Tests => Ok(tests(home, (&self.run, run))),
            Tab::TestDiff => diff(home, run, Part::Tests),
            Tab::CodeDiff => diff(home, run, Part::Code),
        };
        self.lines = lines.unwrap_or_else(|why| vec![format!("can't be shown: {why:#}")]);
        if self.lines.is_empty() {
            self.lines.push("Nothing yet.".to_owned());
        }
        self.lines = self.lines.iter().map(|line| harmless(line).replace('\t', "    ")).collect();
    }
}

fn history(board: &Board, id: &RunId) -> anyhow::Result<Vec<String>> {
    let history = board.journal().history::<Event>(id)?;
    let mut lines = Vec::new();
    for (recorded, state) in states(&history) {
        for (at, line) in tell(&recorded.body, &state).into_iter().enumerate() {
            let stamp = if at == 0 { clock::time(recorded.at) } else { " ".repeat(8) };
            lines.push(format!("{stamp} {line}"));
        }
    }
    Ok(lines)
}

fn notes(board: &Board, id: &RunId) -> anyhow::Result<Vec<String>> {
    let notes = board.journal().notes_since(id, 0)?;
    let line = |note: &proctor_journal::Note| format!("{} {}", clock::time(note.at), note.text);
    Ok(notes.iter().map(line).flat_map(|text| lines_of(&text)).collect())
}

fn lines_of(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

fn tests(home: &Home, (id, run): (&RunId, &Run)) -> Vec<String> {
    match run.stage.anchor() {
        Some(_) => proven(home, id, run).into_iter().skip(1).collect(),
        None => Vec::new(),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Tests,
    Code,
}

fn diff(home: &Home, run: &Run, part: Part) -> anyhow::Result<Vec<String>> {
    let Some(changes) = Changes::of(home, run)? else { return Ok(Vec::new()) };
    let parts = changes.parts()?;
    let bytes = match part {
        Part::Tests => parts.tests,
        Part::Code => parts.code,
    };
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.lines().take(MOST).map(str::to_owned).collect())
}
