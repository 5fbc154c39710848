use super::*;
use crate::tree::MemoryTree;

fn found(source: &str) -> Vec<TestItem> {
    let tree: MemoryTree = [("tests/test_a.py", source)].into_iter().collect();
    items(&tree, &["tests/test_a.py".to_owned()])
}

fn shape(body: &str) -> Shape {
    let body = body.replace('\n', "\n    ");
    let list = found(&format!("def test_x():\n    {body}\n"));
    assert_eq!(list.len(), 1, "{body}");
    list[0].shape
}

#[test]
fn functions_classes_and_unittest_methods_have_their_pytest_ids() {
    let list = found(
        "import unittest

def helper(): pass

async def test_a():
    assert f() == 1

class TestB:
    @pytest.mark.parametrize('x', [1])
    def test_c(self, x):
        assert x
    def other(self): pass
    class TestInner:
        def test_d(self): assert g()

class Suite(unittest.TestCase):
    def test_e(self):
        self.assertEqual(f(), 1)

class Plain:
    def test_not(self): pass
",
    );
    let ids: Vec<&str> = list.iter().map(|i| i.id.as_str()).collect();
    assert_eq!(
        ids,
        [
            "tests/test_a.py::test_a",
            "tests/test_a.py::TestB::test_c",
            "tests/test_a.py::TestB::TestInner::test_d",
            "tests/test_a.py::Suite::test_e",
        ]
    );
    assert_eq!(list[1].text, "@pytest.mark.parametrize('x', [1]) def test_c(self, x): assert x");
    assert_eq!(list[0].place, Place { file: "tests/test_a.py".to_owned(), line: Some(5) });
    assert!(list.iter().all(|i| i.shape == Shape::Sound));
}

#[test]
fn a_body_that_checks_something_is_sound() {
    for body in [
        "assert f() == 1",
        "with pytest.raises(ValueError):\n    f()",
        "mock.assert_called_once()",
        "check_sum(f())",
        "if f():\n    pytest.fail('no')",
        "try:\n    f()\nexcept E:\n    return\npytest.fail('no')",
        "np.testing.assert_allclose(a, b)",
        "for x in y:\n    assert x",
        "expect(f()).to_be(1)",
        "x = f()\nif x:\n    raise AssertionError(x)",
        "assert x, 'm'",
    ] {
        assert_eq!(shape(body), Shape::Sound, "{body}");
    }
}

#[test]
fn a_body_without_a_check_is_seen() {
    for body in [
        "pass",
        "f()",
        "x = 1",
        "assert True",
        "assert 1 == 1",
        "print(f())",
        "f()\nassert 'a'",
        "self.assertTrue(True)",
        "\"\"\"doc\"\"\"",
    ] {
        assert_eq!(shape(body), Shape::NoAssertion, "{body}");
    }
}

#[test]
fn a_body_that_always_fails_is_seen() {
    for body in [
        "assert False",
        "assert 0, 'later'",
        "pytest.fail('x')",
        "raise NotImplementedError",
        "f()\nassert False",
        "self.fail()",
        "assert 1 == 2",
        "assert not True",
        "assert None",
        "self.assertTrue(False)",
    ] {
        assert_eq!(shape(body), Shape::ConstantFailure, "{body}");
    }
}

#[test]
fn skips_are_seen_wherever_they_are_written() {
    for source in [
        "@pytest.mark.skip\ndef test_x():\n    assert f()\n",
        "@pytest.mark.xfail(reason='x')\ndef test_x():\n    assert f()\n",
        "@unittest.skip('x')\ndef test_x():\n    assert f()\n",
        "def test_x():\n    pytest.skip('x')\n    assert f()\n",
        "@pytest.mark.skip(reason='x')\nclass TestA:\n    def test_x(self):\n        assert f()\n",
        "pytestmark = pytest.mark.skip\ndef test_x():\n    assert f()\n",
        "def test_x():\n    raise unittest.SkipTest('x')\n",
    ] {
        assert_eq!(found(source)[0].shape, Shape::Skipped, "{source}");
    }
    assert_eq!(
        found("@pytest.mark.skipif(a, reason='x')\ndef test_x():\n    assert f()\n")[0].shape,
        Shape::Sound
    );
    assert_eq!(shape("if w:\n    pytest.skip('x')\nassert f()"), Shape::Sound);
}

#[test]
fn a_helper_of_the_same_file_counts_only_if_it_checks() {
    let with = |helper: &str| {
        found(&format!("def check_it(x):\n    {helper}\n\ndef test_x():\n    check_it(f())\n"))[0]
            .shape
    };
    assert_eq!(with("assert x == 1"), Shape::Sound);
    assert_eq!(with("return x"), Shape::NoAssertion);
    let named = |helper: &str| {
        let source = format!(
            "class TestA:\n    def refute_it(self, x):\n        {helper}\n\n    def test_x(self):\n        self.refute_it(f())\n"
        );
        found(&source)[0].shape
    };
    assert_eq!(named("self.assertIsNone(x)"), Shape::Sound, "whatever its name");
    assert_eq!(named("if x: raise ValueError"), Shape::NoAssertion);
}
