//! How `go test` runs as a whole end, with each Go that is there.

use crate::go_stage::{each, go_stage};
use crate::stage::{end, reason};
use proctor_core::report::{CaseEnd, Reason, RunEnd};
use proctor_core::words::TestId;
use proctor_lang::FolderTree;
use proctor_tools::{Coverage, Covered};
use std::time::Duration;

pub const SHOP: &str = "package shop\n\nfunc Add(a, b int) int { return a - b }\nfunc Div(a int) int { var z int; return a / z }\n";
pub const MIXED: &str = r#"package shop

import (
	"fmt"
	"testing"
)

func TestAdds(t *testing.T) {
	t.Log("about to add")
	if got := Add(1, 2); got != 3 {
		t.Errorf("Add(1, 2) = %d\nwanted 3", got)
	}
}

func TestHolds(t *testing.T) {
	if Add(1, 0) != 1 {
		t.Fatal("no")
	}
}

func TestTable(t *testing.T) {
	for _, n := range []string{"a b", "c/d", "a b"} {
		t.Run(n, func(t *testing.T) {
			if n == "c/d" {
				t.Error("not", n)
			}
		})
	}
}

func TestLater(t *testing.T) { t.Skip("later") }

func TestDivides(t *testing.T) { Div(1) }

func TestIndex(t *testing.T) {
	var list []int
	t.Run("inner", func(t *testing.T) { _ = list[Add(3, 0)] })
}

func TestSilent(t *testing.T) { t.FailNow() }

func TestParallel(t *testing.T) {
	t.Parallel()
	t.Run("x", func(t *testing.T) { t.Parallel() })
}

func ExampleAdd() {
	fmt.Println(Add(1, 2))
	// Output: 3
}

func FuzzAdd(f *testing.F) {
	f.Add(1)
	f.Fuzz(func(t *testing.T, x int) {
		if Add(x, 0) != x {
			t.Fatal("no")
		}
	})
}

func BenchmarkAdd(b *testing.B) { b.Fatal("never run") }
"#;

fn word(report: &proctor_core::report::TestReport, name: &str) -> String {
    match end(report, &format!("example.com/demo/shop {name}")) {
        CaseEnd::Failed { reason } => {
            format!(
                "{} {}",
                reason.word(),
                reason.place().map(ToString::to_string).unwrap_or_default()
            )
        }
        other => other.word().to_owned(),
    }
}

#[test]
fn a_run_with_every_kind_of_end_is_finished() {
    for mut stage in each(&[
        ("shop/shop.go", SHOP),
        ("shop/shop_test.go", MIXED),
        ("empty/e.go", "package empty\n"),
    ]) {
        let report = stage.finished();
        for (name, wanted) in [
            ("TestAdds", "assertion shop/shop_test.go:11"),
            ("TestHolds", "passed"),
            ("TestTable", "assertion shop/shop_test.go:25"),
            ("TestTable/a_b", "passed"),
            ("TestTable/a_b#01", "passed"),
            ("TestTable/c/d", "assertion shop/shop_test.go:25"),
            ("TestLater", "skipped"),
            ("TestDivides", "crash in the code under test shop/shop.go:4"),
            ("TestIndex", "other shop/shop_test.go:37"),
            ("TestIndex/inner", "other shop/shop_test.go:37"),
            ("TestSilent", "assertion shop/shop_test.go:40"),
            ("TestParallel", "passed"),
            ("TestParallel/x", "passed"),
            ("ExampleAdd", "assertion shop/shop_test.go:47"),
            ("FuzzAdd", "passed"),
            ("FuzzAdd/seed#0", "passed"),
        ] {
            assert_eq!(word(&report, name), wanted, "{name}");
        }
        assert_eq!(report.cases.len(), 16);
        let adds = reason(&report, "example.com/demo/shop TestAdds");
        assert_eq!(adds.message(), "Add(1, 2) = -1\nwanted 3");
        let divides = reason(&report, "example.com/demo/shop TestDivides");
        assert_eq!(divides.message(), "panic: runtime error: integer divide by zero");
        let later = end(&report, "example.com/demo/shop TestLater");
        assert_eq!(later, &CaseEnd::Skipped { why: "later".to_owned() });
    }
}

#[test]
fn ids_and_items_are_the_same() {
    for mut stage in each(&[
        (
            "a/a_test.go",
            "package a_test\nimport \"testing\"\nfunc TestA(t *testing.T) {}\nfunc Example() {\n\t// Output:\n}\n",
        ),
        ("b_test.go", "package main\nimport \"testing\"\nfunc TestB(t *testing.T) {}\n"),
        ("main.go", "package main\nfunc main() {}\n"),
    ]) {
        let report = stage.finished();
        let tree = FolderTree::new(&stage.ask.tree);
        let items = stage.runner.items(&tree, &["a/a_test.go".to_owned(), "b_test.go".to_owned()]);
        let mut ids: Vec<TestId> = items.into_iter().map(|i| i.id).collect();
        ids.sort();
        assert_eq!(report.cases.keys().cloned().collect::<Vec<_>>(), ids);
        assert_eq!(ids[2].as_str(), "example.com/demo/a TestA");
    }
}

#[test]
fn only_the_asked_tests_run() {
    let other = "package other\nimport \"testing\"\nfunc TestHolds(t *testing.T) {}\nfunc TestBad(t *testing.T) { t.Error(1) }\n";
    for stage in each(&[
        ("shop/shop.go", SHOP),
        ("shop/shop_test.go", MIXED),
        ("other/o_test.go", other),
        ("broken/b_test.go", "package broken\nfunc\n"),
    ]) {
        let mut stage = stage.only(&[
            "example.com/demo/shop TestTable/c/d",
            "example.com/demo/other TestHolds",
            "example.com/demo/shop TestParallel",
            "example.com/demo/gone TestX",
        ]);
        let report = stage.finished();
        let ids: Vec<&str> = report.cases.keys().map(TestId::as_str).collect();
        assert_eq!(
            ids,
            [
                "example.com/demo/other TestHolds",
                "example.com/demo/shop TestParallel",
                "example.com/demo/shop TestParallel/x",
                "example.com/demo/shop TestTable/c/d"
            ]
        );
        let mut stage = stage.only(&["example.com/demo/shop TestTable/a_b"]);
        assert_eq!(stage.finished().cases.len(), 1);
        let said = String::from_utf8_lossy(&stage.outputs[1].stdout).into_owned();
        assert!(!said.contains("TestTable/c/d"), "{said}");
        let mut stage = stage.only(&["example.com/demo/shop TestGone"]);
        assert_eq!(stage.run().end, RunEnd::NoTests);
    }
}

#[test]
fn no_tests_is_its_own_end() {
    for mut stage in each(&[("a.go", "package a\n"), ("b/b_test.go", "package b\n")]) {
        assert_eq!(stage.run().end, RunEnd::NoTests);
    }
    for mut stage in each(&[("README.md", "")]) {
        assert_eq!(stage.run().end, RunEnd::NoTests);
    }
}

#[test]
fn all_modules_of_a_workspace_run() {
    let test =
        |name: &str| format!("package x\nimport \"testing\"\nfunc {name}(t *testing.T) {{}}\n");
    let (a, b, c) = (test("TestA"), test("TestB"), test("TestC"));
    for mut stage in each(&[
        ("go.work", "go 1.19\n\nuse (\n\t./a\n\t./b\n)\n"),
        ("a/go.mod", "module example.com/a\n\ngo 1.19\n"),
        ("b/go.mod", "module example.com/b\n\ngo 1.19\n"),
        ("c/go.mod", "module example.com/c\n\ngo 1.19\n"),
        ("a/a_test.go", &a),
        ("b/deep/b_test.go", &b),
        ("c/c_test.go", &c),
    ]) {
        let ids = |report: proctor_core::report::TestReport| -> Vec<String> {
            report.cases.keys().map(ToString::to_string).collect()
        };
        assert_eq!(ids(stage.finished()), ["example.com/a TestA", "example.com/b/deep TestB"]);
        // A module that the workspace does not use stands for itself, and so does one that it uses.
        stage.ask.subdir = "c".to_owned();
        assert_eq!(ids(stage.finished()), ["example.com/c TestC"]);
        stage.ask.subdir = "b".to_owned();
        assert_eq!(ids(stage.finished()), ["example.com/b/deep TestB"]);
    }
}

#[test]
fn vendored_modules_are_used_and_their_panics_are_the_callers() {
    for mut stage in each(&[
        ("go.mod", "module example.com/demo\n\ngo 1.19\n\nrequire example.com/lib v1.0.0\n"),
        ("vendor/modules.txt", "# example.com/lib v1.0.0\n## explicit; go 1.19\nexample.com/lib\n"),
        ("vendor/example.com/lib/lib.go", "package lib\nfunc Break() { panic(\"broken\") }\n"),
        ("shop/shop.go", "package shop\nimport \"example.com/lib\"\nfunc Run() { lib.Break() }\n"),
        (
            "shop/shop_test.go",
            "package shop\nimport \"testing\"\nfunc TestRun(t *testing.T) { Run() }\n",
        ),
    ]) {
        let report = stage.finished();
        assert_eq!(word(&report, "TestRun"), "crash in the code under test shop/shop.go:3");
    }
}

#[test]
fn a_panic_in_another_goroutine_is_its_tests() {
    let test = "package a\nimport \"testing\"\nfunc TestA(t *testing.T) { go func() { panic(\"away\") }(); select {} }\nfunc TestB(t *testing.T) {}\n";
    for mut stage in each(&[("a_test.go", test)]) {
        let report = stage.finished();
        let a = reason(&report, "example.com/demo TestA");
        assert!(matches!(a, Reason::Other { message, .. } if message == "panic: away"), "{a:?}");
        assert!(report.passed(&TestId::new("example.com/demo TestB")));
    }
}

#[test]
fn an_assertion_that_failed_before_the_test_broke_is_the_reason() {
    let test = "package a\nimport \"testing\"\nfunc TestA(t *testing.T) {\n\tvar p *int\n\tif p == nil {\n\t\tt.Errorf(\"want a value\")\n\t}\n\tt.Log(*p)\n}\nfunc TestB(t *testing.T) {\n\tvar p *int\n\tt.Log(\"said\")\n\tt.Log(*p)\n}\n";
    for mut stage in each(&[("a_test.go", test)]) {
        let report = stage.finished();
        let a = reason(&report, "example.com/demo TestA");
        assert!(
            matches!(a, Reason::Assertion { message, .. } if message == "want a value"),
            "{a:?}"
        );
        let b = reason(&report, "example.com/demo TestB");
        assert!(matches!(b, Reason::Other { .. }), "{b:?}");
    }
}

#[test]
fn failures_of_the_machine_are_no_assertions() {
    let test = "package a\nimport (\"testing\"; \"errors\")\nfunc TestDns(t *testing.T) { if err := errors.New(\"lookup db: no such host\"); err != nil { t.Fatal(err) } }\n";
    for mut stage in each(&[("a_test.go", test)]) {
        let report = stage.finished();
        let dns = reason(&report, "example.com/demo TestDns");
        assert!(
            matches!(dns, Reason::Other { message, .. } if message.contains("no such host")),
            "{dns:?}"
        );
    }
}

#[test]
fn what_breaks_before_the_tests_is_set_up() {
    let main = "package a\nimport (\"testing\"; \"os\"; \"fmt\")\nfunc TestMain(m *testing.M) { fmt.Println(\"no database\"); os.Exit(1) }\nfunc TestA(t *testing.T) {}\n";
    let init = "package b\nimport \"testing\"\nfunc init() { panic(\"early\") }\nfunc TestB(t *testing.T) {}\n";
    for mut stage in each(&[("a/a_test.go", main), ("b/b_test.go", init)]) {
        let report = stage.finished();
        let a = end(&report, "example.com/demo/a TestA");
        assert!(
            matches!(a, CaseEnd::Errored { message } if message.contains("no database")),
            "{a:?}"
        );
        let b = end(&report, "example.com/demo/b TestB");
        assert!(matches!(b, CaseEnd::Errored { message } if message.contains("early")), "{b:?}");
    }
}

#[test]
fn lines_that_ran_are_measured() {
    let shop = "package shop\n\n// Sign tells the sign.\nfunc Sign(a int) int {\n\tif a < 0 {\n\t\t// below\n\t\treturn -1\n\t}\n\treturn 1\n}\n";
    let test = "package shop\nimport \"testing\"\nfunc TestSign(t *testing.T) { if Sign(2) != 1 { t.Fatal() } }\n";
    for mut stage in each(&[
        ("shop/shop.go", shop),
        ("shop/shop_test.go", test),
        ("idle/idle.go", "package idle\n\nfunc Idle() int {\n\treturn 1\n}\n"),
    ]) {
        stage.ask.coverage = Coverage::Measured;
        stage.finished();
        let Covered::Lines(lines) = stage.runner.coverage(&stage.ask, &stage.outputs) else {
            panic!()
        };
        let shop = &lines.files["shop/shop.go"];
        assert_eq!(shop.hit.iter().copied().collect::<Vec<_>>(), [5, 9]);
        assert_eq!(shop.missed.iter().copied().collect::<Vec<_>>(), [7]);
        assert!(lines.files["idle/idle.go"].hit.is_empty());
    }
}

#[test]
fn code_from_elsewhere_is_suspect() {
    let Some(mut stage) = go_stage(&[(
        "a_test.go",
        "package a\nimport (\"testing\"; \"example.com/lib\")\nfunc TestA(t *testing.T) { lib.Do() }\n",
    )]) else {
        return;
    };
    let other = tempfile::tempdir().unwrap();
    std::fs::write(other.path().join("go.mod"), "module example.com/lib\n\ngo 1.19\n").unwrap();
    std::fs::write(other.path().join("lib.go"), "package lib\nfunc Do() {}\n").unwrap();
    let folder = other.path().display();
    stage.write("go.mod", &format!("module example.com/demo\n\ngo 1.19\n\nrequire example.com/lib v1.0.0\n\nreplace example.com/lib => {folder}\n"));
    stage.finished();
    stage.ask.elsewhere.push(other.path().to_owned());
    assert!(matches!(stage.run().end, RunEnd::Suspect { note } if note.contains("loaded from")));
}

#[cfg(test)]
mod slow {
    use super::*;

    #[test]
    fn a_hanging_test_is_named() {
        // It ends by itself a little after the limit, since ending `go test` does not end the process that it started.
        let test = "package a\nimport (\"testing\"; \"time\")\nfunc TestA(t *testing.T) {}\nfunc TestB(t *testing.T) { t.Run(\"deep\", func(t *testing.T) { <-time.After(12 * time.Second) }) }\n";
        for mut stage in each(&[(
            "a_test.go",
            "package a\nimport (\"testing\"; \"time\")\nfunc TestA(t *testing.T) { <-time.After(0) }\n",
        )]) {
            // Compiles what both need, so that the limit below is the test's own.
            stage.finished();
            stage.write("a_test.go", test);
            stage.limit = Duration::from_secs(6);
            let report = stage.run();
            let id = TestId::new("example.com/demo TestB/deep");
            assert_eq!(report.end, RunEnd::TimedOut { running: Some(id) });
            assert!(report.passed(&TestId::new("example.com/demo TestA")));
        }
    }
}
