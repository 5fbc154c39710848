//! Secrets: what looks like one by the name of its file or by its content. Owns both lists of rules and the words
//! that stand in a secret's place. It must never give back, log or keep the value of what it found.

use regex::bytes::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

/// The name rule that a path fell under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameRule(&'static str);

impl NameRule {
    /// The pattern, as people write it.
    pub fn pattern(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for NameRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Patterns on the file name: a star at either end or at both, nothing else.
const FILE_NAMES: [&str; 12] = [
    ".env*",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "id_rsa*",
    "id_ed25519*",
    "*secret*",
    "*credential*",
    ".npmrc",
    ".pypirc",
    ".netrc",
];

/// Folders that hold nothing but keys and accounts.
const FOLDERS: [&str; 3] = [".ssh", ".aws", ".gnupg"];

/// Whether a path looks like a secret by its name alone, whatever the case of its letters.
pub fn secret_name(path: &str) -> Option<NameRule> {
    let path = path.to_lowercase();
    let mut parts: Vec<&str> = path.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    let file = parts.pop()?;
    let by_file = FILE_NAMES.into_iter().find(|p| fits(p, file));
    let by_folder = || FOLDERS.into_iter().find(|folder| *folder == file || parts.contains(folder));
    by_file.or_else(by_folder).map(NameRule)
}

fn fits(pattern: &str, name: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(_), Some(_)) => name.contains(pattern.trim_matches('*')),
        (Some(end), None) => name.ends_with(end),
        (None, Some(start)) => name.starts_with(start),
        (None, None) => name == pattern,
    }
}

/// Something that looks like a secret. Where it stands and what it looks like; never what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    pub line: u32,
    pub rule: &'static str,
}

/// A content rule. Group 1 of the pattern is the value, where there is one; else all of it is.
struct Rule {
    name: &'static str,
    pattern: &'static str,
    /// A second look, against false alarms.
    real: fn(&Look<'_>) -> bool,
}

/// What the second look sees.
struct Look<'a> {
    value: &'a str,
    /// The whole match, the value included.
    whole: &'a str,
}

/// Special rules come before general ones: where two match the same place, the first names it.
const RULES: [Rule; 16] = [
    Rule {
        name: "private key",
        // A header that code merely mentions has a quote behind it; a real one ends its line.
        pattern: r"(?m)-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:[ \t]*\r?$|\\n|\\r)(?:[A-Za-z0-9+/=\s\\:,.-]*?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|(?:\s*[A-Za-z0-9+/=]{16,})*)",
        real: always,
    },
    Rule {
        name: "AWS access key id",
        pattern: r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b",
        real: no_example,
    },
    Rule {
        name: "GitHub token",
        pattern: r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})",
        real: varied,
    },
    Rule {
        name: "GitLab token",
        pattern: r"\bgl(?:pat|ptt|dt|rt|cbt|soat)-[A-Za-z0-9_-]{20,}",
        real: varied,
    },
    Rule { name: "Slack token", pattern: r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}", real: digits },
    Rule {
        name: "Slack webhook",
        pattern: r"hooks\.slack\.com/services/(T[A-Z0-9]{8,}/B[A-Z0-9]{8,}/[A-Za-z0-9]{20,})",
        real: varied,
    },
    Rule { name: "Google API key", pattern: r"\bAIza[0-9A-Za-z_-]{35}", real: varied },
    Rule { name: "Stripe key", pattern: r"\b[sr]k_live_[0-9A-Za-z]{16,}", real: varied },
    Rule { name: "Anthropic key", pattern: r"\bsk-ant-[A-Za-z0-9_-]{20,}", real: digits },
    Rule { name: "OpenAI key", pattern: r"\bsk-[A-Za-z0-9_-]{20,}", real: digits },
    Rule { name: "npm token", pattern: r"\bnpm_[A-Za-z0-9]{36}\b", real: varied },
    Rule { name: "PyPI token", pattern: r"\bpypi-AgE[A-Za-z0-9_-]{16,}", real: varied },
    Rule {
        name: "JSON web token",
        pattern: r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}",
        real: always,
    },
    Rule {
        name: "connection string with a password",
        pattern: r#"\b[A-Za-z][A-Za-z0-9+.-]*://[^\s:/@"'`]*:([^\s/@"'`]+)@[A-Za-z0-9_.\[-]+"#,
        real: real_password,
    },
    Rule {
        name: "assigned secret",
        pattern: r#"(?i)(?:api[_-]?key|apikey|secret|access[_-]?key|token|passw(?:or)?d|private[_-]?key)[A-Za-z0-9_]*["'`]?\s*(?:=>|:=|[=:])\s*(?:[A-Za-z&]*\s*)?["'`]([A-Za-z0-9_+/=.~-]{16,})["'`]"#,
        real: random,
    },
    Rule {
        name: "assigned secret",
        pattern: r"(?m)^\s*(?:export\s+)?[A-Z0-9_]*(?:API_?KEY|SECRET|ACCESS_KEY|TOKEN|PASSWORD)[A-Z0-9_]*=([A-Za-z0-9_+/=~-]{16,})\s*$",
        real: random,
    },
];

fn always(_: &Look<'_>) -> bool {
    true
}

/// AWS ends the keys of its own documentation so.
fn no_example(look: &Look<'_>) -> bool {
    !look.value.ends_with("EXAMPLE")
}

/// Not a row of one letter, as placeholders are.
fn varied(look: &Look<'_>) -> bool {
    entropy(look.value) >= 2.5
}

/// A key has digits; the names of style classes that begin alike have none or few.
fn digits(look: &Look<'_>) -> bool {
    look.value.bytes().filter(u8::is_ascii_digit).count() >= 3 && varied(look)
}

fn random(look: &Look<'_>) -> bool {
    let value = look.value;
    let lower = value.to_ascii_lowercase();
    let has = |is: fn(&u8) -> bool| value.bytes().any(|b| is(&b));
    has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
        && entropy(value) >= 3.5
        && !STAND_INS.iter().any(|word| lower.contains(word))
}

/// Words that show that a value only stands for one.
const STAND_INS: [&str; 12] = [
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
];

/// Passwords that people write where they mean "your password here".
const NO_PASSWORDS: [&str; 16] = [
    "password", "passwd", "passwort", "pass", "pwd", "pw", "secret", "user", "username", "root",
    "admin", "guest", "postgres", "token", "test", "foo",
];

fn real_password(look: &Look<'_>) -> bool {
    let lower = look.value.to_ascii_lowercase();
    let stands_for_another = NO_PASSWORDS.contains(&lower.as_str())
        || STAND_INS.iter().any(|word| lower.contains(word))
        || lower.contains(['$', '<', '>', '{', '}', '%', '*', '('])
        || lower.chars().all(|c| matches!(c, 'x' | '.' | '-' | '_'));
    let (before, after) = look.whole.split_once("://").unwrap_or_default();
    let user = after.split(':').next().unwrap_or_default();
    let host = after.rsplit('@').next().unwrap_or_default();
    // A local default such as `app:app`, and hosts that are reserved for examples.
    let harmless = user == look.value || host.to_ascii_lowercase().contains("example");
    !before.is_empty() && !stands_for_another && !harmless
}

/// Bits of surprise in each character.
fn entropy(text: &str) -> f64 {
    let mut counts: BTreeMap<u8, u32> = BTreeMap::new();
    for byte in text.bytes() {
        *counts.entry(byte).or_default() += 1;
    }
    let total: f64 = counts.values().map(|count| f64::from(*count)).sum();
    counts.values().map(|count| f64::from(*count) / total).map(|share| -share * share.log2()).sum()
}

/// One pass with all patterns says which of them are worth a search of their own.
static FIRST_LOOK: LazyLock<Option<RegexSet>> = LazyLock::new(|| {
    RegexSetBuilder::new(RULES.iter().map(|rule| rule.pattern)).unicode(false).build().ok()
});

/// Each pattern with its rule. That every one of them compiles is shown by a test.
static SEARCHES: LazyLock<Vec<(&'static Rule, Option<Regex>)>> = LazyLock::new(|| {
    RULES
        .iter()
        .map(|rule| {
            let search = RegexBuilder::new(rule.pattern).unicode(false).build().ok();
            (rule, search)
        })
        .collect()
});

/// Every place that looks like a secret, in the order of the text, none overlapping another.
fn places(text: &[u8]) -> Vec<(Range<usize>, &'static str)> {
    let candidates: Vec<usize> = match FIRST_LOOK.as_ref() {
        Some(set) => set.matches(text).into_iter().collect(),
        None => (0..RULES.len()).collect(),
    };
    let mut places: Vec<(Range<usize>, &'static str)> = Vec::new();
    for (rule, search) in candidates.into_iter().filter_map(|i| SEARCHES.get(i)) {
        let Some(search) = search else { continue };
        for found in search.captures_iter(text) {
            let (Some(whole), Some(value)) = (found.get(0), found.get(1).or(found.get(0))) else {
                continue;
            };
            let seen =
                |range: &Range<usize>| range.start < value.end() && value.start() < range.end;
            if places.iter().any(|(range, _)| seen(range)) {
                continue;
            }
            let look = Look {
                value: &String::from_utf8_lossy(value.as_bytes()),
                whole: &String::from_utf8_lossy(whole.as_bytes()),
            };
            if (rule.real)(&look) {
                places.push((value.range(), rule.name));
            }
        }
    }
    places.sort_by_key(|(range, _)| range.start);
    places
}

/// Looks for secrets in a content, which need not be text.
pub fn scan(text: &[u8]) -> Vec<Finding> {
    let mut line = 1;
    let mut counted = 0;
    let mut findings = BTreeSet::new();
    for (range, rule) in places(text) {
        let passed = text.get(counted..range.start).unwrap_or_default();
        let breaks = passed.split(|byte| *byte == b'\n').count() - 1;
        line += u32::try_from(breaks).unwrap_or(u32::MAX);
        counted = range.start;
        findings.insert(Finding { line, rule });
    }
    findings.into_iter().collect()
}

/// Puts `[redacted: rule]` in the place of every secret that is found; the rest stays as it is.
pub fn redact(text: &str) -> String {
    let mut redacted = Vec::with_capacity(text.len());
    let mut end = 0;
    for (range, rule) in places(text.as_bytes()) {
        redacted.extend_from_slice(text.as_bytes().get(end..range.start).unwrap_or_default());
        redacted.extend_from_slice(format!("[redacted: {rule}]").as_bytes());
        end = range.end;
    }
    redacted.extend_from_slice(text.as_bytes().get(end..).unwrap_or_default());
    String::from_utf8_lossy(&redacted).into_owned()
}

#[cfg(test)]
#[path = "secret_tests.rs"]
mod tests;
