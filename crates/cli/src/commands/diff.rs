//! `proctor diff RUN`: what a run changed against its base.

use crate::args::DiffArgs;
use crate::out;
use anstyle::{AnsiColor, Style};
use anyhow::Result;
use proctor_core::event::Event;
use proctor_core::run::Run;
use proctor_desk::run::changes::Changes;
use proctor_desk::run::run_id::meant;
use proctor_desk::surroundings::Surroundings;
use proctor_desk::text::harmless::harmless;
use proctor_desk::text::shell_words::split;
use proctor_journal::Journal;
use proctor_lang::{Zone, zone};
use proctor_world::console;
use std::ffi::OsString;
use std::io::IsTerminal;

pub fn diff(around: &Surroundings, args: &DiffArgs) -> Result<u8> {
    let journal = Journal::open(around.home.root())?;
    let id = meant(&journal, around, args.run.as_deref())?.id;
    let history = journal.history::<Event>(&id)?;
    let run = Run::replay(history.iter().map(|recorded| &recorded.body));
    let changes = match &run {
        Some(run) => Changes::of(&around.home, run)?,
        None => None,
    };
    let Some(changes) = changes else {
        out::talk(&format!("Run {id} has no tree of its own yet."));
        return Ok(0);
    };
    let mut paths = Vec::new();
    if args.tests || args.code {
        paths = changes
            .files()?
            .into_iter()
            .map(|file| file.path)
            .filter(|path| (zone(path) == Zone::Test) == args.tests)
            .collect();
        if paths.is_empty() {
            return Ok(0);
        }
    }
    page(&changes.diff(&paths)?, |name| around.var(name).cloned());
    Ok(0)
}

/// Shows a diff to whoever looks: coloured and in the pager at a terminal, as it is elsewhere.
pub fn page(bytes: &[u8], named: impl Fn(&str) -> Option<OsString>) {
    if !std::io::stdout().is_terminal() {
        out::raw(bytes);
        return;
    }
    // A file may hold anything; a terminal must not obey it.
    let text = harmless(&String::from_utf8_lossy(bytes));
    let colour = anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
    let lines: Vec<String> = text.lines().map(|line| painted(line, colour) + "\n").collect();
    let text = lines.concat();
    if text.lines().count() <= console::rows() || !paged(&text, named) {
        out::raw(text.as_bytes());
    }
}

fn painted(line: &str, colour: bool) -> String {
    let style = match line.as_bytes() {
        _ if !colour => None,
        [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] | [b'd', b'i', b'f', b'f', ..] => {
            Some(Style::new().bold())
        }
        [b'+', ..] => Some(Style::new().fg_color(Some(AnsiColor::Green.into()))),
        [b'-', ..] => Some(Style::new().fg_color(Some(AnsiColor::Red.into()))),
        [b'@', ..] => Some(Style::new().fg_color(Some(AnsiColor::Cyan.into()))),
        _ => None,
    };
    style.map_or_else(|| line.to_owned(), |style| format!("{style}{line}{style:#}"))
}

/// Through the user's pager. False where there is none.
fn paged(text: &str, named: impl Fn(&str) -> Option<OsString>) -> bool {
    let named = |name: &str| named(name)?.into_string().ok().filter(|text| !text.trim().is_empty());
    let pager = named("PROCTOR_PAGER").or_else(|| named("PAGER"));
    let words = split(pager.as_deref().unwrap_or("less -FRX")).unwrap_or_default();
    words.first().is_some_and(|program| program != "cat") && console::page(&words, text)
}
