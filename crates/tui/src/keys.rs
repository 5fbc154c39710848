//! What each key does.

use crate::act::Act;
use crate::app::App;
use crate::detail::Tab;
use ratatui_crossterm::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// As many rows a page moves.
const PAGE: usize = 10;

pub const HELP: [(&str, &str); 14] = [
    ("↑ ↓ j k", "choose a run, or scroll an open one"),
    ("PgUp PgDn", "ten at once"),
    ("Home End g G", "the first, the last"),
    ("Enter", "open the run"),
    ("Esc", "back to the list"),
    ("Tab 1-5", "history, notes, tests, diff of the tests, diff of the code"),
    ("n", "the next run that waits for you"),
    ("a", "approve: type the word"),
    ("b", "send back: type what the coder is told"),
    ("x", "abort: type the word"),
    ("r", "resume"),
    ("?", "this help"),
    ("q", "leave; runs go on"),
    ("Ctrl-C", "the same"),
];

impl App<'_> {
    pub fn key(&mut self, key: KeyEvent) {
        if key.kind == KeyEventKind::Release {
            return;
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && matches!(key.code, KeyCode::Char('c')) {
            self.quit();
        } else if self.typing.is_some() {
            self.type_key(key.code, control);
        } else if self.help {
            self.help = false;
        } else {
            self.command(key.code);
        }
    }

    fn type_key(&mut self, code: KeyCode, control: bool) {
        let Some(typing) = &mut self.typing else { return };
        match code {
            KeyCode::Enter => self.typed(),
            KeyCode::Esc => self.typing = None,
            KeyCode::Backspace => {
                typing.text.pop();
            }
            KeyCode::Char(c) if !control => typing.text.push(c),
            _ => {}
        }
    }

    fn command(&mut self, code: KeyCode) {
        self.said.clear();
        match code {
            KeyCode::Char('q') => self.quit(),
            KeyCode::Char('?') => self.help = true,
            KeyCode::Char('n') => self.next_that_waits(),
            KeyCode::Char('a') => self.begin(Act::approve()),
            KeyCode::Char('b') => self.begin(Act::SendBack),
            KeyCode::Char('x') => self.begin(Act::Abort),
            KeyCode::Char('r') => self.begin(Act::Resume),
            KeyCode::Enter if self.open.is_none() => self.open_chosen(),
            KeyCode::Esc => self.open = None,
            KeyCode::Tab => self.turn(super::detail::Tab::next),
            KeyCode::BackTab => self.turn(super::detail::Tab::before),
            KeyCode::Char(digit @ '1'..='5') => {
                let at = usize::from(digit as u8 - b'1');
                self.turn(|_| Tab::ALL[at]);
            }
            KeyCode::Down | KeyCode::Char('j') => self.step(1, true),
            KeyCode::Up | KeyCode::Char('k') => self.step(1, false),
            KeyCode::PageDown | KeyCode::Char(' ') => self.step(PAGE, true),
            KeyCode::PageUp => self.step(PAGE, false),
            KeyCode::Home | KeyCode::Char('g') => self.step(usize::MAX, false),
            KeyCode::End | KeyCode::Char('G') => self.step(usize::MAX, true),
            _ => {}
        }
    }

    fn turn(&mut self, to: impl FnOnce(Tab) -> Tab) {
        let home = &self.around.home;
        if let Some(open) = &mut self.open {
            open.tab = to(open.tab);
            open.top = 0;
            open.read(home, &self.board);
        }
    }

    fn step(&mut self, by: usize, down: bool) {
        let moved =
            |from: usize| if down { from.saturating_add(by) } else { from.saturating_sub(by) };
        if let Some(open) = &mut self.open {
            open.top = moved(open.top).min(open.lines.len().saturating_sub(1));
        } else {
            let to = moved(self.place());
            self.choose(to);
        }
    }
}
