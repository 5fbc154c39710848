//! An examiner: an agent that writes tests from the task's text alone, on the base, without sight of the change. Its tests run
//! on both sides. They can only leave a doubt; nothing is proven by them, and nothing is recorded.

use super::agent::Turn;
use super::ask::usage_of;
use super::gate::{item_changes, test_sources};
use super::held::View;
use super::policy::with_tests_of;
use super::{Halt, Job, Message};
use proctor_core::agent::{AgentSpec, Session};
use proctor_core::brief::Brief;
use proctor_core::event::{Outcome, Trouble, Usage};
use proctor_core::examined::{Doubt, Examination, Examined};
use proctor_core::item::TestItem;
use proctor_core::report::{CaseEnd, Reason, TestReport};
use proctor_core::run::{Run, Stage, Talk, TestFeedback};
use proctor_core::words::{CommitId, Phase, Role, RunId, TestId, TreeId};
use proctor_lab::disk::make;
use proctor_lab::{Lab, Shop, Suite, TestRuns};
use proctor_lang::MemoryTree;
use proctor_tools::Selection;
use proctor_world::child::Cancel;
use proctor_world::objects::CommitText;
use proctor_world::overlay::Place;
use proctor_world::shadow::Shadow;
use proctor_world::snapshot::{BaseTree, snapshot};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

const ORDERS: &str = "You are an examiner. Somebody else has done this work already, and you are not shown it: you see the code as it was before. Write three tests in a new file, from the text of the task alone, each about an input that the text speaks of and a plain test would leave out. Use only names that are there or that the task names.";

/// Has an agent write tests, and runs them on base and head. None when it was interrupted.
pub fn examine(
    shop: &Shop,
    brief: &Brief,
    head: &CommitId,
    spec: &AgentSpec,
    tell: &mut dyn FnMut(&str),
) -> Result<Option<Examined>, String> {
    let (sender, lines) = mpsc::channel();
    let id = RunId::new(format!("examine-{}-{}", shop.now().0, std::process::id()));
    let cancel = Cancel::new();
    let mut brief = brief.clone();
    "examine".clone_into(&mut brief.landing.branch);
    brief.agents.insert(Role::Tester, spec.clone());
    brief.assignment.orders.insert(Phase::WriteTests, ORDERS.to_owned());
    let mut run = Run::new(brief);
    run.stage = Stage::WritingTests { talk: Talk::first(), feedback: TestFeedback::Fresh };
    let job = Job::new(shop, (&id, 1), run, cancel.clone(), sender);
    let (spec, head) = (spec.clone(), head.clone());
    let worker = std::thread::spawn(move || job.examine(&spec, &head));
    loop {
        match lines.recv_timeout(Duration::from_millis(100)) {
            Ok(Message::Line { text, .. }) => tell(&text),
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if shop.signals.asked_to_stop() {
            cancel.cancel();
        }
    }
    let examined = worker.join();
    for folder in [shop.home.worktree(&id), shop.home.run(&id), shop.home.gate(&id)] {
        // What can't be removed now is no harm: its name is used once.
        let _ = proctor_world::tree::remove_tree(&folder);
    }
    match examined {
        Ok(Ok(examined)) => Ok(Some(examined)),
        Ok(Err(Halt::Cancelled)) => Ok(None),
        Ok(Err(Halt::TimeUp)) => Err("the time is used up".to_owned()),
        Ok(Err(Halt::Trouble(Trouble::Lasting { why } | Trouble::Passing { why }))) => Err(why),
        Err(_) => Err("examining broke; this is a bug in Proctor".to_owned()),
    }
}

/// Red is proven: has the run's examiner write tests on the base, in a folder of its own, before the coder begins.
pub(super) fn examination(job: &Job) -> Result<Outcome, Halt> {
    let Some(spec) = job.run.brief.agents.get(&Role::Examiner).cloned() else {
        return Err(Halt::lasting("an examination without an examiner; this is a bug in Proctor"));
    };
    if let Some((_, why)) = job.held_back(&spec) {
        return Ok(Outcome::Examined { examination: Err(why), usage: Usage::default() });
    }
    let apart = job.apart(&spec);
    apart.clear();
    let written = apart.written(&spec);
    apart.keep_logs(job)?;
    let found = written.and_then(|written| {
        let usage = written.usage;
        let examination = match written.tests {
            Ok(tests) => Ok(Box::new(job.examination_of(&spec, tests)?)),
            Err(why) => Err(why),
        };
        Ok(Outcome::Examined { examination, usage })
    });
    apart.clear();
    found
}

/// Under which name the examiner of a run works.
pub(crate) fn apart_from(run: &RunId) -> RunId {
    RunId::new(format!("{run}-examiner"))
}

/// What an examiner wrote.
struct Written {
    usage: Usage,
    /// The tests; or why there are none.
    tests: Result<Tests, String>,
}

struct Tests {
    base: TreeId,
    tree: TreeId,
    before: MemoryTree,
    after: MemoryTree,
}

impl Tests {
    /// Its tests with the files that they stand in.
    fn items(&self, suite: &Suite) -> Vec<TestItem> {
        item_changes(suite, &self.before, &self.after).new
    }
}

impl Job {
    /// The same run as an examiner is shown it: nothing has happened yet, in a folder that nobody else works in.
    fn apart(&self, spec: &AgentSpec) -> Self {
        let mut brief = self.run.brief.clone();
        "examine".clone_into(&mut brief.landing.branch);
        brief.brought_tests.clear();
        brief.agents.insert(Role::Tester, spec.clone());
        brief.assignment.orders.insert(Phase::WriteTests, ORDERS.to_owned());
        let mut run = Run::new(brief);
        run.stage = Stage::WritingTests { talk: Talk::first(), feedback: TestFeedback::Fresh };
        run.base.clone_from(&self.run.base);
        run.head.clone_from(&self.run.base);
        run.baseline.clone_from(&self.run.baseline);
        run.limits.clone_from(&self.run.limits);
        let lab = Lab { id: apart_from(&self.id), ..self.lab.clone() };
        Self { lab, run, ..self.clone() }
    }

    /// Nothing of an examination stays where somebody else could look for it.
    fn clear(&self) {
        let Shop { home, .. } = &self.shop;
        for folder in [home.worktree(&self.id), home.run(&self.id), home.gate(&self.id)] {
            // What can't be removed now is removed when the next one begins.
            let _ = proctor_world::tree::remove_tree(&folder);
        }
    }

    /// What was told and said belongs to the run.
    fn keep_logs(&self, run: &Self) -> Result<(), Halt> {
        let (own, home) = (&self.shop.home, &run.shop.home);
        let turn = |at: &Path| at.join("turns").join(format!("{:04}", self.no));
        for (from, to) in [
            (turn(&own.run(&self.id)), turn(&home.run(&run.id))),
            (own.logs(&self.id, self.no), home.logs(&run.id, self.no)),
        ] {
            if from.is_dir() {
                proctor_world::tree::remove_tree(&to)?;
                make(to.parent().unwrap_or(&to))?;
                std::fs::rename(&from, &to).map_err(|e| Halt::io("could not move", &from, &e))?;
            }
        }
        Ok(())
    }

    /// Takes the examiner's turn.
    fn written(&self, spec: &AgentSpec) -> Result<Written, Halt> {
        let shadow = self.shadow()?;
        let tree = shadow.tree_of(&self.run.base)?;
        let base = BaseTree::read(&shadow, &tree)?;
        let worktree = self.make_worktree(&shadow)?;
        let suite = self.suite_of(&shadow, &tree)?;
        let room = self.shop.home.room(&self.id);
        self.furnish_in(&room, (&worktree, Place::Here), &suite, Instant::now())?;
        let turn = Turn { spec, phase: Phase::WriteTests, attempt: 1 };
        let prompt = self.prompt(&shadow, (Phase::WriteTests, 1), &Session::New)?;
        let report = self.take_turn(turn, 1, &Session::New, &prompt, (&shadow, &tree))?;
        let usage = usage_of(&report);
        let nothing = |why: &str| Written { usage, tests: Err(self.redactor().text(why)) };
        if let Some(limited) = report.limited {
            return Ok(nothing(&format!("a usage limit: {}", limited.why)));
        }
        if let Err(fault) = report.claim {
            return Ok(nothing(&fault.to_string()));
        }
        let found = snapshot(&worktree, &base)?;
        let view = View::of_all(&tree);
        let with = self.take_over(&shadow, &base, Phase::WriteTests, (&view, &found))?.tree;
        let (before, after) = test_sources(&shadow, &tree, &with)?;
        let tests = Tests { base: tree, tree: with, before, after };
        if tests.items(&suite).is_empty() {
            return Ok(nothing("the examiner wrote no test that could be found"));
        }
        Ok(Written { usage, tests: Ok(tests) })
    }

    /// What is kept of it: the tests, and which of them the old code passes.
    fn examination_of(&self, spec: &AgentSpec, tests: Tests) -> Result<Examination, Halt> {
        let shadow = self.shadow()?;
        // Nothing else names this tree.
        let text = CommitText {
            message: "tests of an examiner",
            author: &self.run.brief.landing.author,
            at: self.shop.now(),
        };
        let commit = shadow.commit(&tests.tree, &[&self.run.base], &text)?;
        shadow.set_ref(&self.examined_ref(), &commit)?;
        let suite = self.suite(&shadow, &tests.after)?;
        let ids: BTreeSet<TestId> = tests.items(&suite).into_iter().map(|item| item.id).collect();
        let mut runs = TestRuns::new(self, &shadow, suite);
        let bases = runs.run(&tests.tree, &Selection::Ids(ids.iter().cloned().collect()))?;
        let (base, tree) = (tests.base, tests.tree);
        let passing = ids.iter().filter(|id| bases.passed(id)).cloned().collect();
        let tests = ids.into_iter().collect();
        Ok(Examination { by: spec.name.clone(), base, tree, tests, passing })
    }

    /// What work says to the tests of an examination.
    pub(super) fn asked(
        &self,
        shadow: &Shadow,
        work: &TreeId,
        of: &Examination,
    ) -> Result<Examined, Halt> {
        let (before, after) = test_sources(shadow, &of.base, &of.tree)?;
        let suite = self.suite(shadow, &after)?;
        let mut items = item_changes(&suite, &before, &after).new;
        items.retain(|item| of.tests.contains(&item.id));
        let on_head = with_tests_of(shadow, work, (&of.base, &of.tree))?;
        let only = Selection::Ids(of.tests.clone());
        let mut runs = TestRuns::new(self, shadow, suite);
        let heads = [runs.run(&on_head, &only)?, runs.run(&on_head, &only)?];
        let mut examined = Examined { by: of.by.clone(), ..Examined::default() };
        for item in items {
            match answer(&heads, &item.id) {
                Answer::Passes => examined.asked += 1,
                Answer::Fails { said } => {
                    examined.asked += 1;
                    let source = after.0.get(&item.place.file).cloned().unwrap_or_default();
                    examined.doubts.push(Doubt {
                        said: self.redactor().text(&said),
                        on_base: of.passing.contains(&item.id),
                        source: String::from_utf8_lossy(&source).into_owned(),
                        test: item.id,
                    });
                }
                Answer::None { why } => examined.unasked.push(format!("{}: {why}", item.id)),
            }
        }
        Ok(examined)
    }

    /// For a branch that somebody else made.
    fn examine(&self, spec: &AgentSpec, head: &CommitId) -> Result<Examined, Halt> {
        let shadow = self.shadow()?;
        shadow.bring(head)?;
        let tests = self.written(spec)?.tests.map_err(Halt::lasting)?;
        let examination = self.examination_of(spec, tests)?;
        let examined = self.asked(&shadow, &shadow.tree_of(head)?, &examination);
        shadow.delete_ref(&self.examined_ref())?;
        examined
    }
}

/// What head says to one of the tests.
enum Answer {
    Passes,
    Fails { said: String },
    None { why: String },
}

fn answer(runs: &[TestReport], id: &TestId) -> Answer {
    let ends: Vec<Option<&CaseEnd>> =
        runs.iter().map(|run| run.cases.get(id).map(|case| &case.end)).collect();
    if ends.iter().all(|end| *end == Some(&CaseEnd::Passed)) {
        return Answer::Passes;
    }
    let failed = |end: Option<&CaseEnd>| match end {
        Some(CaseEnd::Failed { reason }) => match reason {
            Reason::Assertion { message, .. } | Reason::Panic { message, .. } => {
                Some(message.clone())
            }
            Reason::Missing { .. } | Reason::Other { .. } => None,
        },
        _ => None,
    };
    let said: Vec<String> = ends.iter().copied().filter_map(failed).collect();
    match said.into_iter().next() {
        Some(said) if ends.iter().all(|end| failed(*end).is_some()) => Answer::Fails { said },
        _ => Answer::None {
            why: "head lacks a name that it uses, or it does not give the same twice".to_owned(),
        },
    }
}
