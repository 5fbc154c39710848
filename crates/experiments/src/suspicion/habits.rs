//! Checks that are switched off. Often honest: a note for whoever reads the change.

use super::facts::{Facts, What};
use super::{Hit, SuspicionKind};
use proctor_lang::Language;
use proctor_lang::Words;

/// Words by which a comment switches a check off, apart by commas.
const COMMENTS: &str = "noqa, type: ignore, pragma: no cover, pragma: no branch, pragma: no mutate, pylint: disable, \
    pyright: ignore, mypy: ignore, nosec, eslint-disable, @ts-ignore, @ts-expect-error, @ts-nocheck, biome-ignore, \
    oxlint-disable, istanbul ignore, c8 ignore, v8 ignore, stryker disable, nolint, lint:ignore, lcov_excl, grcov-excl, \
    nosonar, coverage:ignore";

pub(super) fn hits<'t>(facts: &Facts<'t>) -> Vec<Hit<'t>> {
    facts.hits(|fact| match &fact.what {
        What::Comment(text) => {
            let lower = text.to_lowercase();
            COMMENTS.split(", ").find(|c| says(&lower, c)).map(off)
        }
        What::Attribute(text) => attribute_hit(facts.language, text),
        _ => None,
    })
}

fn off(word: &str) -> (SuspicionKind, String) {
    (SuspicionKind::Suppression, format!("`{word}` switches a check off"))
}

/// Whether a comment has these words by themselves.
fn says(comment: &str, word: &str) -> bool {
    comment.match_indices(word).any(|(at, _)| {
        let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let before = comment.get(..at).and_then(|t| t.chars().next_back());
        let after = comment.get(at + word.len()..).and_then(|t| t.chars().next());
        !letter(before) && !letter(after)
    })
}

fn attribute_hit(language: Language, text: &str) -> Option<(SuspicionKind, String)> {
    let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let word = match language {
        Language::Rust => {
            let inner =
                bare.trim_start_matches("#!").trim_start_matches('#').trim_start_matches('[');
            let names =
                Words("allow( expect( coverage(off) mutants::skip no_coverage rustfmt::skip");
            names.find(|n| inner.starts_with(n)).map(|_| text)?
        }
        Language::Java => {
            Words("SuppressWarnings SuppressFBWarnings").find(|n| bare.contains(n))?
        }
        Language::Python => Words("no_type_check").find(|n| bare.contains(n))?,
        Language::Go | Language::Script(_) => return None,
    };
    Some(off(word))
}
