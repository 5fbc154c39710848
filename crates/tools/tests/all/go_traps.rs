//! Go code that tries to look better than it is: each of these must never be a finished, passing run.

use crate::go_stage::each;
use crate::stage::reason;
use proctor_core::report::{Reason, RunEnd};

const HEAD: &str = "package a\nimport (\"testing\"; \"os\"; \"syscall\"; \"fmt\")\nvar _ = os.Exit\nvar _ = syscall.Exit\nvar _ = fmt.Print\n";

/// Each Go calls this suspect; the notes.
fn suspect(source: &str) -> Vec<String> {
    let source = format!("{HEAD}{source}");
    let mut notes = Vec::new();
    for mut stage in each(&[("a_test.go", &source)]) {
        match stage.run().end {
            RunEnd::Suspect { note } => notes.push(note),
            other => panic!("not suspect: {other:?} with {:?}", stage.ask.tools),
        }
    }
    notes
}

#[test]
fn a_test_that_ends_the_process_with_success_is_suspect() {
    for note in suspect(
        "func TestA(t *testing.T) { syscall.Exit(0) }\nfunc TestB(t *testing.T) { t.Error(1) }\n",
    ) {
        assert!(note.contains("ended before it told its result in TestA"), "{note}");
    }
}

#[test]
fn an_exit_with_success_that_go_itself_catches_is_a_failure() {
    let source = format!(
        "{HEAD}func TestA(t *testing.T) {{ os.Exit(0) }}\nfunc TestB(t *testing.T) {{ t.Error(1) }}\n"
    );
    for mut stage in each(&[("a_test.go", &source)]) {
        let report = stage.finished();
        assert!(matches!(reason(&report, "example.com/demo TestA"), Reason::Other { .. }));
        assert!(matches!(reason(&report, "example.com/demo TestB"), Reason::Assertion { .. }));
    }
}

#[test]
fn an_exit_before_the_tests_is_suspect() {
    for note in suspect("func init() { os.Exit(0) }\nfunc TestA(t *testing.T) { t.Error(1) }\n") {
        assert!(note.contains("before it told its result"), "{note}");
    }
}

#[test]
fn a_main_that_hides_failures_is_suspect() {
    for note in suspect(
        "func TestMain(m *testing.M) { m.Run(); os.Exit(0) }\nfunc TestA(t *testing.T) { t.Error(1) }\n",
    ) {
        assert!(
            note.contains("success") || note.contains("passed and one of its tests failed"),
            "{note}"
        );
    }
}

#[test]
fn a_main_that_runs_nothing_is_suspect() {
    suspect(
        "func TestMain(m *testing.M) { os.Exit(0) }\nfunc TestA(t *testing.T) { t.Error(1) }\n",
    );
    suspect(
        "func TestMain(m *testing.M) { fmt.Println(\"PASS\") }\nfunc TestA(t *testing.T) { t.Error(1) }\n",
    );
}

#[test]
fn a_printed_result_is_suspect() {
    // The second is how Go since 1.20 marks what is real; a test can print that too.
    suspect(
        "func TestA(t *testing.T) { fmt.Println(\"--- PASS: TestA (0.00s)\"); fmt.Println(\"\\x16--- PASS: TestA (0.00s)\"); t.Error(1) }\n",
    );
    suspect(
        "func TestA(t *testing.T) { fmt.Print(\"\\x16=== RUN   TestB\\n\\x16--- PASS: TestB (0.00s)\\n=== RUN   TestB\\n--- PASS: TestB (0.00s)\\n\") }\n",
    );
    suspect(
        "func TestA(t *testing.T) { fmt.Print(\"\\x16PASS\\nPASS\\n\"); syscall.Exit(0) }\nfunc TestB(t *testing.T) {}\n",
    );
}

#[test]
fn a_flawless_forgery_is_betrayed_by_a_test_that_it_does_not_know() {
    // Without the second test this can't be told from an honest run: whoever distrusts the code adds such a test.
    let known = "func TestA(t *testing.T) { fmt.Print(\"\\x16--- PASS: TestA (0.00s)\\n\\x16PASS\\n\"); syscall.Exit(0) }\n";
    for note in suspect(&format!("{known}func TestUnknown(t *testing.T) {{ t.Fail() }}\n")) {
        assert!(
            note.contains("TestUnknown never ran") || note.contains("before it told"),
            "{note}"
        );
    }
}

#[test]
fn a_printed_event_is_only_output() {
    let source = format!(
        "{HEAD}func TestA(t *testing.T) {{ fmt.Println(`{{\"Action\":\"pass\",\"Package\":\"example.com/demo\",\"Test\":\"TestA\"}}`); t.Error(\"no\") }}\n"
    );
    for mut stage in each(&[("a_test.go", &source)]) {
        let report = stage.finished();
        assert!(matches!(reason(&report, "example.com/demo TestA"), Reason::Assertion { .. }));
    }
}

#[test]
fn a_later_round_can_not_mend_an_earlier_one() {
    // The panic of the first test makes a second round; there the same test is told to have passed.
    suspect(
        "func TestA(t *testing.T) { panic(1) }\nfunc TestB(t *testing.T) { fmt.Print(\"=== RUN   TestA\\n--- PASS: TestA (0.00s)\\n\\x16=== RUN   TestA\\n\\x16--- PASS: TestA (0.00s)\\n\") }\n",
    );
}

#[test]
fn a_failure_after_the_tests_is_suspect() {
    suspect("func TestMain(m *testing.M) { m.Run(); os.Exit(3) }\nfunc TestA(t *testing.T) {}\n");
}

#[test]
fn another_toolchain_is_not_fetched() {
    let files = [
        ("go.mod", "module example.com/demo\n\ngo 1.99.0\n\ntoolchain go1.99.1\n"),
        ("a_test.go", "package a\nimport \"testing\"\nfunc TestA(t *testing.T) {}\n"),
    ];
    for mut stage in each(&files) {
        // Before 1.21 the directive is not known at all.
        let end = stage.run().end;
        assert!(matches!(end, RunEnd::Crashed { .. } | RunEnd::CollectFailed { .. }), "{end:?}");
    }
}

#[test]
fn settings_of_the_user_do_not_count() {
    for mut stage in each(&[(
        "a_test.go",
        "package a\nimport \"testing\"\nfunc TestA(t *testing.T) { t.Error(1) }\n",
    )]) {
        for (key, value) in
            [("GOFLAGS", "-run=Nothing"), ("GO111MODULE", "off"), ("GOENV", "/nowhere")]
        {
            stage.ask.extra_env.insert(key.to_owned(), value.to_owned());
        }
        assert_eq!(stage.finished().counts().failed, 1);
    }
}
