use crate::bench;
use proctor_core::words::{Millis, RunId};
use proctor_journal::notes::{KEPT, LONGEST};

#[test]
fn notes_come_back_from_where_one_left_off() {
    let b = bench();
    b.journal.note(&RunId::new("other"), Millis(1), "x", "y").unwrap();
    for (at, text) in [(1, "one"), (2, "two"), (3, "three")] {
        b.journal.note(&b.run, Millis(at), "agent", text).unwrap();
    }
    let all = b.journal.notes_since(&b.run, 0).unwrap();
    assert_eq!(all.iter().map(|n| n.id).collect::<Vec<_>>(), [1, 2, 3]);
    let tail = b.journal.notes_since(&b.run, 2).unwrap();
    assert_eq!((tail[0].text.as_str(), tail[0].at), ("three", Millis(3)));
    assert_eq!(tail.len(), 1);
}

#[test]
fn a_long_note_is_cut_between_characters() {
    let b = bench();
    b.journal.note(&b.run, Millis(1), "agent", &"ä€".repeat(5000)).unwrap();
    b.journal.note(&b.run, Millis(1), "agent", &"x".repeat(LONGEST)).unwrap();
    let notes = b.journal.notes_since(&b.run, 0).unwrap();
    assert!(notes[0].text.len() <= LONGEST && notes[0].text.ends_with('…'));
    assert!(notes[0].text.len() > LONGEST - 8);
    assert_eq!(notes[1].text.len(), LONGEST);
}

#[test]
fn the_oldest_notes_go_and_the_count_goes_on() {
    let b = bench();
    // Filled from outside: twenty thousand single notes would take their time.
    b.raw()
        .execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
             INSERT INTO note SELECT 'r1', i, 0, 'agent', 'x' FROM n",
            [i64::try_from(KEPT).unwrap()],
        )
        .unwrap();
    b.journal.note(&b.run, Millis(1), "agent", "new").unwrap();
    b.journal.note(&b.run, Millis(1), "agent", "newer").unwrap();
    let notes = b.journal.notes_since(&b.run, 0).unwrap();
    assert_eq!(notes.len() as u64, KEPT);
    assert_eq!((notes[0].id, notes.last().unwrap().id), (3, KEPT + 2));
}
