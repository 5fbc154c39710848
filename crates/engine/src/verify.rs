//! The proof for any branch: everything is measured here, each time in a throw-away tree; what it means is judged in
//! `core`. No agent takes part, and nothing is recorded in the journal.

mod configured;
mod generalise;
mod hunks;
mod modules;
mod mutation;
mod plant;
mod probing;
mod project;
mod reading;
mod scene;
mod switching;
mod words;

pub(super) use probing::{Sides, kills, probe};
pub(super) use scene::differing;

use crate::baseline::Baselines;
use crate::carry::gate::again_of;
use mutation::{Aim, is_source};
use proctor_core::branch::{Alone, BranchKind, BranchMeasure, OutsideEnd, Unmade};
use proctor_core::brief::{Brief, Percent};
use proctor_core::check::{checks, rows};
use proctor_core::event::Trouble;
use proctor_core::generality::Observed;
use proctor_core::item::TestItem;
use proctor_core::proof::passed_ids;
use proctor_core::report::CaseEnd;
use proctor_core::verdict::{
    Check, CheckName, CheckStatus, Finding, Verdict, Verification, Weight, judge,
};
use proctor_core::words::{CommitId, TaskType, TestId, TreeId};
use proctor_lab::{Broke, Halt, Lab, Setting, Shop, Suite, TestRuns, Trial, attended};
use proctor_tools::Selection;
use proctor_world::shadow::Shadow;
use scene::Scene;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// How many new tests are run alone at most.
const MOST_ALONE: usize = 8;
/// A suite that takes longer is not run as a whole with canaries in it.
const LONG_SUITE: Duration = Duration::from_secs(10);
/// In how many other orders the base is run at most, where a test of it depends on the order.
const MOST_ORDERS: u32 = 4;

/// What is to be proven.
#[derive(Clone, Debug)]
pub struct VerifyAsk {
    /// Repository, merge base, test tools, set-up; the rest of it is not used.
    pub brief: Brief,
    pub head: CommitId,
    /// The checks that are wanted.
    pub wanted: BTreeSet<CheckName>,
    pub budget: Option<Duration>,
    /// What the work is said to be.
    pub said: Option<TaskType>,
    /// The largest share of mutants that may survive.
    pub survivors: Percent,
}

/// How it ended.
#[derive(Debug)]
pub enum VerifyEnd {
    Judged(Box<Verification>),
    Interrupted,
}

/// What a judgement rests on.
#[derive(Debug)]
pub struct Grounds {
    pub measure: BranchMeasure,
    /// The brief by which red was judged.
    pub brief: Brief,
}

impl Grounds {
    /// The new tests that fail on the base's code for a right reason.
    pub fn red(&self) -> Vec<TestId> {
        self.measure.sorted(&self.brief).red
    }
}

/// Measures and judges a branch. `tell` hears a line for each step.
pub fn verify(shop: &Shop, ask: &VerifyAsk, tell: &mut dyn FnMut(&str)) -> VerifyEnd {
    verify_with_grounds(shop, ask, tell).0
}

/// The same, and what it rests on where that was measured.
pub fn verify_with_grounds(
    shop: &Shop,
    ask: &VerifyAsk,
    tell: &mut dyn FnMut(&str),
) -> (VerifyEnd, Option<Box<Grounds>>) {
    let began = Instant::now();
    let setting = Setting::of(&ask.brief, &ask.brief.limits);
    let budget = ask.budget.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
    let own = ask.clone();
    let measured =
        attended(shop, ("verify", setting, budget), tell, move |lab| Measuring::whole(lab, &own));
    let mut grounds = None;
    let judged = match measured {
        Ok(Ok((judged, measured))) => {
            grounds = Some(Box::new(measured));
            judged
        }
        Ok(Err(Halt::Cancelled)) => return (VerifyEnd::Interrupted, None),
        Ok(Err(Halt::TimeUp)) => {
            unjudged(ask, "the budget was used up before anything could be judged")
        }
        Ok(Err(Halt::Trouble(Trouble::Lasting { why } | Trouble::Passing { why }))) => {
            unjudged(ask, &why)
        }
        Err(Broke) => unjudged(ask, "measuring broke; this is a bug in Proctor"),
    };
    let took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    (VerifyEnd::Judged(Box::new(Verification { took_ms, ..judged })), grounds)
}

/// The answer where nothing could be measured at all.
pub fn unjudged(ask: &VerifyAsk, why: &str) -> Verification {
    let finding = || vec![Finding::new(Weight::Unjudged, why)];
    Verification {
        verdict: Verdict::Inconclusive,
        reason: why.lines().next().unwrap_or_default().to_owned(),
        base: ask.brief.repo.base.clone(),
        head: ask.head.clone(),
        checks: CheckName::ALL.iter().map(|name| Check::of(*name, "", finding())).collect(),
        tests: std::collections::BTreeMap::default(),
        observations: Vec::new(),
        left_out: why.lines().skip(1).map(str::to_owned).collect(),
        took_ms: 0,
    }
}

/// A branch on its way through the measurements.
struct Measuring<'a> {
    lab: &'a Lab,
    shadow: &'a Shadow,
    ask: &'a VerifyAsk,
    scene: Scene,
    runs: TestRuns<'a>,
    measure: BranchMeasure,
    /// The brief by which red is judged: what head's production code adds may be missing on the base.
    brief: Brief,
    suite_took: Duration,
    aim: Aim,
    left_out: Vec<String>,
}

impl<'a> Measuring<'a> {
    /// Both sides read once, and what reading them shows. Nothing is run yet.
    fn read(
        (lab, shadow): (&'a Lab, &'a Shadow),
        ask: &'a VerifyAsk,
        (base, head): (&TreeId, &TreeId),
    ) -> Result<(Self, Suite), Halt> {
        let mut scene = Scene::read(shadow, base, head)?;
        let mut measure = BranchMeasure::new(scene.kind);
        measure.said = ask.said;
        measure.changed_tests = ask.brief.rules.changed_tests;
        measure.survivors = ask.survivors;
        for name in CheckName::ALL.iter().filter(|name| !ask.wanted.contains(name)) {
            measure.unmade.insert(*name, Unmade::NotWanted);
        }
        measure.source = reading::source(&scene);
        measure.unreadable.clone_from(&scene.unreadable);
        let mut chosen = project::Chosen::default();
        if scene.kind != BranchKind::NothingExecutable {
            measure.detections = reading::detections(&scene);
            measure.equalities = reading::equalities(&scene);
            measure.idle = reading::idle(&scene);
            chosen = project::choose(lab, shadow, &scene)?;
            let suite = &chosen.suite;
            scene.keep_surroundings(suite);
            measure.surroundings.clone_from(&scene.surroundings);
            measure.items = scene.items(suite);
            measure.renamed = scene::take_renamed(&mut measure.items);
            measure.weakened = reading::weakened(&scene, suite, &measure);
            measure.hollow = reading::hollow(&scene, &measure.items);
            measure.hidden = reading::hidden(&scene, suite);
            measure.bare = !scene.lines.keys().any(|path| is_source(path, suite));
        }
        let project::Chosen { suite, at_base, left_out } = chosen;
        let runs = TestRuns::new(lab, shadow, suite);
        let (brief, suite_took, aim) = (ask.brief.clone(), Duration::ZERO, Aim::Survivors);
        let read =
            Self { lab, shadow, ask, scene, runs, measure, brief, suite_took, aim, left_out };
        Ok((read, at_base))
    }

    fn whole(lab: &Lab, ask: &VerifyAsk) -> Result<(Verification, Grounds), Halt> {
        let shadow = lab.shadow()?;
        shadow.bring(&ask.head)?;
        let (base, head) = (shadow.tree_of(&lab.base)?, shadow.tree_of(&ask.head)?);
        let (mut measuring, at_base) = Measuring::read((lab, &shadow), ask, (&base, &head))?;
        measuring.brief.kind = ask.said.unwrap_or(TaskType::Feature);
        if measuring.brief.targets.is_empty() {
            measuring.brief.targets = reading::added_names(&measuring.scene);
        }
        if measuring.scene.kind != BranchKind::NothingExecutable {
            measuring.steps(at_base)?;
        }
        let Measuring { measure, brief, left_out, .. } = measuring;
        Ok((answer(ask, &brief, &measure, left_out), Grounds { measure, brief }))
    }

    fn steps(&mut self, base_suite: Suite) -> Result<(), Halt> {
        use CheckName as C;
        self.step(&C::ALL, "the base's tests", |m| m.base(base_suite))?;
        self.step(&C::ALL, "head's tests", Self::head)?;
        if self.is_decided() {
            return Ok(());
        }
        let replay = [C::RedReplay, C::Harness, C::Isolation, C::Mutants];
        self.step(&replay, "the new tests on the base's code", Self::replay)?;
        self.step(&[C::TestsIntact, C::Harness], "the old tests on head's code", Self::old)?;
        self.step(&[C::Green, C::Isolation], "head's tests in another order", Self::shuffled)?;
        self.step(&[C::Regression], "unsteady tests again", Self::again)?;
        self.trials()?;
        if self.is_decided() {
            return Ok(());
        }
        self.hunks()?;
        self.step(&[C::Coverage], "coverage", Self::coverage)
    }

    /// What is tried beyond running the tests.
    fn trials(&mut self) -> Result<(), Halt> {
        use CheckName as C;
        self.step(&[C::Harness], "canaries beside the tests", Self::canaries)?;
        self.step(&[C::Harness], "flipped expectations", Self::twins)?;
        self.step(&[C::Isolation], "new tests alone", Self::alone)?;
        self.step(&[C::Isolation], "new tests outside the test tool", Self::outside)?;
        self.step(&[C::RedReplay], "new tests with other inputs", Self::generalise)?;
        self.step(&[C::Harness], "new tests without changed configuration", Self::configured)?;
        if self.is_decided() {
            return Ok(());
        }
        self.step(&[C::Mutants], "mutants of the changed lines", Self::mutants)
    }

    /// One step, if one of its checks is wanted and nothing stands in the way.
    fn step(
        &mut self,
        of: &[CheckName],
        what: &str,
        act: impl FnOnce(&mut Self) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let open = |m: &Self| -> Vec<CheckName> {
            of.iter().copied().filter(|name| !m.measure.unmade.contains_key(name)).collect()
        };
        let wanted = open(self);
        if wanted.is_empty() {
            return Ok(());
        }
        self.lab.say(what);
        let why = match act(self) {
            Ok(()) => return Ok(()),
            Err(Halt::Cancelled) => return Err(Halt::Cancelled),
            Err(Halt::TimeUp) => Unmade::NoTime,
            Err(Halt::Trouble(Trouble::Lasting { why } | Trouble::Passing { why })) => {
                Unmade::Hindered { what: why }
            }
        };
        if why == Unmade::NoTime {
            self.left_out.push(format!("{what}: the budget was used up"));
        }
        for name in wanted {
            // Reading the sources needs no run.
            if name != CheckName::Source {
                self.measure.unmade.insert(name, why.clone());
            }
        }
        Ok(())
    }

    /// Whether more measuring can't change a verdict that is clear already.
    fn is_decided(&mut self) -> bool {
        let replayed = !self.measure.replay.is_empty();
        let refuted = !self.measure.head.is_empty()
            && checks(&self.brief, &self.measure).iter().any(|check| {
                // Before anything was replayed only what head's own tests say counts.
                let counts = check.name == CheckName::Green
                    || (check.name == CheckName::RedReplay && replayed);
                counts && check.status == CheckStatus::Fail
            });
        if refuted {
            let rest = [
                (CheckName::RedReplay, self.measure.replay.is_empty()),
                (CheckName::Harness, self.measure.canaries.is_empty()),
                (CheckName::Isolation, self.measure.alone.is_empty()),
                (CheckName::Mutants, true),
                (CheckName::Coverage, true),
                (
                    CheckName::TestsIntact,
                    self.measure.old_on_head.is_none() && !self.scene.surroundings.is_empty(),
                ),
            ];
            for (name, _) in rest.into_iter().filter(|(_, unmade)| *unmade) {
                self.measure.unmade.entry(name).or_insert(Unmade::Decided);
            }
        }
        refuted
    }

    fn base(&mut self, suite: Suite) -> Result<(), Halt> {
        let baselines = Baselines { lab: self.lab, shadow: self.shadow };
        let (report, flaky) = baselines.with(&self.scene.base.tree, suite)?;
        self.measure.base = report;
        self.measure.base_flaky = flaky;
        Ok(())
    }

    fn head(&mut self) -> Result<(), Halt> {
        let began = Instant::now();
        let report = self.runs.report(&Trial::of(&self.scene.head.tree))?;
        self.suite_took = began.elapsed();
        self.measure.head.push(report);
        Ok(())
    }

    /// Head's new and changed tests by their ids: as written, and as reported.
    fn candidates(&self) -> Vec<TestId> {
        let items = &self.measure.items;
        let written = items.new.iter().chain(&items.changed).map(|item| item.id.clone());
        let renamed = |id: &TestId| self.measure.renamed.iter().any(|pair| pair.is.covers(id));
        let reported = self.measure.head.iter().flat_map(|run| run.cases.keys());
        let new = reported
            .filter(|id| !self.measure.base.cases.contains_key(id) && !renamed(id))
            .filter(|id| !items.new.iter().any(|item| item.covers(id)))
            .cloned();
        written.chain(new).collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn replay(&mut self) -> Result<(), Halt> {
        let candidates = self.candidates();
        if self.scene.kind != BranchKind::Both || candidates.is_empty() {
            return Ok(());
        }
        let tree = self.scene.replay(self.shadow)?;
        self.replay_on(&tree, &candidates)?;
        // A library that head's tests need may be named only in head's manifest.
        if self.measure.sorted(&self.brief).red.is_empty()
            && let Some(tree) = self.scene.replay_with_manifests(self.shadow)?
        {
            let first = std::mem::take(&mut self.measure.replay);
            self.replay_on(&tree, &candidates)?;
            if self.measure.sorted(&self.brief).red.is_empty() {
                self.measure.replay = first;
            }
        }
        Ok(())
    }

    fn replay_on(
        &mut self,
        tree: &proctor_core::words::TreeId,
        candidates: &[TestId],
    ) -> Result<(), Halt> {
        let trial = Trial::of(tree).only(Selection::Ids(candidates.to_vec()));
        let both = [trial.clone(), trial];
        // A build for nothing takes longer than waiting for the first word.
        let together = if self.runs.can_keep_apart()? { 2 } else { 1 };
        for trials in both.chunks(together) {
            self.measure.replay.extend(self.runs.reports(trials)?);
            if self.measure.sorted(&self.brief).red.is_empty() {
                break;
            }
        }
        Ok(())
    }

    fn old(&mut self) -> Result<(), Halt> {
        if let Some(tree) = self.scene.old_on_head(self.shadow)? {
            let report = self.runs.run(&tree, &Selection::All)?;
            self.measure.old_on_head = Some(report);
        }
        Ok(())
    }

    fn shuffled(&mut self) -> Result<(), Halt> {
        let seed = seed_of(&self.ask.head);
        let report = self.runs.report(&Trial::of(&self.scene.head.tree).shuffled(seed))?;
        self.measure.head.push(report);
        Ok(())
    }

    /// Old tests that do not pass on head, some more times on both sides.
    fn again(&mut self) -> Result<(), Halt> {
        let measure = &self.measure;
        let failed = |id: &&TestId| {
            let ends = measure.head.iter().filter_map(|run| run.cases.get(*id));
            ends.into_iter()
                .any(|case| matches!(case.end, CaseEnd::Failed { .. } | CaseEnd::Errored { .. }))
        };
        let ids: Vec<TestId> = passed_ids(&measure.base)
            .filter(|id| !measure.is_new(id))
            .filter(failed)
            .cloned()
            .collect();
        let trees = (self.scene.base.tree.clone(), self.scene.head.tree.clone());
        self.measure.again = again_of(&mut self.runs, &ids, (&trees.0, &trees.1))?;
        self.base_in_other_orders(&ids)
    }

    /// A test that fails on head only in another order may have needed the order before: so the base is shuffled too.
    fn base_in_other_orders(&mut self, ids: &[TestId]) -> Result<(), Halt> {
        let first = self.measure.head.first();
        let by_order: Vec<&TestId> =
            ids.iter().filter(|id| first.is_some_and(|run| run.passed(id))).collect();
        let tree = self.scene.base.tree.clone();
        for n in 0..MOST_ORDERS {
            let again = &self.measure.again;
            if by_order.iter().all(|id| again.base.iter().any(|run| !run.passed(id))) {
                break;
            }
            let seed = seed_of(&self.ask.head).wrapping_add(n);
            let report = self.runs.report(&Trial::of(&tree).shuffled(seed))?;
            self.measure.again.base.push(report);
        }
        Ok(())
    }

    /// The new and changed tests that are looked at one by one, red ones first.
    fn chosen(&self, most: usize) -> Vec<TestItem> {
        let red: BTreeSet<TestId> = self.measure.sorted(&self.brief).red.into_iter().collect();
        let items = &self.measure.items;
        let mut chosen: Vec<TestItem> = items.new.iter().chain(&items.changed).cloned().collect();
        chosen.sort_by_key(|item| !red.iter().any(|id| item.covers(id)));
        chosen.truncate(most);
        chosen
    }

    fn alone(&mut self) -> Result<(), Halt> {
        let all = self.measure.items.new.len() + self.measure.items.changed.len();
        if all < 2 && self.measure.base.cases.is_empty() {
            return Ok(());
        }
        let chosen = self.chosen(MOST_ALONE);
        if all > chosen.len() {
            self.left_out.push(format!(
                "{} of {all} new tests were run alone; the others only beside the rest",
                chosen.len()
            ));
        }
        let tree = self.scene.head.tree.clone();
        let alone = |item: &TestItem| Trial::of(&tree).only(Selection::Ids(vec![item.id.clone()]));
        let reports = self.runs.reports(&chosen.iter().map(alone).collect::<Vec<_>>())?;
        let tests = chosen.into_iter().map(|item| item.id);
        let alone = tests.zip(reports).map(|(test, report)| Alone { test, report });
        self.measure.alone.extend(alone);
        Ok(())
    }

    fn outside(&mut self) -> Result<(), Halt> {
        let passing = |item: &TestItem| {
            let first = self.measure.head.first();
            first.is_some_and(|run| {
                run.cases.iter().any(|(id, case)| item.covers(id) && case.end == CaseEnd::Passed)
            })
        };
        let chosen: Vec<TestItem> =
            self.chosen(MOST_ALONE * 3).into_iter().filter(passing).collect();
        if chosen.is_empty() {
            return Ok(());
        }
        let tree = self.scene.head.tree.clone();
        let found = self.runs.outside(&tree, &self.scene.head.texts, &chosen)?;
        self.measure.outside = found
            .into_iter()
            .map(|(id, end)| {
                let end = match end {
                    proctor_tools::OutsideEnd::Holds => OutsideEnd::Holds,
                    proctor_tools::OutsideEnd::Fails { message } => OutsideEnd::Fails { message },
                    proctor_tools::OutsideEnd::NotMade { why } => OutsideEnd::NotMade { why },
                };
                (id, end)
            })
            .collect();
        Ok(())
    }

    fn coverage(&mut self) -> Result<(), Halt> {
        if self.scene.lines.is_empty() {
            return Ok(());
        }
        let (base, head) = (self.scene.base.tree.clone(), self.scene.head.tree.clone());
        let found = crate::coverage::coverage(self.shadow, &mut self.runs, &base, &head)?;
        self.measure.coverage = Some(found);
        Ok(())
    }
}

fn answer(
    ask: &VerifyAsk,
    brief: &Brief,
    measure: &BranchMeasure,
    mut left_out: Vec<String>,
) -> Verification {
    let checks = checks(brief, measure);
    let (verdict, mut reason) = judge(&checks);
    if verdict == Verdict::Proven && measure.kind == BranchKind::NothingExecutable {
        "nothing to prove: nothing executable changed".clone_into(&mut reason);
    }
    for (name, why) in &measure.unmade {
        if matches!(why, Unmade::NotWanted | Unmade::NoTime) {
            left_out.push(format!("{name}: {why}"));
        }
    }
    Verification {
        verdict,
        reason,
        base: ask.brief.repo.base.clone(),
        head: ask.head.clone(),
        checks,
        tests: rows(measure),
        observations: Observed::all(&measure.varied),
        left_out,
        took_ms: 0,
    }
}

/// A number for shuffling that is the same for the same commit.
fn seed_of(commit: &CommitId) -> u32 {
    let digits = commit.as_str().get(..7).unwrap_or("1");
    u32::from_str_radix(digits, 16).unwrap_or(1).max(1)
}
