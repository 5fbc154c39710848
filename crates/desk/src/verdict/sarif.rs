//! A verification as SARIF 2.1.0: one run, a rule for each check, a result for each finding that weighs at least as
//! much as a warning. It must not invent a place that a finding does not have.

use super::{digest, observed};
use crate::text::harmless::harmless;
use proctor_core::report::Place;
use proctor_core::verdict::{CheckName, CheckStatus, Finding, Verification, Weight};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

pub fn render(v: &Verification) -> String {
    let mut seen = BTreeMap::new();
    let found = digest::mattering(v);
    let results: Vec<Value> =
        found.iter().map(|(name, finding)| result((v, *name), finding, &mut seen)).collect();
    let skipped = |name: &CheckName| {
        v.checks.iter().any(|check| check.name == *name && check.status == CheckStatus::Skip)
    };
    let left: Vec<&str> =
        CheckName::ALL.iter().filter(|name| skipped(name)).map(|name| name.name()).collect();
    super::json(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "proctor",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": CheckName::ALL.map(rule),
            }},
            "automationDetails": {"id": "proctor-verify/"},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": true,
                "exitCode": v.verdict.exit_code(),
            }],
            "results": results,
            "properties": {
                "verdict": v.verdict.name(),
                "reason": harmless(&v.reason),
                "base": v.base.as_str(),
                "head": v.head.as_str(),
                "skipped": left,
            },
        }],
    }))
}

fn rule(name: CheckName) -> Value {
    json!({
        "id": name.name(),
        "name": pascal(name.name()),
        "shortDescription": {"text": digest::measures(name)},
        "fullDescription": {"text": format!("Asked for: {}.", digest::asks(name))},
        "help": {"text": format!("{} Asked for: {}.", digest::measures(name), digest::asks(name))},
        "defaultConfiguration": {"level": if name.is_required() { "error" } else { "warning" }},
    })
}

/// `red-replay` as `RedReplay`: the form that SARIF asks for in a rule's name.
fn pascal(name: &str) -> String {
    let mut out = String::new();
    for word in name.split('-') {
        let mut chars = word.chars();
        out.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        out.push_str(chars.as_str());
    }
    out
}

fn result(
    (v, name): (&Verification, CheckName),
    finding: &Finding,
    seen: &mut BTreeMap<String, usize>,
) -> Value {
    let level = match finding.weight {
        Weight::Refutes | Weight::Unjudged | Weight::NeedsPerson => "error",
        Weight::Warning => "warning",
        Weight::Note => "note",
    };
    let mark = fingerprint(name, finding);
    // Two findings alike are two findings.
    let count = seen.entry(mark.clone()).and_modify(|count| *count += 1).or_insert(1);
    let mut value = json!({
        "ruleId": name.name(),
        "ruleIndex": CheckName::ALL.iter().position(|n| *n == name),
        "level": level,
        "message": {"text": message(v, finding)},
        "partialFingerprints": {"proctorFinding/v1": format!("{mark}:{count}")},
        "properties": {"weight": finding.weight},
    });
    if let Some(place) = &finding.place {
        value["locations"] = json!([location(place, finding)]);
    }
    value
}

fn message(v: &Verification, finding: &Finding) -> String {
    let mut text = harmless(&finding.text);
    for (word, what) in digest::whereabouts(finding).into_iter().filter(|(word, _)| *word == "test")
    {
        let _ = write!(text, "\n{word} {}", harmless(&what));
    }
    if let Some(diff) = &finding.diff {
        let _ = write!(text, "\n\n{}", harmless(diff));
    }
    for line in observed::beside(v, finding) {
        let _ = write!(text, "\n{line}");
    }
    // Readers take `[text](address)` for a link, and no link comes from code under test.
    text.replace("](", "] (")
}

fn location(place: &Place, finding: &Finding) -> Value {
    let mut physical = json!({
        "artifactLocation": {"uri": uri(&place.file), "uriBaseId": "%SRCROOT%"},
    });
    if let Some(line) = place.line.filter(|line| *line > 0) {
        physical["region"] = json!({"startLine": line});
    }
    let mut value = json!({"physicalLocation": physical});
    if let Some(test) = &finding.test {
        value["logicalLocations"] =
            json!([{"fullyQualifiedName": harmless(test.as_str()), "kind": "function"}]);
    }
    value
}

/// A relative path as a URI reference: everything that could mean something else is written in hex.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.trim_start_matches('/').bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// The same for the same finding after lines above it moved: no line numbers.
fn fingerprint(name: CheckName, finding: &Finding) -> String {
    let file = finding.place.as_ref().map_or("", |place| place.file.as_str());
    let test = finding.test.as_ref().map_or("", |test| test.as_str());
    let diff = finding.diff.as_deref().unwrap_or_default();
    let changed: String = diff.lines().filter(|line| !line.starts_with("@@")).collect();
    let mut hash = blake3::Hasher::new();
    for part in [name.name(), file, test, &finding.text, &changed] {
        // Lengths keep neighbours apart.
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().to_hex()[..32].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_relative_uri_whatever_is_in_it() {
        assert_eq!(uri("src/lib.rs"), "src/lib.rs");
        assert_eq!(uri("//evil/a b#?%ä:c"), "evil/a%20b%23%3F%25%C3%A4%3Ac");
    }

    #[test]
    fn a_finding_that_moved_has_the_same_fingerprint_and_another_one_has_not() {
        let at = |line, text: &str| {
            let place = Place { file: "a.py".to_owned(), line: Some(line) };
            let diff = format!("@@ -{line} +{line} @@\n-a\n+b\n");
            fingerprint(
                CheckName::Mutants,
                &Finding::new(Weight::Warning, text).at(&place).with_diff(diff),
            )
        };
        assert_eq!(at(1, "survived"), at(9, "survived"));
        assert_ne!(at(1, "survived"), at(1, "other"));
    }
}
