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
