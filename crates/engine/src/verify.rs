//! The proof for any branch: everything is measured here, each time in a throw-away tree; what it means is judged in
//! `core`. No agent takes part, and nothing is recorded in the journal.

mod conduct;
mod inert;
mod kept;
mod ledger;
mod mixed;
mod modules;
mod probing;
mod project;
mod reading;
mod scene;
mod steps;

pub(super) use probing::{Sides, asked, kills, probe};
pub(super) use scene::differing;

use crate::baseline::Baselines;
use kept::Kept;
use ledger::Ledger;
use proctor_core::branch::{BranchKind, BranchMeasure, Unmade};
use proctor_core::brief::{ChangedTests, Percent};
use proctor_core::check::{checks, rows};
use proctor_core::concern::Concern;
use proctor_core::event::Trouble;
use proctor_core::generality::Observed;
use proctor_core::proof::RedRule;
use proctor_core::report::TestReport;
use proctor_core::verdict::{
    Check, CheckName, Finding, Verdict, Verification, Weight, judge, told_once,
};
use proctor_core::words::{CommitId, TaskType, TreeId};
use proctor_experiments::Mixed;
use proctor_lab::{Broke, Halt, Lab, Setting, Shop, Suite, TestRuns, Trial, attended, merged};
use proctor_world::shadow::Shadow;
use scene::Scene;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// What is to be proven.
#[derive(Clone, Debug)]
pub struct VerifyAsk {
    /// Repository, merge base, test tools, set-up.
    pub setting: Setting,
    pub head: CommitId,
    /// The checks that are wanted.
    pub wanted: BTreeSet<CheckName>,
    pub budget: Option<Duration>,
    /// What the work is said to be.
    pub said: Option<TaskType>,
    /// By what red is judged; where no target is given, what head's production code adds may be missing on the base.
    pub rule: RedRule,
    pub changed_tests: ChangedTests,
    /// Kinds of findings that the base accepts beforehand.
    pub accepted: BTreeSet<Concern>,
    /// The largest share of mutants that may survive, where a person said one.
    pub survivors: Option<Percent>,
    pub known: Known,
}

/// What an answer that was given before is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// It is taken where nothing differs that it depends on.
    Taken,
    /// All of it is measured anew.
    Anew,
}

/// How it ended.
#[derive(Debug)]
pub enum VerifyEnd {
    Judged(Box<Verification>),
    /// A person ended it: what is known by then.
    Interrupted(Option<Box<Verification>>),
}

/// Measures and judges a branch. `tell` hears a line for each step.
pub fn verify(shop: &Shop, ask: &VerifyAsk, tell: &mut dyn FnMut(&str)) -> VerifyEnd {
    measured(shop, ask, tell).0
}

/// The same, and what was measured for it: nothing that was known before is taken.
pub fn verify_with_grounds(
    shop: &Shop,
    ask: &VerifyAsk,
    tell: &mut dyn FnMut(&str),
) -> (VerifyEnd, Option<Box<BranchMeasure>>) {
    measured(shop, &VerifyAsk { known: Known::Anew, ..ask.clone() }, tell)
}

fn measured(
    shop: &Shop,
    ask: &VerifyAsk,
    tell: &mut dyn FnMut(&str),
) -> (VerifyEnd, Option<Box<BranchMeasure>>) {
    let began = Instant::now();
    let setting = ask.setting.clone();
    let budget = ask.budget.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
    let own = ask.clone();
    let measured =
        attended(shop, ("verify", setting, budget), tell, move |lab| Measuring::whole(lab, &own));
    let mut grounds = None;
    let judged = match measured {
        Ok(Ok(Whole { answer, measure, interrupted })) => {
            grounds = measure.map(Box::new);
            if interrupted {
                return (VerifyEnd::Interrupted(Some(Box::new(took(answer, began)))), grounds);
            }
            answer
        }
        Ok(Err(Halt::Cancelled)) => return (VerifyEnd::Interrupted(None), None),
        Ok(Err(Halt::TimeUp)) => {
            unjudged(ask, "the budget was used up before anything could be judged")
        }
        Ok(Err(Halt::Trouble(Trouble::Lasting { why } | Trouble::Passing { why }))) => {
            unjudged(ask, &why)
        }
        Err(Broke) => unjudged(ask, "measuring broke; this is a bug in Proctor"),
    };
    (VerifyEnd::Judged(Box::new(took(judged, began))), grounds)
}

fn took(answer: Verification, began: Instant) -> Verification {
    let took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    Verification { took_ms, ..answer }
}

/// What a verification came to.
struct Whole {
    answer: Verification,
    measure: Option<BranchMeasure>,
    interrupted: bool,
}

/// The answer where nothing could be measured at all.
pub fn unjudged(ask: &VerifyAsk, why: &str) -> Verification {
    let finding = || vec![Finding::new(Weight::Unjudged, why)];
    Verification {
        verdict: Verdict::Inconclusive,
        reason: why.lines().next().unwrap_or_default().to_owned(),
        base: ask.setting.repo.base.clone(),
        head: ask.head.clone(),
        checks: told_once(
            CheckName::ALL.iter().map(|name| Check::of(*name, "", finding())).collect(),
        ),
        tests: std::collections::BTreeMap::default(),
        observations: Vec::new(),
        mutants: Vec::new(),
        looked: Vec::new(),
        left_out: Vec::new(),
        took_ms: 0,
        kept: false,
        claims: Vec::new(),
    }
}

/// A branch on its way through the experiments.
struct Measuring<'a> {
    lab: &'a Lab,
    shadow: &'a Shadow,
    scene: Scene,
    mixed: Mixed,
    runs: TestRuns<'a>,
    measure: BranchMeasure,
    suite_took: Duration,
    nonce: String,
    /// What trials showed before, where that counts.
    ledger: Option<Ledger>,
    left_out: Vec<String>,
}

impl<'a> Measuring<'a> {
    /// Both sides read once, and what reading them shows. Nothing is run yet.
    fn read(
        (lab, shadow): (&'a Lab, &'a Shadow),
        ask: &VerifyAsk,
        (base, head): (&TreeId, &TreeId),
    ) -> Result<(Self, Suite), Halt> {
        let mut scene = Scene::read(shadow, base, head)?;
        let mut measure = BranchMeasure::new(scene.kind);
        measure.said = ask.said;
        measure.changed_tests = ask.changed_tests;
        measure.rule = ask.rule.clone();
        measure.accepted.clone_from(&ask.accepted);
        measure.survivors = ask.survivors;
        for name in CheckName::ALL.iter().filter(|name| !ask.wanted.contains(name)) {
            measure.unmade.insert(*name, Unmade::NotWanted);
        }
        measure.source = reading::source(&scene);
        measure.unreadable.clone_from(&scene.unreadable);
        let (mut chosen, mut mixed) = (project::Chosen::default(), Mixed::default());
        if scene.kind != BranchKind::NothingExecutable {
            measure.source.extend(reading::unshipped(shadow, &scene)?);
            if scene.kind == BranchKind::Both {
                measure.source.extend(reading::unreached(shadow, &scene)?);
                measure.source.extend(reading::unloaded(shadow, &scene)?);
                measure.source.extend(reading::among_tests(shadow, &scene)?);
            }
            measure.detections = reading::detections(&scene);
            measure.equalities = reading::equalities(&scene);
            chosen = project::choose(lab, shadow, &scene)?;
            let suite = &chosen.suite;
            scene.keep_surroundings(suite);
            measure.surroundings.clone_from(&scene.surroundings);
            measure.items = scene.items(suite);
            measure.renamed = scene::take_renamed(&mut measure.items);
            measure.hidden = reading::hidden(&scene, suite);
            measure.bare = !scene.lines.keys().any(|path| conduct::is_source(suite, path));
            mixed = scene.mixed(shadow)?;
        } else if !scene.documents.is_empty() {
            match project::choose(lab, shadow, &scene) {
                Ok(found) => chosen = found,
                Err(Halt::Trouble(Trouble::Lasting { why } | Trouble::Passing { why })) => {
                    chosen.left_out.push(format!("whether tests open what changed: {why}"));
                }
                Err(halt) => return Err(halt),
            }
        }
        let project::Chosen { suite, at_base, left_out } = chosen;
        let runs = TestRuns::new(lab, shadow, suite);
        let nonce = nonce(&format!("{} {}", lab.shop.now().0, lab.id));
        let suite_took = Duration::ZERO;
        let ledger = None;
        let read =
            Self { lab, shadow, scene, mixed, runs, measure, suite_took, nonce, ledger, left_out };
        Ok((read, at_base))
    }

    fn whole(lab: &Lab, ask: &VerifyAsk) -> Result<Whole, Halt> {
        let _span = tracing::info_span!("verify", what = ask.head.short()).entered();
        let shadow = lab.shadow()?;
        shadow.bring(&ask.head)?;
        let (base, head) = (shadow.tree_of(&lab.base)?, shadow.tree_of(&ask.head)?);
        let (mut measuring, at_base) = Measuring::read((lab, &shadow), ask, (&base, &head))?;
        let baselines = Baselines { lab, shadow: &shadow };
        if measuring.scene.kind != BranchKind::NothingExecutable
            && let Some(setting) = baselines.built(&base, &at_base)
        {
            let lab = Lab { setting: setting.clone(), ..lab.clone() };
            return Self::whole(&lab, &VerifyAsk { setting, ..ask.clone() });
        }
        let kept = if measuring.scene.kind == BranchKind::NothingExecutable {
            None
        } else {
            Some(Kept::of(lab, ask, (&base, &head), measuring.runs.suite())?)
        };
        if ask.known == Known::Taken
            && let Some(known) = kept.as_ref().and_then(|kept| kept.read(ask))
        {
            return Ok(Whole { answer: known, measure: None, interrupted: false });
        }
        if kept.is_some() {
            let (suite, nonce) = (measuring.runs.suite(), measuring.nonce.as_str());
            measuring.ledger = Ledger::of(lab, suite, (&base, &head), (ask.known, nonce))?;
        }
        if measuring.measure.rule.targets.is_empty() {
            measuring.measure.rule.targets = reading::added_names(&measuring.scene);
        }
        let ended = if measuring.scene.kind == BranchKind::NothingExecutable {
            measuring.inform_of("whether tests open what changed", Measuring::look_on)
        } else {
            measuring.steps(at_base)
        };
        let interrupted = match ended {
            Err(Halt::Cancelled) => true,
            other => other.map(|()| false)?,
        };
        if let Some(ledger) = &measuring.ledger {
            ledger.close().into_iter().for_each(|told| lab.say(told));
        }
        let Measuring { measure, left_out, .. } = measuring;
        let mut answer = answer(ask, &measure, left_out);
        if interrupted {
            if answer.verdict != Verdict::Refuted {
                answer.verdict = Verdict::Inconclusive;
                "it was interrupted before all of it was tried".clone_into(&mut answer.reason);
            }
            return Ok(Whole { answer, measure: Some(measure), interrupted });
        }
        // What stood in the way may be gone the next time.
        let passing = |why: &Unmade| matches!(why, Unmade::NoTime | Unmade::Hindered { .. });
        if let Some(kept) = kept.filter(|_| !measure.unmade.values().any(passing)) {
            kept.write(&answer);
        }
        Ok(Whole { answer, measure: Some(measure), interrupted })
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
        let report = self.watched(&self.scene.head.tree.clone())?;
        self.suite_took = began.elapsed();
        self.measure.unwritten = self.scene.unwritten(self.runs.suite(), &report);
        self.measure.head.push(report);
        Ok(())
    }

    /// A side's whole suite, and which files that are no code it opens.
    fn watched(&mut self, tree: &TreeId) -> Result<TestReport, Halt> {
        let trial = Trial::of(tree).watching(self.scene.documents.iter().cloned());
        let mut reports = Vec::new();
        for measured in self.runs.measured(&trial)? {
            self.measure.opened.extend(measured.opened);
            reports.push(measured.report);
        }
        Ok(merged(reports))
    }

    /// Where only files differ that are no code: both sides look on, the base where head lacks one of them.
    fn look_on(&mut self) -> Result<(), Halt> {
        let Scene { base, head, documents, .. } = &self.scene;
        let gone = documents.iter().any(|path| !head.listing.contains_key(path));
        let sides = [Some(head.tree.clone()), gone.then(|| base.tree.clone())];
        if documents.is_empty() || self.runs.suite().benches.is_empty() {
            return Ok(());
        }
        self.lab.say("whether tests open what changed");
        for tree in sides.into_iter().flatten() {
            self.watched(&tree)?;
        }
        Ok(())
    }
}

fn answer(ask: &VerifyAsk, measure: &BranchMeasure, mut left_out: Vec<String>) -> Verification {
    let checks = checks(measure);
    let (mut verdict, mut reason) = judge(&checks);
    if verdict == Verdict::Proven && measure.kind == BranchKind::NothingExecutable {
        verdict = Verdict::Unaffected;
        "nothing to prove: no code changed, nothing that code names, and nothing that tests open"
            .clone_into(&mut reason);
    }
    for (name, why) in &measure.unmade {
        if matches!(why, Unmade::NotWanted | Unmade::NoTime | Unmade::Interrupted) {
            left_out.push(format!("{name}: {why}"));
        }
    }
    Verification {
        verdict,
        reason,
        base: ask.setting.repo.base.clone(),
        head: ask.head.clone(),
        checks,
        tests: rows(measure),
        observations: Observed::all(&measure.varied, &measure.older),
        looked: proctor_core::looked::looked(measure),
        mutants: measure.mutants.clone(),
        left_out,
        took_ms: 0,
        kept: false,
        claims: Vec::new(),
    }
}

/// Letters that nobody could have foreseen.
fn nonce(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string().get(..10).unwrap_or("x").to_owned()
}
