//! Small projects, run with the real Maven.

use super::maven_recorded::FIVE;
use crate::maven_stage::{CART, JUNIT4, JUNIT5, maven, pom};
use crate::stage::{end, reason};
use proctor_core::report::{CaseEnd, Owner, Reason, RunEnd};
use proctor_lang::{FolderTree, Tree};

const FAILS: &str = "package shop;\nimport static org.junit.Assert.*;\nimport org.junit.*;\npublic class CartTest {\n    \
                     @Test public void adds() { assertEquals(3, new Cart().add(1, 2)); }\n}\n";

fn holds(class: &str) -> String {
    FAILS.replace("CartTest", class).replace("add(1, 2)", "add(4, 1)")
}

#[test]
fn failures_crashes_and_passes_are_told_apart() {
    let Some(mut stage) =
        maven(&[("pom.xml", &pom(JUNIT5)), CART, ("src/test/java/shop/CartTest.java", FIVE)])
    else {
        return;
    };
    let report = stage.finished();
    assert_eq!(end(&report, "shop.CartTest::holds"), &CaseEnd::Passed);
    assert!(
        matches!(reason(&report, "shop.CartTest::adds"), Reason::Assertion { place: Some(p), .. }
        if p.to_string() == "src/test/java/shop/CartTest.java:8")
    );
    assert!(
        matches!(reason(&report, "shop.CartTest::breaks"), Reason::Panic { place: Some(p), .. }
        if p.to_string() == "src/main/java/shop/Cart.java:4")
    );
    assert!(matches!(reason(&report, "shop.CartTest::own"), Reason::Other { .. }));
    // Each test in the source is one that ran, or stands for several.
    let path = "src/test/java/shop/CartTest.java".to_owned();
    let items = stage.runner.items(&FolderTree::new(&stage.ask.tree) as &dyn Tree, &[path]);
    assert!(items.iter().all(|item| report.cases.keys().any(|id| item.covers(id))), "{items:#?}");
    assert!(report.cases.keys().all(|id| items.iter().any(|item| item.covers(id))), "{report:#?}");
}

#[test]
fn only_the_tests_that_were_asked_for_have_a_result() {
    let Some(stage) =
        maven(&[("pom.xml", &pom(JUNIT5)), CART, ("src/test/java/shop/CartTest.java", FIVE)])
    else {
        return;
    };
    let mut stage =
        stage.only(&["shop.CartTest::holds", "shop.CartTest::many", "shop.CartTest$Inner::deep"]);
    let report = stage.finished();
    let ran: Vec<&str> = report.cases.keys().map(proctor_core::words::TestId::as_str).collect();
    assert_eq!(
        ran,
        [
            "shop.CartTest$Inner::deep",
            "shop.CartTest::holds",
            "shop.CartTest::many[1]",
            "shop.CartTest::many[2]"
        ]
    );
}

#[test]
fn a_name_that_is_missing_in_production_code_is_found_with_its_owner() {
    let source = FAILS.replace("add(1, 2)", "total(1, 2)");
    let Some(mut stage) =
        maven(&[("pom.xml", &pom(JUNIT4)), CART, ("src/test/java/shop/CartTest.java", &source)])
    else {
        return;
    };
    let report = stage.run();
    let RunEnd::CollectFailed { errors } = &report.end else { panic!("{report:#?}") };
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].place.to_string(), "src/test/java/shop/CartTest.java:5");
    assert!(
        matches!(&errors[0].reason, Reason::Missing { name, owner: Owner::Project, .. }
        if name == "shop.Cart.total"),
        "{errors:#?}"
    );
}

#[test]
fn a_class_whose_process_ended_is_not_passed_over_beside_a_failure() {
    let leaves = "package shop;\nimport org.junit.*;\npublic class LeaveTest {\n    @Test public void a() { System.exit(0); }\n}\n";
    let Some(mut stage) = maven(&[
        ("pom.xml", &pom(JUNIT4)),
        CART,
        ("src/test/java/shop/CartTest.java", FAILS),
        ("src/test/java/shop/LeaveTest.java", leaves),
    ]) else {
        return;
    };
    let report = stage.run();
    assert!(
        matches!(&report.end, RunEnd::Crashed { note } if note.contains("shop.LeaveTest")),
        "{report:#?}"
    );
}

#[test]
fn modules_that_depend_on_one_that_fails_are_run_all_the_same() {
    let child = |name: &str, more: &str| {
        format!(
            "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion><parent><groupId>shop</groupId>\
             <artifactId>shop</artifactId><version>1</version></parent><artifactId>{name}</artifactId>\
             <dependencies>{more}</dependencies></project>"
        )
    };
    let parent = pom(JUNIT4).replace(
        "<version>1</version>\n",
        "<version>1</version><packaging>pom</packaging><modules><module>core</module><module>app</module></modules>\n",
    );
    let on_core = "<dependency><groupId>shop</groupId><artifactId>core</artifactId><version>1</version></dependency>";
    let Some(mut stage) = maven(&[
        ("pom.xml", &parent),
        ("core/pom.xml", &child("core", "")),
        ("core/src/main/java/shop/Cart.java", CART.1),
        ("core/src/test/java/shop/CartTest.java", FAILS),
        ("app/pom.xml", &child("app", on_core)),
        ("app/src/test/java/shop/AppTest.java", &holds("AppTest")),
    ]) else {
        return;
    };
    let report = stage.finished();
    assert!(matches!(reason(&report, "shop.CartTest::adds"), Reason::Assertion { .. }));
    assert_eq!(end(&report, "shop.AppTest::adds"), &CaseEnd::Passed);
}

#[test]
fn an_old_report_is_no_result_and_a_tree_without_tests_has_none() {
    let old = "<testsuite name='shop.OldTest' tests='1'><testcase classname='shop.OldTest' name='a'/></testsuite>";
    let Some(mut stage) = maven(&[
        ("pom.xml", &pom(JUNIT4)),
        CART,
        ("target/surefire-reports/TEST-shop.OldTest.xml", old),
    ]) else {
        return;
    };
    assert_eq!(stage.run().end, RunEnd::NoTests);
}

#[test]
fn a_pom_that_ignores_failures_makes_the_run_suspect() {
    let ignores = "<build><plugins><plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-surefire-plugin</artifactId>\
                   <configuration><testFailureIgnore>true</testFailureIgnore></configuration></plugin></plugins></build></project>";
    let pom = pom(JUNIT4).replace("</project>", ignores);
    let Some(mut stage) =
        maven(&[("pom.xml", &pom), CART, ("src/test/java/shop/CartTest.java", FAILS)])
    else {
        return;
    };
    let report = stage.run();
    assert!(
        matches!(&report.end, RunEnd::Suspect { note } if note.contains("ended with 0")),
        "{report:#?}"
    );
}

#[test]
fn a_dependency_that_is_not_there_is_the_tools_fault() {
    let missing = JUNIT4.replace("4.x", "99.1");
    let Some(mut stage) = maven(&[("pom.xml", &pom(&missing)), CART]) else {
        return;
    };
    let report = stage.run();
    assert!(
        matches!(&report.end, RunEnd::Crashed { note } if note.contains("99.1")),
        "{report:#?}"
    );
}
