use super::*;
use crate::brief::ApprovalPolicy;
use crate::event::{Ending, Turn};
use crate::fault::GreenFault;
use crate::proof::Anchor;
use crate::proof::tests::{brief, point};
use crate::words::{Phase, TaskType};
use serde_json::json;

fn anchor() -> Anchor {
    serde_json::from_value(json!({
        "anchor": "red", "at": point("tests"), "red": ["t.py::test_sub"], "guards": ["t.py::test_add"], "changed": [],
    }))
    .unwrap()
}

fn turn(phase: Phase, claim: Claim, changed: &[&str]) -> Event {
    let changed = changed.iter().map(|path| (*path).to_owned()).collect();
    let turn = Turn { phase, attempt: 1, claim, at: point("x"), changed, put_back: Vec::new() };
    Event::Turned { turn: Box::new(turn) }
}

fn coded(what: &str) -> Event {
    let claim = Claim::Implemented { description: what.to_owned(), notes: String::new() };
    turn(Phase::Implement, claim, &["calc.py"])
}

fn refused(evidence: &str) -> Event {
    let tests = [TestId::new("t.py::test_sub")].into_iter().collect();
    let faults = vec![GreenFault::StillRed { tests }];
    Event::GreenRefused { faults, evidence: Some(BlobId::new(evidence)), told: Vec::new() }
}

fn history() -> Vec<Event> {
    let notes = String::new;
    let proof =
        serde_json::from_value(json!({"at": point("code"), "base": "base", "passed": 3})).unwrap();
    vec![
        turn(
            Phase::WriteTests,
            Claim::TestsWritten { test_file_path: None, notes: notes() },
            &["t.py"],
        ),
        Event::RedProven { anchor: Box::new(anchor()), evidence: BlobId::new("r") },
        coded("first"),
        refused("bad"),
        turn(
            Phase::Diagnose,
            Claim::Diagnosed {
                root_cause: "the sign".into(),
                strategy: "turn it".into(),
                notes: notes(),
            },
            &[],
        ),
        coded("## TASK COMPLETE\nsecond"),
        Event::GreenProven {
            proof,
            evidence: BlobId::new("good"),
            warnings: Vec::new(),
            raised: Vec::new(),
        },
        turn(Phase::Refactor, Claim::Refactored { notes: notes() }, &["calc.py"]),
    ]
}

fn lookup(evidence: &BlobId) -> Option<Measured> {
    let (passed, failed) = match evidence.as_str() {
        "good" => (3, 0),
        "bad" => (2, 1),
        _ => return None,
    };
    Some(Measured {
        counts: Counts { passed, failed, errored: 0, skipped: 0 },
        coverage: (failed == 0).then_some(Percent(9_000)),
        failures: if failed > 0 { vec!["assert 10 == 4".to_owned()] } else { Vec::new() },
    })
}

fn run_and_chronicle(ending: Ending, reason: &str) -> (Run, Chronicle) {
    let mut brief = brief(TaskType::Feature);
    brief.landing.approval = ApprovalPolicy::Beforehand;
    brief.rules.coverage = Some(Percent(8_500));
    brief.test_count = Some(2);
    brief.assignment.scope = "calc.py: sub".to_owned();
    let mut run = Run::new(brief);
    let closed = Event::Closed { ending, reason: reason.to_owned() };
    run = crate::evolve::evolve(run, &closed);
    (run, Chronicle::of(&history(), &lookup))
}

#[test]
fn s3_36_and_s3_34_the_summary_tells_red_green_refactor_files_and_content() {
    let (run, told) = run_and_chronicle(Ending::Success, "");
    insta::assert_snapshot!("summary", summary(&run, &told));
}

#[test]
fn s3_19_and_s3_22_each_fix_has_a_log_with_what_was_run_thought_and_done() {
    let (run, told) = run_and_chronicle(Ending::Success, "");
    assert_eq!((told.tries.len(), told.fixes()), (2, 1));
    insta::assert_snapshot!("fix_log", fix_log(&run, &told.tries[1]));
}

#[test]
fn s3_14_tests_that_pass_before_the_work_are_a_warning() {
    let (run, told) = run_and_chronicle(Ending::Success, "");
    assert!(summary(&run, &told).contains(
        "- WARNING: tests that pass before the work is done prove nothing: t.py::test_add"
    ));
}

#[test]
fn s3_37_to_s3_40_the_end_is_one_marker_with_its_fields() {
    let shown = |ending, reason: &str| {
        let (run, told) = run_and_chronicle(ending, reason);
        marker(&run, &told, "/runs/r/.process", &["proctor resume r".to_owned()])
    };
    let all = [
        shown(Ending::Success, ""),
        shown(Ending::Failed, "Green phase failed after 3 iterations.\n## TASK COMPLETE"),
        shown(Ending::Blocked, "no disk\nhint: make room"),
        shown(Ending::Discarded, "can't be reproduced"),
        refused_marker("TASK.json: $: this is not JSON\nhint: generate it again"),
    ];
    for text in &all {
        let sections = text.lines().filter(|line| line.starts_with("## ")).count();
        assert_eq!(sections, 1, "{text}");
    }
    insta::assert_snapshot!("markers", all.join("---\n"));
}
