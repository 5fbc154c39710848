use crate::bench;
use proctor_journal::{Journal, JournalError};
use std::fs;
use std::path::Path;

fn refused(home: &Path) -> JournalError {
    let error = match Journal::open(home) {
        Err(error) => error,
        Ok(journal) => journal
            .history::<serde_json::Value>(&proctor_core::words::RunId::new("r1"))
            .unwrap_err(),
    };
    let text = error.to_string();
    assert!(text.contains("journal.db"), "{text}");
    assert!(text.contains("hint: "), "{text}");
    error
}

/// A home whose journal is one closed file with a history in it.
fn filled() -> tempfile::TempDir {
    let b = bench();
    let many: Vec<&str> = vec!["a fact of the usual length, more or less"; 2000];
    b.append(0, &many);
    drop(b.journal);
    assert!(!b.home.path().join("journal.db-wal").exists());
    b.home
}

#[test]
fn a_file_that_is_no_database_is_refused_and_left_alone() {
    for bytes in [&b"hello"[..], &[0; 4096], &vec![0xff; 100_000]] {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("journal.db");
        fs::write(&path, bytes).unwrap();
        let error = refused(home.path());
        assert!(matches!(error, JournalError::Damaged { .. }), "{error}");
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn a_truncated_file_is_refused_wherever_it_was_cut() {
    let home = filled();
    let path = home.path().join("journal.db");
    let whole = fs::read(&path).unwrap();
    for length in [1, 50, 100, 4095, 4096, 8192, 20_000, whole.len() / 2, whole.len() - 1] {
        fs::write(&path, &whole[..length]).unwrap();
        let error = refused(home.path());
        assert!(matches!(error, JournalError::Damaged { .. }), "{length}: {error}");
    }
    fs::write(&path, &whole).unwrap();
    Journal::open(home.path()).unwrap();
}

#[test]
fn garbage_in_the_middle_is_an_error_and_never_a_panic() {
    let home = filled();
    let path = home.path().join("journal.db");
    let whole = fs::read(&path).unwrap();
    for page in 1..whole.len() / 4096 {
        let mut bytes = whole.clone();
        for byte in &mut bytes[page * 4096..(page + 1) * 4096] {
            *byte ^= 0xa5;
        }
        fs::write(&path, &bytes).unwrap();
        // Not every page is read for a history; those that are must not be believed.
        if let Ok(journal) = Journal::open(home.path()) {
            let run = proctor_core::words::RunId::new("r1");
            match journal.history::<String>(&run) {
                Ok(history) => assert_eq!(history.len(), 2000),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
}

#[test]
fn an_emptied_file_is_a_loss_where_runs_were_recorded() {
    let home = filled();
    let path = home.path().join("journal.db");
    fs::write(&path, "").unwrap();
    Journal::open(home.path()).unwrap();
    fs::create_dir(home.path().join("runs/r1")).unwrap();
    fs::write(&path, "").unwrap();
    assert!(refused(home.path()).to_string().contains("is empty"));
}

#[test]
fn a_newer_format_is_refused_and_left_alone() {
    let b = bench();
    b.append(0, &["a"]);
    b.raw().pragma_update(None, "user_version", 7).unwrap();
    let error = refused(b.home.path());
    assert!(
        error.to_string().contains("was written by a newer Proctor (format 7, this one knows 1)"),
        "{error}"
    );
    assert!(error.to_string().contains("hint: upgrade"), "{error}");
    b.raw().pragma_update(None, "user_version", -3).unwrap();
    assert!(matches!(refused(b.home.path()), JournalError::Damaged { .. }));
}

#[test]
fn a_database_of_another_program_is_refused() {
    let home = tempfile::tempdir().unwrap();
    rusqlite::Connection::open(home.path().join("journal.db"))
        .unwrap()
        .execute_batch("CREATE TABLE songs (name TEXT)")
        .unwrap();
    let error = refused(home.path()).to_string();
    assert!(error.contains("not a journal of Proctor"), "{error}");
}

#[test]
fn a_home_that_cannot_be_a_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    for home in [file.clone(), file.join("below")] {
        let error = Journal::open(&home).unwrap_err();
        assert!(matches!(error, JournalError::Folder { .. }), "{error}");
        assert!(error.to_string().contains("file"), "{error}");
    }
}
