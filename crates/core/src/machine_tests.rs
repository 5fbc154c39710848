//! The machine as a whole: every stage against every input, random histories, power cuts.

use crate::assignment::Route;
use crate::brief::{
    AgentKind, AgentSpec, ApprovalPolicy, Brief, ContextFile, OnRegression, RefactorPolicy,
};
use crate::decide::decide;
use crate::event::{
    Baseline, Effect, Ending, Event, Input, OnRebase, Outcome, Patch, Raise, Refusal, Request,
    Trouble, Turn, Usage,
};
use crate::evolve::evolve;
use crate::fault::Names;
use crate::proof::tests::{brief, failed, green_measure, passed, point, red_measure};
use crate::report::Counts;
use crate::run::{Run, Stage, owed};
use crate::turn::{AuditFinding, Claim};
use crate::words::{BlobId, CommitId, Hands, Millis, Phase, Role, Status, TaskType};
use proptest::prelude::*;
use std::fmt::Write;

/// What the world does next; the proptest chooses among these for each effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Luck {
    Good,
    Bad,
    Worse,
    Passing,
    Lasting,
    TimeUp,
    Limited,
    PowerCut,
}

fn baseline() -> Baseline {
    Baseline {
        report: BlobId::new("b0"),
        runner: "pytest".into(),
        counts: Counts::default(),
        failing: Names::default(),
        flaky: Names::default(),
        projects: Vec::new(),
        suite_ms: 0,
    }
}

fn turn(phase: Phase, attempt: u32, claim: Claim, tree: &str) -> Outcome {
    let turn =
        Turn { phase, attempt, claim, at: point(tree), changed: Vec::new(), put_back: Vec::new() };
    Outcome::Turned {
        turn: Box::new(turn),
        usage: Usage { tokens: 10, micro_usd: 5, estimated: false },
    }
}

fn red_outcome(kind: TaskType, good: bool) -> Outcome {
    let red = matches!(kind, TaskType::BugFix | TaskType::Feature);
    let new = if good == red { failed() } else { passed() };
    let measure = red_measure(&[("old", passed())], &[("old", passed()), ("new", new)]);
    Outcome::RedMeasured { measure: Box::new(measure), evidence: BlobId::new("e") }
}

fn green_outcome(now_new: bool, replay_red: bool) -> Outcome {
    let end = |good: bool| if good { passed() } else { failed() };
    let measure = green_measure(
        &[("old", passed())],
        &[("old", passed()), ("new", end(now_new))],
        &[("new", end(!replay_red))],
    );
    Outcome::GreenMeasured { measure: Box::new(measure), evidence: BlobId::new("e") }
}

/// Answers an effect.
fn world(run: &Run, effect: &Effect, luck: Luck) -> Outcome {
    match luck {
        Luck::Passing => return Outcome::Failed(Trouble::Passing { why: "busy".into() }),
        Luck::Lasting => return Outcome::Failed(Trouble::Lasting { why: "no disk".into() }),
        Luck::TimeUp => return Outcome::TimeUp,
        Luck::Limited => {
            return Outcome::Limited {
                until: Millis(5),
                why: "429".into(),
                usage: Usage::default(),
            };
        }
        Luck::Good | Luck::Bad | Luck::Worse | Luck::PowerCut => {}
    }
    let good = luck == Luck::Good;
    match effect {
        Effect::Prepare => Outcome::Prepared {
            tree: point("base").tree,
            baseline: Box::new(baseline()),
            sandbox: "none".into(),
        },
        Effect::BringTests => Outcome::Brought { at: point("brought") },
        Effect::Ask { phase, attempt, .. } => {
            left_alone(run, *phase, ask_answer(*phase, *attempt, luck))
        }
        Effect::Examine => {
            let examination = Err("it wrote none".to_owned());
            Outcome::Examined { examination, usage: Usage::default() }
        }
        Effect::ProveRed { .. } => red_outcome(run.brief.kind, good),
        Effect::ProveGreen { .. } => green_outcome(luck != Luck::Bad, luck != Luck::Worse),
        Effect::Audit { .. } => Outcome::Audited {
            raised: Vec::new(),
            findings: if good { vec![] } else { vec!["a.py:1: a key".into()] },
            notes: vec![],
        },
        Effect::Offer { .. } => Outcome::Offered {
            commit: CommitId::new("one-commit"),
            number: 7,
            note: "pull request #7".into(),
        },
        Effect::HearReview { .. } => Outcome::Reviewed {
            by: vec!["ann".into()],
            commit: CommitId::new("one-commit"),
            accept: None,
        },
        Effect::Land { code } => {
            if good {
                Outcome::Landed {
                    commit: code.commit.clone(),
                    branch: "main".into(),
                    note: String::new(),
                }
            } else {
                Outcome::BaseMoved { to: CommitId::new("newer") }
            }
        }
        Effect::Rebase { onto } => {
            if good {
                Outcome::Rebased {
                    base: onto.clone(),
                    tests: point("tests-on-newer"),
                    code: point("code-on-newer"),
                    baseline: Box::new(baseline()),
                    patch: Patch::Same,
                }
            } else {
                Outcome::Conflict { files: vec!["calc.py".into()] }
            }
        }
        Effect::Settle { .. } => Outcome::Settled { rescue: Some("refs/x".into()), patch: None },
    }
}

/// What one who only reads changed is put back.
fn left_alone(run: &Run, phase: Phase, mut answer: Outcome) -> Outcome {
    if let (Outcome::Turned { turn, .. }, Hands::Tied, Some(tree)) =
        (&mut answer, phase.hands(), &run.tree)
    {
        turn.at.tree = tree.clone();
    }
    answer
}

fn ask_answer(phase: Phase, attempt: u32, luck: Luck) -> Outcome {
    let text = || "because".to_owned();
    if luck == Luck::Worse {
        return Outcome::TurnFailed {
            why: "no JSON".into(),
            tree: point("half").tree,
            put_back: vec!["calc.py: not a test".into()],
            usage: Usage::default(),
        };
    }
    let good = luck == Luck::Good;
    let (claim, tree) = match phase {
        Phase::WriteTests if good => (
            Claim::TestsWritten { test_file_path: Some("t.py".into()), notes: text() },
            format!("tests-{attempt}"),
        ),
        Phase::WriteTests => (Claim::Discarded { why: text() }, "base".to_owned()),
        Phase::Implement if good => {
            (Claim::Implemented { description: text(), notes: text() }, format!("code-{attempt}"))
        }
        Phase::Implement => (Claim::TestDisputed { why: text() }, format!("code-{attempt}")),
        Phase::Refactor if good => (Claim::Refactored { notes: text() }, format!("tidy-{attempt}")),
        Phase::Refactor => (Claim::Refactored { notes: text() }, "same".to_owned()),
        Phase::Review if good => (Claim::ReviewPassed { notes: text() }, "same".to_owned()),
        Phase::Review => (Claim::ReviewRejected { why: text() }, "same".to_owned()),
        Phase::Audit => {
            let finding = AuditFinding {
                severity: if good { "info".into() } else { "high".into() },
                file: "a.py".into(),
                line: Some(1),
                message: text(),
            };
            (Claim::AuditReported { findings: vec![finding], summary: text() }, "same".to_owned())
        }
        Phase::Diagnose if good => (
            Claim::Diagnosed { root_cause: text(), strategy: text(), notes: text() },
            "same".to_owned(),
        ),
        Phase::Diagnose | Phase::Suggest | Phase::Scout | Phase::Classify => {
            (Claim::Discarded { why: text() }, "same".to_owned())
        }
    };
    turn(phase, attempt, claim, &tree)
}

struct Story {
    run: Run,
    history: Vec<Event>,
}

impl Story {
    fn begin(brief: Brief) -> Self {
        let created = Event::Created { brief: Box::new(brief.clone()) };
        Self { run: Run::new(brief), history: vec![created] }
    }

    fn feed(&mut self, input: &Input) -> Result<(), Refusal> {
        let events = decide(&self.run, input)?;
        for event in events {
            self.run = evolve(self.run.clone(), &event);
            self.history.push(event);
        }
        Ok(())
    }

    /// Begins what is owed and ends it with this luck.
    fn step(&mut self, luck: Luck) {
        self.feed(&Input::Begin).unwrap();
        let Some(flight) = self.run.in_flight.clone() else { return };
        if luck == Luck::PowerCut {
            self.run = Run::replay(&self.history).unwrap();
            self.feed(&Input::Lost { no: flight.no }).unwrap();
            return;
        }
        let outcome = world(&self.run, &flight.effect, luck);
        self.feed(&Input::Done { no: flight.no, outcome, took_ms: 7, at: Millis(9) }).unwrap();
    }

    fn play(mut self, lucks: &[Luck]) -> Self {
        for luck in lucks {
            assert!(owed(&self.run).is_some(), "nothing is owed any more: {:?}", self.run.stage);
            self.step(*luck);
        }
        self
    }

    /// Everything good until nothing is owed.
    fn finish(mut self) -> Self {
        while owed(&self.run).is_some() {
            self.step(Luck::Good);
        }
        self
    }

    fn count(&self, wanted: fn(&Event) -> bool) -> usize {
        self.history.iter().filter(|e| wanted(e)).count()
    }

    fn asks(&self, phase: Phase) -> usize {
        let asked = |e: &&Event| matches!(e, Event::EffectBegan { effect: Effect::Ask { phase: p, .. }, .. } if *p == phase);
        self.history.iter().filter(asked).count()
    }
}

fn yes(kind: TaskType) -> Brief {
    let mut brief = brief(kind);
    brief.landing.approval = ApprovalPolicy::Beforehand;
    brief
}

fn with_diagnostician(mut brief: Brief) -> Brief {
    let second = AgentSpec::of("second", AgentKind::Command { argv: vec!["x".into()] });
    brief.agents.insert(Role::Diagnostician, second);
    brief
}

use Luck::{Bad, Good, Limited, Passing, PowerCut, Worse};

// S0-7, S0-9, S0-10, S0-11, S0-13, S0-27, S1-5, S1-57
#[test]
fn s0_6_the_four_phases_follow_each_other_and_it_lands() {
    for kind in TaskType::ALL {
        let story = Story::begin(yes(kind)).finish();
        assert_eq!(story.run.status(), Status::Success, "{kind}");
        let expected = usize::from(kind != TaskType::Refactor);
        assert_eq!(story.asks(Phase::Refactor), expected, "S0-12: {kind}");
        assert_eq!(story.count(|e| matches!(e, Event::Landed { .. })), 1);
    }
}

#[test]
fn s0_3_and_s0_24_a_run_begins_with_nothing_but_its_task() {
    let mut brief = brief(TaskType::BugFix);
    brief.relevant_files = Vec::new();
    let run = Run::new(brief.clone());
    assert_eq!(run.brief, brief);
    assert_eq!(run.stage, Stage::Preparing);
    assert_eq!(run.status(), Status::Running);
    assert_eq!((run.counters.reviews, run.counters.turns(Phase::WriteTests)), (0, 0));
    assert!(run.rejections.is_empty() && run.told.is_empty() && run.landed.is_none());
}

#[test]
fn s0_8_a_bug_that_cannot_be_reproduced_is_discarded_at_once() {
    let story = Story::begin(yes(TaskType::BugFix)).play(&[Good, Bad]);
    assert_eq!(story.run.status(), Status::Discarded);
    assert_eq!(story.asks(Phase::Implement), 0);
}

// S1-15, S1-50
#[test]
fn s1_32_the_red_gate_sends_back_three_times_and_then_ends_by_type() {
    for (kind, status) in [
        (TaskType::BugFix, Status::Discarded),
        (TaskType::Feature, Status::Blocked),
        (TaskType::Refactor, Status::Blocked),
    ] {
        let mut lucks = vec![Good];
        lucks.extend([Good, Bad].repeat(4));
        let story = Story::begin(yes(kind)).play(&lucks);
        assert_eq!(story.run.status(), status, "{kind}");
        assert_eq!(story.asks(Phase::WriteTests), 4);
    }
}

// S1-15, S1-35, S1-50, S4-3, S4-10
#[test]
fn s1_54_and_s4_19_green_gets_the_first_try_and_exactly_three_fixes() {
    let mut lucks = vec![Good, Good, Good];
    lucks.extend([Good, Bad].repeat(4));
    lucks.push(Good);
    let story = Story::begin(yes(TaskType::Feature)).play(&lucks);
    assert_eq!(story.run.status(), Status::Failed);
    assert_eq!(story.asks(Phase::Implement), 4);
    assert!(
        story
            .run
            .reason()
            .starts_with("Green phase failed after 3 iterations. All changes reverted.")
    );
    assert_eq!(story.run.tree, Some(point("tests-1").tree), "the red checkpoint is back");
}

// S0-16, S0-21, S0-23
#[test]
fn s0_14_a_rejection_goes_back_to_implement_and_s0_15_the_third_ends_it() {
    let round = [Good, Good, Good, Good, Good, Bad]; // implement, green, refactor, green, audit, review
    let mut lucks = vec![Good, Good, Good];
    lucks.extend(round.repeat(3));
    let story = Story::begin(yes(TaskType::BugFix)).play(&lucks);
    assert_eq!(story.run.status(), Status::MaxAttemptsReached);
    assert_eq!(story.run.rejections.len(), 3);
    assert_eq!(story.asks(Phase::WriteTests), 1);
    assert_eq!(story.asks(Phase::Implement), 3);
}

#[test]
fn an_appeal_unseals_the_tests_once_and_a_second_one_counts_as_a_fix() {
    let story = Story::begin(yes(TaskType::Feature)).play(&[Good, Good, Good, Bad]);
    assert!(matches!(story.run.stage, Stage::WritingTests { .. }));
    assert_eq!(story.run.tree, Some(point("tests-1").tree));
    let story = story.play(&[Good, Good, Bad]);
    assert_eq!(story.run.counters.fixes, 1);
    assert_eq!(story.finish().run.status(), Status::Success);
}

#[test]
fn a_refactoring_that_breaks_tests_is_undone_and_halts_or_goes_on_by_policy() {
    let lucks = [Good, Good, Good, Good, Good, Good, Bad];
    let halted = Story::begin(yes(TaskType::Feature)).play(&lucks);
    assert_eq!(halted.run.status(), Status::Blocked);
    assert_eq!(halted.run.tree, Some(point("code-1").tree));
    let mut keep = yes(TaskType::Feature);
    keep.rules.on_regression = OnRegression::KeepGreen;
    let kept = Story::begin(keep).play(&lucks);
    assert!(matches!(kept.run.stage, Stage::Auditing { .. }));
    let mut halted = halted;
    halted.feed(&Input::Request(Request::Resume { raise: Raise::default() }, Millis(1))).unwrap();
    assert_eq!(halted.finish().run.status(), Status::Success);
}

// S1-9, S4-1, S4-6
#[test]
fn audit_findings_go_back_to_implement_and_count_as_a_fix() {
    let mut quick = yes(TaskType::Feature);
    quick.rules.refactor = RefactorPolicy::Skipped;
    let story = Story::begin(quick).play(&[Good, Good, Good, Good, Good, Bad]);
    assert!(matches!(story.run.stage, Stage::Implementing { .. }));
    assert_eq!(story.run.counters.fixes, 1);
}

#[test]
fn an_agent_without_usable_output_is_asked_three_times_and_then_it_is_an_agent_error() {
    let story = Story::begin(yes(TaskType::Feature)).play(&[Good, Worse, Worse, Worse]);
    assert_eq!(story.run.status(), Status::AgentError);
    assert_eq!(story.asks(Phase::WriteTests), 3);
    let attempts: Vec<u32> = story
        .history
        .iter()
        .filter_map(|e| match e {
            Event::EffectBegan { effect: Effect::Ask { attempt, .. }, .. } => Some(*attempt),
            _ => None,
        })
        .collect();
    assert_eq!(attempts, [1, 1, 1], "the same turn keeps its number");
}

#[test]
fn what_was_put_back_is_told_to_the_phase_that_did_it_also_when_its_output_was_no_use() {
    let mut story = Story::begin(yes(TaskType::Feature)).play(&[Good, Worse, Worse]);
    let told = |run: &Run, phase| run.put_back.get(&phase).cloned().unwrap_or_default();
    assert_eq!(told(&story.run, Phase::WriteTests), ["calc.py: not a test"], "and only once");
    story = story.play(&[Good, Good]);
    assert!(matches!(story.run.stage, Stage::Implementing { .. }));
    assert!(told(&story.run, Phase::Implement).is_empty());
}

#[test]
fn a_usage_limit_pauses_and_goes_on_by_itself_without_counting_as_a_try() {
    let mut story = Story::begin(yes(TaskType::Feature)).play(&[Good, Limited]);
    assert_eq!(story.run.status(), Status::Paused);
    assert!(story.feed(&Input::Tick(Millis(4))).is_err());
    story.feed(&Input::Tick(Millis(5))).unwrap();
    assert!(matches!(owed(&story.run), Some(Effect::Ask { attempt: 1, ask: 1, .. })));
}

/// Makes one limit small.
type Small = fn(&mut Brief);

#[test]
fn each_budget_pauses_and_only_more_of_it_lets_the_run_go_on() {
    let resume = |raise| Input::Request(Request::Resume { raise }, Millis(1));
    let cases: [(Small, Raise); 4] = [
        (|b| b.limits.agent_calls = 1, Raise { calls: 9, ..Raise::default() }),
        (|b| b.limits.wall_ms = Some(15), Raise { wall_ms: 1000, ..Raise::default() }),
        (|b| b.limits.tokens = Some(10), Raise { tokens: 1000, ..Raise::default() }),
        (|b| b.limits.micro_usd = Some(5), Raise { micro_usd: 1000, ..Raise::default() }),
    ];
    for (set, raise) in cases {
        let mut small = yes(TaskType::Feature);
        set(&mut small);
        let mut story = Story::begin(small).finish();
        assert_eq!(story.run.status(), Status::Paused, "{raise:?}");
        assert!(matches!(story.feed(&resume(Raise::default())), Err(Refusal::BudgetSpent { .. })));
        story.feed(&resume(raise)).unwrap();
        assert_eq!(story.finish().run.status(), Status::Success, "{raise:?}");
    }
}

#[test]
fn only_the_tree_that_is_proven_now_can_be_approved() {
    let mut story = Story::begin(brief(TaskType::Feature)).finish();
    assert_eq!(story.run.status(), Status::AwaitingApproval);
    let approve = |tree: &str| {
        Input::Request(
            Request::Approve { shown: point(tree).tree, rebase: OnRebase::Ask, accept: None },
            Millis(3),
        )
    };
    assert!(matches!(story.feed(&approve("code-1")), Err(Refusal::StaleTree { .. })));
    story.feed(&approve("tidy-1")).unwrap();
    assert_eq!(story.finish().run.status(), Status::Success);
}

#[test]
fn a_changed_old_test_needs_a_person_even_with_yes_unless_allowed() {
    for (allowed, status) in [(false, Status::AwaitingApproval), (true, Status::Success)] {
        let mut b = yes(TaskType::BugFix);
        if allowed {
            b.rules.changed_tests = crate::brief::ChangedTests::Allowed;
        }
        let mut story = Story::begin(b).play(&[Good, Good]);
        story.feed(&Input::Begin).unwrap();
        let mut measure = red_measure(&[("new", passed())], &[("new", failed())]);
        measure.items.changed = vec![crate::item::TestItem {
            id: crate::words::TestId::new("new"),
            place: crate::report::Place { file: "t.py".into(), line: None },
            text: "x".into(),
            shape: crate::item::Shape::Sound,
        }];
        let outcome =
            Outcome::RedMeasured { measure: Box::new(measure), evidence: BlobId::new("e") };
        let no = story.run.in_flight.as_ref().unwrap().no;
        story.feed(&Input::Done { no, outcome, took_ms: 1, at: Millis(1) }).unwrap();
        assert_eq!(story.finish().run.status(), status);
    }
}

#[test]
fn a_base_that_moved_is_rebased_proven_again_and_approved_again() {
    let mut story = Story::begin(brief(TaskType::Feature)).finish();
    let shown = point("tidy-1").tree;
    story
        .feed(&Input::Request(
            Request::Approve { shown, rebase: OnRebase::Ask, accept: None },
            Millis(3),
        ))
        .unwrap();
    let story = story.play(&[Bad, Good, Good]); // moved, rebased, green
    assert_eq!(story.run.status(), Status::AwaitingApproval);
    assert_eq!(story.run.base, CommitId::new("newer"));
    let conflict = Story::begin(yes(TaskType::Feature)).play(&[Good; 9]).play(&[Bad, Bad]);
    assert_eq!(conflict.run.status(), Status::Blocked);
    assert!(conflict.run.reason().contains("calc.py"));
}

#[test]
fn red_that_is_green_on_replay_goes_back_to_the_tester() {
    let story = Story::begin(yes(TaskType::Feature)).play(&[Good, Good, Good, Good, Worse]);
    assert!(matches!(story.run.stage, Stage::WritingTests { .. }));
    assert_eq!(story.run.head, story.run.base);
}

#[test]
fn tests_that_a_person_brought_skip_the_tester_but_not_the_gate() {
    let mut b = yes(TaskType::Feature);
    b.brought_tests = vec![ContextFile { path: "t.py".into(), blob: BlobId::new("x") }];
    let story = Story::begin(b.clone()).finish();
    assert_eq!((story.run.status(), story.asks(Phase::WriteTests)), (Status::Success, 0));
    let refused = Story::begin(b).play(&[Good, Good, Bad]);
    assert_eq!(refused.run.status(), Status::Blocked);
}

#[test]
fn an_abort_saves_first_and_a_landing_under_way_cannot_be_aborted() {
    let mut story = Story::begin(brief(TaskType::Feature)).play(&[Good, Good]);
    story.feed(&Input::Begin).unwrap();
    story.feed(&Input::Request(Request::Abort, Millis(1))).unwrap();
    assert_eq!(owed(&story.run), Some(Effect::Settle { ending: Ending::Aborted }));
    let story = story.finish();
    assert_eq!(story.run.status(), Status::Aborted);
    assert_eq!(story.run.rescue.as_deref(), Some("refs/x"));
    let mut landing = Story::begin(yes(TaskType::Feature)).play(&[Good; 9]);
    landing.feed(&Input::Begin).unwrap();
    assert!(matches!(landing.run.stage, Stage::Landing { .. }));
    assert!(landing.feed(&Input::Request(Request::Abort, Millis(1))).is_err());
}

#[test]
fn a_person_can_send_back_what_awaits_approval_and_what_failed() {
    let why = || Request::SendBack { why: "handle empty input".into() };
    let mut story = Story::begin(brief(TaskType::Feature)).finish();
    story.feed(&Input::Request(why(), Millis(1))).unwrap();
    assert!(matches!(story.run.stage, Stage::Implementing { .. }));
    let mut lucks = vec![Good, Good, Good];
    lucks.extend([Good, Bad].repeat(4));
    lucks.push(Good);
    let mut failed = Story::begin(yes(TaskType::Feature)).play(&lucks);
    failed.feed(&Input::Request(why(), Millis(1))).unwrap();
    assert_eq!(failed.run.counters.fixes, 0);
    assert_eq!(failed.finish().run.status(), Status::Success);
}

#[test]
fn trouble_that_passes_is_tried_again_and_trouble_that_stays_goes_to_a_person() {
    let story = Story::begin(yes(TaskType::Feature)).play(&[Passing, Passing, Good]);
    assert_eq!(story.finish().run.status(), Status::Success);
    let mut blocked = Story::begin(yes(TaskType::Feature)).play(&[Passing; 4]);
    assert_eq!(blocked.run.status(), Status::Blocked);
    blocked.feed(&Input::Request(Request::Resume { raise: Raise::default() }, Millis(1))).unwrap();
    assert_eq!(blocked.finish().run.status(), Status::Success);
}

#[test]
fn trouble_while_cleaning_up_is_cleaned_up_again_and_never_lands_twice() {
    let mut story = Story::begin(brief(TaskType::Feature)).finish();
    let shown = point("tidy-1").tree;
    story
        .feed(&Input::Request(
            Request::Approve { shown, rebase: OnRebase::Ask, accept: None },
            Millis(3),
        ))
        .unwrap();
    let mut story = story.play(&[Good, Luck::Lasting]);
    assert_eq!(story.run.status(), Status::Blocked);
    for request in [Request::Abort, Request::SendBack { why: "no".into() }] {
        assert!(story.feed(&Input::Request(request, Millis(4))).is_err(), "it has landed");
    }
    let raise = Raise::default();
    story.feed(&Input::Request(Request::Resume { raise }, Millis(5))).unwrap();
    assert_eq!(owed(&story.run), Some(Effect::Settle { ending: Ending::Success }));
    let story = story.play(&[Good]);
    assert_eq!(story.run.status(), Status::Success);
    assert_eq!(story.count(|event| matches!(event, Event::Landed { .. })), 1);
}

#[test]
fn a_power_cut_after_any_effect_leads_to_the_same_ending() {
    let lucks = [Good, Good, Bad, Good, Good, Good, Bad, Good, Good, Good, Good, Good, Bad];
    let whole = Story::begin(yes(TaskType::BugFix)).play(&lucks).finish();
    assert_eq!(whole.run.status(), Status::Success);
    for cut in 0..lucks.len() {
        let mut with_cut = lucks.to_vec();
        with_cut.insert(cut, PowerCut);
        let story = Story::begin(yes(TaskType::BugFix)).play(&with_cut).finish();
        assert_eq!(story.run.status(), Status::Success, "cut at {cut}");
        assert_eq!(story.run.landed, whole.run.landed);
        assert_eq!(
            story.run.counters, whole.run.counters,
            "cut at {cut}: nothing is counted twice"
        );
    }
}

fn any_luck() -> impl Strategy<Value = Luck> {
    prop_oneof![
        8 => Just(Luck::Good),
        4 => Just(Luck::Bad),
        2 => Just(Luck::Worse),
        1 => Just(Luck::Passing),
        1 => Just(Luck::Lasting),
        1 => Just(Luck::TimeUp),
        1 => Just(Luck::Limited),
        2 => Just(Luck::PowerCut),
    ]
}

fn requests(run: &Run) -> [Input; 7] {
    let shown = run.stage.green().map_or(point("x").tree, |g| g.at().tree.clone());
    let raise = Raise { calls: 3, wall_ms: 50, tokens: 100, micro_usd: 100 };
    let ask = |request| Input::Request(request, Millis(11));
    [
        ask(Request::Approve { shown, rebase: OnRebase::Ask, accept: None }),
        ask(Request::Abort),
        ask(Request::SendBack { why: "no".into() }),
        ask(Request::Cancel),
        ask(Request::Resume { raise }),
        Input::Interrupt,
        Input::Tick(Millis(100)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]
    // S1-2
    #[test]
    fn random_histories_keep_every_promise(
        kind in prop_oneof![Just(TaskType::BugFix), Just(TaskType::Feature), Just(TaskType::Refactor)],
        by_person in any::<bool>(),
        audited in any::<bool>(),
        diagnosed in any::<bool>(),
        route in prop_oneof![6 => Just(Route::Tdd), 1 => Just(Route::Plain), 1 => Just(Route::Cycle)],
        steps in prop::collection::vec((any_luck(), prop::option::weighted(0.15, 0..7usize)), 1..80),
    ) {
        let mut brief = if by_person { brief(kind) } else { yes(kind) };
        if diagnosed {
            brief = with_diagnostician(brief);
        }
        if audited {
            brief = with_auditor(brief);
        }
        brief.assignment.route = route;
        let mut story = Story::begin(brief);
        for (luck, request) in steps {
            if let Some(which) = request {
                let input = requests(&story.run)[which].clone();
                let _ = story.feed(&input);
            }
            if owed(&story.run).is_some() {
                story.step(luck);
            }
            promises(&story)?;
        }
    }
}

fn promises(story: &Story) -> Result<(), TestCaseError> {
    let run = &story.run;
    let replayed = Run::replay(&story.history);
    prop_assert_eq!(replayed.as_ref(), Some(run), "to resume is to fold");
    let landed = story.count(|e| matches!(e, Event::Landed { .. }));
    prop_assert!(landed <= 1, "at most one landing");
    let at = |wanted: fn(&Event) -> bool| story.history.iter().position(wanted);
    if let Some(landing) = at(|e| matches!(e, Event::Landed { .. })) {
        let green = at(|e| matches!(e, Event::GreenProven { .. }));
        let red = at(|e| matches!(e, Event::RedProven { .. }));
        let approved = at(|e| matches!(e, Event::Approved { .. }));
        prop_assert!(red < green && green < Some(landing) && approved < Some(landing));
        prop_assert!(approved.is_some());
        prop_assert!(red.is_some() || !run.brief.assignment.route.has_red_gate());
    }
    if let Some(code) = at(|e| {
        matches!(e, Event::EffectBegan { effect: Effect::Ask { phase: Phase::Implement, .. }, .. })
    }) {
        let red = at(|e| matches!(e, Event::RedProven { .. })).is_some_and(|red| red < code);
        prop_assert!(red || !run.brief.assignment.route.has_red_gate(), "S1-2");
    }
    prop_assert!(run.counters.red_refusals <= run.limits.red + 1);
    prop_assert!(run.counters.fixes <= run.limits.green + 1);
    prop_assert!(run.counters.reviews <= run.limits.review + 1);
    prop_assert!(run.counters.appeals <= 1);
    prop_assert!(run.spent.calls <= run.limits.agent_calls, "S1-50: every loop is bounded");
    let waits = matches!(run.status(), Status::Running);
    prop_assert_eq!(waits, owed(run).is_some() || run.in_flight.is_some(), "{:?}", run.stage);
    Ok(())
}

#[test]
fn a_history_can_be_written_and_read_back() {
    let story =
        Story::begin(brief(TaskType::BugFix)).play(&[Good, Good, Bad, Good, Good, Good, Bad, Good]);
    let lines: Vec<String> =
        story.history.iter().map(|e| serde_json::to_string(e).unwrap()).collect();
    let read: Vec<Event> = lines.iter().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(Run::replay(&read).as_ref(), Some(&story.run));
    assert!(lines[1].starts_with("{\"event\":\"effect-began\""), "{}", lines[1]);
}

/// One run in each stage.
fn with_auditor(mut brief: Brief) -> Brief {
    let spec = AgentSpec::of("careful", AgentKind::Command { argv: vec!["careful".into()] });
    brief.agents.insert(Role::Auditor, spec);
    brief
}

fn stages() -> Vec<Run> {
    let at = |kind, lucks: &[Luck]| Story::begin(brief(kind)).play(lucks).run;
    let feature = |lucks: &[Luck]| at(TaskType::Feature, lucks);
    let mut brought = brief(TaskType::Feature);
    brought.brought_tests = vec![ContextFile { path: "t.py".into(), blob: BlobId::new("x") }];
    let mut waiting = Story::begin(brief(TaskType::Feature)).finish();
    let awaiting = waiting.run.clone();
    let shown = point("tidy-1").tree;
    waiting
        .feed(&Input::Request(
            Request::Approve { shown, rebase: OnRebase::Ask, accept: None },
            Millis(3),
        ))
        .unwrap();
    let landing = waiting.run.clone();
    let rebasing = waiting.play(&[Bad]).run;
    let mut aborting = Story::begin(brief(TaskType::Feature)).play(&[Good]);
    aborting.feed(&Input::Request(Request::Abort, Millis(1))).unwrap();
    let diagnosed = Story::begin(with_diagnostician(brief(TaskType::Feature)));
    let diagnosed = diagnosed.play(&[Good, Good, Good, Good, Bad]).run;
    vec![
        feature(&[]),
        Story::begin(brought).play(&[Good]).run,
        diagnosed,
        feature(&[Good]),
        feature(&[Good, Good]),
        feature(&[Good, Good, Good]),
        feature(&[Good, Good, Good, Good]),
        feature(&[Good, Good, Good, Good, Good]),
        feature(&[Good, Good, Good, Good, Good, Bad, Good]),
        feature(&[Good, Good, Good, Good, Good, Good, Good, Good]),
        Story::begin(with_auditor(brief(TaskType::Refactor))).play(&[Good; 6]).run,
        awaiting,
        landing,
        rebasing,
        aborting.run,
        feature(&[Good, Limited]),
        at(TaskType::BugFix, &[Good, Bad]),
    ]
}

fn all_outcomes(run: &Run) -> Vec<Outcome> {
    let effect = |e: Effect| world(run, &e, Good);
    let p = || point("x");
    let ask = |phase| Effect::Ask { phase, attempt: 1, ask: 1 };
    let mut all = vec![
        effect(Effect::Prepare),
        effect(Effect::BringTests),
        effect(Effect::ProveRed { tests: p() }),
        effect(Effect::ProveGreen { code: p(), tests: p() }),
        effect(Effect::Audit { code: p() }),
        effect(Effect::Land { code: p() }),
        world(run, &Effect::Land { code: p() }, Bad),
        effect(Effect::Rebase { onto: CommitId::new("newer") }),
        world(run, &Effect::Rebase { onto: CommitId::new("newer") }, Bad),
        effect(Effect::Settle { ending: Ending::Aborted }),
        ask_answer(Phase::Review, 1, Worse),
        Outcome::TimeUp,
        Outcome::Limited { until: Millis(5), why: "429".into(), usage: Usage::default() },
        Outcome::Failed(Trouble::Passing { why: "busy".into() }),
        Outcome::Failed(Trouble::Lasting { why: "no disk".into() }),
    ];
    for phase in Phase::LOOP.into_iter().chain([Phase::Audit, Phase::Diagnose]) {
        all.push(effect(ask(phase)));
        all.push(ask_answer(phase, 1, Bad));
    }
    all
}

fn in_words(answer: Result<Vec<Event>, Refusal>) -> String {
    match answer {
        Ok(events) if events.is_empty() => "nothing".to_owned(),
        Ok(events) => events
            .iter()
            .map(|event| {
                let value = serde_json::to_value(event).unwrap();
                let name = value["event"].as_str().unwrap().to_owned();
                match event {
                    Event::Closed { ending, .. } | Event::Closing { ending, .. } => {
                        format!("{name}:{}", ending.status())
                    }
                    _ => name,
                }
            })
            .collect::<Vec<_>>()
            .join(" + "),
        Err(Refusal::NotNow { .. }) => "refused: not now".to_owned(),
        Err(Refusal::StaleEffect) => "refused: stale effect".to_owned(),
        Err(Refusal::Unaccepted { .. }) => "unaccepted".to_owned(),
        Err(Refusal::NothingToAccept { .. }) => "nothing to accept".to_owned(),
        Err(Refusal::StaleTree { .. }) => "refused: stale tree".to_owned(),
        Err(Refusal::ByReview { .. }) => "refused: by review".to_owned(),
        Err(Refusal::BudgetSpent { .. }) => "refused: budget".to_owned(),
    }
}

/// Every stage against every input: the table is the specification, and a change of it is looked at.
// S4-0
#[test]
fn every_stage_answers_every_input() {
    let mut table = String::new();
    let mut seen = std::collections::BTreeSet::new();
    for run in stages() {
        seen.insert(run.stage.name());
        let _ = writeln!(table, "## {}", run.stage.name());
        let mut say = |input: &str, answer| {
            let _ = writeln!(table, "{input:<44} {}", in_words(answer));
        };
        say("begin", decide(&run, &Input::Begin));
        for input in requests(&run) {
            let name = match &input {
                Input::Request(request, _) => {
                    serde_json::to_value(request).unwrap()["request"].as_str().unwrap().to_owned()
                }
                Input::Interrupt => "interrupt".to_owned(),
                Input::Tick(_) => "tick".to_owned(),
                Input::Begin
                | Input::NoRoom { .. }
                | Input::Session { .. }
                | Input::Done { .. }
                | Input::Lost { .. } => unreachable!(),
            };
            say(&name, decide(&run, &input));
        }
        say("lost (nothing under way)", decide(&run, &Input::Lost { no: 99 }));
        let mut story = Story { history: Vec::new(), run };
        if story.feed(&Input::Begin).is_err() {
            continue;
        }
        let run = story.run;
        let Some(no) = run.in_flight.as_ref().map(|f| f.no) else { continue };
        say("under way: lost", decide(&run, &Input::Lost { no }));
        say("under way: abort", decide(&run, &Input::Request(Request::Abort, Millis(1))));
        say("under way: cancel", decide(&run, &Input::Request(Request::Cancel, Millis(1))));
        for outcome in all_outcomes(&run) {
            let name = match &outcome {
                Outcome::Turned { turn, .. } => format!("turned({:?})", turn.claim),
                other => format!("{other:?}"),
            };
            let name: String = name.split([' ', '{']).next().unwrap_or_default().to_owned();
            let done = Input::Done { no, outcome, took_ms: 1, at: Millis(1) };
            say(&format!("under way: {name}"), decide(&run, &done));
        }
    }
    assert_eq!(seen.len(), 16, "every stage is in the table: {seen:?}");
    insta::assert_snapshot!(table);
}

#[path = "machine_design_tests.rs"]
mod design;
#[path = "machine_diagnosis_tests.rs"]
mod diagnosis;
#[path = "machine_examined_tests.rs"]
mod examined;
#[path = "machine_moved_tests.rs"]
mod moved;
#[path = "machine_objection_tests.rs"]
mod objection;
#[path = "machine_offering_tests.rs"]
mod offering;
#[path = "machine_plain_tests.rs"]
mod plain;
#[path = "machine_raised_tests.rs"]
mod raised;
#[path = "machine_thin_tests.rs"]
mod thin;
