//! How both pages of a proof begin: the verdict in a sentence, what to do about it, each new test on both sides, what was tried
//! against the change, what was not shown. For somebody who has never heard of Proctor.

use super::digest;
use super::html::{Card, Seen, cards, seen};
use proctor_core::generality::Observed;
use proctor_core::verdict::{Check, CheckName, CheckStatus, Verdict};
use serde::Serialize;

/// As many tests are shown side by side.
const PAIRS: usize = 200;

/// A test that this change is about, on both sides.
#[derive(Debug, Serialize)]
pub struct Pair {
    pub test: String,
    pub base: String,
    pub head: String,
}

#[derive(Serialize)]
pub struct Opening<'a> {
    pub title: String,
    pub verdict: &'static str,
    pub mark: &'static str,
    pub sentence: &'static str,
    pub todo: &'static str,
    pub reason: &'a str,
    pub pairs: Vec<Pair>,
    pub more_pairs: usize,
    pub seen: Seen,
    pub cards: Vec<Card<'a>>,
    pub not_shown: Vec<String>,
}

/// What both pages begin with.
pub struct About<'a> {
    pub title: String,
    pub verdict: Verdict,
    pub reason: &'a str,
    pub pairs: Vec<Pair>,
    pub observed: &'a [Observed],
    pub checks: &'a [Check],
    pub left_out: &'a [String],
}

impl<'a> Opening<'a> {
    pub fn of(about: About<'a>) -> Self {
        let About { title, verdict, reason, mut pairs, observed, checks, left_out } = about;
        let more_pairs = pairs.len().saturating_sub(PAIRS);
        let is_red = is_red(checks, &pairs);
        pairs.truncate(PAIRS);
        Self {
            title,
            verdict: verdict.name(),
            mark: digest::verdict_mark(verdict),
            sentence: sentence(verdict, is_red),
            todo: todo(verdict),
            reason,
            pairs,
            more_pairs,
            seen: seen(observed),
            cards: cards(checks),
            not_shown: not_shown(checks, left_out),
        }
    }
}

/// Whether it is shown that a test fails without the change: by the check, or by the red gate that stands for it.
fn is_red(checks: &[Check], pairs: &[Pair]) -> bool {
    let check = checks.iter().find(|check| check.name == CheckName::RedReplay);
    match check {
        Some(check) => matches!(check.status, CheckStatus::Pass | CheckStatus::Warn),
        None => !pairs.is_empty(),
    }
}

fn sentence(verdict: Verdict, is_red: bool) -> &'static str {
    match verdict {
        Verdict::Proven if is_red => {
            "Tests that fail without this change pass with it, and nothing that was checked got worse."
        }
        Verdict::Proven => "Everything that had to be checked was checked, and all of it holds.",
        Verdict::Unaffected => {
            "Nothing changed that any build or test opens and that any code names."
        }
        Verdict::Refuted => "Something that has to hold for this change does not.",
        Verdict::Inconclusive => {
            "It is neither shown nor refuted: something could not be judged, or a person must look."
        }
    }
}

fn todo(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Proven => {
            "Read the change all the same: it does what its tests ask. Whether they ask for the right thing is for you to say."
        }
        Verdict::Unaffected => "Read it as a text; there is nothing to run.",
        Verdict::Refuted => {
            "Do not merge it as it is. Each finding below says what would be accepted."
        }
        Verdict::Inconclusive => {
            "Look at what is marked below: ask for what would be accepted, or take it with a reason of your own."
        }
    }
}

fn not_shown(checks: &[Check], left_out: &[String]) -> Vec<String> {
    let skipped = checks.iter().filter(|check| check.status == CheckStatus::Skip);
    let told = |check: &Check| format!("{}: {}", check.name.name(), check.summary);
    let mut all: Vec<String> = left_out.to_vec();
    all.extend(skipped.map(told).filter(|line| !left_out.contains(line)));
    // Several checks that were not made for one reason are one line.
    let mut lines: Vec<(String, &str)> = Vec::new();
    for line in &all {
        let check = CheckName::ALL.iter().find_map(|name| {
            line.strip_prefix(name.name())?.strip_prefix(": ").map(|why| (name.name(), why))
        });
        match (check, lines.iter_mut().find(|(_, why)| check.is_some_and(|own| own.1 == *why))) {
            (Some((name, _)), Some((names, _))) => *names = format!("{names}, {name}"),
            (Some((name, why)), None) => lines.push((name.to_owned(), why)),
            (None, _) => lines.push((String::new(), line)),
        }
    }
    let line = |(names, why): (String, &str)| {
        if names.is_empty() { why.to_owned() } else { format!("{names}: {why}") }
    };
    lines.into_iter().map(line).collect()
}
