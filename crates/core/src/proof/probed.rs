//! What the trials beyond a plain green run mean for a run: a forged harness and inputs made to measure go back to the
//! coder, mutants that survive go back to the tester, and what only a person can judge is shown at approval.

use super::{GreenVerdict, HeldOut};
use crate::branch::{BranchMeasure, Fate};
use crate::brief::{Percent, Rules};
use crate::check::checks;
use crate::concern::{Concern, Raised};
use crate::fault::{GreenFault, ThinFault};
use crate::verdict::{Check, CheckName, Finding, Weight};

/// How many mutants are shown to the tester.
const SHOWN: usize = 10;

/// Why the trials refuse, if they do.
pub(super) fn refusal(probe: &BranchMeasure) -> Option<GreenVerdict> {
    let faults = faults(probe, (Sort::Refuted, None));
    if !faults.is_empty() {
        return Some(GreenVerdict::Code(faults));
    }
    thin(probe).map(|fault| GreenVerdict::Thin(vec![fault]))
}

/// What a finding does to the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// It goes back to the coder.
    Refuted,
    /// It goes back to the coder once; then a person looks.
    Doubtful,
}

/// What the coder is told of findings of a sort, who may not be shown every test.
pub(super) fn faults(
    probe: &BranchMeasure,
    (sort, held): (Sort, Option<&HeldOut>),
) -> Vec<GreenFault> {
    let unshown = |finding: &Finding| {
        held.is_some_and(|held| {
            let of = |file: &str| held.files.iter().any(|hidden| hidden == file);
            finding.test.as_ref().is_some_and(|test| held.covers(test))
                || finding.place.as_ref().is_some_and(|place| of(&place.file))
                || held.is_named_in(&finding.text)
        })
    };
    let word = |finding: &Finding| {
        if unshown(finding) { UNSHOWN.to_owned() } else { for_coder(&finding.text) }
    };
    let mut faults = Vec::new();
    for check in &checks(probe) {
        let of = |finding: &&Finding| sort_of(check.name, finding, probe) == Some(sort);
        let mut findings: Vec<String> = check.details.iter().filter(of).map(word).collect();
        findings.dedup();
        let check = check.name;
        if !findings.is_empty() {
            faults.push(match sort {
                Sort::Refuted => GreenFault::Probed { check, findings },
                Sort::Doubtful => GreenFault::Doubted { check, findings },
            });
        }
    }
    faults
}

/// A finding without what only a tester or a person could do about it: tests are sealed for the coder.
fn for_coder(text: &str) -> String {
    const ACCEPTED: &str = "; accepted: ";
    let Some((what, accepted)) = text.split_once(ACCEPTED) else { return text.to_owned() };
    let theirs = ["a test", "tests ", "an assertion", "the old assertions", "a person", "a new or"];
    let own: Vec<&str> = accepted
        .split(", or ")
        .filter(|way| !theirs.iter().any(|start| way.starts_with(start)))
        .collect();
    if own.is_empty() { what.to_owned() } else { format!("{what}{ACCEPTED}{}", own.join(", or ")) }
}

const UNSHOWN: &str = "it was found with a test that you are not shown";

/// Whether the coder can do something about a finding. What else waits for a person goes there at once.
fn sort_of(check: CheckName, finding: &Finding, probe: &BranchMeasure) -> Option<Sort> {
    let test = finding.test.as_ref();
    let observed = test.is_some_and(|test| probe.varied.iter().any(|v| v.test == *test));
    match (check, finding.weight) {
        (CheckName::Harness | CheckName::Isolation, Weight::Refutes) => Some(Sort::Refuted),
        // Only other inputs speak here: red itself was proven before.
        (CheckName::RedReplay, Weight::Refutes) if observed => Some(Sort::Refuted),
        (CheckName::RedReplay, Weight::NeedsPerson) => Some(Sort::Doubtful),
        _ => None,
    }
}

/// Everything that a person must look at before the work lands.
pub(super) fn raised(probe: &BranchMeasure) -> Vec<Raised> {
    // Whether anything could be run on the base's code was the red gate's to say.
    let made = |check: &Check| {
        check.name != CheckName::RedReplay || probe.unmade.contains_key(&CheckName::RedReplay)
    };
    let checks = checks(probe);
    let of = |check: &Check| {
        let judged = made(check);
        check.raised().filter(move |raised| judged || raised.kind != Concern::Unjudged).collect()
    };
    let mut all: Vec<Raised> =
        checks.iter().flat_map(|check| -> Vec<Raised> { of(check) }).collect();
    all.dedup();
    all
}

fn thin(probe: &BranchMeasure) -> Option<ThinFault> {
    let of = |fate: Fate| probe.mutants.iter().filter(move |mutant| mutant.fate == fate);
    // What a person let pass is asked of nobody a second time.
    let open = || of(Fate::Survived).filter(|mutant| mutant.settled.is_none());
    let survived = open().count();
    let tried = survived + of(Fate::Killed).count();
    let allowed = probe.survivors.unwrap_or(Rules::A_FIFTH);
    if tried == 0 || Percent::of(survived, tried) <= allowed {
        return None;
    }
    Some(ThinFault::Mutants {
        survived,
        tried,
        allowed,
        diffs: open().take(SHOWN).map(|mutant| mutant.diff.clone()).collect(),
    })
}

/// What a person should see before approving.
pub(super) fn warnings(probe: &BranchMeasure) -> Vec<String> {
    let told = |check: &Check| -> Vec<String> {
        // What waits for a person is told as such.
        let weighs = |weight: Weight| weight == Weight::Warning;
        check.details.iter().filter(|f| weighs(f.weight)).map(|f| f.text.clone()).collect()
    };
    let shown = [CheckName::Harness, CheckName::Isolation, CheckName::Mutants, CheckName::Source];
    let mut found: Vec<String> =
        checks(probe).iter().filter(|check| shown.contains(&check.name)).flat_map(told).collect();
    found.truncate(20);
    found
}

#[cfg(test)]
mod tests {
    use super::for_coder;

    #[test]
    fn a_coder_is_not_asked_for_tests() {
        let both = "it knows; accepted: code that does the same for other inputs, or a test that says what happens";
        assert_eq!(for_coder(both), "it knows; accepted: code that does the same for other inputs");
        assert_eq!(
            for_coder("it fails alone; accepted: a test that stands by itself"),
            "it fails alone"
        );
        assert_eq!(for_coder("it broke"), "it broke");
    }
}
