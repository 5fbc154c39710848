//! Typed words before clap sees them. A flag that takes several values would take the task's text too when it
//! stands behind them (`fix --context a.py "text"`): here the text is found and set apart.

use clap::{Arg, Command};
use std::ffi::OsString;

/// The commands whose one positional argument is a text.
const WITH_TEXT: [&str; 4] = ["fix", "add", "tidy", "run"];

enum Kind {
    Switch,
    One,
    Several,
}

/// The same words, with a text that a flag would have swallowed moved behind `--`.
pub fn set_text_apart(words: Vec<OsString>, command: &Command) -> Vec<OsString> {
    // An issue brings its own text.
    let names_an_issue = |word: &OsString| {
        word.to_str().is_some_and(|w| w == "--issue" || w.starts_with("--issue="))
    };
    if words.iter().any(names_an_issue) {
        return words;
    }
    let mut built = command.clone();
    built.build();
    let Some((start, sub)) = subcommand(&words, &built) else {
        return words;
    };
    let mut text_seen = false;
    // Values of flags that take several, each group with the places of its words.
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut i = start;
    while i < words.len() {
        let word = words[i].to_string_lossy();
        i += 1;
        if word == "--" {
            return words;
        }
        if !word.starts_with('-') || word == "-" {
            text_seen = true;
            continue;
        }
        let with_value = word.contains('=');
        match kind_of(&word, sub, &built) {
            Kind::Switch => {}
            // A value that is glued to its flag ends the group for clap as well.
            Kind::One | Kind::Several if with_value => {}
            Kind::One => i += 1,
            Kind::Several => {
                let first = i;
                while i < words.len() && !words[i].to_string_lossy().starts_with('-') {
                    i += 1;
                }
                groups.push((first..i).collect());
            }
        }
    }
    if text_seen {
        return words;
    }
    match text_among(&words, &groups) {
        Some(at) => {
            let mut moved = words;
            let text = moved.remove(at);
            moved.push("--".into());
            moved.push(text);
            moved
        }
        None => words,
    }
}

/// Where the text is: the one value with a space in it, else the last value of a group that has others.
fn text_among(words: &[OsString], groups: &[Vec<usize>]) -> Option<usize> {
    let candidates = || groups.iter().filter(|group| group.len() > 1);
    let spaced: Vec<usize> = candidates()
        .flat_map(|group| group[1..].iter().copied())
        .filter(|at| words[*at].to_string_lossy().contains(char::is_whitespace))
        .collect();
    match spaced.as_slice() {
        [one] => Some(*one),
        _ => candidates().next_back().and_then(|group| group.last().copied()),
    }
}

/// The subcommand with a text, and where its own words begin.
fn subcommand<'a>(words: &[OsString], built: &'a Command) -> Option<(usize, &'a Command)> {
    let mut i = 1;
    while i < words.len() {
        let word = words[i].to_string_lossy();
        i += 1;
        if word == "-C" {
            i += 1;
        } else if !word.starts_with('-') {
            let named = WITH_TEXT.contains(&word.as_ref());
            return named
                .then(|| built.find_subcommand(word.as_ref()))
                .flatten()
                .map(|sub| (i, sub));
        }
    }
    None
}

fn kind_of(word: &str, sub: &Command, whole: &Command) -> Kind {
    let name = word.split('=').next().unwrap_or(word);
    let mut known = sub.get_arguments().chain(whole.get_arguments());
    let found = known.find(|arg| named(arg, name));
    match found {
        Some(arg) if !arg.get_action().takes_values() => Kind::Switch,
        Some(arg) if arg.get_num_args().is_some_and(|n| n.max_values() > 1) => Kind::Several,
        Some(_) => Kind::One,
        None => Kind::Switch,
    }
}

fn named(arg: &Arg, name: &str) -> bool {
    match name.strip_prefix("--") {
        Some(long) => arg.get_long() == Some(long),
        None => name
            .strip_prefix('-')
            .and_then(|rest| rest.chars().next())
            .is_some_and(|short| arg.get_short() == Some(short) && name.chars().count() == 2),
    }
}
