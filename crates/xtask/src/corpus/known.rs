//! Exercises whose honest tests Proctor refuses because of a rule that it means to keep. They are run all the same, and
//! count as known only where the refusal is the one that is written down here: anything else is wrong.

/// The title of a pair, what its refusal must hold, and why the rule stays.
const KNOWN: [(&str, &str, &str); 7] = [
    ("polyglot/rust/accumulate", "tests are hollow", COMPILES),
    ("polyglot/rust/doubly-linked-list", "tests are hollow", COMPILES),
    ("polyglot/rust/macros", "tests are hollow", COMPILES),
    (
        "polyglot/javascript/robot-name",
        "tests are hollow",
        "a test compares an expression with itself",
    ),
    ("polyglot/javascript/promises", "wrong reason", LOADS),
    ("polyglot/python/rest-api", "wrong reason", STUMBLES),
    ("polyglot/python/zipper", "wrong reason", STUMBLES),
];

const LOADS: &str = "the stub is called while the test file loads, before any test";
const STUMBLES: &str = "every test stumbles over what the stub returns before it checks anything";
const COMPILES: &str = "some tests only have to compile and check nothing";

/// Why this refusal is no fault, where it is the one that is known.
pub fn reason(title: &str, refusal: &str) -> Option<&'static str> {
    let row = KNOWN.iter().find(|(known, _, _)| *known == title)?;
    refusal.contains(row.1).then_some(row.2)
}

/// The same for `proctor verify`, where it does not prove an honest pair.
const NOT_PROVEN: [(&str, &str, &str); 19] = [
    ("polyglot/rust/macros", "has no assertion", COMPILES),
    ("quixbugs/python/bitcount", "ended at its time limit", HANGS),
    ("quixbugs/python/find_first_in_sorted", "ended at its time limit", HANGS),
    ("quixbugs/python/sqrt", "ended at its time limit", HANGS),
    ("quixbugs/python/next_permutation", "1 of 2 killed", EQUAL),
    ("polyglot/python/rest-api", "a reason that proves nothing", STUMBLES),
    ("polyglot/python/zipper", "a reason that proves nothing", STUMBLES),
    ("polyglot/go/connect", "mutants warn", UNNOTICED),
    ("polyglot/go/zebra-puzzle", "mutants warn", UNNOTICED),
    ("polyglot/rust/parallel-letter-frequency", "mutants warn", UNNOTICED),
    ("polyglot/rust/book-store", "checksums or encodings", FEW_BOOKS),
    ("polyglot/rust/scale-generator", "repeats inputs", ALL_THERE_ARE),
    ("polyglot/javascript/food-chain", "repeats inputs", ALL_THERE_ARE),
    ("polyglot/javascript/meetup", "repeats inputs", ALL_THERE_ARE),
    ("polyglot/javascript/space-age", "repeats inputs", ALL_THERE_ARE),
    ("polyglot/javascript/poker", "mutants warn", UNNOTICED),
    ("polyglot/javascript/say", "mutants warn", UNNOTICED),
    ("polyglot/javascript/zebra-puzzle", "mutants warn", UNNOTICED),
    ("polyglot/javascript/promises", "a reason that proves nothing", LOADS),
];

const HANGS: &str =
    "the wrong program runs for ever, and `verify` takes a hang for no proof of red";
const EQUAL: &str = "one of two mutants differs only for equal values, which the task rules out";
const UNNOTICED: &str = "more than a fifth of the mutants go unnoticed by the exercise's own tests";
const FEW_BOOKS: &str =
    "the example hashes, and it breaks with the numbers of books that do not exist";
const ALL_THERE_ARE: &str =
    "the inputs are all that there are, and no test says what happens with others";

/// Why this answer is no fault, where it is the one that is known.
pub fn of_verify(title: &str, answer: &str) -> Option<&'static str> {
    let row = NOT_PROVEN.iter().find(|(known, _, _)| *known == title)?;
    answer.contains(row.1).then_some(row.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_refusal_that_is_written_down_is_known() {
        let title = "polyglot/rust/macros";
        assert_eq!(reason(title, "red was not proven: These tests are hollow: a"), Some(COMPILES));
        assert_eq!(reason(title, "the example was refused"), None);
        assert_eq!(reason("polyglot/rust/wordy", "tests are hollow"), None);
    }
}
