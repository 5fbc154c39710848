//! How a value looks: made by chance, made up by a person, or a word that only stands for one. Owns the second look
//! that keeps false alarms few. It sees a value and says yes or no.

use std::collections::BTreeMap;

/// AWS ends the keys of its own documentation so.
pub(super) fn no_example(value: &str) -> bool {
    !value.ends_with("EXAMPLE") && varied(value)
}

/// Not a row of one letter or of the alphabet, as placeholders are.
pub(super) fn varied(value: &str) -> bool {
    entropy(value) >= 2.5 && !runs_on(value) && !says_stand_in(value)
}

/// A key has digits; the names of style classes that begin alike have none or few.
pub(super) fn digits(value: &str) -> bool {
    value.bytes().filter(u8::is_ascii_digit).count() >= 3 && varied(value)
}

/// Looks as if made by chance: for values that only a telling name makes suspicious.
pub(super) fn random(value: &str) -> bool {
    let has = |is: fn(&u8) -> bool| value.bytes().any(|byte| is(&byte));
    has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
        && entropy(value) >= 3.5
        && !stands_in(value)
        && !runs_on(value)
        && !is_uuid(value)
        && !is_wordy(value)
        && (digit_groups(value) >= 2 || longest_small_run(value) < 4)
}

/// As `random`, for values without quotes around them, which could as well be code.
pub(super) fn surely_random(value: &str) -> bool {
    let has = |is: fn(&u8) -> bool| value.bytes().any(|byte| is(&byte));
    value.len() >= 20
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && entropy(value) >= 3.8
        && digit_groups(value) >= 3
        && random(value)
}

/// What a careful person would choose as a password: letters of both kinds, digits and signs.
pub(super) fn strong_password(value: &str) -> bool {
    let has = |is: fn(&u8) -> bool| value.bytes().any(|byte| is(&byte));
    let code = |byte: &u8| b"()[]{}<>\\|^ \t;".contains(byte) || !byte.is_ascii_graphic();
    (8..=64).contains(&value.len())
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_punctuation)
        && !has(code)
        && !value.contains("://")
        && !value.starts_with(['/', '.', '$', '%', '@', '#'])
        && !stands_in(value)
        && !looks_said(value)
}

/// Words that show that a value only stands for one.
const STAND_INS: [&str; 16] = [
    "example",
    "placeholder",
    "change",
    "dummy",
    "your",
    "xxx",
    "fake",
    "mock",
    "sample",
    "test",
    "redacted",
    "insert",
    "password",
    "passw0rd",
    "todo",
    "invalid",
];

/// Of those, the ones that a key by chance never holds, at the length that keys have.
const SAID_IN_KEYS: [&str; 6] =
    ["example", "placeholder", "changeme", "redacted", "xxxxxx", "dummy"];

fn says_stand_in(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    SAID_IN_KEYS.iter().any(|word| lower.contains(word))
}

fn stands_in(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    STAND_INS.iter().any(|word| lower.contains(word))
}

/// Passwords that people write where they mean "your password here".
const NO_PASSWORDS: [&str; 18] = [
    "password", "passwd", "passwort", "pass", "pwd", "pw", "secret", "user", "username", "root",
    "admin", "guest", "postgres", "token", "test", "foo", "bar", "hunter",
];

/// Whether a password in a connection string is one.
pub(super) fn real_password(value: &str, user: &str, host: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let stands_for_another = NO_PASSWORDS.contains(&lower.as_str())
        || stands_in(&lower)
        || lower.contains(['$', '<', '>', '{', '}', '%', '*', '(', '['])
        || lower.chars().all(|c| matches!(c, 'x' | '.' | '-' | '_'));
    // A local default such as `app:app`, and hosts that are reserved for examples.
    let harmless = user == value || host.to_ascii_lowercase().contains("example");
    value.len() >= 6 && !stands_for_another && !harmless
}

/// A sentence or a name with marks in it, such as `Sign-in2!`: mostly letters in long runs.
fn looks_said(value: &str) -> bool {
    longest_small_run(value) >= 6
}

/// Bits of surprise in each character.
pub(super) fn entropy(text: &str) -> f64 {
    let mut counts: BTreeMap<u8, u32> = BTreeMap::new();
    for byte in text.bytes() {
        *counts.entry(byte).or_default() += 1;
    }
    let total: f64 = counts.values().map(|count| f64::from(*count)).sum();
    counts.values().map(|count| f64::from(*count) / total).map(|share| -share * share.log2()).sum()
}

/// Mostly characters that follow one another, as `abcdef` and `123456` do.
fn runs_on(value: &str) -> bool {
    let bytes = value.as_bytes();
    let next = bytes.windows(2).filter(|pair| pair[1] == pair[0].wrapping_add(1)).count();
    next * 4 > bytes.len() * 3
}

fn is_uuid(value: &str) -> bool {
    let parts: Vec<&str> = value.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    lengths == [8, 4, 4, 4, 12] && value.bytes().all(|b| b == b'-' || b.is_ascii_hexdigit())
}

/// Made of words and numbers: a path, a name, a version.
fn is_wordy(value: &str) -> bool {
    let parts = value.split(['.', '_', '/', '-', '=', '+', '~']).filter(|part| !part.is_empty());
    let mut count = 0;
    for part in parts {
        count += 1;
        let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let tail = part.len() - letters.len();
        let one_case = letters.bytes().skip(1).all(|b| b.is_ascii_lowercase())
            || letters.bytes().all(|b| b.is_ascii_uppercase());
        let word = one_case && tail <= 4 && letters.len() <= 16;
        let number = letters.is_empty() && part.len() <= 8;
        if !word && !number {
            return false;
        }
    }
    count > 1
}

fn digit_groups(value: &str) -> usize {
    value.as_bytes().split(|byte| !byte.is_ascii_digit()).filter(|group| !group.is_empty()).count()
}

fn longest_small_run(value: &str) -> usize {
    let runs = value.as_bytes().split(|byte| !byte.is_ascii_lowercase());
    runs.map(<[u8]>::len).max().unwrap_or(0)
}
