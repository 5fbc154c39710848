//! Two processes at once: this test program starts itself again as the other one.

use crate::head;
use proctor_core::words::{Millis, RunId};
use proctor_journal::{AppendError, Journal, Lease};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

const HOME: &str = "JOURNAL_TEST_HOME";
const NAME: &str = "JOURNAL_TEST_NAME";
const FACTS: usize = 40;

fn start(test: &str, home: &Path, name: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture", "--include-ignored"])
        .env(HOME, home)
        .env(NAME, name)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn told() -> Option<(std::path::PathBuf, String)> {
    Some((std::env::var_os(HOME)?.into(), std::env::var(NAME).ok()?))
}

/// Appends `FACTS` facts with its own name, however often someone else is faster.
fn append_all(home: &Path, name: &str) {
    let journal = Journal::open(home).unwrap();
    let run = RunId::new("shared");
    let mut last = 0;
    for number in 0..FACTS {
        let fact = [format!("{name}{number}")];
        loop {
            match journal.append(&run, last, &fact, Millis(1), &head("RUNNING")) {
                Ok(new) => {
                    assert_eq!(new, last + 1);
                    last = new;
                    break;
                }
                Err(AppendError::Moved { found, .. }) => last = found,
                Err(error) => panic!("{error}"),
            }
        }
    }
}

fn check_all(home: &Path, names: &[&str]) {
    let journal = Journal::open(home).unwrap();
    let history = journal.history::<String>(&RunId::new("shared")).unwrap();
    assert_eq!(history.len(), names.len() * FACTS);
    for name in names {
        let own: Vec<_> = history.iter().filter(|fact| fact.body.starts_with(name)).collect();
        let wanted: Vec<_> = (0..FACTS).map(|number| format!("{name}{number}")).collect();
        assert_eq!(
            own.iter().map(|fact| &fact.body).collect::<Vec<_>>(),
            wanted.iter().collect::<Vec<_>>()
        );
    }
}

#[test]
fn a_child_appends() {
    if let Some((home, name)) = told() {
        append_all(&home, &name);
    }
}

#[test]
fn processes_that_append_at_once_lose_nothing() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path().join("new");
    let children: Vec<_> = ["a", "b", "c"]
        .iter()
        .map(|name| start("processes::a_child_appends", &home, name))
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    check_all(&home, &["a", "b", "c"]);
}

#[test]
fn threads_with_connections_of_their_own_lose_nothing() {
    let home = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for name in ["a", "b"] {
            let home = home.path();
            scope.spawn(move || append_all(home, name));
        }
    });
    check_all(home.path(), &["a", "b"]);
}

#[test]
fn a_child_takes_the_lease_and_stays() {
    if let Some((home, run)) = told() {
        let _lease = Lease::take(&home, &RunId::new(run)).unwrap();
        println!("\ntaken");
        // Ends only when it is killed or its parent is gone.
        let _ = std::io::stdin().read_line(&mut String::new());
    }
}

#[test]
fn a_killed_holder_leaves_no_lock_behind() {
    let home = tempfile::tempdir().unwrap();
    let run = RunId::new("r1");
    let mut child = start("processes::a_child_takes_the_lease_and_stays", home.path(), "r1");
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line == "taken"));
    assert_eq!(Lease::held(home.path(), &run).unwrap(), Some(child.id()));
    assert!(Lease::take(home.path(), &run).is_err());
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(Lease::held(home.path(), &run).unwrap(), None);
    Lease::take(home.path(), &run).unwrap();
}
