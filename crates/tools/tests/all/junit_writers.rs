//! Reports as the tools of other languages write them, read without the tools. Those below `fixtures/junit-writers` are
//! what the tools wrote; the short ones here show one rule each.

use crate::stage::Stage;
use proctor_core::report::{CaseEnd, Reason, RunEnd, TestReport};
use proctor_lang::FolderTree;
use proctor_tools::{StepEnd, StepOutput, Tools};
use std::fmt::Write;

/// Reads a report as if a command had written it and ended so.
fn read(report: &str, exit: i32, files: &[(&str, &str)]) -> TestReport {
    let tools = Tools {
        command: vec!["tool".to_owned()],
        reports: vec!["{report}".to_owned()],
        ..Tools::default()
    };
    let stage = Stage::new("junit", files, tools);
    let text = report.replace("@ROOT@", &stage.root());
    std::fs::write(stage.ask.scratch.join("report.xml"), text).unwrap();
    let (stdout, stderr) = (Vec::new(), b"the end".to_vec());
    let end = StepEnd::Exited(exit);
    let step = StepOutput { label: "tests".to_owned(), end, stdout, stderr };
    stage.runner.read(&stage.ask, &[step])
}

/// One line a case: its id, its end, and the first line of why.
fn shown(report: &TestReport) -> String {
    let mut text = format!("{:?}\n", report.end);
    for (id, case) in &report.cases {
        let (word, why) = match &case.end {
            CaseEnd::Passed => ("passed", ""),
            CaseEnd::Skipped { why } => ("skipped", why.as_str()),
            CaseEnd::Errored { message } => ("errored", message.as_str()),
            CaseEnd::Failed { reason } => (reason.word(), reason.message()),
        };
        let place = match &case.end {
            CaseEnd::Failed { reason } => reason.place().map(|p| format!(" at {p}")),
            CaseEnd::Passed | CaseEnd::Skipped { .. } | CaseEnd::Errored { .. } => None,
        };
        let line = why.lines().next().unwrap_or("");
        writeln!(text, "{id} = {word}{}: {line}", place.unwrap_or_default()).unwrap();
    }
    text
}

fn writer(name: &str, exit: i32, files: &[(&str, &str)]) {
    let path = format!("{}/tests/fixtures/junit-writers/{name}.xml", env!("CARGO_MANIFEST_DIR"));
    let report = read(&std::fs::read_to_string(path).unwrap(), exit, files);
    insta::assert_snapshot!(format!("junit-{name}"), shown(&report));
}

#[test]
fn phpunit() {
    writer("phpunit", 2, &[("ShopTest.php", "<?php\n")]);
}

#[test]
fn rspec() {
    writer("rspec", 1, &[("spec/shop_spec.rb", "\n")]);
}

#[test]
fn ctest() {
    writer("ctest", 8, &[]);
}

#[test]
fn vitest() {
    writer("vitest", 1, &[("a.test.js", "\n")]);
}

#[test]
fn jest_junit() {
    writer("jest-junit", 1, &[]);
}

#[test]
fn node() {
    writer("node", 1, &[]);
}

#[test]
fn pytest() {
    writer("pytest", 1, &[("tests/test_shop.py", "\n")]);
}

fn one(failure: &str) -> Reason {
    let report = read(
        &format!("<testsuite><testcase classname='c' name='a'>{failure}</testcase></testsuite>"),
        1,
        &[("src/main/java/shop/Cart.java", ""), ("src/test/java/shop/CartTest.java", "")],
    );
    match report.cases.values().next().map(|case| case.end.clone()) {
        Some(CaseEnd::Failed { reason }) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn only_a_check_that_did_not_hold_is_an_assertion() {
    for failure in [
        "<failure type='java.lang.AssertionError'/>",
        "<failure type='failure' message='Assert.Equal() Failure: Values differ'/>",
        "<failure message='Failed' type=''>cart_test.go:5: got 1, want 2</failure>",
        "<failure type='org.mockito.exceptions.verification.WantedButNotInvoked'/>",
        "<failure>Error: expect(received).toBe(expected)</failure>",
    ] {
        assert!(matches!(one(failure), Reason::Assertion { .. }), "{failure}");
    }
    for failure in [
        "<failure type='java.lang.IllegalStateException'/>",
        "<failure type='failure' message='System.NullReferenceException : Object reference not set'/>",
        "<failure message='Failed' type=''>panic: runtime error: index out of range</failure>",
        "<failure>TypeError: x is not a function</failure>",
        "<failure>Error: connect failed</failure>",
        "<failure message='SEGFAULT'/>",
    ] {
        assert!(matches!(one(failure), Reason::Other { .. }), "{failure}");
    }
}

#[test]
fn an_exception_is_blamed_on_the_code_where_it_arose() {
    let thrown =
        |kind: &str, frames: &str| format!("<error type='{kind}'>{kind}: bad\n{frames}</error>");
    let production = "\tat java.base/java.lang.Integer.parseInt(Integer.java:6)\n\tat shop.Cart.div(Cart.java:4)\n\tat shop.CartTest.a(CartTest.java:9)";
    let panic = one(&thrown("java.lang.ArithmeticException", production));
    assert!(
        matches!(panic, Reason::Panic { place: Some(p), .. } if p.to_string() == "src/main/java/shop/Cart.java:4")
    );
    let own =
        one(&thrown("java.lang.ArithmeticException", "\tat shop.CartTest.a(CartTest.java:9)"));
    assert!(
        matches!(own, Reason::Other { place: Some(p), .. } if p.file.ends_with("CartTest.java"))
    );
    let network = one(&thrown("java.net.ConnectException", production));
    assert!(matches!(network, Reason::Other { .. }));
}

fn verdict(report: &str, exit: i32) -> RunEnd {
    read(report, exit, &[]).end
}

#[test]
fn exit_code_report_and_numbers_must_agree() {
    let passed = "<testsuite tests='1'><testcase name='a'/></testsuite>";
    let failed = "<testsuite tests='1'><testcase name='a'><failure/></testcase></testsuite>";
    assert_eq!(verdict(passed, 0), RunEnd::Finished);
    assert_eq!(verdict(failed, 1), RunEnd::Finished);
    for (report, exit) in [
        (passed, 1),
        (failed, 0),
        ("<testsuite tests='2'><testcase name='a'/></testsuite>", 0),
        ("<testsuite tests='1'><testcase name='a'/>", 0),
        ("<html/>", 0),
    ] {
        assert!(matches!(verdict(report, exit), RunEnd::Suspect { .. }), "{report} {exit}");
    }
    assert_eq!(verdict("<testsuites/>", 0), RunEnd::NoTests);
}

#[test]
fn a_java_test_has_the_id_that_its_source_has_whatever_ran_it() {
    let path = "src/test/java/shop/CartTest.java";
    let source = "package shop;\nclass CartTest { @Test void adds() { } @Nested class In { @Test void b() { } } }\n";
    let gradle = "<testsuite name='shop.CartTest' tests='2'><testcase name='adds()' classname='shop.CartTest'/>\
                  <testcase name='b()' classname='shop.CartTest$In'/></testsuite>";
    let report = read(gradle, 0, &[(path, source)]);
    let stage = Stage::new("junit", &[(path, source)], Tools::default());
    let items = stage.runner.items(&FolderTree::new(&stage.ask.tree), &[path.to_owned()]);
    assert_eq!(items.len(), 2);
    assert!(items.iter().all(|item| report.cases.contains_key(&item.id)), "{report:#?}");
}

#[test]
fn two_cases_with_one_id_are_both_kept() {
    let twice = "<testsuite><testcase classname='c' name='a'/><testcase classname='c' name='a'/></testsuite>";
    let report = read(twice, 0, &[]);
    let ids: Vec<&str> = report.cases.keys().map(proctor_core::words::TestId::as_str).collect();
    assert_eq!(ids, ["c::a", "c::a #2"]);
}
