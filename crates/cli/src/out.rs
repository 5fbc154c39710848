//! The two ways out: data on stdout, talk on stderr. A reader that went away is not an error.

use anstyle::{AnsiColor, Style};
use std::io::Write;
use std::sync::OnceLock;

/// How much is said of what goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loudness {
    Quiet,
    Usual,
    Verbose,
}

static LOUDNESS: OnceLock<Loudness> = OnceLock::new();

/// Settles it for this process, once.
pub fn settle(loudness: Loudness) {
    let _ = LOUDNESS.set(loudness);
}

pub fn loudness() -> Loudness {
    LOUDNESS.get().copied().unwrap_or(Loudness::Usual)
}

/// A line of data for people, coloured where stdout is a terminal.
pub fn data(line: &str) {
    let _ = writeln!(anstream::stdout(), "{line}");
}

/// Bytes of data, as they are.
pub fn raw(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

/// What a child said beside its data, as it is.
pub fn raw_talk(bytes: &[u8]) {
    let mut err = std::io::stderr().lock();
    let _ = err.write_all(bytes).and_then(|()| err.flush());
}

/// One JSON object on a line of its own.
pub fn json(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// A line of talk.
pub fn talk(line: &str) {
    let _ = writeln!(anstream::stderr(), "{}", coloured(line));
}

/// Talk without a new line at its end: a prompt.
pub fn prompt(text: &str) {
    let mut err = anstream::stderr();
    let _ = write!(err, "{text}").and_then(|()| err.flush());
}

/// An error, with its hints set apart.
pub fn error(text: &str) {
    let red = Style::new().fg_color(Some(AnsiColor::Red.into())).bold();
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    talk(&format!("{red}error:{red:#} {first}"));
    for line in lines {
        talk(line);
    }
}

/// Gives ticks, crosses and hints their colours. Text without them stays as it is.
pub fn coloured(line: &str) -> String {
    let paint = |mark: &str, color: AnsiColor| {
        let style = Style::new().fg_color(Some(color.into())).bold();
        line.replacen(mark, &format!("{style}{mark}{style:#}"), 1)
    };
    let bare = line.trim_start();
    if bare.starts_with('✓') {
        paint("✓", AnsiColor::Green)
    } else if bare.starts_with('✗') {
        paint("✗", AnsiColor::Red)
    } else if bare.starts_with("hint:") {
        paint("hint:", AnsiColor::Cyan)
    } else {
        line.to_owned()
    }
}
