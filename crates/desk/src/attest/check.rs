//! Whether signed statements say of a pack, or of a commit, that it is proven: every one of them must be signed by the key that
//! was given and speak of the same thing. Refuses whatever it can't read.

use super::envelope::Envelope;
use super::key::PublicKey;
use super::statement::{PROOF, STATEMENT, Statement};
use crate::evidence::read_pack;
use proctor_core::verdict::Verdict;
use proctor_engine::evidence::Printed;
use serde::Serialize;

/// What the statements are held against.
#[derive(Clone, Copy, Debug, Default)]
pub struct Signed<'a> {
    /// The text of the file with envelopes, one a line.
    pub envelopes: &'a str,
    pub pack: Option<&'a [u8]>,
    /// The commit that they must be about.
    pub commit: Option<&'a str>,
}

/// What was signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checked {
    pub verdict: Verdict,
    pub reason: String,
    pub base: String,
    pub commits: Vec<String>,
    pub key: String,
    pub predicates: Vec<String>,
}

/// What was signed by this key, or why it does not count.
pub fn check(signed: Signed<'_>, key: &PublicKey) -> Result<Checked, String> {
    let statements = statements(signed.envelopes, key)?;
    for statement in &statements {
        if let Some(bytes) = signed.pack {
            is_about(statement, "sha256", &Printed::of(bytes).sha256, "this pack")?;
        }
        if let Some(commit) = signed.commit {
            is_about(statement, "gitCommit", commit, "this commit")?;
        }
    }
    let Some(proof) = statements.iter().find(|one| one.predicate_type == PROOF) else {
        return Err(format!("none of the statements is of the type {PROOF}"));
    };
    if statements.iter().any(|one| one.subject != proof.subject) {
        return Err("the statements are not all about the same".to_owned());
    }
    let said = &proof.predicate;
    let verdict: Verdict = serde_json::from_value(said["verdict"].clone())
        .map_err(|why| format!("the signed verdict can't be read: {why}"))?;
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let checked = Checked {
        verdict,
        reason: text(&said["reason"]),
        base: text(&said["base"]["gitCommit"]),
        commits: of_kind(proof, "gitCommit").map(str::to_owned).collect(),
        key: key.id(),
        predicates: statements.iter().map(|one| one.predicate_type.clone()).collect(),
    };
    if let Some(bytes) = signed.pack {
        same_as_pack(&checked, bytes)?;
    }
    Ok(checked)
}

fn statements(text: &str, key: &PublicKey) -> Result<Vec<Statement>, String> {
    let mut statements = Vec::new();
    for (number, line) in (1..).zip(text.lines().filter(|line| !line.trim().is_empty())) {
        let told = |why: String| format!("statement {number} is refused: {why}");
        let envelope: Envelope = serde_json::from_str(line)
            .map_err(|why| told(format!("it is no DSSE envelope: {why}")))?;
        let payload = envelope.open(key).map_err(told)?;
        let statement: Statement = serde_json::from_slice(&payload)
            .map_err(|why| told(format!("its payload is no in-toto statement: {why}")))?;
        if statement.kind != STATEMENT {
            return Err(told(format!("it is of the type {:?}", statement.kind)));
        }
        statements.push(statement);
    }
    if statements.is_empty() {
        return Err("there is no statement in it".to_owned());
    }
    Ok(statements)
}

fn of_kind<'a>(statement: &'a Statement, kind: &str) -> impl Iterator<Item = &'a str> {
    let kind = kind.to_owned();
    statement.subject.iter().filter_map(move |one| one.digest.get(&kind)).map(String::as_str)
}

fn is_about(statement: &Statement, kind: &str, wanted: &str, what: &str) -> Result<(), String> {
    let about: Vec<&str> = of_kind(statement, kind).collect();
    if about.contains(&wanted) {
        return Ok(());
    }
    Err(match about.as_slice() {
        [] => format!("a statement is signed, but names no {kind}, so it is not about {what}"),
        some => format!(
            "a statement is signed, but about {}, and {what} is {wanted}",
            some.join(" and ")
        ),
    })
}

/// The pack itself must say the same: the signature is about its bytes, and its words are in them.
fn same_as_pack(checked: &Checked, bytes: &[u8]) -> Result<(), String> {
    let pack = read_pack(bytes)?;
    let proven = pack.proven.as_ref().map(|point| point.commit.as_str());
    let same = pack.verdict == checked.verdict
        && pack.base.commit.as_str() == checked.base
        && proven.is_some_and(|commit| checked.commits.iter().any(|signed| signed == commit));
    if same { Ok(()) } else { Err("the pack says something else than what was signed".to_owned()) }
}
