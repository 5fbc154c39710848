use super::*;
use proctor_core::item::Shape;
use proctor_lang::{Language, MemoryTree, go, java, js, python, rust};

const TAG: &str = "canary_k3f9x2";

/// The ids of our tests in a file, as the reader of the language finds them.
fn planted(more: &[(&str, &str)], file: &str, source: &str) -> Vec<(String, Shape)> {
    let text = with_canaries(file, source, TAG).unwrap();
    let files = more.iter().copied().chain([(file, text.as_str())]);
    let tree: MemoryTree = files.collect();
    let items = match Language::of(file).unwrap() {
        Language::Python => python::items::items,
        Language::Rust => rust::items::items,
        Language::Go => go::items::items,
        Language::Java => java::items::items,
        Language::Script(_) => js::items::items,
    };
    let items = items(&tree, &[file.to_owned()]);
    let ours = items.into_iter().filter(|item| item.id.as_str().contains(TAG));
    ours.map(|item| (item.id.as_str().to_owned(), item.shape)).collect()
}

fn ends(found: &[(String, Shape)]) -> Vec<String> {
    let end = |id: &str| id.split(&format!("{TAG}_")).last().unwrap().to_owned();
    let mut list: Vec<String> = found.iter().map(|(id, _)| end(id)).collect();
    list.sort();
    list
}

#[test]
fn pytest_files_get_functions_and_their_own_means() {
    let plain = planted(&[], "tests/test_a.py", "def test_a(): assert 1\n");
    assert_eq!(ends(&plain), ["fails", "passes", "skips"]);
    assert_eq!(plain[0].0, format!("tests/test_a.py::test_{TAG}_passes"));
    assert_eq!(plain[2].1, Shape::Skipped);
    let source = "from unittest import TestCase\nfrom pytest import raises, approx\nclass A(TestCase):\n    \
                  def test_a(self):\n        with raises(X): f(approx(1))\nif __name__ == '__main__': main()";
    let all = planted(&[], "tests/test_a.py", source);
    let wanted =
        ["fails", "fails_approx", "fails_raises", "fails_too", "fails_true", "passes", "skips"];
    assert_eq!(ends(&all), wanted);
    // Where pytest may not be there.
    let alone = "import unittest\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertTrue(1)\n";
    let found = planted(&[], "tests/test_a.py", alone);
    assert_eq!(ends(&found), ["fails", "fails_too", "fails_true", "passes", "skips"]);
    // A file that is skipped as a whole skips ours too, and says so.
    let marked = planted(&[], "test_a.py", "import pytest\npytestmark = pytest.mark.skip\n");
    assert!(marked.iter().all(|(_, shape)| *shape == Shape::Skipped));
}

#[test]
fn rust_files_get_functions_where_their_tests_are() {
    let manifest = [("Cargo.toml", "[package]\nname = \"a\"\n")];
    let inline = "pub fn f() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() { assert_eq!(1, f()); }\n}\n\
                  mod after {}\n";
    let found = planted(&manifest, "src/lib.rs", inline);
    assert_eq!(ends(&found), ["fails", "fails_too", "passes", "skips"]);
    assert_eq!(found[0].0, format!("a tests::{TAG}_passes"));
    let found = planted(&manifest, "tests/b.rs", "use tokio::test;\n#[test]\nasync fn a() {}");
    assert_eq!(found[0].0, format!("a::b {TAG}_passes"));
    let text = with_canaries("tests/b.rs", "use tokio::{sync, test};\n", TAG).unwrap();
    assert!(text.contains("#[::core::prelude::v1::test]"));
    assert_eq!(with_canaries("src/a.rs", "pub fn f() {}\n#[cfg(test)]\nmod tests;\n", TAG), None);
    assert!(with_canaries("src/a.rs", "#[cfg(test)]\nmod tests { made!(); }\n", TAG).is_some());
    assert!(with_canaries("src/a/tests.rs", "made!();\n", TAG).is_some());
}

#[test]
fn go_files_get_functions_with_their_own_name_of_testing() {
    let module = [("go.mod", "module example.com/a\n")];
    let source = "package a\nimport (\n\tt2 \"testing\"\n\t\"github.com/stretchr/testify/require\"\n)\n\
                  func TestA(t *t2.T) { require.True(t, true) }\n";
    let found = planted(&module, "a_test.go", source);
    assert_eq!(ends(&found), ["fails", "fails_too", "passes", "skips"]);
    assert_eq!(found[0].0, format!("example.com/a Test_{TAG}_passes"));
    assert_eq!(with_canaries("a_test.go", "package a\n", TAG), None);
    let dotted = "package a\nimport . \"testing\"\nfunc TestA(t *T) {}\n";
    assert_eq!(ends(&planted(&module, "a_test.go", dotted)), ["fails", "passes", "skips"]);
}

#[test]
fn scripts_get_tests_by_the_names_that_they_use() {
    for (source, callee, wanted) in [
        (
            "import { it as check, expect } from 'vitest'\ncheck.each([1])('a %i', (n) => { expect(n).toBe(1) })\n",
            "check",
            vec!["fails", "fails_equal", "fails_too", "passes", "skips"],
        ),
        (
            "describe('a', () => { xit('b', () => { expect(() => f()).toThrow() }) })",
            "it",
            vec!["fails", "fails_equal", "fails_throw", "fails_too", "passes", "skips"],
        ),
        (
            "const test = require('node:test')\nconst assert = require('node:assert')\ntest('a', async (t) => { \
             await t.test('b', () => assert.ok(1)) })\n",
            "test",
            vec!["fails", "fails_assert", "fails_deep", "passes", "skips"],
        ),
        (
            "import * as nt from 'node:test'\nnt.it('a', () => {})\n",
            "nt.it",
            vec!["fails", "passes", "skips"],
        ),
        (
            "import { describe, test } from 'vitest'\nimport { shared } from './shared'\ndescribe('a', shared)\n",
            "test",
            vec!["fails", "passes", "skips"],
        ),
        (
            "import test from 'ava'\ntest('a', (t) => { t.is(1, 1) })\n",
            "test",
            vec!["fails", "fails_own", "passes", "skips"],
        ),
        (
            "import t from 'tap'\nt.test('a', async (t) => { t.equal(1, 1) })\n",
            "t.test",
            vec!["fails", "fails_own", "passes", "skips"],
        ),
        (
            "import { test } from 'uvu'\nimport * as assert from 'uvu/assert'\ntest('a', () => assert.ok(1))\ntest.run()\n",
            "test",
            vec!["fails", "fails_assert", "passes", "skips"],
        ),
        ("Deno.test('a', () => {})\n", "Deno.test", vec!["fails", "passes", "skips"]),
    ] {
        let found = planted(&[], "a.test.ts", source);
        assert_eq!(ends(&found), wanted, "{source}");
        assert_eq!(found[0].0, format!("a.test.ts > {TAG}_passes"));
        let text = with_canaries("a.test.ts", source, TAG).unwrap();
        assert!(text.contains(&format!("\n;{callee}('{TAG}_passes'")), "{text}");
    }
    assert_eq!(with_canaries("a.test.js", "export const x = 1\n", TAG), None);
}

#[test]
fn java_classes_get_methods_of_their_own_junit() {
    let four = "package shop;\nimport static org.junit.Assert.*;\nimport org.junit.*;\npublic class CartTest {\n    \
                @Test public void a() { assertTrue(true); }\n}\n";
    let found = planted(&[], "src/test/java/shop/CartTest.java", four);
    assert_eq!(ends(&found), ["fails", "fails_too", "passes", "skips"]);
    assert_eq!(found[0].0, format!("shop.CartTest::test_{TAG}_passes"));
    let five = "import org.junit.jupiter.api.Test;\nclass CartTest { @Test void a() {} }\n";
    let text = with_canaries("CartTest.java", five, TAG).unwrap();
    assert!(text.contains("@org.junit.jupiter.api.Test @org.junit.jupiter.api.Disabled"));
    assert_eq!(with_canaries("CartTest.java", "class CartTest {}", TAG), None);
}

#[test]
fn other_files_have_no_canaries() {
    assert_eq!(with_canaries("tests/data.json", "{}", TAG), None);
}
