//! A replay held against what a pack says: the same tests red, the same tests passing, the same mutants killed. What
//! differs is put to the check that it belongs to; the verdict follows from the checks as always.

use super::pack::Pack;
use proctor_core::branch::{BranchMeasure, Fate, Mutant};
use proctor_core::verdict::{Check, CheckName, Finding, Verdict, Verification, Weight, judge};
use proctor_core::words::TestId;

/// The answer of a replay, with what is not as the pack says.
pub fn compare(pack: &Pack, answer: Verification, measure: Option<&BranchMeasure>) -> Verification {
    let Some(measure) = measure else { return answer };
    let mut found = red(pack, measure);
    found.extend(passing(pack, &answer));
    found.extend(mutants(pack, &measure.mutants));
    if pack.verdict != Verdict::Proven {
        let text = format!("the pack says {} of its run", pack.verdict.name());
        found.push((CheckName::Green, Finding::new(Weight::Unjudged, text)));
    }
    let mut answer = with(answer, found);
    if answer.verdict == Verdict::Proven {
        answer.reason = same(pack);
    }
    answer
}

/// The answer with more findings, judged anew.
pub fn with(mut answer: Verification, found: Vec<(CheckName, Finding)>) -> Verification {
    for (name, finding) in found {
        let Some(check) = answer.checks.iter_mut().find(|check| check.name == name) else {
            continue;
        };
        let weight = finding.weight;
        check.details.push(finding);
        // What is only told changes neither status nor summary.
        if weight > Weight::Note {
            let details = std::mem::take(&mut check.details);
            *check = Check::of(name, check.summary.clone(), details);
        }
    }
    (answer.verdict, answer.reason) = judge(&answer.checks);
    answer
}

fn same(pack: &Pack) -> String {
    let sealed = pack.sealed.all().count();
    let killed = pack.mutants.iter().filter(|mutant| mutant.fate == Fate::Killed).count();
    format!(
        "the same came out: red tests {}, sealed tests {sealed}, killed mutants {killed}",
        pack.sealed.red.len()
    )
}

fn red(pack: &Pack, measure: &BranchMeasure) -> Vec<(CheckName, Finding)> {
    if measure.replay.is_empty() {
        // It was not made; the check itself says why.
        return Vec::new();
    }
    let red = measure.sorted().red;
    let is_red = |id: &&TestId| red.iter().any(|now| now.covers(id) || id.covers(now));
    let lost = pack.sealed.red.iter().filter(|id| !is_red(id));
    lost.map(|id| {
        let text = format!("{id} was red in the run, and is not red on replay");
        (CheckName::RedReplay, Finding::new(Weight::Refutes, text).of(id))
    })
    .collect()
}

fn passing(pack: &Pack, answer: &Verification) -> Vec<(CheckName, Finding)> {
    if answer.tests.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for id in pack.sealed.all() {
        let mut rows = answer.tests.iter().filter(|(now, _)| id.covers(now)).peekable();
        let text = if rows.peek().is_none() {
            format!("{id} is sealed, and was not run on replay")
        } else if let Some((_, row)) = rows.find(|(_, row)| row.head != "passed") {
            format!("{id} passed in the run, and is {} on replay", row.head)
        } else {
            continue;
        };
        found.push((CheckName::Green, Finding::new(Weight::Refutes, text).of(id)));
    }
    found
}

fn mutants(pack: &Pack, now: &[Mutant]) -> Vec<(CheckName, Finding)> {
    let mut found = Vec::new();
    for was in &pack.mutants {
        let same = |mutant: &&Mutant| {
            mutant.place == was.place && mutant.what == was.what && mutant.diff == was.diff
        };
        let fate = now.iter().find(same).map(|mutant| mutant.fate);
        let (weight, text) = match (was.fate, fate) {
            (Fate::Killed, Some(Fate::Survived)) => {
                (Weight::NeedsPerson, "was killed in the run, and survives on replay")
            }
            (Fate::Killed, Some(Fate::NotViable | Fate::NotTried) | None) => {
                (Weight::NeedsPerson, "was killed in the run, and could not be tried on replay")
            }
            (Fate::Survived, Some(Fate::Killed)) => {
                (Weight::Note, "survived in the run, and is killed on replay")
            }
            (Fate::Killed, Some(Fate::Killed))
            | (Fate::Survived | Fate::NotViable | Fate::NotTried, _) => continue,
        };
        let text = format!("a mutant {text}: {}", was.what);
        let finding = Finding::new(weight, text).at(&was.place).with_diff(was.diff.clone());
        found.push((CheckName::Mutants, finding));
    }
    found
}
