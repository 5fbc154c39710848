//! What the machine lacks is never the tests' failure.

use crate::stage::{cargo, end, reason};
use proctor_core::report::{CaseEnd, CollectError, Owner, Reason, RunEnd};
use proctor_tools::Nextest;

const MANIFEST: &str = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";

#[test]
fn a_test_that_meets_a_full_disk_is_errored() {
    let lib = "use std::io::Error;\n\
        #[test] fn full() { Err::<(), _>(Error::from_raw_os_error(28)).unwrap(); }\n\
        #[test] fn files() -> Result<(), Error> { Err(Error::from_raw_os_error(24)) }\n\
        #[test] fn dns() { panic!(\"failed to lookup address information: Name or service not known\"); }\n\
        #[test] fn gone() { Err::<(), _>(Error::from_raw_os_error(2)).unwrap(); }\n\
        #[test] fn says() { assert_eq!(Error::from_raw_os_error(28).to_string(), \"full\"); }\n";
    let files = [("Cargo.toml", MANIFEST), ("src/lib.rs", lib)];
    for nextest in [Nextest::Absent, Nextest::Installed] {
        let Some(mut stage) = cargo(nextest, &files) else { return };
        let report = stage.finished();
        for id in ["demo full", "demo files", "demo dns"] {
            let end = end(&report, id);
            assert!(matches!(end, CaseEnd::Errored { .. }), "{id} {end:?}");
        }
        assert!(matches!(reason(&report, "demo gone"), Reason::Other { .. }));
        // An assertion about such an error is the test's own.
        assert!(matches!(reason(&report, "demo says"), Reason::Assertion { .. }));
    }
}

#[test]
fn a_machine_that_can_not_build_is_a_crash_with_a_hint() {
    let files = [("Cargo.toml", MANIFEST), ("src/lib.rs", "#[test] fn t() {}\n")];
    let Some(mut stage) = cargo(Nextest::Installed, &files) else { return };
    let flags = |linker: &str| format!("-C linker={linker}");
    stage.ask.extra_env.insert("RUSTFLAGS".to_owned(), flags("no-such-linker"));
    let end = stage.run().end;
    let RunEnd::Crashed { note } = &end else { panic!("{end:?}") };
    assert!(note.contains("linker `no-such-linker` not found"), "{note}");
    assert!(note.contains("hint: install a C compiler"), "{note}");
    stage.ask.extra_env.remove("RUSTFLAGS");

    stage.write(
        "Cargo.toml",
        &format!("{MANIFEST}[dependencies]\nno-such-crate-anywhere = \"1\"\n"),
    );
    let end = stage.run().end;
    assert!(matches!(&end, RunEnd::Crashed { note } if note.contains("cargo fetch")), "{end:?}");

    // What a source says is the source's, whatever it says; a crate that nobody depends on is not the project's.
    stage.write("Cargo.toml", MANIFEST);
    stage.write("src/lib.rs", "extern crate third_party;\n");
    stage.write("tests/t.rs", "compile_error!(\"No space left on device (os error 28)\");\n");
    let end = stage.run().end;
    let RunEnd::CollectFailed { errors } = &end else { panic!("{end:?}") };
    assert!(errors.iter().any(|e| matches!(e, CollectError { reason: Reason::Missing { name, owner: Owner::Elsewhere, .. }, .. } if name == "third_party")), "{errors:?}");
}
