use crate::{bench, head};
use proctor_core::words::{Millis, RunId};
use proctor_journal::{Journal, JournalError, Listing};

fn add(journal: &Journal, run: &str, task: &str, status: &str, at: u64) {
    let mut head = head(status);
    task.clone_into(&mut head.task);
    journal.append(&RunId::new(run), 0, &["begun"], Millis(at), &head).unwrap();
}

fn ids(journal: &Journal, listing: Listing) -> Vec<String> {
    journal.runs(listing).unwrap().into_iter().map(|row| row.id.0).collect()
}

#[test]
fn runs_are_listed_newest_first() {
    let b = bench();
    add(&b.journal, "one", "t1", "SUCCESS", 5);
    add(&b.journal, "two", "t2", "RUNNING", 9);
    add(&b.journal, "three", "t3", "RUNNING", 9);
    add(&b.journal, "zero", "t0", "RUNNING", 1);
    assert_eq!(ids(&b.journal, Listing::All), ["three", "two", "one", "zero"]);
    assert_eq!(ids(&b.journal, Listing::Open), ["three", "two", "zero"]);
}

#[test]
fn a_line_follows_its_run_and_keeps_its_birthday() {
    let b = bench();
    add(&b.journal, "one", "t1", "RUNNING", 5);
    b.journal.append(&RunId::new("one"), 1, &["x", "y"], Millis(8), &head("SUCCESS")).unwrap();
    let row = b.journal.find("one").unwrap();
    assert_eq!((row.created, row.updated, row.last_seq), (Millis(5), Millis(8), 3));
    assert_eq!(row.head, head("SUCCESS"));
}

#[test]
fn a_run_is_found_by_id_task_or_beginning() {
    let b = bench();
    add(&b.journal, "abc", "t1", "RUNNING", 1);
    add(&b.journal, "abcd", "t2", "RUNNING", 2);
    add(&b.journal, "x%_1", "ab", "RUNNING", 3);
    for (text, id) in
        [("abc", "abc"), (" abcd ", "abcd"), ("t2", "abcd"), ("ab", "x%_1"), ("x%", "x%_1")]
    {
        assert_eq!(b.journal.find(text).unwrap().id.as_str(), id, "{text}");
    }
}

#[test]
fn a_run_that_is_not_there_gives_a_hint() {
    let b = bench();
    add(&b.journal, "abc", "t1", "RUNNING", 1);
    for text in ["", "z", "%", "abcd", "ABC", "'; DROP TABLE run; --"] {
        let error = b.journal.find(text).unwrap_err();
        assert!(matches!(error, JournalError::Unknown { .. }), "{text}: {error}");
        assert!(error.to_string().contains("hint: `proctor list`"), "{error}");
    }
}

#[test]
fn a_text_that_fits_several_runs_names_them() {
    let b = bench();
    add(&b.journal, "abc", "same", "RUNNING", 1);
    add(&b.journal, "abd", "same", "RUNNING", 2);
    for text in ["ab", "same"] {
        let error = b.journal.find(text).unwrap_err().to_string();
        assert!(error.contains("abd, abc"), "{error}");
    }
}

#[test]
fn a_history_that_is_no_run_stands_in_no_list() {
    let b = bench();
    let name = RunId::new("notebook");
    assert_eq!(b.journal.append_unlisted(&name, 0, &["one"], Millis(1)).unwrap(), 1);
    assert_eq!(b.journal.append_unlisted(&name, 1, &["two"], Millis(2)).unwrap(), 2);
    b.journal.append_unlisted(&name, 1, &["lost"], Millis(2)).unwrap_err();
    assert!(b.journal.runs(Listing::All).unwrap().is_empty());
    let bodies: Vec<String> = b
        .journal
        .history::<String>(&name)
        .unwrap()
        .into_iter()
        .map(|recorded| recorded.body)
        .collect();
    assert_eq!(bodies, ["one", "two"]);
}
