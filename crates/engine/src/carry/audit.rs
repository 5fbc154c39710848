//! The audit that Proctor makes itself: secrets that the change would bring in, what only a person can accept of it, and what the project's own linters say of
//! it that they did not say before.

use super::lint::Linted;
use super::{Halt, Job};
use proctor_core::audit::Remark;
use proctor_core::event::Outcome;
use proctor_core::proof::Point;
use proctor_core::secret::{Allowed, scan, secret_name};
use proctor_core::words::TreeId;
use proctor_lab::disk::write;
use proctor_lab::sources;
use proctor_lang::{Tree, Zone, split_rust};
use proctor_world::listing::Change;
use proctor_world::shadow::Shadow;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The most findings that are told to a coder at once.
const MOST_TOLD: usize = 50;

pub(super) fn audit(job: &Job, code: &Point) -> Result<Outcome, Halt> {
    let shadow = job.shadow()?;
    let base = shadow.tree_of(&job.run.base)?;
    let allowed = &job.run.brief.allowed_secrets;
    let mut findings = new_secrets(&shadow, allowed, (&base, &code.tree))?;
    let Linted { remarks, mut notes } = job.linted(&shadow, (&base, &code.tree))?;
    let redactor = job.redactor();
    write(&job.shop.home.process(&job.id).join("audit.sarif"), sarif_log(&remarks).as_bytes())?;
    for remark in remarks {
        let told = redactor.text(&remark.to_string());
        // Sealed: the coder may not change it, so it is not sent there.
        match job.zone(&remark.file) {
            Zone::Production if !in_a_test(&shadow, &code.tree, &remark)? => findings.push(told),
            Zone::Production | Zone::Test | Zone::Deciding => notes.push(told),
        }
    }
    let more = findings.len().saturating_sub(MOST_TOLD);
    if more > 0 {
        findings.truncate(MOST_TOLD);
        findings.push(format!("and {more} more; all are in .process/audit.sarif"));
    }
    notes.truncate(MOST_TOLD);
    let raised = super::lands::raised(&shadow, (&base, &code.tree))?;
    Ok(Outcome::Audited { findings, notes, raised })
}

/// Whether a remark is about a test that stands among production code.
fn in_a_test(shadow: &Shadow, tree: &TreeId, remark: &Remark) -> Result<bool, Halt> {
    if !remark.file.as_bytes().ends_with(b".rs") || remark.text.is_empty() {
        return Ok(false);
    }
    let files = sources(shadow, &*shadow.list(tree)?, |path| path == remark.file)?;
    let source = files.read(&remark.file).unwrap_or_default();
    let split = split_rust(&String::from_utf8_lossy(&source));
    Ok(split.is_some_and(|split| {
        !split.production.contains(&remark.text)
            && split.tests.iter().any(|test| test.contains(&remark.text))
    }))
}

/// What linters remarked, for programs that read such logs.
fn sarif_log(remarks: &[Remark]) -> String {
    let mut tools: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for remark in remarks {
        let mut place = json!({"artifactLocation": {"uri": remark.file}});
        if let (Some(line), Some(place)) = (remark.line, place.as_object_mut()) {
            place.insert("region".to_owned(), json!({"startLine": line}));
        }
        let mut result = json!({
            "level": "warning",
            "message": {"text": remark.message},
            "locations": [{"physicalLocation": place}],
        });
        if let (Some(rule), Some(result)) = (&remark.rule, result.as_object_mut()) {
            result.insert("ruleId".to_owned(), json!(rule));
        }
        tools.entry(&remark.tool).or_default().push(result);
    }
    let runs: Vec<Value> = tools
        .into_iter()
        .map(|(tool, results)| json!({"tool": {"driver": {"name": tool}}, "results": results}))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": runs,
    });
    format!("{log:#}\n")
}

/// What looks like a secret in `to` and did not stand there in `from`, each with its place.
pub(super) fn new_secrets(
    shadow: &Shadow,
    allowed: &Allowed,
    (from, to): (&TreeId, &TreeId),
) -> Result<Vec<String>, Halt> {
    let changed = shadow.changed(from, to)?;
    let touched = |path: &str| changed.iter().any(|(p, _)| p == path);
    let before = sources(shadow, &*shadow.list(from)?, touched)?.0;
    let after = sources(shadow, &*shadow.list(to)?, touched)?.0;
    let mut findings = Vec::new();
    for (path, change) in &changed {
        let Some(text) = after.get(path) else { continue };
        if matches!(change, Change::Added)
            && let Some(rule) = secret_name(path)
            // Code may well be about secrets; by such a word alone nothing is one.
            && !["*secret*", "*credential*"].contains(&rule.pattern())
            && !allowed.allows(path, rule.pattern())
        {
            findings.push(format!(
                "{path}: a new file whose name looks like a secret ({})",
                rule.pattern()
            ));
        }
        // What stood there before is not this change's doing.
        let known: Vec<&str> = before
            .get(path)
            .map(|old| scan(old).iter().map(|f| f.rule).collect())
            .unwrap_or_default();
        for finding in allowed.scan(path, text).iter().filter(|f| !known.contains(&f.rule)) {
            findings.push(format!(
                "{path}:{}: looks like a secret ({}); take it out",
                finding.line, finding.rule
            ));
        }
    }
    Ok(findings)
}
