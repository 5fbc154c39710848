//! What trials showed before, kept by all that they depend on: trees, edits, tests, tools, rules, and our own program. A
//! push pays for what it changes, and a verification that was ended goes on where it was. The n-th trial of a kind is answered
//! by the n-th that was made: one run never stands for two. It judges nothing, and runs nothing.

use super::Known;
use super::kept::around;
use crate::baseline::trim;
use proctor_core::branch::{Fate, OutsideEnd};
use proctor_core::proof::CoverageMeasure;
use proctor_core::report::{LineCoverage, RunEnd, TestReport};
use proctor_core::trial::Trial;
use proctor_core::words::{TestId, TreeId};
use proctor_experiments::experiment::{Done, Try};
use proctor_lab::disk::write;
use proctor_lab::{Halt, Lab, Suite};
use proctor_world::sandbox::Strength;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How many trials are kept.
const MOST_KEPT: usize = 2000;
/// What is longer is tried again.
const MOST_BYTES: usize = 4 << 20;
/// Stands where the letters stood that nobody could have foreseen.
const NONCE: &str = "\u{e000}nonce\u{e000}";

/// Where the answer to one trial is kept.
pub(super) struct Key(PathBuf);

/// A trial's answer as it is written down.
#[derive(Serialize, Deserialize)]
enum Written {
    Ran { report: TestReport, lines: LineCoverage, heard: String },
    Changes { fates: Vec<Fate>, by: Vec<Option<TestId>>, left_out: Vec<String> },
    Outside(BTreeMap<TestId, OutsideEnd>),
    Coverage(CoverageMeasure),
    Covering { report: TestReport, covered: Option<CoverageMeasure> },
}

/// The trials of one verification.
pub(super) struct Ledger {
    folder: PathBuf,
    /// What every trial depends on.
    around: String,
    nonce: String,
    head: TreeId,
    known: Known,
    asked: BTreeMap<String, usize>,
    /// How many trials were asked for, and how many of them were made before.
    counts: (usize, usize),
}

impl Ledger {
    /// None where nothing keeps tests from writing what they like about themselves.
    pub(super) fn of(
        lab: &Lab,
        suite: &Suite,
        (base, head): (&TreeId, &TreeId),
        (known, nonce): (Known, &str),
    ) -> Result<Option<Self>, Halt> {
        if lab.level()?.strength() < Strength::Files {
            return Ok(None);
        }
        Ok(Some(Self {
            folder: lab.shop.home.trials(),
            around: format!("{} {base}", around(lab, suite)?),
            nonce: nonce.to_owned(),
            head: head.clone(),
            known,
            asked: BTreeMap::new(),
            counts: (0, 0),
        }))
    }

    /// Where this one is kept, and what it showed where it was made before.
    pub(super) fn known(&mut self, one: &Try) -> (Key, Option<Done>) {
        let text = self.told(one);
        let nth = self.asked.entry(text.clone()).or_default();
        *nth += 1;
        let key = Key(self.folder.join(format!("{text}-{nth}.json")));
        let found = std::fs::read_to_string(&key.0).ok().filter(|_| self.known == Known::Taken);
        let written = found.and_then(|text| {
            serde_json::from_str::<Written>(&text.replace(NONCE, &self.nonce)).ok()
        });
        self.counts.0 += 1;
        self.counts.1 += usize::from(written.is_some());
        (key, written.map(Done::from))
    }

    /// What can't be kept is tried again the next time.
    pub(super) fn keep(&self, key: &Key, done: &Done) {
        let written = Written::of(done);
        let Some(text) = written.and_then(|w| serde_json::to_string(&w).ok()) else { return };
        // What says by itself what stands for the letters would say other letters the next time.
        if text.len() <= MOST_BYTES && !text.contains(NONCE) {
            // A file that is half there can't be read, and counts as none.
            let _ = write(&key.0, text.replace(&self.nonce, NONCE).as_bytes());
        }
    }

    /// Makes room, and says what was taken from before.
    pub(super) fn close(&self) -> Option<String> {
        trim(&self.folder, MOST_KEPT);
        let (asked, known) = self.counts;
        (known > 0)
            .then(|| format!("{known} of {asked} trials were made by an earlier verification"))
    }

    /// All that a trial depends on, in one word.
    fn told(&self, one: &Try) -> String {
        let mut hash = blake3::Hasher::new();
        let mut tell = |text: &str| {
            hash.update(text.replace(&self.nonce, NONCE).as_bytes());
            hash.update(&[0]);
        };
        tell(&self.around);
        match one {
            Try::Run(trial) | Try::Covering(trial) => {
                tell(if matches!(one, Try::Run(_)) { "run" } else { "covering" });
                let bare = Trial { edits: BTreeMap::new(), ..trial.clone() };
                tell(&format!("{bare:?}"));
                for (path, bytes) in &trial.edits {
                    tell(path);
                    match bytes.as_deref().map(std::str::from_utf8) {
                        Some(Ok(text)) => tell(&format!("is {text}")),
                        Some(Err(_)) => tell(&format!("is {bytes:?}")),
                        None => tell("is gone"),
                    }
                }
            }
            Try::Changes(_) | Try::Outside(_) | Try::Coverage => {
                tell(self.head.as_str());
                tell(&format!("{one:?}"));
            }
        }
        hash.finalize().to_hex().to_string()
    }
}

impl Written {
    /// What came to an end by itself. What ran out of time, or broke, may be the machine's fault.
    fn of(done: &Done) -> Option<Self> {
        let whole = |report: &TestReport| {
            !matches!(
                report.end,
                RunEnd::TimedOut { .. } | RunEnd::Crashed { .. } | RunEnd::Suspect { .. }
            )
        };
        Some(match done.clone() {
            Done::Ran { report, lines, heard } if whole(&report) => {
                Self::Ran { report, lines, heard: String::from_utf8(heard).ok()? }
            }
            Done::Changes { fates, by, left_out } if left_out.is_empty() => {
                Self::Changes { fates, by, left_out }
            }
            Done::Outside(ends) => Self::Outside(ends),
            Done::Coverage(found) => Self::Coverage(found),
            Done::Covering { report, covered } if whole(&report) && covered.is_some() => {
                Self::Covering { report, covered }
            }
            Done::Ran { .. } | Done::Changes { .. } | Done::Covering { .. } => return None,
        })
    }
}

impl From<Written> for Done {
    fn from(written: Written) -> Self {
        match written {
            Written::Ran { report, lines, heard } => {
                Self::Ran { report, lines, heard: heard.into_bytes() }
            }
            Written::Changes { fates, by, left_out } => Self::Changes { fates, by, left_out },
            Written::Outside(ends) => Self::Outside(ends),
            Written::Coverage(found) => Self::Coverage(found),
            Written::Covering { report, covered } => Self::Covering { report, covered },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_core::report::{Case, CaseEnd};
    use proctor_core::trial::Selection;

    fn ledger(folder: &std::path::Path, nonce: &str) -> Ledger {
        let (around, head) = ("tools".to_owned(), TreeId::new("h"));
        let (folder, nonce) = (folder.to_owned(), nonce.to_owned());
        let (known, counts) = (Known::Taken, (0, 0));
        Ledger { folder, around, nonce, head, known, asked: BTreeMap::new(), counts }
    }

    fn ran(name: &str, end: RunEnd) -> Done {
        let case = Case { end: CaseEnd::Passed, took_ms: None };
        let report = TestReport { end, cases: [(TestId::new(name), case)].into() };
        Done::Ran { report, lines: LineCoverage::default(), heard: b"heard".to_vec() }
    }

    fn name_of(done: Option<&Done>) -> Option<String> {
        let Some(Done::Ran { report, .. }) = done else { return None };
        report.cases.keys().next().map(ToString::to_string)
    }

    fn trial(text: &str) -> Try {
        Try::Run(Trial::of(&TreeId::new("t")).with("a.py", text))
    }

    #[test]
    fn the_same_trial_is_answered_from_before_and_once_for_each_time_it_is_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = ledger(folder.path(), "aaaa");
        for n in 0..2 {
            let (key, known) = first.known(&trial("x"));
            assert!(known.is_none());
            first.keep(&key, &ran(&format!("t{n}"), RunEnd::Finished));
        }
        let mut then = ledger(folder.path(), "bbbb");
        for n in 0..2 {
            let (_, known) = then.known(&trial("x"));
            assert_eq!(name_of(known.as_ref()), Some(format!("t{n}")));
        }
        assert!(then.known(&trial("x")).1.is_none(), "nobody made a third one");
        let Try::Run(own) = trial("x") else { return };
        let others = [
            trial("y"),
            Try::Covering(own.clone()),
            Try::Run(own.clone().only(Selection::Ids(vec![TestId::new("t")]))),
            Try::Run(Trial { tree: TreeId::new("other"), ..own.clone() }),
            Try::Run(own.clone().shuffled(3)),
            Try::Run(own.env("A", "1")),
        ];
        for other in &others {
            assert!(ledger(folder.path(), "bbbb").known(other).1.is_none(), "{other:?}");
        }
        let mut anew = ledger(folder.path(), "bbbb");
        anew.known = Known::Anew;
        assert!(anew.known(&trial("x")).1.is_none());
        let mut elsewhere = ledger(folder.path(), "bbbb");
        elsewhere.around = "other tools".to_owned();
        assert!(elsewhere.known(&trial("x")).1.is_none());
    }

    #[test]
    fn letters_that_nobody_could_foresee_are_those_of_each_time() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = ledger(folder.path(), "aaaa");
        let (key, _) = first.known(&trial("def canary_aaaa_passes"));
        first.keep(&key, &ran("canary_aaaa_passes", RunEnd::Finished));
        let (_, known) = ledger(folder.path(), "bbbb").known(&trial("def canary_bbbb_passes"));
        assert_eq!(name_of(known.as_ref()).as_deref(), Some("canary_bbbb_passes"));
    }

    #[test]
    fn what_names_the_place_of_the_letters_by_itself_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = ledger(folder.path(), "aaaa");
        let (key, _) = first.known(&trial("x"));
        first.keep(&key, &ran(&format!("canary_{NONCE}_passes"), RunEnd::Finished));
        assert!(ledger(folder.path(), "bbbb").known(&trial("x")).1.is_none());
    }

    #[test]
    fn what_broke_or_ran_out_of_time_is_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let broke = RunEnd::Crashed { note: "killed".to_owned() };
        for end in [broke, RunEnd::TimedOut { running: None }] {
            let mut first = ledger(folder.path(), "aaaa");
            let (key, _) = first.known(&trial("x"));
            first.keep(&key, &ran("t", end));
            assert!(ledger(folder.path(), "bbbb").known(&trial("x")).1.is_none());
        }
    }
}
