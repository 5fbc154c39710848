//! What is said: in-toto statements made of a pack or of a verification. Pure; what was not measured is not said.

use crate::evidence::pack::Pack;
use anyhow::Result;
use proctor_core::branch::{Fate, Mutant};
use proctor_core::verdict::{Change, Check, CheckName, CheckStatus, Verdict, Verification};
use proctor_core::words::{CommitId, TestId, TreeId};
use proctor_engine::evidence::Printed;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub const STATEMENT: &str = "https://in-toto.io/Statement/v1";
pub const TEST_RESULT: &str = "https://in-toto.io/attestation/test-result/v0.1";
pub const VERIFICATION: &str = "https://in-toto.io/attestation/svr/v0.1";
pub const PROOF: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/attestation/proof/v0.1");

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Statement {
    #[serde(rename = "_type")]
    pub kind: String,
    pub subject: Vec<Subject>,
    pub predicate_type: String,
    pub predicate: Value,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub name: String,
    pub digest: BTreeMap<String, String>,
}

/// What statements are made of.
pub struct Grounds {
    pub verdict: Verdict,
    reason: String,
    pub base: CommitId,
    base_tree: Option<TreeId>,
    /// The proven commit first, then where it landed.
    pub heads: Vec<CommitId>,
    pub tree: Option<TreeId>,
    checks: Vec<Check>,
    mutants: Vec<Mutant>,
    /// How many new tests were held against other inputs.
    observed: usize,
    passed: Vec<TestId>,
    failed: Vec<TestId>,
    /// Red on the base and green on head.
    red: Vec<TestId>,
    run: Option<String>,
    /// The pack with its name.
    pack: Option<(String, String)>,
    proctor: String,
}

impl Grounds {
    pub fn of_pack(pack: &Pack, (name, printed): (&str, &Printed)) -> Self {
        let proven = pack.proven.as_ref();
        let landed = pack.landed.as_ref().map(|landed| landed.commit.clone());
        let sealed: Vec<TestId> = pack.sealed.all().cloned().collect();
        let (passed, red) = match pack.verdict {
            Verdict::Proven => (sealed, pack.sealed.red.clone()),
            Verdict::Unaffected | Verdict::Refuted | Verdict::Inconclusive => Default::default(),
        };
        Self {
            verdict: pack.verdict,
            reason: pack.reason.clone(),
            base: pack.base.commit.clone(),
            base_tree: Some(pack.base.tree.clone()),
            heads: proven.map(|point| point.commit.clone()).into_iter().chain(landed).collect(),
            tree: proven.map(|point| point.tree.clone()),
            checks: pack.checks.clone(),
            mutants: pack.mutants.clone(),
            observed: pack.observed.len(),
            passed,
            failed: Vec::new(),
            red,
            run: Some(pack.run.to_string()),
            pack: Some((name.to_owned(), printed.sha256.clone())),
            proctor: pack.proctor.clone(),
        }
    }

    pub fn of_verification(v: &Verification) -> Self {
        let of = |wanted: &dyn Fn(&proctor_core::verdict::TestRow) -> bool| -> Vec<TestId> {
            v.tests.iter().filter(|(_, row)| wanted(row)).map(|(id, _)| id.clone()).collect()
        };
        let is_red = |change| matches!(change, Change::New | Change::Fixed);
        Self {
            verdict: v.verdict,
            reason: v.reason.clone(),
            base: v.base.clone(),
            base_tree: None,
            heads: vec![v.head.clone()],
            tree: None,
            checks: v.checks.clone(),
            mutants: v.mutants.clone(),
            observed: v.observations.len(),
            passed: of(&|row| row.head == "passed"),
            failed: of(&|row| row.head == "failed" || row.head == "errored"),
            red: of(&|row| is_red(row.change) && row.head == "passed" && row.base != "passed"),
            run: None,
            pack: None,
            proctor: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    fn subjects(&self) -> Vec<Subject> {
        let one = |name: &str, kind: &str, digest: &str| Subject {
            name: name.to_owned(),
            digest: BTreeMap::from([(kind.to_owned(), digest.to_owned())]),
        };
        let mut subjects: Vec<Subject> =
            self.heads.iter().map(|head| one("commit", "gitCommit", head.as_str())).collect();
        subjects.extend(self.tree.iter().map(|tree| one("tree", "gitTree", tree.as_str())));
        subjects.extend(self.pack.iter().map(|(name, sha256)| one(name, "sha256", sha256)));
        subjects
    }

    fn passes(&self, name: CheckName) -> bool {
        self.checks.iter().any(|check| check.name == name && check.status == CheckStatus::Pass)
    }

    /// What holds, and nothing that does not.
    fn properties(&self) -> Vec<String> {
        let mut properties = vec![format!("PROCTOR_{}", self.verdict.name().to_uppercase())];
        if !self.red.is_empty() {
            properties.push("PROCTOR_RED_ON_BASE_GREEN_ON_HEAD".to_owned());
        }
        for name in CheckName::ALL.into_iter().filter(|name| self.passes(*name)) {
            let word = name.name().replace('-', "_").to_uppercase();
            properties.push(format!("PROCTOR_CHECK_{word}"));
        }
        properties
    }

    fn proof(&self) -> Value {
        let checks: Vec<Value> = self
            .checks
            .iter()
            .map(|check| json!({"name": check.name, "status": check.status, "summary": check.summary}))
            .collect();
        let fate = |fate: Fate| self.mutants.iter().filter(|mutant| mutant.fate == fate).count();
        json!({
            "schema": 1,
            "verdict": self.verdict,
            "reason": self.reason,
            "base": {"gitCommit": self.base, "gitTree": self.base_tree},
            "head": {"gitCommit": self.heads.first(), "gitTree": self.tree},
            "redOnBaseGreenOnHead": self.red,
            "tried": {
                "mutants": {
                    "killed": fate(Fate::Killed),
                    "survived": fate(Fate::Survived),
                    "notTried": fate(Fate::NotTried),
                },
                "testsHeldAgainstOtherInputs": self.observed,
            },
            "checks": checks,
            "run": self.run,
            "evidence": self.pack.as_ref().map(|(_, sha256)| json!({"sha256": sha256})),
            "proctor": self.proctor,
        })
    }

    fn result(&self) -> &'static str {
        match self.verdict {
            Verdict::Proven | Verdict::Unaffected => "PASSED",
            Verdict::Inconclusive => "WARNED",
            Verdict::Refuted => "FAILED",
        }
    }
}

/// All statements about these grounds. There must be something that they are about.
pub fn all(grounds: &Grounds, now: &str) -> Result<Vec<Statement>> {
    if grounds.heads.is_empty() {
        return Err(crate::told::usage(
            "nothing is proven yet, so there is no commit to make a statement about\nhint: `proctor show` says how the run stands",
        ));
    }
    let base = json!({"name": "base", "digest": {"gitCommit": grounds.base}});
    let predicates = [
        (
            TEST_RESULT,
            json!({
                "result": grounds.result(),
                "configuration": [base],
                "passedTests": grounds.passed,
                "warnedTests": [],
                "failedTests": grounds.failed,
            }),
        ),
        (
            VERIFICATION,
            json!({
                "verifier": {"id": format!("{}@{}", env!("CARGO_PKG_REPOSITORY"), grounds.proctor)},
                "timeVerified": now,
                "properties": grounds.properties(),
            }),
        ),
        (PROOF, grounds.proof()),
    ];
    let statement = |(kind, predicate): (&str, Value)| Statement {
        kind: STATEMENT.to_owned(),
        subject: grounds.subjects(),
        predicate_type: kind.to_owned(),
        predicate,
    };
    Ok(predicates.map(statement).into())
}
