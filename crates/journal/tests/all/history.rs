use crate::{bench, head};
use proctor_core::words::{Millis, RunId};
use proctor_journal::{AppendError, Journal, JournalError, Recorded};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;

#[test]
fn a_new_home_is_for_its_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("deep/down/home");
    Journal::open(&home).unwrap();
    let mode = std::fs::metadata(&home).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    for name in ["journal.db", "blobs", "runs"] {
        assert!(home.join(name).exists(), "{name}");
    }
}

#[test]
fn facts_come_back_in_order_with_number_and_time() {
    let b = bench();
    assert_eq!(b.append(0, &["a", "b"]), 2);
    let at = Millis(9);
    let last = b.journal.append(&b.run, 2, &["c"], at, &head("RUNNING")).unwrap();
    assert_eq!(last, 3);
    let tail = b.journal.since::<String>(&b.run, 2).unwrap();
    let body = "c".to_owned();
    assert_eq!(tail, [Recorded { seq: 3, at, body }]);
    assert_eq!(b.words(), ["a", "b", "c"]);
    let none = b.journal.history::<Value>(&RunId::new("other")).unwrap();
    assert!(none.is_empty());
}

#[test]
fn an_append_after_a_stale_number_is_refused_and_writes_nothing() {
    let b = bench();
    b.append(0, &["a", "b"]);
    for after in [0, 1, 3] {
        let error =
            b.journal.append(&b.run, after, &["x"], Millis(1), &head("FAILED")).unwrap_err();
        assert!(
            matches!(error, AppendError::Moved { expected, found: 2, .. } if expected == after),
            "{error}"
        );
    }
    assert_eq!(b.words(), ["a", "b"]);
    assert_eq!(b.journal.find("r1").unwrap().head.status, "RUNNING");
}

#[test]
fn an_append_of_nothing_writes_nothing() {
    let b = bench();
    assert_eq!(b.append(0, &[]), 0);
    assert!(b.journal.find("r1").is_err());
}

#[test]
fn what_was_appended_is_there_after_a_sudden_end() {
    let b = bench();
    b.append(0, &["a"]);
    // A process that is killed runs no destructors and checkpoints nothing.
    let journal = b.journal;
    std::mem::forget(journal);
    let again = Journal::open(b.home.path()).unwrap();
    let history = again.history::<String>(&b.run).unwrap();
    assert_eq!(history.len(), 1);
}

#[test]
fn half_a_transaction_is_none() {
    let b = bench();
    b.append(0, &["a"]);
    let raw = b.raw();
    raw.execute_batch("BEGIN IMMEDIATE; INSERT INTO event VALUES ('r1', 2, 0, '\"torn\"')")
        .unwrap();
    drop(raw);
    assert_eq!(b.words(), ["a"]);
    assert_eq!(b.append(1, &["b"]), 2);
}

#[test]
fn an_event_that_cannot_be_read_is_named() {
    let b = bench();
    b.append(0, &["a", "b"]);
    let error = b.journal.history::<u64>(&b.run).unwrap_err().to_string();
    assert!(error.starts_with("event 1 of run r1 can't be read"), "{error}");
    b.raw().execute("UPDATE event SET body = '{broken' WHERE seq = 2", []).unwrap();
    let error = b.journal.history::<Value>(&b.run).unwrap_err();
    assert!(matches!(error, JournalError::Event { seq: 2, .. }), "{error}");
}

#[test]
fn a_gap_in_a_history_is_found() {
    let b = bench();
    b.append(0, &["a", "b", "c"]);
    b.raw().execute("DELETE FROM event WHERE seq = 2", []).unwrap();
    let error = b.journal.history::<String>(&b.run).unwrap_err();
    assert!(matches!(error, JournalError::Gap { expected: 2, found: 3, .. }), "{error}");
}

#[test]
fn an_append_costs_the_same_however_long_the_history() {
    let b = bench();
    let wal = || std::fs::metadata(b.home.path().join("journal.db-wal")).unwrap().len();
    let raw = b.raw();
    let cost = |after: u64| {
        raw.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
        b.append(after, &["x"]);
        wal()
    };
    let early = cost(0);
    let many: Vec<&str> = vec!["a fact of the usual length, more or less"; 5000];
    b.append(1, &many);
    let late = cost(5001);
    // A few pages more for a deeper tree are fine; a copy of the history would be hundreds.
    assert!(late <= early + 8 * 4096, "{early} bytes, then {late}");
}

#[test]
fn writes_of_others_are_noticed_and_own_ones_are_not() {
    let b = bench();
    let other = Journal::open(b.home.path()).unwrap();
    let before = b.journal.changed().unwrap();
    b.append(0, &["mine"]);
    assert_eq!(b.journal.changed().unwrap(), before);
    other.append(&b.run, 1, &["theirs"], Millis(1), &head("RUNNING")).unwrap();
    assert_ne!(b.journal.changed().unwrap(), before);
}

fn any_body() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<String>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (any::<String>(), any::<u32>()).prop_map(|(key, number)| json!({key: number})),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn whatever_is_appended_in_whatever_portions_comes_back(
        portions in prop::collection::vec(prop::collection::vec(any_body(), 0..5), 0..6)
    ) {
        let b = bench();
        let mut last = 0;
        for portion in &portions {
            last = b.journal.append(&b.run, last, portion, Millis(3), &head("RUNNING")).unwrap();
        }
        let again = Journal::open(b.home.path()).unwrap();
        let bodies: Vec<Value> = again
            .history(&b.run).unwrap()
            .into_iter().map(|recorded| recorded.body).collect();
        prop_assert_eq!(bodies, portions.concat());
    }
}
