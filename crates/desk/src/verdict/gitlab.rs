//! A verification as GitLab's Code Quality report: findings with a place, shown at their lines in a merge request.

use super::digest;
use crate::text::harmless::{harmless, short};
use proctor_core::verdict::{CheckName, Finding, Verification, Weight};
use proctor_engine::evidence::Printed;
use serde_json::{Value, json};

pub fn render(v: &Verification) -> String {
    let rows: Vec<Value> =
        digest::mattering(v).iter().filter_map(|(name, finding)| row(*name, finding)).collect();
    super::json(&rows)
}

fn row(name: CheckName, finding: &Finding) -> Option<Value> {
    let place = finding.place.as_ref()?;
    let text = harmless(&short(&finding.text, 1000));
    let severity = match finding.weight {
        Weight::Refutes => "blocker",
        Weight::Unjudged | Weight::NeedsPerson => "major",
        Weight::Warning | Weight::Note => "minor",
    };
    let line = place.line.unwrap_or(1).max(1);
    let key = Printed::of(format!("{name} {} {line} {text}", place.file).as_bytes()).sha256;
    Some(json!({
        "description": text,
        "check_name": format!("proctor {name}"),
        "fingerprint": key,
        "severity": severity,
        "location": {"path": place.file, "lines": {"begin": line}},
    }))
}
