//! `proctor watch`: all runs live in a terminal, those that need a person first; open one, read it, decide. It asks the desk
//! for everything, and holds no rule of the exam. Without a terminal there are plain lines.

mod act;
mod app;
mod detail;
mod draw;
mod keys;
mod plain;

use anyhow::{Context, Result};
use app::App;
use proctor_desk::run::board::Board;
use proctor_desk::run::run_id::meant;
use proctor_desk::surroundings::Surroundings;
use ratatui_core::terminal::Terminal;
use ratatui_crossterm::CrosstermBackend;
use ratatui_crossterm::crossterm::event::{self, Event};
use ratatui_crossterm::crossterm::execute;
use ratatui_crossterm::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use std::io::{IsTerminal, Stdout};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often the journal is looked at.
const BEAT: Duration = Duration::from_millis(80);
/// How often times move on where nothing else does.
const SECOND: Duration = Duration::from_secs(1);

/// Looks on until the person goes; with a run, that one is opened first.
pub fn watch(around: &Surroundings, run: Option<&str>) -> Result<u8> {
    let mut board = Board::open(&around.home)?;
    let opened = run.map(|text| meant(board.journal(), around, Some(text))).transpose()?;
    let opened = opened.map(|row| row.id);
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        return plain::lines(around, &mut board, opened.as_ref());
    }
    let colour = around.var("NO_COLOR").is_none();
    let mut app = App::new(around, board, opened.as_ref(), colour)?;
    let screen = Screen::take().context("the terminal can't be used")?;
    let mut terminal = Terminal::new(CrosstermBackend::new(std::io::stdout()))?;
    let ended = show(&mut terminal, &mut app);
    drop(screen);
    ended.map(|()| 0)
}

/// The terminal is ours for as long as this lives, and given back however we end.
struct Screen;

impl Screen {
    fn take() -> std::io::Result<Self> {
        enable_raw_mode()?;
        let screen = Self;
        execute!(std::io::stdout(), EnterAlternateScreen)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // What can't be put back now can't be put back at all.
        let _ = execute!(std::io::stdout(), LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}

/// What is typed, read by a thread of its own: where the terminal is gone, reading never comes to an end, and the picture fails.
fn typed() -> Receiver<Event> {
    let (sender, typed) = mpsc::channel();
    std::thread::spawn(move || {
        while let Ok(event) = event::read() {
            if sender.send(event).is_err() {
                break;
            }
        }
    });
    typed
}

fn show(terminal: &mut Terminal<CrosstermBackend<Stdout>>, app: &mut App<'_>) -> Result<()> {
    let mut drawn = Instant::now();
    let mut stale = true;
    let typed = typed();
    while !app.is_over() {
        stale |= app.refresh()? || drawn.elapsed() >= SECOND;
        if stale {
            terminal.draw(|frame| draw::all(frame, app))?;
            (stale, drawn) = (false, Instant::now());
        }
        // All that was typed meanwhile is taken before the next picture.
        let mut wait = BEAT;
        loop {
            match typed.recv_timeout(wait) {
                Ok(Event::Key(key)) => app.key(key),
                Ok(Event::Resize(..)) => {}
                Ok(_) => continue,
                Err(RecvTimeoutError::Timeout) => break,
                // Nobody can type any more.
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            (stale, wait) = (true, Duration::ZERO);
        }
    }
    Ok(())
}
