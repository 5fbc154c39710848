use crate::{bench, head};
use proctor_core::words::{Millis, RunId};
use proctor_journal::{Answer, AppendError, InboxId, Journal, JournalError};

#[test]
fn a_request_waits_until_it_is_answered() {
    let b = bench();
    let first = b.journal.post(&b.run, &"approve", Millis(1)).unwrap();
    let second = b.journal.post(&b.run, &"abort", Millis(2)).unwrap();
    b.journal.post(&RunId::new("other"), &"x", Millis(3)).unwrap();
    let again = Journal::open(b.home.path()).unwrap();
    let pending = again.pending::<String>(&b.run).unwrap();
    assert_eq!(pending, [(first, "approve".to_owned()), (second, "abort".to_owned())]);
    assert_eq!(again.answer_of(first).unwrap(), None);
    let no = Answer::Refused { why: "stale".to_owned() };
    again.answer(first, &no).unwrap();
    assert_eq!(b.journal.answer_of(first).unwrap(), Some(no));
    assert_eq!(b.journal.pending::<String>(&b.run).unwrap().len(), 1);
}

#[test]
fn the_first_answer_stands() {
    let b = bench();
    let id = b.journal.post(&b.run, &1, Millis(1)).unwrap();
    b.journal.answer(id, &Answer::Accepted).unwrap();
    let why = "late".to_owned();
    b.journal.answer(id, &Answer::Refused { why }).unwrap();
    assert_eq!(b.journal.answer_of(id).unwrap(), Some(Answer::Accepted));
}

#[test]
fn an_answer_to_nothing_is_an_error() {
    let b = bench();
    for error in [
        b.journal.answer(InboxId(4), &Answer::Accepted).unwrap_err(),
        b.journal.answer_of(InboxId(4)).unwrap_err(),
    ] {
        assert!(matches!(error, JournalError::NoRequest { id: InboxId(4) }), "{error}");
    }
}

#[test]
fn a_request_that_cannot_be_read_is_named_and_can_be_refused() {
    let b = bench();
    b.journal.post(&b.run, &"text", Millis(1)).unwrap();
    b.journal.post(&b.run, &5, Millis(1)).unwrap();
    let Err(JournalError::Request { id, .. }) = b.journal.pending::<u8>(&b.run) else {
        panic!("it was read");
    };
    let why = "not understood".to_owned();
    b.journal.answer(id, &Answer::Refused { why }).unwrap();
    assert_eq!(b.journal.pending::<u8>(&b.run).unwrap()[0].1, 5);
}

#[test]
fn a_request_is_accepted_with_its_events_or_not_at_all() {
    let b = bench();
    let id = b.journal.post(&b.run, &"go", Millis(1)).unwrap();
    let go = |after| {
        b.journal.append_accepting(&b.run, after, &["went"], Millis(2), &head("RUNNING"), id)
    };
    assert!(matches!(go(5), Err(AppendError::Moved { .. })));
    assert_eq!(b.journal.answer_of(id).unwrap(), None);
    assert_eq!(go(0).unwrap(), 1);
    assert_eq!(b.journal.answer_of(id).unwrap(), Some(Answer::Accepted));
    let lost =
        b.journal.append_accepting(&b.run, 1, &["x"], Millis(2), &head("RUNNING"), InboxId(99));
    assert!(lost.is_err());
    assert_eq!(b.words(), ["went"]);
}
