//! What a change may know of its tests: the values by which it decides, and those that it only names. Where it knows
//! values besides, it is a table of its own right.

use proctor_experiments::{Decision, Neighbour};
use std::collections::BTreeSet;

/// Values of the change that may come from the tests.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// It decides by them.
    pub(super) values: BTreeSet<String>,
    /// It names them, in groups that stand together.
    named: Vec<BTreeSet<String>>,
    /// Words of keys that are made of several inputs: `3`, `4` and `5` of `"3-4-5"`.
    parts: BTreeSet<String>,
    /// Numbers that stand everywhere, by which it decides.
    small: BTreeSet<String>,
}

impl Known {
    pub(super) fn decides_by(&mut self, decisions: Vec<Decision>, given: &BTreeSet<String>) {
        for decision in decisions.into_iter().filter(|d| !is_a_real_table(d, given)) {
            self.parts.extend(joined(&decision.named, given));
            self.values.extend(decision.named);
        }
    }

    pub(super) fn mentions(&mut self, decisions: Vec<Decision>, given: &BTreeSet<String>) {
        for decision in decisions.into_iter().filter(|d| !is_a_real_table(d, given)) {
            self.parts.extend(joined(&decision.named, given));
            self.named.push(decision.named);
        }
    }

    pub(super) fn decides_by_small(&mut self, decisions: Vec<Decision>, given: &BTreeSet<String>) {
        let made = |d: &Decision| d.all.iter().all(|value| given.contains(value));
        self.small.extend(decisions.into_iter().filter(made).flat_map(|d| d.named));
    }

    /// All inputs of a test, where the change decides by every one of them and they are small: one of many such numbers
    /// is there by chance.
    pub(super) fn all_small(&self, inputs: &[Neighbour]) -> BTreeSet<String> {
        let is_known = |i: &Neighbour| {
            if i.is_small() { self.small.contains(&i.was) } else { has(&self.values, &i.was) }
        };
        if !inputs.iter().any(Neighbour::is_small) || !inputs.iter().all(is_known) {
            return BTreeSet::new();
        }
        inputs.iter().map(|input| input.was.clone()).collect()
    }

    /// Those of a test's inputs that the change repeats. What it only names counts where it has two of them at least, and
    /// half of all.
    pub(super) fn shared<'i>(&self, inputs: impl Iterator<Item = &'i str>) -> BTreeSet<String> {
        let inputs: BTreeSet<&str> = inputs.collect();
        let of = |knows: &dyn Fn(&str) -> bool| -> BTreeSet<String> {
            inputs.iter().filter(|input| knows(input)).map(|&input| input.to_owned()).collect()
        };
        let mut shared = of(&|input| has(&self.values, input));
        let in_parts = |input: &str| {
            let words = small_words(input);
            !words.is_empty() && words.iter().all(|word| self.parts.contains(word))
        };
        let named = self.named.iter().map(|named| of(&|input| has(named, input)));
        for group in named.chain([of(&in_parts)]) {
            if group.len() > 1 && group.len() * 2 >= inputs.len() {
                shared.extend(group);
            }
        }
        shared
    }
}

/// The words of values that are made of several others which the tests give, where there is more than one such value.
fn joined(named: &BTreeSet<String>, given: &BTreeSet<String>) -> BTreeSet<String> {
    let words: BTreeSet<String> = given.iter().flat_map(|value| small_words(value)).collect();
    let made: Vec<Vec<String>> = named
        .iter()
        .map(|value| small_words(value))
        .filter(|parts| is_made_of(parts, &words))
        .collect();
    if made.len() > 1 { made.into_iter().flatten().collect() } else { BTreeSet::new() }
}

/// Whether the parts of a value are several words, all of them known.
fn is_made_of(parts: &[String], words: &BTreeSet<String>) -> bool {
    parts.len() > 1 && parts.iter().all(|part| words.contains(part))
}

/// A table that was not made of the tests alone: it holds values besides, or did so on the base already. The parts of a
/// key that is a list are no values by themselves.
fn is_a_real_table(decision: &Decision, given: &BTreeSet<String>) -> bool {
    let lists: Vec<&String> = decision.all.iter().filter(|v| v.starts_with('[')).collect();
    let is_part = |value: &String| {
        !value.starts_with('[') && lists.iter().any(|list| elements(list).any(|e| e == value))
    };
    let words: BTreeSet<String> = given.iter().flat_map(|value| small_words(value)).collect();
    let is_given = |value: &String| {
        is_made_of(&small_words(value), &words)
            || has(given, value)
            || value.starts_with('[') && elements(value).all(|part| has(given, part))
    };
    let mut all = 0;
    let mut besides = 0;
    for value in decision.all.iter().filter(|value| !is_part(value)) {
        all += 1;
        besides += usize::from(!is_given(value) || !decision.named.contains(value));
    }
    besides >= 2 && besides * 2 > all - besides
}

/// The elements of a flat list of values.
fn elements(list: &str) -> impl Iterator<Item = &str> {
    list.trim_start_matches('[').trim_end_matches(']').split(", ")
}

/// Whether a value is there, also as a text that was made of it: `[1, 2]` and `"1,2"` are the same.
pub(super) fn has(values: &BTreeSet<String>, value: &str) -> bool {
    values.contains(value) || {
        let bare = bare_words(value);
        !bare.is_empty() && values.iter().any(|other| bare_words(other) == bare)
    }
}

/// A value without its quotes, brackets and signs between its words.
fn bare_words(value: &str) -> Vec<&str> {
    let is_sign = |c: char| !c.is_alphanumeric() && c != '.';
    value.split(is_sign).filter(|word| !word.is_empty()).collect()
}

fn small_words(value: &str) -> Vec<String> {
    bare_words(value).into_iter().map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(values: &[&str]) -> BTreeSet<String> {
        values.iter().map(|value| (*value).to_owned()).collect()
    }

    fn decision(values: &[&str]) -> Vec<Decision> {
        vec![Decision { named: set(values), all: set(values) }]
    }

    #[test]
    fn keys_made_of_several_inputs_are_known() {
        let given = set(&["3", "4", "5", "\"scalene\"", "\"isosceles\""]);
        let mut known = Known::default();
        known.decides_by(decision(&["\"3-4-5\"", "\"3-4-4\""]), &given);
        assert_eq!(known.shared(["3", "4", "5"].into_iter()), set(&["3", "4", "5"]));
        let lists = decision(&[
            "[\"1\", \"+\", \"2\"]",
            "\"1\"",
            "\"+\"",
            "\"2\"",
            "[\"4\", \"/\"]",
            "\"/\"",
        ]);
        let mut known = Known::default();
        known.decides_by(lists, &set(&["\"1 + 2\"", "\"4 /\"", "3"]));
        assert_eq!(known.shared(["\"1 + 2\""].into_iter()), set(&["\"1 + 2\""]));
    }

    #[test]
    fn what_is_only_named_counts_where_there_are_several() {
        let given = set(&["\"Ada\"", "\"Alan\"", "\"Grace\"", "7"]);
        let mut known = Known::default();
        known.mentions(decision(&["\"Ada\"", "\"Alan\"", "7"]), &given);
        assert_eq!(known.shared(["\"Ada\"", "\"Alan\""].into_iter()).len(), 2);
        assert_eq!(known.shared(["\"Ada\"", "\"Grace\""].into_iter()), set(&[]));
        let many = ["\"Ada\"", "\"Alan\"", "\"a\"", "\"b\"", "\"c\""];
        assert_eq!(known.shared(many.into_iter()), set(&[]));
        let mut known = Known::default();
        known.mentions(decision(&["\"Ada\"", "\"Alan\"", "\"x\"", "\"y\""]), &given);
        assert_eq!(
            known.shared(["\"Ada\"", "\"Alan\""].into_iter()),
            set(&[]),
            "a table of its own"
        );
    }

    #[test]
    fn a_table_with_values_that_no_test_has_is_a_real_one() {
        let given = set(&["a", "b", "c"]);
        let decision = |named: &[&str], all: &[&str]| Decision { named: set(named), all: set(all) };
        assert!(!is_a_real_table(&decision(&["a", "b"], &["a", "b"]), &given));
        assert!(!is_a_real_table(&decision(&["a", "b", "x"], &["a", "b", "x"]), &given));
        assert!(is_a_real_table(&decision(&["a", "x", "y"], &["a", "x", "y"]), &given));
        // One more case of a choice that the base had already.
        assert!(is_a_real_table(&decision(&["a"], &["a", "b", "c"]), &given));
    }

    #[test]
    fn a_list_and_the_text_that_was_made_of_it_are_one_value() {
        let known = BTreeSet::from(["\"1,2\"".to_owned(), "\"a-b\"".to_owned(), "7".to_owned()]);
        assert!(has(&known, "[1, 2]"));
        assert!(has(&known, "[\"a\", \"b\"]"));
        assert!(has(&known, "\"7\""));
        assert!(!has(&known, "[1, 2, 3]"));
        assert!(!has(&known, "[2, 1]"));
        assert!(!has(&known, "\"\""));
    }
}
