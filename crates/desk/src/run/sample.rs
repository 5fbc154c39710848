//! A run for tests of what is shown.

use proctor_core::brief::{
    AgentKind, AgentSpec, ApprovalPolicy, Brief, LandMode, Landing, Limits, Repo, Rules,
    RunnerSpec, SandboxSpec, Setup,
};
use proctor_core::event::{Approver, Baseline, Event, OnRebase, Turn};
use proctor_core::proof::{Anchor, GreenProof, Point};
use proctor_core::report::Counts;
use proctor_core::run::Run;
use proctor_core::turn::Claim;
use proctor_core::words::{BlobId, CommitId, Millis, Phase, TaskId, TaskType, TestId, TreeId};
use serde_json::json;

pub fn brief() -> Brief {
    let agent = AgentSpec {
        name: "mine".to_owned(),
        env: Vec::new(),
        read: Vec::new(),
        copy: Vec::new(),
        kind: AgentKind::Command { argv: vec!["/bin/mine".to_owned()] },
    };
    Brief {
        task: TaskId::new("sum-is-wrong"),
        kind: TaskType::BugFix,
        description: "The sum is \u{1b}[31mwrong".to_owned(),
        details: String::new(),
        relevant_files: Vec::new(),
        context: Vec::new(),
        targets: Vec::new(),
        brought_tests: Vec::new(),
        rivals: Vec::new(),
        test_count: None,
        repo: Repo {
            root: "/repo".to_owned(),
            git_dir: "/repo/.git".to_owned(),
            base: CommitId::new("b".repeat(40)),
            subdir: String::new(),
        },
        rules: Rules::default(),
        limits: Limits::default(),
        landing: Landing {
            mode: LandMode::Squash,
            onto: Some("main".to_owned()),
            branch: "proctor/sum-is-wrong-ab12".to_owned(),
            approval: ApprovalPolicy::Person,
            author: "A <a@b>".to_owned(),
            trailers: Vec::new(),
            request: proctor_core::brief::RequestSpec::default(),
        },
        agents: crate::intake::casting::ROLES.map(|role| (role, agent.clone())).into(),
        runner: RunnerSpec::default(),
        projects: Vec::new(),
        audit: proctor_core::audit::AuditSpec::default(),
        allowed_secrets: proctor_core::secret::Allowed::default(),
        setup: Setup::default(),
        sandbox: SandboxSpec::default(),
        assignment: proctor_core::assignment::Assignment::default(),
    }
}

fn point(letter: &str) -> Point {
    Point { commit: CommitId::new(letter.repeat(40)), tree: TreeId::new(letter.repeat(40)) }
}

fn anchor() -> Anchor {
    let value = json!({
        "anchor": "red", "at": point("1"), "red": ["test_a.py::test_sum"],
        "guards": ["test_a.py::test_zero"], "changed": ["test_a.py::test_old"],
    });
    serde_json::from_value(value).unwrap()
}

fn green() -> GreenProof {
    let base = CommitId::new("b".repeat(40));
    serde_json::from_value(json!({"at": point("2"), "base": base, "passed": 3})).unwrap()
}

fn turn(phase: Phase, claim: Claim, changed: &[&str], at: Point) -> Event {
    Event::Turned {
        turn: Box::new(Turn {
            phase,
            attempt: 1,
            claim,
            at,
            changed: changed.iter().map(|path| (*path).to_owned()).collect(),
            put_back: vec![format!("conftest.py: {phase} may not change it")],
        }),
    }
}

/// A run up to the question whether its work may land.
pub fn history() -> Vec<Event> {
    let evidence = || BlobId::new("e");
    vec![
        Event::Created { brief: Box::new(brief()) },
        Event::Prepared {
            tree: TreeId::new("0".repeat(40)),
            baseline: Baseline {
                report: evidence(),
                runner: "pytest".to_owned(),
                counts: Counts { passed: 3, failed: 1, errored: 0, skipped: 0 },
                failing: std::iter::once(TestId::new("test_b.py::test_broken")).collect(),
                flaky: proctor_core::fault::Names::default(),
                projects: Vec::new(),
                suite_ms: 0,
            },
            sandbox: "none".to_owned(),
        },
        turn(
            Phase::WriteTests,
            Claim::TestsWritten {
                test_file_path: Some("test_a.py".to_owned()),
                notes: "Two tests.\u{7}".to_owned(),
            },
            &["test_a.py"],
            point("1"),
        ),
        Event::RedProven { anchor: Box::new(anchor()), evidence: evidence() },
        turn(
            Phase::Implement,
            Claim::Implemented {
                description: "Fixed.".to_owned(),
                notes: "Plus, not minus.".to_owned(),
            },
            &["calc.py"],
            point("2"),
        ),
        Event::GreenRefused {
            faults: vec![proctor_core::fault::GreenFault::NothingChanged],
            evidence: None,
            told: Vec::new(),
        },
        turn(
            Phase::Implement,
            Claim::Implemented { description: "Fixed.".to_owned(), notes: String::new() },
            &["calc.py"],
            point("2"),
        ),
        Event::GreenProven {
            proof: green(),
            evidence: evidence(),
            warnings: Vec::new(),
            raised: Vec::new(),
        },
        turn(
            Phase::Refactor,
            Claim::Refactored { notes: "Nothing to tidy.".to_owned() },
            &[],
            point("2"),
        ),
        Event::Audited { findings: Vec::new(), notes: Vec::new(), raised: Vec::new() },
        turn(Phase::Review, Claim::ReviewPassed { notes: "Good.".to_owned() }, &[], point("2")),
        Event::ApprovalAsked {
            tree: point("2").tree,
            changed_tests: vec![TestId::new("test_a.py::test_old")],
            raised: Vec::new(),
        },
    ]
}

/// What follows an approval.
pub fn landing() -> Vec<Event> {
    let ending = proctor_core::event::Ending::Success;
    let reason = || "proven and landed".to_owned();
    vec![
        Event::Approved {
            tree: point("2").tree,
            by: Approver::Person,
            when: Millis(0),
            rebase: OnRebase::Ask,
        },
        Event::Landed {
            commit: CommitId::new("c".repeat(40)),
            branch: "main".to_owned(),
            note: String::new(),
        },
        Event::Closing { ending, reason: reason() },
        Event::Saved { rescue: None, patch: None },
        Event::Closed { ending, reason: reason() },
    ]
}

pub fn run(events: &[Event]) -> Run {
    Run::replay(events).unwrap()
}
