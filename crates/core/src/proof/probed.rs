//! What the trials beyond a plain green run mean for a run: a forged harness and inputs made to measure go back to the
//! coder, mutants that survive go back to the tester, and what only a person can judge is shown at approval.

use super::{GreenVerdict, HeldOut};
use crate::branch::{BranchMeasure, Fate};
use crate::brief::{Brief, Percent, Rules};
use crate::check::checks;
use crate::fault::{GreenFault, ThinFault};
use crate::verdict::{Check, CheckName, Finding, Weight};

/// How many mutants are shown to the tester.
const SHOWN: usize = 10;

/// Why the trials refuse, if they do.
pub(super) fn refusal(brief: &Brief, probe: &BranchMeasure) -> Option<GreenVerdict> {
    let checks = checks(brief, probe);
    let mut faults = Vec::new();
    for check in &checks {
        let findings: Vec<String> = refusing(check, probe).map(|f| f.text.clone()).collect();
        if !findings.is_empty() {
            faults.push(GreenFault::Probed { check: check.name, findings });
        }
    }
    if !faults.is_empty() {
        return Some(GreenVerdict::Code(faults));
    }
    thin(probe).map(|fault| GreenVerdict::Thin(vec![fault]))
}

/// The same for a coder who is not shown every test.
pub(super) fn told(brief: &Brief, probe: &BranchMeasure, held: &HeldOut) -> Vec<GreenFault> {
    let unshown = |finding: &Finding| {
        let of = |file: &str| held.files.iter().any(|hidden| hidden == file);
        finding.test.as_ref().is_some_and(|test| held.covers(test))
            || finding.place.as_ref().is_some_and(|place| of(&place.file))
            || held.is_named_in(&finding.text)
    };
    let word = |finding: &Finding| {
        if unshown(finding) { UNSHOWN.to_owned() } else { finding.text.clone() }
    };
    let mut faults = Vec::new();
    for check in &checks(brief, probe) {
        let mut findings: Vec<String> = refusing(check, probe).map(word).collect();
        findings.dedup();
        if !findings.is_empty() {
            faults.push(GreenFault::Probed { check: check.name, findings });
        }
    }
    faults
}

const UNSHOWN: &str = "it was found with a test that you are not shown";

/// What of a check sends the work back.
fn refusing<'c>(check: &'c Check, probe: &'c BranchMeasure) -> impl Iterator<Item = &'c Finding> {
    let observed = |finding: &Finding| {
        let test = finding.test.as_ref();
        test.is_some_and(|test| probe.varied.iter().any(|varied| varied.test == *test))
    };
    let counts = move |finding: &&Finding| match check.name {
        CheckName::Harness | CheckName::Isolation => finding.weight == Weight::Refutes,
        // Only other inputs speak here: red itself was proven before.
        CheckName::RedReplay => match finding.weight {
            Weight::NeedsPerson => true,
            Weight::Refutes => observed(finding),
            Weight::Note | Weight::Warning | Weight::Unjudged => false,
        },
        CheckName::Green
        | CheckName::Regression
        | CheckName::TestsIntact
        | CheckName::Mutants
        | CheckName::Source
        | CheckName::Coverage => false,
    };
    check.details.iter().filter(counts)
}

fn thin(probe: &BranchMeasure) -> Option<ThinFault> {
    let of = |fate: Fate| probe.mutants.iter().filter(move |mutant| mutant.fate == fate);
    let survived = of(Fate::Survived).count();
    let tried = survived + of(Fate::Killed).count();
    let allowed = probe.survivors.unwrap_or(Rules::A_FIFTH);
    if tried == 0 || Percent::of(survived, tried) <= allowed {
        return None;
    }
    Some(ThinFault::Mutants {
        survived,
        tried,
        allowed,
        diffs: of(Fate::Survived).take(SHOWN).map(|mutant| mutant.diff.clone()).collect(),
    })
}

/// What a person should see before approving.
pub(super) fn warnings(brief: &Brief, probe: &BranchMeasure) -> Vec<String> {
    let told = |check: &Check| -> Vec<String> {
        let weighs = |weight: Weight| weight >= Weight::Warning;
        check.details.iter().filter(|f| weighs(f.weight)).map(|f| f.text.clone()).collect()
    };
    let shown = [CheckName::Harness, CheckName::Isolation, CheckName::Mutants, CheckName::Source];
    let mut found: Vec<String> = checks(brief, probe)
        .iter()
        .filter(|check| shown.contains(&check.name))
        .flat_map(told)
        .collect();
    found.truncate(20);
    found
}
