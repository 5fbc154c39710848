//! Secrets: what looks like one by the name of its file or by its content. Owns both lists of rules and the words
//! that stand in a secret's place. It must never log or keep the value of what it found.

mod allow;
mod assigned;
mod issuer;
mod redactor;
mod search;
mod shape;

pub use allow::{AllowFault, Allowed};
pub use redactor::{Known, Redacted, Redacting, Redactor};

use search::places;
use std::collections::BTreeSet;
use std::fmt;

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

/// Looks for secrets in a content, which need not be text.
pub fn scan(text: &[u8]) -> Vec<Finding> {
    let mut line = 1;
    let mut counted = 0;
    let mut findings = BTreeSet::new();
    for (range, rule) in places(text) {
        line += breaks(text.get(counted..range.start).unwrap_or_default());
        counted = range.start;
        findings.insert(Finding { line, rule });
    }
    findings.into_iter().collect()
}

fn breaks(text: &[u8]) -> u32 {
    let count = text.split(|byte| *byte == b'\n').count() - 1;
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Puts `[redacted: rule]` in the place of every secret that is found; the rest stays as it is.
pub fn redact(text: &str) -> String {
    Redactor::default().text(text)
}

/// Whether a variable of this name may hold a secret.
pub fn telling_variable(name: &str) -> bool {
    const PARTS: [&str; 12] = [
        "KEY",
        "TOKEN",
        "SECRET",
        "PASSW",
        "PASSPHRASE",
        "PWD",
        "CRED",
        "AUTH",
        "_PAT",
        "DSN",
        "CONNECTION",
        "COOKIE",
    ];
    const WHOLE: [&str; 4] = ["DATABASE_URL", "REDIS_URL", "MONGO_URL", "BROKER_URL"];
    // Where a shell stands: a path is no secret.
    const PATHS: [&str; 2] = ["PWD", "OLDPWD"];
    let name = name.to_ascii_uppercase();
    let telling = PARTS.iter().chain(&WHOLE).any(|part| name.contains(part));
    telling && !PATHS.contains(&name.as_str())
}

#[cfg(test)]
mod tests;
