use proctor_core::words::RunId;
use proctor_journal::{Lease, LeaseError};

#[test]
fn a_lease_is_held_by_one_and_freed_at_its_end() {
    let home = tempfile::tempdir().unwrap();
    let run = RunId::new("r1");
    assert_eq!(Lease::held(home.path(), &run).unwrap(), None);
    let lease = Lease::take(home.path(), &run).unwrap();
    let own = std::process::id();
    assert_eq!(Lease::held(home.path(), &run).unwrap(), Some(own));
    let error = Lease::take(home.path(), &run).unwrap_err();
    assert!(matches!(&error, LeaseError::Held { pid, .. } if *pid == own), "{error}");
    assert!(error.to_string().contains(&own.to_string()), "{error}");
    Lease::take(home.path(), &RunId::new("r2")).unwrap();
    drop(lease);
    assert_eq!(Lease::held(home.path(), &run).unwrap(), None);
    Lease::take(home.path(), &run).unwrap();
}

#[test]
fn those_who_only_look_keep_nobody_out() {
    let home = tempfile::tempdir().unwrap();
    let run = RunId::new("r1");
    drop(Lease::take(home.path(), &run).unwrap());
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !done.load(std::sync::atomic::Ordering::Relaxed) {
                    Lease::held(home.path(), &run).unwrap();
                }
            });
        }
        let taken: Vec<_> = (0..50).map(|_| Lease::take(home.path(), &run).is_ok()).collect();
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(taken.iter().all(|ok| *ok), "{taken:?}");
    });
}

#[test]
fn an_id_that_leads_elsewhere_is_refused() {
    let home = tempfile::tempdir().unwrap();
    for id in ["", "..", "../x", "a/b", ".hidden"] {
        let error = Lease::take(home.path(), &RunId::new(id)).unwrap_err();
        assert!(matches!(error, LeaseError::BadId { .. }), "{error}");
    }
}

#[test]
fn a_holder_that_has_not_signed_yet_is_waited_for() {
    let home = tempfile::tempdir().unwrap();
    let run = RunId::new("r1");
    drop(Lease::take(home.path(), &run).unwrap());
    let path = home.path().join("runs/r1/lease");
    let holder = std::fs::File::open(&path).unwrap();
    holder.lock().unwrap();
    let mut gone = std::process::Command::new("true").spawn().unwrap();
    gone.wait().unwrap();
    // Nothing yet, and what the one before has left.
    for before in [String::new(), format!("{} 1\n", gone.id())] {
        std::fs::write(&path, before).unwrap();
        std::thread::scope(|scope| {
            let asked = scope.spawn(|| Lease::held(home.path(), &run).unwrap());
            std::thread::sleep(std::time::Duration::from_millis(20));
            std::fs::write(&path, format!("{} 2\n", std::process::id())).unwrap();
            assert_eq!(asked.join().unwrap(), Some(std::process::id()));
        });
    }
}
