//! An examiner: an agent that writes tests from the task's text alone, on the base, without sight of the change. Its tests run
//! on both sides. They can only leave a doubt; nothing is proven by them, and nothing is recorded.

use super::agent::Turn;
use super::gate::{item_changes, test_sources};
use super::held::View;
use super::policy::with_tests_of;
use super::{Halt, Job, Message};
use proctor_core::agent::{AgentSpec, Session};
use proctor_core::brief::Brief;
use proctor_core::event::Trouble;
use proctor_core::report::{CaseEnd, Reason, TestReport};
use proctor_core::run::{Run, Stage, Talk, TestFeedback};
use proctor_core::words::{CommitId, Phase, Role, RunId, TestId};
use proctor_lab::{Shop, TestRuns};
use proctor_tools::Selection;
use proctor_world::child::Cancel;
use proctor_world::snapshot::{BaseTree, snapshot};
use std::collections::BTreeSet;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

const ORDERS: &str = "You are an examiner. Somebody else has done this work already, and you are not shown it: you see the code as it was before. Write three tests in a new file, from the text of the task alone, each about an input that the text speaks of and a plain test would leave out. Use only names that are there or that the task names.";

/// What the examiner's tests showed.
#[derive(Debug, Default)]
pub struct Examined {
    /// How many could be asked.
    pub asked: usize,
    pub doubts: Vec<Doubt>,
    /// Those that could not be asked of head, each with why.
    pub unasked: Vec<String>,
}

/// A test that head does not pass.
#[derive(Debug)]
pub struct Doubt {
    pub test: TestId,
    /// What head said.
    pub said: String,
    /// Whether the base passes it.
    pub on_base: bool,
    /// The file that it stands in.
    pub source: String,
}

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

impl Job {
    fn examine(&self, spec: &AgentSpec, head: &CommitId) -> Result<Examined, Halt> {
        let shadow = self.shadow()?;
        shadow.bring(head)?;
        let tree = shadow.tree_of(&self.run.base)?;
        let base = BaseTree::read(&shadow, &tree)?;
        let worktree = self.make_worktree(&shadow)?;
        let turn = Turn { spec, phase: Phase::WriteTests, attempt: 1 };
        let prompt = self.prompt(&shadow, (Phase::WriteTests, 1), &Session::New)?;
        let report = self.take_turn(turn, 1, &Session::New, &prompt, (&shadow, &tree))?;
        if let Some(limited) = report.limited {
            return Err(Halt::lasting(format!("a usage limit: {}", limited.why)));
        }
        if let Err(fault) = report.claim {
            return Err(Halt::lasting(self.redactor().text(&fault.to_string())));
        }
        let found = snapshot(&worktree, &base)?;
        let view = View::of_all(&tree);
        let tests = self.take_over(&shadow, &base, Phase::WriteTests, (&view, &found))?.tree;
        let (before, after) = test_sources(&shadow, &tree, &tests)?;
        let suite = self.suite(&shadow, &after)?;
        let items = item_changes(&suite, &before, &after);
        let ids: BTreeSet<TestId> = items.new.iter().map(|item| item.id.clone()).collect();
        if ids.is_empty() {
            return Err(Halt::lasting("the examiner wrote no test that could be found"));
        }
        let on_head = with_tests_of(&shadow, &shadow.tree_of(head)?, (&tree, &tests))?;
        let only = Selection::Ids(ids.iter().cloned().collect());
        let mut runs = TestRuns::new(self, &shadow, suite);
        let heads = [runs.run(&on_head, &only)?, runs.run(&on_head, &only)?];
        let bases = runs.run(&tests, &only)?;
        let mut examined = Examined::default();
        for item in items.new.iter().filter(|item| ids.contains(&item.id)) {
            match answer(&heads, &item.id) {
                Answer::Passes => examined.asked += 1,
                Answer::Fails { said } => {
                    examined.asked += 1;
                    let source = after.0.get(&item.place.file).cloned().unwrap_or_default();
                    examined.doubts.push(Doubt {
                        test: item.id.clone(),
                        said: self.redactor().text(&said),
                        on_base: bases.passed(&item.id),
                        source: String::from_utf8_lossy(&source).into_owned(),
                    });
                }
                Answer::None { why } => examined.unasked.push(format!("{}: {why}", item.id)),
            }
        }
        Ok(examined)
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
