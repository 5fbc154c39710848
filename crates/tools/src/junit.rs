//! A tolerant reader of `JUnit` XML: every tool writes its own dialect. Gives what stands there, judges nothing.

mod text;

use proctor_core::report::Counts;
use roxmltree::{Document, Node};
use std::collections::BTreeMap;

/// One `testcase` element, or a suite that says of itself that it broke (its name is empty then).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JunitCase {
    /// The name of the suite around it.
    pub suite: String,
    pub class: String,
    pub name: String,
    /// The file that holds it, where the tool says so.
    pub file: String,
    pub end: JunitEnd,
    /// Of what failed or broke: the type and the message, where they stand as attributes.
    pub kind: String,
    pub message: String,
    pub took_ms: Option<u64>,
    pub stdout: String,
    pub stderr: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JunitEnd {
    Passed,
    Skipped(String),
    Failed { kind: String, text: String },
    Errored { text: String },
}

/// A whole report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct JunitReport {
    pub cases: Vec<JunitCase>,
    /// Where the numbers that a suite gives do not fit the cases in it.
    pub disagreements: Vec<String>,
}

/// Every test case of a report. The error says what is wrong with the text.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<JunitCase>, String> {
    read_report(bytes).map(|report| report.cases)
}

/// The cases, and whether the suites' own numbers fit them.
pub(crate) fn read_report(bytes: &[u8]) -> Result<JunitReport, String> {
    let clean = text::clean(bytes);
    let document = Document::parse(&clean).map_err(|e| e.to_string())?;
    let root = document.root_element();
    if !matches!(root.tag_name().name(), "testsuites" | "testsuite") {
        return Err(format!("its root element is <{}>", root.tag_name().name()));
    }
    let mut report = JunitReport::default();
    for node in root.descendants() {
        if node.has_tag_name("testcase") {
            report.cases.push(case(node));
        } else if is_suite(node) {
            report.cases.extend(broken_suite(node));
            report.disagreements.extend(disagreement(node));
        }
    }
    Ok(report)
}

fn is_suite(node: Node<'_, '_>) -> bool {
    node.has_tag_name("testsuite") || node.has_tag_name("testsuites")
}

fn attribute(node: Node<'_, '_>, key: &str) -> String {
    node.attribute(key).unwrap_or("").to_owned()
}

fn child<'a, 'i>(node: Node<'a, 'i>, tag: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|c| c.has_tag_name(tag))
}

fn case(node: Node<'_, '_>) -> JunitCase {
    // A test that only passed when it was tried again has failed.
    let failure = ["failure", "flakyFailure", "flakyError"].iter().find_map(|t| child(node, t));
    let error = child(node, "error");
    let end = if let Some(error) = error {
        JunitEnd::Errored { text: told(error) }
    } else if let Some(failure) = failure {
        JunitEnd::Failed { kind: attribute(failure, "type"), text: told(failure) }
    } else if let Some(skipped) = child(node, "skipped") {
        JunitEnd::Skipped(attribute(skipped, "message"))
    } else {
        by_status(node)
    };
    let inner = |tag: &str| child(node, tag).map(whole_text).unwrap_or_default();
    let told_of = |key: &str| error.or(failure).map(|n| attribute(n, key)).unwrap_or_default();
    JunitCase {
        suite: node.parent().map(|p| attribute(p, "name")).unwrap_or_default(),
        class: attribute(node, "classname"),
        name: attribute(node, "name"),
        file: attribute(node, "file"),
        end,
        kind: told_of("type"),
        message: told_of("message"),
        took_ms: node.attribute("time").and_then(millis),
        stdout: inner("system-out"),
        stderr: inner("system-err"),
    }
}

/// A case without an element that says how it ended: `CTest` and `GoogleTest` tell it in an attribute.
fn by_status(node: Node<'_, '_>) -> JunitEnd {
    let words = [attribute(node, "status"), attribute(node, "result")];
    let is = |list: &[&str]| words.iter().find(|w| list.contains(&w.to_lowercase().as_str()));
    if let Some(word) = is(&["fail", "failed", "failure", "error", "errored", "broken"]) {
        return JunitEnd::Failed { kind: String::new(), text: format!("its status is {word}") };
    }
    match is(&["disabled", "notrun", "skipped", "skip", "ignored", "pending", "todo", "suppressed"])
    {
        Some(word) => JunitEnd::Skipped(word.clone()),
        None => JunitEnd::Passed,
    }
}

/// A suite that failed outside of its tests.
fn broken_suite(node: Node<'_, '_>) -> Option<JunitCase> {
    let broken = child(node, "error").or_else(|| child(node, "failure"))?;
    Some(JunitCase {
        suite: attribute(node, "name"),
        class: attribute(node, "name"),
        name: String::new(),
        file: attribute(node, "file"),
        end: JunitEnd::Errored { text: told(broken) },
        kind: attribute(broken, "type"),
        message: attribute(broken, "message"),
        took_ms: None,
        stdout: String::new(),
        stderr: String::new(),
    })
}

/// Whether a suite counts other than its cases. Some tools count all that is below, some only what is directly in it.
fn disagreement(node: Node<'_, '_>) -> Option<String> {
    let number = |key: &str| node.attribute(key).and_then(|n| n.trim().parse::<usize>().ok());
    let cases = || node.descendants().filter(|n| n.has_tag_name("testcase"));
    let name = node.attribute("name").unwrap_or("without a name");
    if let Some(told) = number("tests") {
        let all = cases().count();
        let direct = node.children().filter(|n| n.has_tag_name("testcase")).count();
        let nodes = direct + node.children().filter(|n| is_suite(*n)).count();
        if ![all, direct, nodes].contains(&told) {
            return Some(format!("the suite {name} says that it has {told} tests, and has {all}"));
        }
    }
    let bad = number("failures").unwrap_or(0) + number("errors").unwrap_or(0);
    let failed =
        |n: Node<'_, '_>| matches!(case(n).end, JunitEnd::Failed { .. } | JunitEnd::Errored { .. });
    let broken = || node.descendants().any(|n| is_suite(n) && broken_suite(n).is_some());
    (bad > 0 && !cases().any(failed) && !broken())
        .then(|| format!("the suite {name} says that {bad} of its tests failed, and none did"))
}

/// The text of an element, or its message where it has no text.
fn told(node: Node<'_, '_>) -> String {
    let text = whole_text(node);
    if text.trim().is_empty() { attribute(node, "message") } else { text }
}

fn whole_text(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|n| n.text()).collect()
}

/// Seconds with a fraction, as milliseconds, without going through floating point.
fn millis(time: &str) -> Option<u64> {
    let time = time.replace(',', "");
    let (whole, fraction) = time.split_once('.').unwrap_or((&time, ""));
    let digits: String = fraction.chars().chain("000".chars()).take(3).collect();
    Some(whole.parse::<u64>().ok()? * 1000 + digits.parse::<u64>().ok()?)
}

/// How many cases ended how, each name counted once with its worst end: pytest writes a test that failed and
/// then broke in tear-down as two elements.
pub(crate) fn counts(cases: &[JunitCase]) -> Counts {
    let mut worst: BTreeMap<(&str, &str, &str), u8> = BTreeMap::new();
    for case in cases {
        let rank = match case.end {
            JunitEnd::Passed => 0,
            JunitEnd::Skipped(_) => 1,
            JunitEnd::Failed { .. } => 2,
            JunitEnd::Errored { .. } => 3,
        };
        let entry = worst.entry((&case.suite, &case.class, &case.name)).or_default();
        *entry = rank.max(*entry);
    }
    let ranked = |rank: u8| count(worst.values().filter(|r| **r == rank).count());
    Counts { passed: ranked(0), skipped: ranked(1), failed: ranked(2), errored: ranked(3) }
}

/// A number of tests as reports hold it.
pub(crate) fn count(many: usize) -> u32 {
    u32::try_from(many).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_read_with_its_end_time_and_output() {
        let cases = read(b"<testsuites><testsuite name='s'><testcase name='a' classname='c' time='1.25'/>\
            <testcase name='b' classname='c'><failure type='t' message='m'>deep</failure><system-out>out</system-out></testcase>\
            <testcase name='d' classname='c'><skipped message='why'/></testcase></testsuite></testsuites>").unwrap();
        assert_eq!(cases[0].took_ms, Some(1250));
        assert_eq!(
            cases[1].end,
            JunitEnd::Failed { kind: "t".to_owned(), text: "deep".to_owned() }
        );
        assert_eq!((cases[1].stdout.as_str(), cases[1].suite.as_str()), ("out", "s"));
        assert_eq!(cases[2].end, JunitEnd::Skipped("why".to_owned()));
        assert_eq!(counts(&cases), Counts { passed: 1, failed: 1, errored: 0, skipped: 1 });
    }

    #[test]
    fn a_test_that_failed_and_broke_in_tear_down_counts_once_as_broken() {
        let cases = read(
            b"<testsuite name='s'><testcase name='a' classname='c'><failure/></testcase>\
            <testcase name='a' classname='c'><error/></testcase></testsuite>",
        )
        .unwrap();
        assert_eq!(counts(&cases), Counts { errored: 1, ..Counts::default() });
    }

    #[test]
    fn a_cut_or_foreign_text_is_an_error_and_control_characters_are_not() {
        assert!(read(b"<testsuites><testsuite>").is_err());
        assert!(read(b"<html/>").unwrap_err().contains("<html>"));
        assert_eq!(read(b"<testsuite><testcase name='a\x1b'/></testsuite>").unwrap()[0].name, "a");
    }

    #[test]
    fn a_test_that_passed_only_when_tried_again_has_failed() {
        let cases = read(
            b"<testsuite><testcase name='a'><flakyFailure type='T' message='m'><stackTrace>deep</stackTrace></flakyFailure></testcase>\
            <testcase name='b'><failure type='T'/><rerunFailure type='T'/></testcase></testsuite>",
        )
        .unwrap();
        assert_eq!(
            cases[0].end,
            JunitEnd::Failed { kind: "T".to_owned(), text: "deep".to_owned() }
        );
        assert_eq!(counts(&cases).failed, 2);
    }

    #[test]
    fn a_status_says_how_a_case_ended_where_no_element_does() {
        let cases = read(
            b"<testsuite><testcase name='a' status='run' result='completed'/><testcase name='b' status='disabled'/>\
            <testcase name='c' status='notrun' result='suppressed'/><testcase name='d' status='failed'/></testsuite>",
        )
        .unwrap();
        assert_eq!(counts(&cases), Counts { passed: 1, failed: 1, errored: 0, skipped: 2 });
    }

    #[test]
    fn numbers_that_do_not_fit_the_cases_are_told() {
        let told = |text: &str| read_report(text.as_bytes()).unwrap().disagreements;
        assert!(
            told("<testsuite tests='1' failures='0'><testcase name='a'/></testsuite>").is_empty()
        );
        assert!(
            told("<testsuite name='s' tests='2'><testcase name='a'/></testsuite>")[0]
                .contains("2 tests")
        );
        assert!(
            told("<testsuite errors='1'><testcase name='a'/></testsuite>")[0].contains("none did")
        );
        // Numbers of what is directly in a suite, and of everything below it.
        let nested = |outer: u8| {
            format!(
                "<testsuites tests='{outer}'><testsuite tests='1'><testcase name='a'/>\
                <testsuite tests='1'><testcase name='b'/></testsuite></testsuite></testsuites>"
            )
        };
        assert!(told(&nested(2)).is_empty());
        assert!(!told(&nested(3)).is_empty());
    }

    #[test]
    fn a_suite_that_broke_outside_its_tests_is_a_case_of_its_own() {
        let cases = read(
            b"<testsuite name='s' tests='0' errors='1'><error message='no set-up'/></testsuite>",
        )
        .unwrap();
        assert_eq!(cases[0].end, JunitEnd::Errored { text: "no set-up".to_owned() });
        assert_eq!(cases[0].class, "s");
    }
}
