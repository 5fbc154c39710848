//! Canaries for pytest and unittest: functions, or methods of a class, at the end of the module. Knows no report.

use super::appended;
use proctor_lang::Language;
use proctor_lang::syntax;

pub(super) fn with_canaries(source: &str, tag: &str) -> Option<String> {
    let parsed = Language::Python.parse(source)?;
    let fields = |kind: &'static str, field: &'static str| {
        let nodes = syntax::nodes(parsed.root_node()).filter(move |n| n.kind() == kind);
        nodes.map(move |n| syntax::field(n, field, source))
    };
    let cases = fields("class_definition", "superclasses").any(|of| of.contains("TestCase"));
    let uses = |word| fields("call", "function").any(|f| f.rsplit('.').next() == Some(word));
    let functions = syntax::nodes(parsed.root_node()).any(|n| {
        n.kind() == "function_definition"
            && syntax::field(n, "name", source).starts_with("test")
            && n.parent().is_some_and(|p| p.kind() == "module")
    });
    if cases && !functions && !source.contains("pytest") {
        return Some(appended(source, &of_unittest(tag)));
    }
    // Imported under names of our own, so that no name of the file is hidden by them.
    let mut more = format!(
        "\
def test_{tag}_passes():
    assert 1 + 1 == 2


def test_{tag}_fails():
    assert 1 + 1 == 3


import pytest as {tag}_pytest


@{tag}_pytest.mark.skip(reason=\"a canary\")
def test_{tag}_skips():
    assert 1 + 1 == 3
"
    );
    if cases {
        more.extend([format!(
            "

import unittest as {tag}_unittest


class Test_{tag}({tag}_unittest.TestCase):
    def test_{tag}_fails_too(self):
        self.assertEqual(1, 2)

    def test_{tag}_fails_true(self):
        self.assertTrue(1 == 2)
"
        )]);
    }
    if uses("raises") {
        more.extend([format!(
            "

def test_{tag}_fails_raises():
    with {tag}_pytest.raises(ValueError):
        pass
"
        )]);
    }
    if uses("approx") {
        more.extend([format!(
            "

def test_{tag}_fails_approx():
    assert 1.0 == {tag}_pytest.approx(2.0)
"
        )]);
    }
    Some(appended(source, &more))
}

/// For a file that pytest may have no part in.
fn of_unittest(tag: &str) -> String {
    format!(
        "\
import unittest as {tag}_unittest


class Test_{tag}({tag}_unittest.TestCase):
    def test_{tag}_passes(self):
        self.assertEqual(1 + 1, 2)

    def test_{tag}_fails(self):
        if 1 + 1 != 3:
            raise AssertionError('a canary')

    def test_{tag}_fails_too(self):
        self.assertEqual(1, 2)

    def test_{tag}_fails_true(self):
        self.assertTrue(1 == 2)

    @{tag}_unittest.skip(\"a canary\")
    def test_{tag}_skips(self):
        self.assertEqual(1 + 1, 3)
"
    )
}
