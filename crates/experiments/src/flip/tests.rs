use super::*;

/// What each edit makes of the line where it stands, in the order of the edits.
fn twins(file: &str, source: &str, test: &str) -> Vec<String> {
    let at = source.find(test).unwrap();
    let line = u32::try_from(source[..at].matches('\n').count() + 1).unwrap();
    let edits = flips(file, source, line);
    let changed = |edit: &Edit| {
        let twin = edit.apply(source);
        let row = usize::try_from(edit.line).unwrap() - 1;
        twin.lines().nth(row).unwrap().trim().to_owned()
    };
    edits.iter().map(changed).collect()
}

/// The only edit of a test with this statement.
fn one(file: &str, before: &str, after: &str, statement: &str) -> Option<String> {
    let source = format!("{before}{statement}{after}");
    let start = before.rfind("test").unwrap();
    let line = u32::try_from(before[..start].matches('\n').count() + 1).unwrap();
    let edits = flips(file, &source, line);
    assert!(edits.len() < 2, "{statement}: {edits:?}");
    let text = edits.first()?.apply(&source);
    Some(text[before.len()..text.len() - after.len()].to_owned())
}

fn python(statement: &str) -> String {
    one("test_a.py", "def test_a(x):\n    ", "\n", statement).unwrap_or_default()
}

fn rust(statement: &str) -> String {
    one("tests/a.rs", "#[test]\nfn test_a() {\n    ", "\n}\n", statement).unwrap_or_default()
}

fn script(statement: &str) -> String {
    let before = "import assert from 'node:assert'\nimport { test, expect } from 'vitest'\ntest('a', async () => {\n  ";
    let source = format!("{before}{statement}\n}})\n");
    let edits = flips("a.test.ts", &source, 3);
    assert!(edits.len() < 2, "{statement}: {edits:?}");
    let Some(edit) = edits.first() else {
        return String::new();
    };
    let text = edit.apply(&source);
    text[before.len()..text.len() - 4].to_owned()
}

fn go(statement: &str) -> String {
    one("a_test.go", "package a\nfunc Testtest(t *testing.T) {\n\t", "\n}\n", statement)
        .unwrap_or_default()
}

#[test]
fn python_literals_become_other_literals() {
    for (was, is) in [
        ("assert f(1) == 3", "assert f(1) == 4"),
        ("assert f() == -3", "assert f() == -4"),
        ("assert 'a' == f()", "assert 'a~another~' == f()"),
        ("assert f() == True", "assert f() == False"),
        ("assert f() == None", "assert f() == \"another\""),
        ("assert f() == [1, 'a']", "assert f() == [2, 'a~another~']"),
        ("assert f() == []", "assert f() == [\"another\"]"),
        ("assert f() == {}", "assert f() == {\"another\": 1}"),
        ("assert f() == ()", "assert f() == (\"another\", )"),
        ("assert f() == (a, b)", "assert f() == (\"another\", a, b)"),
        ("assert f() == {1, 2}", "assert f() == {\"another\", 1, 2}"),
        ("assert f() == {'a': 1}", "assert f() == {'a': 2}"),
        ("assert f() == pytest.approx(0.5, abs=1)", "assert f() == pytest.approx(1001.5, abs=1)"),
        ("assert f() == 3, 'text'", "assert f() == 4, 'text'"),
        ("assert f() == f'{x} a'", "assert f() == f'{x} a~another~'"),
        ("assert a and f() == 3", "assert a and f() == 4"),
        ("assert 'a' in f()", "assert 'a~another~' in f()"),
        ("self.assertEqual(f(), 3)", "self.assertEqual(f(), 4)"),
        ("self.assertAlmostEqual(f(), 3.0)", "self.assertAlmostEqual(f(), 1009.0)"),
        ("mock.assert_called_once_with(3)", "mock.assert_called_once_with(4)"),
        ("assert f() == expected", "assert f() == [expected, \"another\"]"),
        ("assert f() == Money(3)", "assert f() == [Money(3), \"another\"]"),
        ("self.assertEqual(a, b)", "self.assertEqual(a, [b, \"another\"])"),
    ] {
        assert_eq!(python(was), is);
    }
}

#[test]
fn python_conditions_are_turned_round() {
    for (was, is) in [
        ("assert f() != 3", "assert f() == 3"),
        ("assert f() is None", "assert f() is not None"),
        ("assert f() is not None", "assert f() is None"),
        ("assert x in f()", "assert x not in f()"),
        ("assert 3 not in f()", "assert 3 in f()"),
        ("assert f() < 3", "assert f() >= 3"),
        ("assert 1 < f() < 3", "assert not (1 < f() < 3)"),
        ("assert f()", "assert not (f())"),
        ("assert not f()", "assert (f())"),
        ("assert f() == 3 or x", "assert not (f() == 3 or x)"),
        ("assert isinstance(f(), int)", "assert not (isinstance(f(), int))"),
        ("self.assertTrue(f())", "self.assertFalse(f())"),
        ("self.assertIsNone(f())", "self.assertIsNotNone(f())"),
        ("self.assertGreater(f(), 3)", "self.assertLessEqual(f(), 3)"),
        ("mock.assert_not_called()", "mock.assert_called()"),
        (
            "with pytest.raises(ValueError):\n        f()",
            "with pytest.raises(__import__(\"zlib\").error):\n        f()",
        ),
        ("pytest.raises(ValueError, f, 1)", "pytest.raises(__import__(\"zlib\").error, f, 1)"),
        (
            "with self.assertRaises(KeyError): f()",
            "with self.assertRaises(__import__(\"zlib\").error): f()",
        ),
    ] {
        assert_eq!(python(was), is);
    }
}

#[test]
fn what_may_not_run_is_left_alone_in_python() {
    for statement in [
        "if x:\n        assert f() == 3",
        "for y in g():\n        assert f(y) == 3",
        "for y in []:\n        assert f(y) == 3",
        "try:\n        assert f() == 3\n    except Exception:\n        pass",
        "if x:\n        return\n    assert f() == 3",
        "with pytest.raises(zlib.error):\n        assert f() == 3",
        "with suppress(Exception):\n        assert f() == 3",
        "def inner():\n        assert f() == 3",
        "assert 1 == 1",
        "assert (f() == 3, 'always')",
        "while x:\n        assert f() == 3",
    ] {
        assert_eq!(python(statement), "", "{statement}");
    }
    for statement in [
        "for y in [1, 2]:\n        assert f(y) == 3",
        "for y in range(3):\n        assert f(y) == 3",
        "rows = [1]\n    for y in rows:\n        assert f(y) == 3",
        "with open(x) as y:\n        assert f(y) == 3",
        "with self.subTest(i=1):\n        assert f(y) == 3",
        "try:\n        assert f(y) == 3\n    finally:\n        g()",
    ] {
        assert!(
            python(statement).ends_with("== 4") || python(statement).contains("== 4\n"),
            "{statement}"
        );
    }
    assert!(
        flips("test_a.py", "@pytest.mark.xfail\ndef test_a():\n    assert f() == 3\n", 2)
            .is_empty()
    );
}

#[test]
fn methods_and_rows_of_python_tests_have_twins_in_order() {
    let source = "\
class TestA:
    @pytest.mark.parametrize('x, want', [(1, 2)])
    def test_a(self, x, want):
        assert g(x)
        assert f(x) == want
        assert f(3) == 4
";
    assert_eq!(
        twins("test_a.py", source, "def test_a"),
        ["assert f(x) == [want, \"another\"]", "assert f(3) == 5", "assert not (g(x))"]
    );
}

#[test]
fn rust_assertions_get_other_values_or_are_turned_round() {
    for (was, is) in [
        ("assert_eq!(f(1), 3);", "assert_eq!(f(1), 4);"),
        ("assert_eq!(f(1), 255u8, \"text\");", "assert_eq!(f(1), 254u8, \"text\");"),
        ("assert_eq!(\"a\".to_string(), f());", "assert_eq!(\"a~another~\".to_string(), f());"),
        ("assert_eq!(f(), vec![1, 2]);", "assert_eq!(f(), vec![2, 3]);"),
        ("assert_eq!(f(), [0; 3]);", "assert_eq!(f(), [1; 3]);"),
        (
            "assert_eq!(f(), Some(Money { cents: 3, name: n }));",
            "assert_eq!(f(), Some(Money { cents: 4, name: n }));",
        ),
        ("assert_eq!(f(), Token::Number(-3.5));", "assert_eq!(f(), Token::Number(-4.5));"),
        ("assert_eq!(f(), 'a');", "assert_eq!(f(), 'x');"),
        ("assert_eq!(f(), b\"ab\");", "assert_eq!(f(), b\"ax\");"),
        ("assert_eq!(f(), r#\"a\"#);", "assert_eq!(f(), r#\"a~another~\"#);"),
        ("assert_eq!(f(), g());", "assert_ne!(f(), g());"),
        ("assert_eq!(f(), Vec::new());", "assert_ne!(f(), Vec::new());"),
        ("assert_ne!(f(), 3);", "assert_eq!(f(), 3);"),
        ("assert!(f() == 3);", "assert!(f() == 4);"),
        ("assert!(f().is_ok(), \"{x}\");", "assert!(!(f().is_ok()), \"{x}\");"),
        ("assert!(matches!(f(), Some(3)));", "assert!(!(matches!(f(), Some(3))));"),
        ("assert!(f() > 3);", "assert!(!(f() > 3));"),
        ("let want = 3; assert_eq!(f(), want);", "let want = 4; assert_eq!(f(), want);"),
        ("let n = 3; assert_eq!(f(n), n);", "let n = 3; assert_ne!(f(n), n);"),
        ("for x in [1, 2] { assert_eq!(f(x), 3); }", "for x in [1, 2] { assert_eq!(f(x), 4); }"),
        ("for x in 0..3 { assert_eq!(f(x), 3); }", "for x in 0..3 { assert_eq!(f(x), 4); }"),
        ("for x in g() { assert_eq!(f(x), 3); }", ""),
        ("if let Some(x) = f() { assert_eq!(x, 3); }", ""),
        ("if x { return; } assert_eq!(f(), 3);", ""),
        ("assert_eq!(1, 1);", ""),
        ("pretty_assertions::assert_eq!(f(), 3);", "pretty_assertions::assert_eq!(f(), 4);"),
    ] {
        assert_eq!(rust(was), is);
    }
    assert!(
        flips("a.rs", "#[test]\n#[should_panic]\nfn a() { assert_eq!(f(), 3); }", 3).is_empty()
    );
}

#[test]
fn scripts_get_other_values_or_are_turned_round() {
    for (was, is) in [
        ("expect(f(1)).toBe(3)", "expect(f(1)).toBe(4)"),
        (
            "expect(f(1)).toEqual({ a: 1, b: ['x'] })",
            "expect(f(1)).toEqual({ a: 2, b: ['x~another~'] })",
        ),
        ("expect(f(1)).toEqual(want)", "expect(f(1)).toEqual([want, \"another\"])"),
        ("expect(f(1)).toEqual({ a })", "expect(f(1)).toEqual({\"another\": 1,  a })"),
        ("expect(f(1)).toBe(null)", "expect(f(1)).toBe(\"another\")"),
        ("expect(f(1)).not.toBe(3)", "expect(f(1)).toBe(3)"),
        ("expect(f(1)).toBeTruthy()", "expect(f(1)).not.toBeTruthy()"),
        ("expect(() => f()).toThrow('x')", "expect(() => f()).not.toThrow('x')"),
        ("expect(f()).toHaveLength(3)", "expect(f()).toHaveLength(4)"),
        ("expect(f()).toBeCloseTo(0.5, 1)", "expect(f()).toBeCloseTo(1001.5, 1)"),
        ("expect(f()).toContain('a')", "expect(f()).toContain('a~another~')"),
        ("expect(f()).toContain(3)", "expect(f()).not.toContain(3)"),
        ("await expect(f()).resolves.toBe(3)", "await expect(f()).resolves.toBe(4)"),
        ("await expect(f()).rejects.toThrow()", "await expect(f()).rejects.not.toThrow()"),
        ("expect(f()).rejects.toThrow()", ""),
        ("expect(f()).toMatchSnapshot()", ""),
        ("expect(f()).to.equal(3)", "expect(f()).to.equal(4)"),
        ("expect(f()).to.be.true", "expect(f()).not.to.be.true"),
        ("expect(f()).to.not.be.true", "expect(f()).to.be.true"),
        ("assert.equal(f(), 3)", "assert.equal(f(), 4)"),
        ("assert.deepStrictEqual(f(), g())", "assert.deepStrictEqual(f(), [g(), \"another\"])"),
        ("assert.notEqual(f(), 3)", "assert.equal(f(), 3)"),
        ("assert.ok(f())", "assert.ok(!(f()))"),
        ("assert(f() === 3)", "assert(f() === 4)"),
        ("assert.throws(() => f())", "assert.doesNotThrow(() => f())"),
        ("await assert.rejects(f())", "await assert.doesNotReject(f())"),
        ("assert.rejects(f())", ""),
        (
            "for (const x of [1, 2]) { expect(f(x)).toBe(3) }",
            "for (const x of [1, 2]) { expect(f(x)).toBe(4) }",
        ),
        ("for (const x of g()) { expect(f(x)).toBe(3) }", ""),
        ("if (x) { expect(f()).toBe(3) }", ""),
        ("if (x) return; expect(f()).toBe(3)", ""),
        ("expect(1).toBe(1)", ""),
        ("expect.assertions(3)", ""),
        ("f(() => { expect(f()).toBe(3) })", ""),
    ] {
        assert_eq!(script(was), is);
    }
    let rows = "import { it, expect } from 'vitest'\nit.each([[1, 2]])('a %i', (a, want) => expect(f(a)).toBe(want))\n";
    assert_eq!(flips("a.test.js", rows, 2).len(), 1);
    assert!(flips("a.test.js", "it.skip('a', () => expect(f()).toBe(3))\n", 1).is_empty());
}

#[test]
fn go_conditions_fail_the_other_way_round() {
    for (was, is) in [
        ("if f(1) != 3 { t.Error(\"no\") }", "if f(1) != 4 { t.Error(\"no\") }"),
        (
            "if got := f(1); got != \"a\" { t.Fatalf(\"no\") }",
            "if got := f(1); got != \"a~another~\" { t.Fatalf(\"no\") }",
        ),
        ("if f(1) != g(1) { t.Error(\"no\") }", "if f(1) == g(1) { t.Error(\"no\") }"),
        ("if err != nil { t.Fatal(err) }", "if err == nil { t.Fatal(err) }"),
        ("if !ok(f()) { t.Error(\"no\") }", "if (ok(f())) { t.Error(\"no\") }"),
        ("if f() > 3 { t.Error(\"no\") }", "if f() <= 3 { t.Error(\"no\") }"),
        (
            "if !reflect.DeepEqual(f(), []int{1, 2}) { t.Error(\"no\") }",
            "if !reflect.DeepEqual(f(), []int{2, 3}) { t.Error(\"no\") }",
        ),
        (
            "if err != nil || f() != 3 { t.Error(\"no\") }",
            "if err != nil || f() != 4 { t.Error(\"no\") }",
        ),
        (
            "want := 3; if f() != want { t.Error(want) }",
            "want := 4; if f() != want { t.Error(want) }",
        ),
        ("n := 3; if f(n) != n { t.Error(n) }", "n := 3; if f(n) == n { t.Error(n) }"),
        (
            "w := \"a\"; list := []string{w}; if f(list) != w { t.Error(w) }",
            "w := \"a\"; list := []string{w}; if f(list) == w { t.Error(w) }",
        ),
        ("if abs(f()-3) > 0.1 { t.Fail() }", "if abs(f()-3) <= 0.1 { t.Fail() }"),
        ("if f() != 3 { t.Log(\"no\") }", ""),
        ("if x { if f() != 3 { t.Error(\"no\") } }", ""),
        ("if x { return }; if f() != 3 { t.Error(\"no\") }", ""),
        ("assert.Equal(t, 3, f())", "assert.Equal(t, 4, f())"),
        ("require.Equal(t, a(), f())", "require.NotEqual(t, a(), f())"),
        ("assert.Truef(t, f(), \"x\")", "assert.Falsef(t, f(), \"x\")"),
        ("assert.Len(t, f(), 3)", "assert.Len(t, f(), 4)"),
        ("assert.Contains(t, f(), \"a\")", "assert.Contains(t, f(), \"a~another~\")"),
        (
            "t.Run(\"a\", func(t *testing.T) { if f() != 3 { t.Error(\"no\") } })",
            "t.Run(\"a\", func(t *testing.T) { if f() != 4 { t.Error(\"no\") } })",
        ),
    ] {
        assert_eq!(go(was), is);
    }
}

#[test]
fn a_go_table_gets_another_wanted_value() {
    let source = "\
package a

func TestTable(t *testing.T) {
	tests := []struct {
		name string
		in, want int
	}{
		{\"one\", 1, 2},
		{name: \"two\", in: 2, want: 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := f(tt.in); got != tt.want {
				t.Errorf(\"%d\", tt.want)
			}
		})
	}
}
";
    assert_eq!(twins("a_test.go", source, "func TestTable"), ["{\"one\", 1, 3},"]);
    let keyed = source.replace("{\"one\", 1, 2},\n", "");
    assert_eq!(twins("a_test.go", &keyed, "func TestTable"), ["{name: \"two\", in: 2, want: 4},"]);
    let ways = source.replace("f(tt.in)", "f(tt.want)");
    assert_eq!(
        twins("a_test.go", &ways, "func TestTable"),
        ["if got := f(tt.want); got == tt.want {"]
    );
    let leaves = source.replace("\t\t\tif got", "\t\t\tif tt.in > 1 { return }\n\t\t\tif got");
    assert!(twins("a_test.go", &leaves, "func TestTable").is_empty());
}

#[test]
fn junit_assertions_get_other_values_or_are_turned_round() {
    let java = |statement: &str| {
        let before =
            "import static org.junit.Assert.*;\nclass A {\n    @Test\n    void a() {\n        ";
        let source = format!("{before}{statement}\n    }}\n}}\n");
        let edits = flips("ATest.java", &source, 3);
        edits.first().map_or(String::new(), |edit| {
            edit.apply(&source)[before.len()..].trim_end_matches(['}', '\n', ' ']).to_owned()
        })
    };
    for (was, is) in [
        ("assertEquals(3, f());", "assertEquals(4, f());"),
        ("assertEquals(3.5, f(), 0.1);", "assertEquals(1010.5, f(), 0.1);"),
        ("assertEquals(\"text\", a(), f());", "assertNotEquals(\"text\", a(), f());"),
        ("assertTrue(f());", "assertFalse(f());"),
        ("assertEquals(1, 1);", ""),
    ] {
        assert_eq!(java(was), is);
    }
}
