//! A tolerant reader of `JUnit` XML: every tool writes its own dialect. Gives what stands there, judges nothing.

use proctor_core::report::Counts;
use roxmltree::{Document, Node};
use std::collections::BTreeMap;

/// One `testcase` element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JunitCase {
    /// The name of the suite around it.
    pub suite: String,
    pub class: String,
    pub name: String,
    pub end: JunitEnd,
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

/// Every test case of a report. The error says what is wrong with the text.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<JunitCase>, String> {
    let text = String::from_utf8_lossy(bytes);
    // Some tools write characters that XML does not allow; they carry nothing that is judged here.
    let clean: String =
        text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t')).collect();
    let document = Document::parse(&clean).map_err(|e| e.to_string())?;
    let root = document.root_element();
    if !matches!(root.tag_name().name(), "testsuites" | "testsuite") {
        return Err(format!("its root element is <{}>", root.tag_name().name()));
    }
    let cases = root.descendants().filter(|n| n.has_tag_name("testcase")).map(case).collect();
    Ok(cases)
}

fn case(node: Node<'_, '_>) -> JunitCase {
    let attribute = |n: Node<'_, '_>, key: &str| n.attribute(key).unwrap_or("").to_owned();
    let inner = |tag: &str| {
        node.children().find(|c| c.has_tag_name(tag)).map(|c| whole_text(c)).unwrap_or_default()
    };
    let find = |tag: &str| node.children().find(|c| c.has_tag_name(tag));
    let told = |n: Node<'_, '_>| {
        let (message, text) = (attribute(n, "message"), whole_text(n));
        if text.trim().is_empty() { message } else { text }
    };
    let end = if let Some(error) = find("error") {
        JunitEnd::Errored { text: told(error) }
    } else if let Some(failure) = find("failure") {
        JunitEnd::Failed { kind: attribute(failure, "type"), text: told(failure) }
    } else if let Some(skipped) = find("skipped") {
        JunitEnd::Skipped(attribute(skipped, "message"))
    } else {
        JunitEnd::Passed
    };
    JunitCase {
        suite: node.parent().map(|p| attribute(p, "name")).unwrap_or_default(),
        class: attribute(node, "classname"),
        name: attribute(node, "name"),
        end,
        took_ms: node.attribute("time").and_then(millis),
        stdout: inner("system-out"),
        stderr: inner("system-err"),
    }
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
}
