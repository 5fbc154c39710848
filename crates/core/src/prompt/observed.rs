//! The table of observations for one who reads a change: suspect tests first, what decides first, and short enough for
//! every prompt.

use super::templates::line;
use crate::generality::{Answer, Observed, apart};

/// About 1,500 tokens in all.
const LONGEST: usize = 6_000;
/// Of one value.
const VALUE: usize = 120;
/// Variations of one assertion.
const SUSPECT: usize = 8;
const SHOWN: usize = 3;
/// Assertions of one test.
const ASSERTIONS: usize = 4;

/// Empty where nothing was observed.
pub(super) fn told(all: &[Observed]) -> String {
    let mut all: Vec<&Observed> = all.iter().filter(|test| !test.answers.is_empty()).collect();
    all.sort_by_key(|test| !test.is_suspect());
    let mut text = String::new();
    for line in all.iter().flat_map(|test| lines(test)) {
        if text.len() + line.len() > LONGEST {
            text.push_str("(more was observed and is not listed here)\n");
            break;
        }
        text.push_str(&line);
        text.push('\n');
    }
    text
}

fn lines(test: &Observed) -> Vec<String> {
    let most = if test.is_suspect() { SUSPECT } else { SHOWN };
    let mut lines = vec![format!("{} ({})", short(test.test.as_str()), test.judged)];
    let told = |answer: &Answer| {
        let (base, head) = apart(&line(&answer.base), &line(&answer.head), VALUE);
        format!("    {}: {base} → {head} ({})", short(&answer.input), answer.says)
    };
    for seen in test.assertions().iter().take(ASSERTIONS) {
        lines.push(format!("  {}", seen.label));
        lines.push(told(seen.written));
        lines.extend(seen.others.iter().take(most).map(|answer| told(answer)));
    }
    lines
}

fn short(text: &str) -> String {
    let text = line(text);
    apart(&text, &text, VALUE).0
}
