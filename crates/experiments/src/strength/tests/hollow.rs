use super::*;

#[test]
fn a_hollow_test_is_told() {
    for (file, source, wanted) in [
        (
            "test_a.py",
            "def test_a():\n    with pytest.raises(Exception):\n        f(1)\n",
            "any failure",
        ),
        ("test_a.py", "def test_a():\n    assert f(1) == f(1)\n", "holds whatever"),
        ("test_a.py", "def test_a():\n    assert True\n", "holds whatever"),
        (
            "test_a.py",
            "def test_a():\n    m = MagicMock()\n    run(m)\n    m.go.assert_called_once()\n",
            "nothing but a stand-in",
        ),
        (
            "test_a.py",
            "def test_a():\n    if f(1):\n        assert f(1) == 1\n",
            "nothing is always checked",
        ),
        (
            "test_a.py",
            "def test_a():\n    try:\n        f(1)\n    except ValueError as e:\n        assert str(e) == 'x'\n",
            "nothing is always checked",
        ),
        (
            "test_a.py",
            "def test_a():\n    m = Mock(return_value=3)\n    assert m(1) == 3\n",
            "nothing but a stand-in",
        ),
        ("a.test.js", "it('a', () => { expect(() => f()).toThrow() })\n", "any failure"),
        ("a.test.js", "it('a', () => { expect(1).toBe(1) })\n", "holds whatever"),
        (
            "a.test.js",
            "it('a', () => { expect(f(1)).toEqual(expect.anything()) })\n",
            "holds whatever",
        ),
        ("a.test.js", "it('a', () => { expect(f(1)).toMatchObject({}) })\n", "holds whatever"),
        ("test_a.py", "def test_a():\n    assert f(1) == mock.ANY\n", "holds whatever"),
        (
            "a.test.js",
            "it('a', () => { const g = vi.fn(); run(g); expect(g).toHaveBeenCalled() })\n",
            "nothing but a stand-in",
        ),
        (
            "a.test.js",
            "it('a', () => { try { f() } catch (e) { expect(e.message).toBe('x') } })\n",
            "nothing is always checked",
        ),
        ("a.rs", "#[test]\n#[should_panic]\nfn a() { f(1); }\n", "any failure"),
        ("a.rs", "#[test]\nfn a() { assert!(true); }\n", "holds whatever"),
        (
            "a_test.go",
            "package a\nfunc TestA(t *testing.T) {\nif F(2) != F(2) {\nt.Error(1)\n}\n}\n",
            "holds whatever",
        ),
    ] {
        let told = oracle(file, source, line_of(source));
        assert!(told.iter().any(|t| t.contains(wanted)), "{source} {told:?}");
    }
}

#[test]
fn a_sound_test_is_not_called_hollow() {
    for (file, source) in [
        ("test_a.py", "def test_a():\n    with pytest.raises(ValueError):\n        f(1)\n"),
        ("test_a.py", "def test_a():\n    assert f(f(1)) == f(1)\n"),
        (
            "test_a.py",
            "def test_a():\n    m = MagicMock()\n    assert run(m) == 3\n    m.go.assert_called_once()\n",
        ),
        (
            "test_a.py",
            "def test_a():\n    with pytest.raises(Exception) as e:\n        f(1)\n    assert 'x' in str(e.value)\n",
        ),
        (
            "test_a.py",
            "def test_a():\n    try:\n        f(1)\n        pytest.fail('no')\n    except ValueError as e:\n        assert str(e) == 'x'\n",
        ),
        (
            "test_a.py",
            "def test_a():\n    seen = []\n    run(seen.append)\n    assert seen == [1]\n",
        ),
        ("test_a.py", "def test_a():\n    n = count()\n    run()\n    assert count() == n\n"),
        ("test_a.py", "def test_a():\n    n = count()\n    run()\n    assert count() == n + 1\n"),
        (
            "test_a.py",
            "def test_a():\n    done = False\n    def f():\n        nonlocal done\n        done = True\n    run(f)\n    assert done\n",
        ),
        (
            "a.test.js",
            "it('a', () => { let done = false; run(() => { done = true }); expect(done).toBe(true) })\n",
        ),
        ("a.rs", "#[test]\nfn a() { let mut n = 0; run(|| n += 1); assert_eq!(n, 1); }\n"),
        (
            "a_test.go",
            "package a\nfunc TestA(t *testing.T) {\nn := 0\nRun(func() { n++ })\nif n != 1 {\nt.Error(n)\n}\n}\n",
        ),
        ("a.test.js", "it('a', () => { expect(() => f()).toThrow(/bad/) })\n"),
        ("a.rs", "#[test]\nfn a() { for i in 0..3 { assert_eq!(f(i), i); } }\n"),
        ("a_test.go", "package a\nfunc TestA(t *testing.T) {\nif F(2) != 4 {\nt.Error(1)\n}\n}\n"),
    ] {
        assert_eq!(oracle(file, source, line_of(source)), Vec::<String>::new(), "{source}");
    }
}

#[test]
fn a_test_without_any_assertion_on_the_code_is_vacuous() {
    let all = |source: &str| is_vacuous("test_a.py", source, line_of(source));
    assert!(all("def test_a():\n    assert f(3) == f(3)\n    assert True\n"));
    assert!(!all("def test_a():\n    assert f(3) == f(3)\n    assert f(3) == 6\n"));
    assert!(!all("def test_a():\n    pass\n"));
}

#[test]
fn a_project_may_call_its_functions_as_every_program_does() {
    for (file, source) in [
        (
            "a.test.js",
            "import { sum } from './a';\nit('a', () => { expect(sum([3, 5], 1)).toEqual(0) })\n",
        ),
        (
            "a.test.js",
            "const { parse } = require('./a');\nit('a', () => { expect(parse('3')).toBe(3) })\n",
        ),
        ("test_a.py", "from a import parse\n\n\ndef test_a():\n    assert parse('3') == 3\n"),
        ("test_a.py", "from a import round\n\n\ndef test_a():\n    assert 3 == round(2.5)\n"),
        ("test_a.py", "from a import *\n\n\ndef test_a():\n    assert sum([1, 2]) == 3\n"),
        ("a.rs", "use super::*;\n#[test]\nfn a() { assert_eq!(parse(\"3\"), 3); }\n"),
        (
            "a_test.go",
            "package a\nfunc TestA(t *testing.T) {\nif parse(\"3\") != 3 {\nt.Error(1)\n}\n}\n",
        ),
    ] {
        assert!(!is_vacuous(file, source, line_of(source)), "{source}");
        assert_eq!(oracle(file, source, line_of(source)), Vec::<String>::new(), "{source}");
    }
    for (file, source) in [
        ("test_a.py", "from a import f\n\n\ndef test_a():\n    assert sum([1, 2]) == 3\n"),
        ("test_a.py", "def test_a():\n    assert len('abc') == 3\n"),
        ("a.test.js", "it('a', () => { expect(Number('3')).toBe(3) })\n"),
        ("a.test.js", "it('a', () => { expect(JSON.parse('3')).toBe(3) })\n"),
        ("a.rs", "#[test]\nfn a() { assert_eq!(\"3\".parse(), Ok(3)); }\n"),
        (
            "a_test.go",
            "package a\nfunc TestA(t *testing.T) {\nif len(\"abc\") != 3 {\nt.Error(1)\n}\n}\n",
        ),
    ] {
        assert!(is_vacuous(file, source, line_of(source)), "{source}");
    }
}
