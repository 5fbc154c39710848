//! Canaries under the real tools: each ends as its name says, beside the tests of the file.

use crate::go_stage::go_stage;
use crate::js_stage::{js_stage, said};
use crate::maven_stage::{CART, JUNIT5, maven, pom};
use crate::stage::{Stage, cargo, pytest};
use proctor_core::report::{CaseEnd, TestReport};
use proctor_experiments::with_canaries;
use proctor_lang::FolderTree;
use proctor_tools::Nextest;

const TAG: &str = "canary_k3f9x2";

/// Plants canaries in a file, runs, and says how many there were and that each ended as it must.
fn planted(stage: Option<Stage>, file: &str, count: usize) -> Option<TestReport> {
    let mut stage = stage?;
    let source = std::fs::read_to_string(stage.ask.tree.join(file)).unwrap();
    stage.write(file, &with_canaries(file, &source, TAG).unwrap());
    let report = stage.finished();
    let items = stage.runner.items(&FolderTree::new(&stage.ask.tree), &[file.to_owned()]);
    let ours = items.iter().filter(|item| item.id.as_str().contains(TAG));
    let mut seen = 0;
    for item in ours {
        let id = item.id.as_str();
        let end = report.cases.get(&item.id).map(|case| &case.end);
        let as_said = match id {
            _ if id.contains("_passes") => matches!(end, Some(CaseEnd::Passed)),
            _ if id.contains("_skips") => matches!(end, Some(CaseEnd::Skipped { .. })),
            _ => id.contains("_fails") && matches!(end, Some(CaseEnd::Failed { .. })),
        };
        assert!(as_said, "{id}: {end:?}\n{}", said(&stage));
        seen += 1;
    }
    assert_eq!(seen, count, "{report:#?}");
    Some(report)
}

/// How a test of the project itself ended.
fn word(report: &TestReport, name: &str) -> &'static str {
    let found = report.cases.iter().find(|(id, _)| id.as_str().ends_with(name));
    found.unwrap_or_else(|| panic!("no {name} in {report:#?}")).1.end.word()
}

#[test]
fn canaries_in_a_pytest_file_end_as_they_say() {
    let source = "import unittest\nfrom pytest import raises, approx\n\ndef test_own():\n    with raises(ValueError):\n        \
                  int('x')\n    assert 0.1 + 0.2 == approx(0.3)\n\nclass Suite(unittest.TestCase):\n    \
                  def test_unit(self):\n        self.assertEqual(1, 1)\n\nif __name__ == '__main__':\n    unittest.main()";
    let Some(report) = planted(pytest(&[("tests/test_a.py", source)]), "tests/test_a.py", 7) else {
        return;
    };
    assert_eq!(word(&report, "test_own"), "passed");
    assert_eq!(word(&report, "test_unit"), "passed");
}

#[test]
fn a_patched_means_of_a_pytest_file_betrays_itself() {
    let forged = "import unittest\nunittest.TestCase.assertEqual = lambda *a, **k: None\ndef f(): return 1\n";
    let source = "import unittest\nfrom shop import f\n\nclass Suite(unittest.TestCase):\n    \
                  def test_unit(self):\n        self.assertEqual(f(), 2)\n";
    let Some(mut stage) = pytest(&[("shop.py", forged), ("test_a.py", source)]) else {
        return;
    };
    stage.write("test_a.py", &with_canaries("test_a.py", source, TAG).unwrap());
    let report = stage.finished();
    assert_eq!(word(&report, &format!("test_{TAG}_fails_too")), "passed");
    assert_eq!(word(&report, &format!("test_{TAG}_fails")), "failed");
}

#[test]
fn canaries_in_rust_files_end_as_they_say() {
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2015\"\n";
    let lib = "pub fn add(a: i32, b: i32) -> i32 { a + b }\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    \
               fn own() { assert_eq!(add(1, 2), 3); assert!(add(1, 1) > 1); }\n}\n";
    let files = [("Cargo.toml", manifest), ("src/lib.rs", lib)];
    for nextest in [Nextest::Absent, Nextest::Installed] {
        if let Some(report) = planted(cargo(nextest, &files), "src/lib.rs", 5) {
            assert_eq!(word(&report, "tests::own"), "passed");
        }
    }
}

#[test]
fn canaries_in_a_rust_test_crate_are_not_fooled_by_its_macros() {
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let lib = "#[macro_export]\nmacro_rules! assert_eq { ($($t:tt)*) => {}; }\n";
    let test = "use demo::assert_eq;\nmod core {}\n#[test]\nfn own() { assert_eq!(1, 3); }\n";
    let files = [("Cargo.toml", manifest), ("src/lib.rs", lib), ("tests/a.rs", test)];
    let Some(mut stage) = cargo(Nextest::Absent, &files) else {
        return;
    };
    stage.write("tests/a.rs", &with_canaries("tests/a.rs", test, TAG).unwrap());
    let report = stage.finished();
    assert_eq!(word(&report, &format!("{TAG}_fails")), "failed");
    assert_eq!(word(&report, &format!("{TAG}_fails_too")), "passed");
    assert_eq!(word(&report, &format!("{TAG}_passes")), "passed");
}

#[test]
fn canaries_in_a_go_file_end_as_they_say() {
    let shop = "package shop\n\nfunc Add(a, b int) int { return a + b }\n";
    let test = "package shop\n\nimport check \"testing\"\n\nfunc TestOwn(t *check.T) {\n\tif Add(1, 2) != 3 {\n\t\t\
                t.Error(\"no\")\n\t}\n}\n";
    let files = [("shop.go", shop), ("shop_test.go", test)];
    if let Some(report) = planted(go_stage(&files), "shop_test.go", 3) {
        assert_eq!(word(&report, "TestOwn"), "passed");
    }
}

const EXPECTS: &str = "describe('a', () => {\n  it('own', () => { expect(1 + 1).toBe(2); \
                       expect(() => { throw new Error('x') }).toThrow() })\n})\n";

#[test]
fn canaries_in_a_vitest_file_end_as_they_say() {
    let source = format!("import {{ describe, it, expect }} from 'vitest'\n{EXPECTS}");
    let files = [("package.json", r#"{"type": "module"}"#), ("a.test.ts", source.as_str())];
    if let Some(report) = planted(js_stage("vitest", &files), "a.test.ts", 6) {
        assert_eq!(word(&report, "own"), "passed");
    }
}

#[test]
fn canaries_in_a_jest_file_end_as_they_say() {
    let files = [("package.json", crate::jest_runs::PACKAGE), ("a.test.js", EXPECTS)];
    if let Some(report) = planted(js_stage("jest", &files), "a.test.js", 6) {
        assert_eq!(word(&report, "own"), "passed");
    }
}

#[test]
fn canaries_in_a_node_file_end_as_they_say() {
    let source = "import { test } from 'node:test'\nimport assert from 'node:assert/strict'\ntest('own', () => { \
                  assert.equal(1 + 1, 2) })";
    let files = [("package.json", r#"{"type": "module"}"#), ("a.test.mjs", source)];
    if let Some(report) = planted(js_stage("node", &files), "a.test.mjs", 5) {
        assert_eq!(word(&report, "own"), "passed");
    }
}

#[cfg(test)]
mod slow {
    use super::*;

    #[test]
    fn canaries_in_a_junit_class_end_as_they_say() {
        let test = "package shop;\nimport static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.Test;\n\
                class CartTest {\n    @Test void own() { assertEquals(1, new Cart().add(3, 2)); }\n}\n";
        let pom = pom(JUNIT5);
        let file = "src/test/java/shop/CartTest.java";
        if let Some(report) = planted(maven(&[("pom.xml", &pom), CART, (file, test)]), file, 4) {
            assert_eq!(word(&report, "own"), "passed");
        }
    }
}
