//! A value behind a name that tells: `api_key = "…"`, `TOKEN=…`, `"password": "…"`. Owns how such a line is read in
//! source code, settings and shells. It must stay cheap: a few bytes on one line.

use super::search::{Place, run, run_before, slice};
use super::shape::{random, strong_password, surely_random};
use std::ops::Range;

const NAME: &str = "assigned secret";
const SHORTEST: usize = 16;
const LONGEST: usize = 512;

/// Parts of a name that say that the value is no secret but something about one.
const ABOUT: [&str; 24] = [
    "hash", "sha1", "sha2", "digest", "_id", "name", "url", "uri", "path", "file", "type", "count",
    "public", "expir", "regex", "pattern", "length", "field", "header", "label", "prefix",
    "version", "endpoint", "checksum",
];

pub(super) fn assigned(text: &[u8], at: &Range<usize>) -> Option<Place> {
    let of_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    let start = at.start - run_before(text, at.start, 64, of_name);
    let end = at.end + run(text, at.end, 64, of_name);
    let name = slice(text, start..end);
    let lower = name.to_ascii_lowercase();
    if ABOUT.iter().any(|word| lower.contains(word)) {
        return None;
    }
    let from = value_start(text, end)?;
    let quote = *text.get(from)?;
    if matches!(quote, b'"' | b'\'' | b'`') {
        return quoted(text, from, quote, &lower);
    }
    unquoted(text, start, from, name)
}

/// Behind the name: perhaps a closing quote or bracket, a sign that gives a value, perhaps a type.
fn value_start(text: &[u8], end: usize) -> Option<usize> {
    let blank = |b: u8| matches!(b, b' ' | b'\t');
    let mut at = end + run(text, end, 3, |b| b"\"'`])".contains(&b));
    at += run(text, at, 40, blank);
    let sign = [&b"=>"[..], b":=", b"=", b":"]
        .into_iter()
        .find(|sign| text.get(at..).is_some_and(|rest| rest.starts_with(sign)))?;
    at += sign.len();
    if sign == b"=" && text.get(at) == Some(&b'=') {
        return None;
    }
    at += run(text, at, 40, blank);
    if sign == b":" {
        // A type stands between: `key: &'static str = "…"`.
        let kind = run(text, at, 48, |b| b.is_ascii_alphanumeric() || b"&'<>_: ".contains(&b));
        let behind = at + kind;
        if kind > 0 && text.get(behind) == Some(&b'=') && text.get(behind + 1) != Some(&b'=') {
            at = behind + 1;
            at += run(text, at, 40, blank);
        }
    }
    // Letters before a quote: `b"…"`, `rf'…'`, or a reference.
    let letters = run(text, at, 3, |b| b.is_ascii_alphabetic() || b == b'&');
    let quoted = text.get(at + letters).is_some_and(|b| matches!(b, b'"' | b'\'' | b'`'));
    Some(if quoted { at + letters } else { at })
}

fn quoted(text: &[u8], from: usize, quote: u8, name: &str) -> Option<Place> {
    let length = run(text, from + 1, LONGEST, |b| b != quote && b != b'\n');
    let range = from + 1..from + 1 + length;
    if text.get(range.end) != Some(&quote) {
        return None;
    }
    let value = slice(text, range.clone());
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"_+/=.~-".contains(&b);
    let by_chance = length >= SHORTEST && value.bytes().all(plain) && random(value);
    let is_password = name.contains("passw") || name.contains("pwd") || name.contains("passphrase");
    (by_chance || (is_password && strong_password(value))).then_some((range, NAME))
}

/// Settings and shells: the name begins its line, the value ends it.
fn unquoted(text: &[u8], start: usize, from: usize, name: &str) -> Option<Place> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"_+/=~-".contains(&b);
    let length = run(text, from, LONGEST, plain);
    let range = from..from + length;
    let blank = run(text, range.end, 40, |b| matches!(b, b' ' | b'\t' | b'\r'));
    let ends = match text.get(range.end + blank) {
        None | Some(b'\n') => true,
        Some(b'#') => blank > 0,
        Some(_) => false,
    };
    let lead = run_before(text, start, 32, |b| b != b'\n');
    let before = slice(text, start - lead..start).trim();
    let begins = matches!(before, "" | "export" | "set" | "-" | "ENV" | "declare -x");
    if !ends || !begins || length < SHORTEST {
        return None;
    }
    let value = slice(text, range.clone());
    let shouted = !name.bytes().any(|b| b.is_ascii_lowercase());
    let real = if shouted { random(value) } else { surely_random(value) };
    real.then_some((range, NAME))
}
