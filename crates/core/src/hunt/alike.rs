//! Whether two suspects are the same: by their words, by what failed. Compares; what follows is decided by the notebook.

use super::Sighting;
use std::collections::BTreeSet;

/// How much of the words of two longer texts must be shared.
const SHARED: f64 = 0.85;
/// Below so many words only the very same ones count.
const FEW_WORDS: usize = 6;

/// Two texts with the same words, or nearly: case, punctuation and spaces mean nothing.
pub fn same_text(one: &str, other: &str) -> bool {
    let (one, other) = (words(one), words(other));
    if one.is_empty() || other.is_empty() {
        return false;
    }
    if one == other {
        return true;
    }
    let (a, b): (BTreeSet<&String>, BTreeSet<&String>) =
        (one.iter().collect(), other.iter().collect());
    if a.len().min(b.len()) < FEW_WORDS {
        return false;
    }
    let (shared, all) = (a.intersection(&b).count(), a.union(&b).count());
    #[expect(clippy::cast_precision_loss, reason = "a few words")]
    let share = shared as f64 / all as f64;
    share >= SHARED
}

/// The same lines of a test failed with the same words.
pub fn same_assertion(one: &Sighting, other: &Sighting) -> bool {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    !one.assertion.trim().is_empty() && plain(&one.assertion) == plain(&other.assertion)
}

/// Whether two lists of files could be about the same code: none named says nothing.
pub(super) fn may_meet(one: &[String], other: &[String]) -> bool {
    one.is_empty() || other.is_empty() || one.iter().any(|path| other.contains(path))
}

fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_punctuation_make_no_difference_and_other_words_do() {
        assert!(same_text("`parse()` drops the last line.", "Parse drops the LAST line"));
        assert!(!same_text("parse drops the last line", "parse drops the first line"));
        assert!(!same_text("", ""));
        let long = "the parser drops the last line when the file does not end with a newline";
        assert!(same_text(long, &format!("{long} character")));
        assert!(!same_text(long, "the writer drops the last line when the file is empty"));
    }

    #[test]
    fn an_assertion_is_the_same_whatever_its_spaces() {
        let sighting = |text: &str| Sighting { assertion: text.to_owned(), ..Sighting::default() };
        assert!(same_assertion(&sighting("assert a  == 1"), &sighting("assert a == 1\n")));
        assert!(!same_assertion(&sighting(""), &sighting("")));
    }
}
