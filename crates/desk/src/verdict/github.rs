//! A verification as workflow commands of GitHub Actions: each finding that matters as an annotation at its place, and the
//! verdict as one more. Nothing in a text can end its line or begin a command of its own.

use super::digest;
use crate::text::harmless::harmless;
use proctor_core::verdict::{CheckName, Finding, Verdict, Verification, Weight};
use std::fmt::Write;

/// GitHub shows ten of a kind a step; what weighs most comes first.
const MOST: usize = 50;

pub fn render(v: &Verification) -> String {
    let mut text = String::new();
    let found = digest::mattering(v);
    for (name, finding) in found.iter().take(MOST) {
        text.push_str(&annotation(*name, finding));
    }
    let level = match v.verdict {
        Verdict::Proven | Verdict::Unaffected => "notice",
        Verdict::Inconclusive => "warning",
        Verdict::Refuted => "error",
    };
    let more = found.len().saturating_sub(MOST);
    let rest = if more > 0 { format!("\n{more} more findings") } else { String::new() };
    let (base, head) = (v.base.short(), v.head.short());
    let said = format!("{}{rest}", v.reason);
    let title = format!("proctor: {} ({base}..{head})", v.verdict.name());
    let _ = writeln!(text, "::{level} title={}::{}", property(&title), message(&said));
    text
}

fn annotation(name: CheckName, finding: &Finding) -> String {
    let level = if finding.weight == Weight::Refutes { "error" } else { "warning" };
    let title = format!("proctor {}: {}", name.name(), digest::weight(finding.weight));
    let mut properties = Vec::new();
    if let Some(place) = &finding.place {
        properties.push(format!("file={}", property(&place.file)));
        properties.extend(place.line.map(|line| format!("line={line}")));
    }
    properties.push(format!("title={}", property(&title)));
    let test = finding.test.as_ref().filter(|test| !finding.text.contains(test.as_str()));
    let said = match test {
        Some(test) => format!("{}\ntest {test}", finding.text.trim_end()),
        None => finding.text.trim_end().to_owned(),
    };
    format!("::{level} {}::{}\n", properties.join(","), message(&said))
}

/// As GitHub's own toolkit writes it.
fn message(text: &str) -> String {
    harmless(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
