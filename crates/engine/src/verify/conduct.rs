//! Experiments made: what they want tried is tried in the lab, and what they show is kept. Nothing here knows one of them by
//! name.

use super::Measuring;
use super::scene::Side;
use crate::coverage::{coverage, covered};
use proctor_core::branch::OutsideEnd;
use proctor_core::item::TestItem;
use proctor_core::report::LineCoverage;
use proctor_core::trial::{Coverage, Covered, Trial};
use proctor_core::words::TreeId;
use proctor_experiments::experiment::{Done, Experiment, Tampering, Try};
use proctor_experiments::{self as experiments, Branch};
use proctor_lab::{Changes, Fates, Halt, Noticed, Suite, sources};
use proctor_lang::{MemoryTree, Tree};
use proctor_tools::sources_of;
use proctor_world::shadow::Shadow;
use std::cell::RefCell;
use std::collections::BTreeMap;

impl Measuring<'_> {
    /// One experiment from its first trial to its evidence.
    pub(super) fn conduct(&mut self, experiment: &dyn Experiment) -> Result<(), Halt> {
        let mut done = Vec::new();
        loop {
            let tries = self.seen(|branch| experiment.next(branch, &done))?;
            if tries.is_empty() {
                break;
            }
            self.make(tries, &mut done)?;
        }
        let found = self.seen(|branch| experiment.evidence(branch, &done))?;
        self.left_out.extend(found.left_out);
        for evidence in found.evidence {
            self.measure.take(evidence);
        }
        Ok(())
    }

    /// The branch as experiments see it. What can't be read on the way stops them.
    pub(super) fn seen<T>(&self, look: impl FnOnce(&Branch<'_>) -> T) -> Result<T, Halt> {
        let fault: RefCell<Option<Halt>> = RefCell::default();
        let texts = |tree: &TreeId, files: &[String]| match texts_of(self.shadow, tree, files) {
            Ok(texts) => texts,
            Err(halt) => {
                *fault.borrow_mut() = Some(halt);
                BTreeMap::new()
            }
        };
        let found = look(&Branch {
            base: &self.scene.base,
            head: &self.scene.head,
            mixed: &self.mixed,
            kind: self.scene.kind,
            touched: &self.scene.touched,
            lines: &self.scene.lines,
            generated: &self.scene.generated,
            unnamed: &self.scene.unnamed,
            surroundings: &self.scene.surroundings,
            measure: &self.measure,
            tests: &Tests(self.runs.suite()),
            texts: &texts,
            suite_took: self.suite_took,
            nonce: &self.nonce,
        });
        match fault.into_inner() {
            Some(halt) => Err(halt),
            None => Ok(found),
        }
    }

    /// What was made before, with nothing between, is taken as it was.
    fn make(&mut self, tries: Vec<Try>, done: &mut Vec<Done>) -> Result<(), Halt> {
        let Some(ledger) = &mut self.ledger else { return self.make_anew(tries, done) };
        let known: Vec<_> = tries.iter().map(|one| ledger.known(one)).collect();
        let open = tries.into_iter().zip(&known).filter(|(_, (_, was))| was.is_none());
        let (mut fresh, told) = (Vec::new(), self.left_out.len());
        self.make_anew(open.map(|(one, _)| one).collect(), &mut fresh)?;
        let mut fresh = fresh.into_iter();
        for (key, was) in known {
            let made = || {
                let made = fresh.next()?;
                // What is said beside it would not be said again.
                let ledger = self.ledger.as_ref().filter(|_| self.left_out.len() == told);
                ledger.inspect(|ledger| ledger.keep(&key, &made));
                Some(made)
            };
            done.extend(was.or_else(made));
        }
        Ok(())
    }

    fn make_anew(&mut self, tries: Vec<Try>, done: &mut Vec<Done>) -> Result<(), Halt> {
        let mut plain: Vec<Trial> = Vec::new();
        for one in tries {
            match one {
                Try::Run(trial) if trial.coverage == Coverage::Off && trial.channel.is_none() => {
                    plain.push(trial);
                }
                Try::Run(trial) => {
                    self.run(&mut plain, done)?;
                    done.push(self.measured(&trial)?);
                }
                Try::Changes(tampering) => {
                    self.run(&mut plain, done)?;
                    let noticed = Noticed::default();
                    let Fates { fates, left_out } = self.tampered(&tampering, &noticed)?;
                    let by = tampering.changes.iter().map(|change| noticed.by(change)).collect();
                    done.push(Done::Changes { fates, by, left_out });
                }
                Try::Outside(tests) => {
                    self.run(&mut plain, done)?;
                    done.push(self.outside(&tests)?);
                }
                Try::Coverage => {
                    self.run(&mut plain, done)?;
                    let (base, head) = (&self.scene.base.tree, &self.scene.head.tree);
                    let found = coverage(self.shadow, &mut self.runs, base, head)?;
                    done.push(Done::Coverage(found));
                }
                Try::Covering(trial) => {
                    self.run(&mut plain, done)?;
                    let measured = self.runs.measured(&trial)?;
                    let reports = measured.iter().map(|found| found.report.clone()).collect();
                    let covered =
                        covered(self.shadow, measured, &self.scene.base.tree, &trial.tree);
                    let report = proctor_lab::merged(reports);
                    done.push(Done::Covering { report, covered: covered.ok() });
                }
            }
        }
        self.run(&mut plain, done)
    }

    /// Runs that do not depend on each other.
    fn run(&mut self, trials: &mut Vec<Trial>, done: &mut Vec<Done>) -> Result<(), Halt> {
        let reports = self.runs.reports(&std::mem::take(trials))?;
        self.left_out.extend(self.runs.notes());
        let ran = |report| Done::Ran { report, lines: LineCoverage::default(), heard: Vec::new() };
        done.extend(reports.into_iter().map(ran));
        Ok(())
    }

    /// A run that tells more than how its tests end.
    fn measured(&mut self, trial: &Trial) -> Result<Done, Halt> {
        let (mut reports, mut heard) = (Vec::new(), Vec::new());
        let mut lines = LineCoverage::default();
        for measured in self.runs.measured(trial)? {
            reports.push(measured.report);
            heard.extend(measured.heard);
            if let Some(Covered::Lines(found)) = measured.covered {
                lines.files.extend(found.files);
            }
        }
        Ok(Done::Ran { report: proctor_lab::merged(reports), lines, heard })
    }

    fn tampered(&mut self, wanted: &Tampering, noticed: &Noticed) -> Result<Fates, Halt> {
        self.runs.fates(&Changes {
            tree: &self.scene.head.tree,
            texts: &wanted.texts,
            all: &wanted.changes,
            noticing: &wanted.noticing,
            parts: wanted.parts.as_deref(),
            what: wanted.what,
            sought: wanted.sought,
            suite_took: self.suite_took,
            noticed,
        })
    }

    fn outside(&mut self, tests: &[TestItem]) -> Result<Done, Halt> {
        let found = self.runs.outside(&self.scene.head.tree, &self.scene.head.texts, tests)?;
        let end = |end| match end {
            proctor_tools::OutsideEnd::Holds => OutsideEnd::Holds,
            proctor_tools::OutsideEnd::Fails { message } => OutsideEnd::Fails { message },
            proctor_tools::OutsideEnd::NotMade { why } => OutsideEnd::NotMade { why },
        };
        Ok(Done::Outside(found.into_iter().map(|(id, how)| (id, end(how))).collect()))
    }
}

/// The text of each file of a tree that is there and can be read.
pub(super) fn texts_of(
    shadow: &Shadow,
    tree: &TreeId,
    files: &[String],
) -> Result<BTreeMap<String, String>, Halt> {
    let listing = shadow.list(tree)?;
    let found = sources(shadow, &listing, |path| files.iter().any(|file| file == path))?;
    let text = |file: &String| {
        let bytes = found.0.get(file).filter(|_| listing.contains_key(file))?;
        Some((file.clone(), String::from_utf8(bytes.clone()).ok()?))
    };
    Ok(files.iter().filter_map(text).collect())
}

struct Tests<'a>(&'a Suite);

impl experiments::Tests for Tests<'_> {
    fn items(&self, texts: &dyn Tree, paths: &[String]) -> Vec<TestItem> {
        self.0.items(texts, paths)
    }

    fn is_source(&self, path: &str) -> bool {
        is_source(self.0, path)
    }

    fn is_slowed_by_coverage(&self) -> bool {
        self.0.benches.iter().any(|bench| bench.runner.is_slowed_by_coverage())
    }
}

/// Whether a file is a source of a language that is tested here.
pub(super) fn is_source(suite: &Suite, path: &str) -> bool {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    suite.benches.iter().any(|bench| sources_of(&bench.project.runner).contains(&ending))
}

impl experiments::Side for Side {
    fn tree(&self) -> &TreeId {
        &self.tree
    }

    fn has(&self, path: &str) -> bool {
        self.listing.contains_key(path)
    }

    fn paths(&self) -> Vec<&str> {
        self.listing.keys().map(String::as_str).collect()
    }

    fn text(&self, path: &str) -> Option<&str> {
        Side::text(self, path)
    }

    fn texts(&self) -> &MemoryTree {
        &self.texts
    }
}
