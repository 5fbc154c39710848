//! One pass over a text: an automaton finds every place where a rule could hold, and each rule then looks at a few
//! bytes around it. So the time grows with the text alone. Owns where a secret begins and ends; what a value looks
//! like is judged in `shape`.

use super::assigned::assigned;
use super::issuer::{ISSUERS, Issuer};
use super::shape::{digits, random, real_password, varied};
use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use std::ops::Range;
use std::sync::LazyLock;

/// The longest key block that is looked for; a longer one is found in part.
pub(super) const LONGEST: usize = 16 * 1024;
/// The longest part of a web token or a connection string.
const LONG_PART: usize = 4 * 1024;

/// What makes a place worth a look.
#[derive(Clone, Copy)]
enum Sign {
    Issuer(&'static Issuer),
    PrivateKey,
    WebToken,
    Connection,
    /// `Password=` in a list of settings such as databases take.
    Settings,
    AzureKey,
    AzureSecret,
    Telegram,
    Bearer,
    /// A name that tells what stands behind it.
    TellingName,
}

/// Names that tell. Each is looked for wherever it stands in a longer one.
const TELLING: [&str; 22] = [
    "api_key",
    "api-key",
    "apikey",
    "secret",
    "access_key",
    "access-key",
    "accesskey",
    "token",
    "passwd",
    "password",
    "passphrase",
    "private_key",
    "private-key",
    "privatekey",
    "signing_key",
    "encryption_key",
    "auth_key",
    "authkey",
    "master_key",
    "credential",
    "_pwd",
    "client_key",
];

struct Signs {
    automaton: AhoCorasick,
    /// By the pattern's number.
    meanings: Vec<Sign>,
}

/// That it can be built is shown by a test.
static SIGNS: LazyLock<Option<Signs>> = LazyLock::new(|| {
    let services = ISSUERS
        .iter()
        .flat_map(|service| service.begins.iter().map(move |b| (*b, Sign::Issuer(service))));
    let others = [
        ("private key", Sign::PrivateKey),
        ("eyj", Sign::WebToken),
        ("://", Sign::Connection),
        ("password=", Sign::Settings),
        ("pwd=", Sign::Settings),
        ("accountkey=", Sign::AzureKey),
        ("sharedaccesskey=", Sign::AzureKey),
        ("q~", Sign::AzureSecret),
        (":aa", Sign::Telegram),
        ("bearer ", Sign::Bearer),
    ];
    let telling = TELLING.iter().map(|name| (*name, Sign::TellingName));
    let all: Vec<(&str, Sign)> = services.chain(others).chain(telling).collect();
    let automaton = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::Standard)
        .kind(Some(AhoCorasickKind::DFA))
        .build(all.iter().map(|(text, _)| *text))
        .ok()?;
    Some(Signs { automaton, meanings: all.into_iter().map(|(_, sign)| sign).collect() })
});

/// A place with the name of its rule.
pub(super) type Place = (Range<usize>, &'static str);

#[cfg(test)]
pub(super) fn can_search() -> bool {
    SIGNS.is_some()
}

/// Every place that looks like a secret, in the order of the text, none overlapping another.
pub(super) fn places(text: &[u8]) -> Vec<Place> {
    let Some(signs) = SIGNS.as_ref() else { return Vec::new() };
    let mut found: Vec<(usize, Place)> = Vec::new();
    for hit in signs.automaton.find_overlapping_iter(text) {
        let number = hit.pattern().as_usize();
        let Some(sign) = signs.meanings.get(number) else { continue };
        // A long match is settled once: what stands inside it is not looked at again.
        if found
            .last()
            .is_some_and(|(_, (range, _))| range.contains(&hit.start()) && range.len() > LONG_PART)
        {
            continue;
        }
        if let Some(place) = sign.look(text, hit.start()..hit.end()) {
            found.push((number, place));
        }
    }
    settle(found)
}

/// Where two overlap, the more special rule names the place, and it covers both.
fn settle(mut found: Vec<(usize, Place)>) -> Vec<Place> {
    found.sort_by_key(|(number, (range, _))| (range.start, *number));
    let mut settled: Vec<(usize, Place)> = Vec::new();
    for (number, (range, rule)) in found {
        match settled.last_mut() {
            Some((other, (before, name))) if range.start < before.end => {
                before.end = before.end.max(range.end);
                if number < *other {
                    (*other, *name) = (number, rule);
                }
            }
            Some(_) | None => settled.push((number, (range, rule))),
        }
    }
    settled.into_iter().map(|(_, place)| place).collect()
}

impl Sign {
    fn look(self, text: &[u8], at: Range<usize>) -> Option<Place> {
        match self {
            Self::Issuer(service) => service_key(text, at, service),
            Self::PrivateKey => private_key(text, &at),
            Self::WebToken => web_token(text, at.start),
            Self::Connection => connection(text, &at),
            Self::Settings => settings(text, &at),
            Self::AzureKey => azure_key(text, at.end),
            Self::AzureSecret => azure_secret(text, &at),
            Self::Telegram => telegram(text, &at),
            Self::Bearer => bearer(text, at.end),
            Self::TellingName => assigned(text, &at),
        }
    }
}

/// The bytes of a range as text; what is no text is no secret of these kinds.
pub(super) fn slice(text: &[u8], range: Range<usize>) -> &str {
    text.get(range).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
}

/// How many bytes from here on are of a kind, at the most `most`.
pub(super) fn run(text: &[u8], from: usize, most: usize, is: impl Fn(u8) -> bool) -> usize {
    text.get(from..).unwrap_or_default().iter().take(most).take_while(|byte| is(**byte)).count()
}

/// The same backwards.
pub(super) fn run_before(text: &[u8], to: usize, most: usize, is: impl Fn(u8) -> bool) -> usize {
    let before = text.get(..to).unwrap_or_default();
    before.iter().rev().take(most).take_while(|byte| is(**byte)).count()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn begins_here(text: &[u8], at: usize) -> bool {
    at == 0 || !text.get(at - 1).is_some_and(|byte| is_word(*byte))
}

fn service_key(text: &[u8], at: Range<usize>, service: &Issuer) -> Option<Place> {
    // The automaton does not tell letters by their case; a key does.
    let begins = slice(text, at.clone());
    if !service.begins.contains(&begins) || !begins_here(text, at.start) {
        return None;
    }
    let (least, most) = service.length;
    let length = run(text, at.end, most + 1, |byte| service.body.holds(byte));
    let end = at.end + length;
    let goes_on = text.get(end).is_some_and(|byte| is_word(*byte));
    let real = (least..=most).contains(&length) && !goes_on;
    (real && (service.real)(slice(text, at.end..end))).then_some((at.start..end, service.name))
}

/// A header that code merely mentions has a quote behind it; a real one ends its line.
fn private_key(text: &[u8], at: &Range<usize>) -> Option<Place> {
    const BEGIN: &[u8] = b"-----BEGIN ";
    const END: &[u8] = b"-----END ";
    if text.get(at.clone()) != Some(b"PRIVATE KEY") {
        return None;
    }
    let kind = run_before(text, at.start, 48, |b| {
        b.is_ascii_uppercase() || b.is_ascii_digit() || b == b' '
    });
    // `BEGIN ` itself is made of such letters.
    let start = (at.start - kind).checked_sub(5)?;
    if !text.get(start..).is_some_and(|rest| rest.starts_with(BEGIN)) {
        return None;
    }
    let mut end = at.end;
    for part in [&b" BLOCK"[..], b"-----"] {
        if text.get(end..).is_some_and(|rest| rest.starts_with(part)) {
            end += part.len();
        } else if part == b"-----" {
            return None;
        }
    }
    let rest = text.get(end..).unwrap_or_default();
    let blank = run(rest, 0, 8, |b| matches!(b, b' ' | b'\t' | b'\r'));
    let after = rest.get(blank..).unwrap_or_default();
    let is_header = after.is_empty()
        || after.starts_with(b"\n")
        || after.starts_with(b"\\n")
        || after.starts_with(b"\\r");
    if !is_header {
        return None;
    }
    let inside =
        |b: &u8| b.is_ascii_alphanumeric() || b.is_ascii_whitespace() || b"+/=\\:,.-".contains(b);
    let reach = rest.get(..rest.len().min(LONGEST - 256)).unwrap_or_default();
    // The next dashes end the block, whatever they begin: so many headers in a row cost no more than one.
    let close = reach.windows(5).position(|window| window == b"-----");
    let body = reach.get(..close.unwrap_or(reach.len())).unwrap_or_default();
    let behind = rest.get(body.len()..).unwrap_or_default();
    let whole = behind.starts_with(END) && body.iter().all(inside);
    let length = if whole { body.len() + tail(behind) } else { block_without_end(body) };
    Some((start..end + length, "private key"))
}

/// How long the line is that ends a key block.
fn tail(rest: &[u8]) -> usize {
    let name = run(rest, 5, 64, |b| b != b'-' && b != b'\n');
    5 + name + run(rest, 5 + name, 5, |b| b == b'-')
}

/// The lines of a block that was cut off.
fn block_without_end(body: &[u8]) -> usize {
    let mut length = 0;
    for line in body.split_inclusive(|byte| *byte == b'\n') {
        let bare = line.trim_ascii();
        let is_key = bare.len() >= 16
            && bare.iter().all(|b| b.is_ascii_alphanumeric() || b"+/=".contains(b));
        if !is_key && !bare.is_empty() {
            break;
        }
        length += line.len();
    }
    body.get(..length).unwrap_or_default().trim_ascii_end().len()
}

fn web_token(text: &[u8], start: usize) -> Option<Place> {
    let inside_another = start > 0 && text.get(start - 1) == Some(&b'-');
    if !begins_here(text, start) || inside_another {
        return None;
    }
    let mut end = start;
    for (n, (least, head)) in [(11, true), (11, true), (16, false)].into_iter().enumerate() {
        if n > 0 {
            if text.get(end) != Some(&b'.') {
                return None;
            }
            end += 1;
        }
        let part = run(text, end, LONG_PART, |b| b.is_ascii_alphanumeric() || b"_-".contains(&b));
        if part < least || (head && text.get(end..end + 3) != Some(b"eyJ")) {
            return None;
        }
        end += part;
    }
    Some((start..end, "JSON web token"))
}

const CONNECTION: &str = "connection string with a password";

fn connection(text: &[u8], at: &Range<usize>) -> Option<Place> {
    let scheme =
        run_before(text, at.start, 32, |b| b.is_ascii_alphanumeric() || b"+.-".contains(&b));
    let first = text.get(at.start.checked_sub(scheme)?)?;
    if scheme == 0 || !first.is_ascii_alphabetic() {
        return None;
    }
    let plain = |b: u8| !b.is_ascii_whitespace() && !b"/@\"'`".contains(&b);
    let user = run(text, at.end, 256, |b| plain(b) && b != b':');
    let colon = at.end + user;
    if text.get(colon) != Some(&b':') {
        return None;
    }
    let length = run(text, colon + 1, 256, plain);
    let value = colon + 1..colon + 1 + length;
    let host = run(text, value.end + 1, 128, |b| b.is_ascii_alphanumeric() || b"_.-[".contains(&b));
    if text.get(value.end) != Some(&b'@') || host == 0 {
        return None;
    }
    let host = slice(text, value.end + 1..value.end + 1 + host);
    let real = real_password(slice(text, value.clone()), slice(text, at.end..colon), host);
    real.then_some((value, CONNECTION))
}

fn settings(text: &[u8], at: &Range<usize>) -> Option<Place> {
    let line = run_before(text, at.start, 300, |b| b != b'\n');
    let before = slice(text, at.start - line..at.start).to_ascii_lowercase();
    let of_a_server =
        ["server=", "data source=", "host=", "addr="].iter().any(|sign| before.contains(sign));
    let follows = before.ends_with([';', ' ']);
    let length = run(text, at.end, 128, |b| !b.is_ascii_whitespace() && !b";\"'`&".contains(&b));
    let value = at.end..at.end + length;
    let real = length >= 6 && real_password(slice(text, value.clone()), "", &before);
    (of_a_server && follows && real).then_some((value, CONNECTION))
}

fn azure_key(text: &[u8], from: usize) -> Option<Place> {
    let length = run(text, from, 128, |b| b.is_ascii_alphanumeric() || b"+/=".contains(&b));
    let value = from..from + length;
    ((43..=90).contains(&length) && digits(slice(text, value.clone())))
        .then_some((value, "Azure key"))
}

/// Three characters, a digit, `Q~`, and 31 to 34 more.
fn azure_secret(text: &[u8], at: &Range<usize>) -> Option<Place> {
    let is = |b: u8| b.is_ascii_alphanumeric() || b"_~.-".contains(&b);
    if text.get(at.clone()) != Some(b"Q~") || run_before(text, at.start, 5, is) != 4 {
        return None;
    }
    let start = at.start - 4;
    let length = run(text, at.end, 40, is);
    let value = start..at.end + length;
    let real =
        text.get(at.start - 1).is_some_and(u8::is_ascii_digit) && (31..=34).contains(&length);
    (real && varied(slice(text, value.clone()))).then_some((value, "Azure client secret"))
}

/// The number of a bot, a colon, and 35 characters that begin with `AA`.
fn telegram(text: &[u8], at: &Range<usize>) -> Option<Place> {
    let number = run_before(text, at.start, 11, |b| b.is_ascii_digit());
    let length = run(text, at.start + 1, 36, |b| b.is_ascii_alphanumeric() || b"_-".contains(&b));
    let start = at.start - number;
    let value = start..at.start + 1 + length;
    let real = (8..=10).contains(&number)
        && length == 35
        && text.get(at.start + 1..at.start + 3) == Some(b"AA")
        && begins_here(text, start);
    (real && varied(slice(text, value.clone()))).then_some((value, "Telegram bot token"))
}

fn bearer(text: &[u8], from: usize) -> Option<Place> {
    let length =
        run(text, from, LONG_PART, |b| b.is_ascii_alphanumeric() || b"._~+/=-".contains(&b));
    let value = from..from + length;
    (length >= 20 && random(slice(text, value.clone()))).then_some((value, "bearer token"))
}
