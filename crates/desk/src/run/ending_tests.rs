use super::*;
use crate::run::sample;
use crate::run::sight::Sight;
use proctor_core::event::Event;
use std::collections::BTreeMap;

fn endings() -> Vec<(&'static str, Run)> {
    let waiting = sample::history();
    let with = |more: &[Event]| sample::run(&[&waiting, more].concat());
    let reason = || "three reviews\nhint: look".to_owned();
    let closed = |ending| {
        let reason = reason();
        with(&[Event::Closed { ending, reason }])
    };
    let budget = Pause::Budget { what: "the time is used up".to_owned() };
    vec![
        ("awaiting approval", with(&[])),
        ("success", with(&sample::landing())),
        ("aborted", closed(Ending::Aborted)),
        ("never agreed", closed(Ending::MaxAttempts)),
        ("blocked", closed(Ending::Blocked)),
        ("failed", closed(Ending::Failed)),
        ("interrupted", with(&[Event::Interrupted])),
        ("paused", with(&[Event::Paused { why: budget }])),
    ]
}

// S1-17, S1-42
#[test]
fn every_ending_says_what_and_why_and_what_next() {
    let (home, id) = (Home::at("/proctor-home"), RunId::new("sum-ab12"));
    let shown: Vec<String> = endings()
        .iter()
        .map(|(name, run)| format!("## {name}\n{}", summary(&home, &id, run).join("\n")))
        .collect();
    insta::assert_snapshot!("summaries", shown.join("\n\n"));
}

#[test]
fn the_last_json_line_has_exactly_the_agreed_fields_in_order() {
    let id = RunId::new("sum-ab12");
    let lines: Vec<String> = endings()
        .iter()
        .map(|(_, run)| serde_json::to_string(&finished(&id, run)).unwrap())
        .collect();
    insta::assert_snapshot!("run_finished", lines.join("\n"));
}

#[test]
fn a_run_is_shown_with_its_proof_and_nothing_that_moves_the_cursor() {
    let (home, id) = (Home::at("/proctor-home"), RunId::new("sum-ab12"));
    let run = sample::run(&sample::history());
    let sight = Sight {
        home: &home,
        id: &id,
        run: &run,
        driver: None,
        costs: BTreeMap::new(),
        doing: None,
    };
    let text = sight.lines().join("\n");
    assert!(!text.contains('\u{1b}'));
    insta::assert_snapshot!("show", text);
    assert_eq!(
        crate::run::proven::proven(&home, &id, &run)[1],
        "Proven: The sum is \\u{1b}[31mwrong"
    );
}

// S0-17, S0-18, S0-19, S0-20, S0-21, S0-22, S0-23, S0-26, S1-13, S1-14
#[test]
fn the_json_of_a_run_holds_the_result_that_callers_rely_on() {
    let (home, id) = (Home::at("/proctor-home"), RunId::new("sum-ab12"));
    let run = sample::run(&sample::history());
    let sight = Sight {
        home: &home,
        id: &id,
        run: &run,
        driver: Some(7),
        costs: BTreeMap::new(),
        doing: None,
    };
    let value = sight.json().unwrap();
    assert_eq!(value["task_id"], "sum-is-wrong");
    assert_eq!(value["status"], "AWAITING_APPROVAL");
    assert_eq!(value["test_file_path"], "test_a.py");
    assert_eq!(value["rejection_history"], serde_json::json!([]));
    assert_eq!(value["red"][0], "test_a.py::test_sum");
    assert!(value["notes"].is_string());
}

#[test]
fn an_event_is_one_line_with_its_run_and_number_in_front() {
    let id = RunId::new("a\"b");
    let line = crate::run::history::json_line(
        &id,
        3,
        proctor_core::words::Millis(5),
        &Event::Stumbled { why: "x\ny".to_owned() },
    );
    assert_eq!(line.unwrap(), r#"{"run":"a\"b","seq":3,"at":5,"event":"stumbled","why":"x\ny"}"#);
    let bare =
        crate::run::history::json_line(&id, 1, proctor_core::words::Millis(5), &Event::Resumed);
    assert_eq!(bare.unwrap(), r#"{"run":"a\"b","seq":1,"at":5,"event":"resumed"}"#);
}
