//! The judgement of tests that were tidied when the work was green: they may stand in the place of the sealed originals only
//! where they are shown to ask for no less. The originals have passed on the same work before this is asked.

use super::{Anchor, GreenMeasure, GreenProof, GreenVerdict, Point, RedMeasure};
use crate::branch::{Fate, Mutant};
use crate::brief::Brief;
use crate::fault::{advice_of_green, advice_of_red, advice_of_thin};
use crate::observation::{Asked, Row, lost};
use crate::words::CommitId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How many mutants are shown that only the originals notice.
const SHOWN: usize = 5;

/// What was measured of tidied tests. What could not be measured any more, since it would change nothing, is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tidied {
    /// The work with the sealed originals.
    pub originals: Point,
    /// The tidied tests on the old production code.
    pub tests: Point,
    /// The same as the red gate measures it.
    pub red: RedMeasure,
    /// The work with the tidied tests.
    pub green: Box<GreenMeasure>,
    pub kills: Kills,
    /// What the originals ask of the work, test by test.
    #[serde(default)]
    pub asked: Vec<Asked>,
    /// What the tidied tests ask of it.
    #[serde(default)]
    pub asks: Vec<Row>,
}

impl Tidied {
    /// Why it is not shown that the tidied tests ask all that the originals ask.
    fn fault(&self) -> Option<String> {
        let lost = lost(&self.asked, &self.asks);
        let told =
            |(test, what): &(&Asked, String)| format!("{what} ({} at {})", test.test, test.place);
        let shown: Vec<String> = lost.iter().take(SHOWN).map(told).collect();
        (!lost.is_empty()).then(|| {
            let (count, shown) = (lost.len(), shown.join(", "));
            format!("what the originals ask is not asked any more by the tidied tests ({count}): {shown}")
        })
    }
}

/// What became of the same mutants of the changed lines under two texts of the tests, and no other test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kills {
    pub originals: Vec<Mutant>,
    pub tidied: Vec<Mutant>,
    /// Why they could not be tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hindered: Option<String>,
}

impl Kills {
    /// Why it is not shown that the tidied tests notice all that the originals notice.
    pub fn fault(&self) -> Option<String> {
        if let Some(why) = &self.hindered {
            return Some(format!("mutants could not be tried: {why}"));
        }
        if !self.originals.iter().any(|mutant| mutant.fate == Fate::Killed) {
            let why = "no mutant of the changed lines is noticed by the sealed tests alone, so nothing can be compared";
            return Some(why.to_owned());
        }
        let (was, is) = (killed(&self.originals), killed(&self.tidied));
        let lost: Vec<&str> = was
            .iter()
            .filter(|(key, (count, _))| is.get(*key).map_or(0, |(now, _)| *now) < *count)
            .map(|(_, (_, diff))| *diff)
            .collect();
        if lost.is_empty() {
            return None;
        }
        let shown: Vec<&str> = lost.iter().take(SHOWN).copied().collect();
        Some(format!(
            "small changes of the code that the originals notice go unnoticed by the tidied tests ({}):\n\n{}",
            lost.len(),
            shown.join("\n")
        ))
    }
}

/// Where a mutant stands moves with the tests around it; what it does to which line stays.
type Key<'a> = (&'a str, &'a str, &'a str);

/// The killed ones: how often each, and its diff.
fn killed(mutants: &[Mutant]) -> BTreeMap<Key<'_>, (usize, &str)> {
    let mut found = BTreeMap::new();
    for mutant in mutants.iter().filter(|mutant| mutant.fate == Fate::Killed) {
        let lines = mutant.diff.split_once('\n').map_or("", |(_, lines)| lines);
        let key = (mutant.place.file.as_str(), mutant.what.as_str(), lines);
        found.entry(key).or_insert((0, mutant.diff.as_str())).0 += 1;
    }
    found
}

impl Anchor {
    /// The tidied tests as what the work is held against from now on, with the proof that it stands; or why not.
    pub fn with_tidied(
        &self,
        brief: &Brief,
        base: &CommitId,
        tidied: &Tidied,
        at: &Point,
    ) -> Result<(Self, GreenProof), Vec<String>> {
        let red = RedMeasure { held_out: self.held_out().cloned(), ..tidied.red.clone() };
        let anchor =
            Self::judge(brief, &red, &tidied.tests).map_err(|faults| advice_of_red(&faults))?;
        let lost = self.unseen().iter().find(|id| !anchor.sealed().any(|sealed| sealed == *id));
        if lost.is_some() {
            return Err(vec!["Sealed tests are gone.".to_owned()]);
        }
        let proof = match GreenProof::judge(brief, &anchor, base, &tidied.green, at) {
            Ok(proof) => proof,
            Err(GreenVerdict::Code(faults)) => return Err(advice_of_green(&faults)),
            Err(GreenVerdict::Tests(fault)) => return Err(vec![fault.advice()]),
            Err(GreenVerdict::Thin(faults)) => return Err(advice_of_thin(&faults)),
        };
        match tidied.kills.fault().or_else(|| tidied.fault()) {
            Some(fault) => Err(vec![fault]),
            None => Ok((anchor, proof)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Place;

    fn mutants(fates: &[Fate]) -> Vec<Mutant> {
        let one = |(n, fate): (usize, &Fate)| Mutant {
            place: Place { file: "a.py".to_owned(), line: u32::try_from(n).ok() },
            what: format!("change {n}"),
            diff: format!("a.py:{n}\n-old {n}\n+new {n}\n"),
            fate: *fate,
            parts: Vec::new(),
            settled: None,
            by: None,
        };
        fates.iter().enumerate().map(one).collect()
    }

    fn fault(originals: &[Fate], tidied: &[Fate]) -> Option<String> {
        let kills =
            Kills { originals: mutants(originals), tidied: mutants(tidied), hindered: None };
        kills.fault()
    }

    #[test]
    fn tidied_tests_must_notice_all_that_the_originals_notice() {
        use Fate::{Killed, NotTried, Survived};
        assert_eq!(fault(&[Killed, Survived], &[Killed, Survived]), None);
        assert_eq!(fault(&[Killed, Survived], &[Killed, Killed]), None, "more is fine");
        let lost = fault(&[Killed, Killed], &[Killed, Survived]).unwrap();
        assert!(lost.contains("-old 1\n+new 1"), "{lost}");
        assert!(fault(&[Killed, Killed], &[Killed, NotTried]).is_some());
        assert!(fault(&[Killed], &[]).is_some());
        assert!(fault(&[Survived], &[Survived]).unwrap().contains("nothing can be compared"));
    }
}
