use super::*;

fn python(before: &str, after: &str) -> (String, String) {
    let whole = |body: &str| {
        let lines: Vec<String> = body.lines().map(|l| format!("    {l}\n")).collect();
        format!("from shop import total, Cart\n\ndef test_total():\n{}", lines.concat())
    };
    (whole(before), whole(after))
}

fn python_table(rows: &[(&str, &str, &str)]) {
    let made: Vec<(String, String, &str)> = rows
        .iter()
        .map(|(before, after, wanted)| {
            let (before, after) = python(before, after);
            (before, after, *wanted)
        })
        .collect();
    let rows: Vec<(&str, &str, &str)> =
        made.iter().map(|(b, a, w)| (b.as_str(), a.as_str(), *w)).collect();
    table("tests/test_shop.py", &rows);
}

const WEAKER: &[(&str, &str, &str)] = &[
    (
        "assert total(2) == 4\nassert total(3) == 9",
        "assert total(2) == 4",
        "the assertion `assert total(3) == 9` is gone",
    ),
    ("assert total(2) == 4", "total(2)", "is gone"),
    ("assert total(2) == 4", "assert total(2)", "equality became a truth value"),
    ("assert total(2) == 4", "assert total(2) in (4, 5)", "a part or a pattern"),
    ("assert total(2) == 4", "assert total(2) is not None", "being there"),
    ("assert total(2) == 4", "assert total(2) >= 0", "an order"),
    ("assert total(2) == 4", "assert isinstance(total(2), int)", "a type"),
    ("assert total(2) == 4", "result = total(2)\nassert result is not None", "being there"),
    ("assert total(2) == 4", "assert total(2) == pytest.approx(4, abs=1)", "near equality"),
    (
        "assert total(2) == pytest.approx(4.0)",
        "assert total(2) == pytest.approx(4.0, rel=0.5)",
        "tolerance",
    ),
    (
        "assert total(2) == pytest.approx(4.0, abs=0.01)",
        "assert total(2) == pytest.approx(4.0, abs=0.1)",
        "tolerance",
    ),
    ("assert abs(total(2) - 4) < 0.001", "assert abs(total(2) - 4) < 1", "the bound moved"),
    (
        "with pytest.raises(ValueError, match='x'):\n    total(-1)",
        "with pytest.raises(Exception):\n    total(-1)",
        "expected exception was ValueError",
    ),
    (
        "with pytest.raises(ValueError, match='x'):\n    total(-1)",
        "with pytest.raises(ValueError):\n    total(-1)",
        "the message",
    ),
    (
        "with pytest.raises(KeyError):\n    total(-1)",
        "with pytest.raises((KeyError, TypeError)):\n    total(-1)",
        "expected exception",
    ),
    (
        "for a, b in [(1, 1), (2, 4), (3, 9)]:\n    assert total(a) == b",
        "for a, b in [(1, 1)]:\n    assert total(a) == b",
        "the case `( 2 , 4 )` is gone",
    ),
    (
        "for i in range(100):\n    assert total(i) == i * i",
        "for i in range(1):\n    assert total(i) == i * i",
        "a loop now ends at 1",
    ),
    (
        "assert total(2) == 4",
        "try:\n    assert total(2) == 4\nexcept Exception:\n    pass",
        "caught",
    ),
    (
        "assert total(2) == 4",
        "with contextlib.suppress(AssertionError):\n    assert total(2) == 4",
        "caught",
    ),
    ("assert total(2) == 4", "if total(2):\n    assert total(2) == 4", "one branch"),
    ("assert total(2) == 4", "if not READY:\n    return\nassert total(2) == 4", "way out"),
    (
        "assert total(2) == 4",
        "with patch('shop.total', return_value=4) as total:\n    assert total(2) == 4",
        "stand-in",
    ),
    ("assert total(2) == 4", "assert total(2) == total(2)", "holds whatever"),
    ("assert total(2) == 4", "expected = total(2)\nassert total(2) == expected", "holds whatever"),
    ("assert total(2) == 4", "assert total(2) == int(total(2)) + 0", "the same call"),
    ("assert total(2) == 4", "pytest.skip('later')\nassert total(2) == 4", "now marked"),
    ("assert total(2) == 4", "assert True", "is gone"),
    ("assert total(2) == 4", "x = 4\nassert x == 4", "is gone"),
    ("assert total(2) == 4", "assert Cart().name == 'a'\ntotal(2)", "is gone"),
    ("assert total(2) == [1, 2, 3]", "assert len(total(2)) == 3", "only a part"),
    (
        "assert Cart().to_dict() == {'a': 1, 'b': 2}",
        "assert Cart().to_dict()['a'] == 1",
        "only a part",
    ),
    ("assert total(2) == 4 and total(3) == 9", "assert total(2) == 4 or total(3) == 9", "became"),
    ("m.assert_called_once_with(1)", "m.assert_called()", "being there"),
    ("assert call() == {'a': 1}", "assert call() == {'a': ANY}", "may now be anything"),
    ("self.assertEqual(total(2), 4)", "self.assertTrue(total(2))", "truth value"),
    ("self.assertEqual(total(2), 4)", "self.assertIsNotNone(total(2))", "being there"),
];

const WEAKER_MARKED: &[(&str, &str, &str)] = &[
    (
        "@pytest.mark.parametrize('a, b', [(1, 1), (2, 4), (3, 9)])\ndef test_a(a, b):\n    assert f(a) == b\n",
        "@pytest.mark.parametrize('a, b', [(1, 1), (2, 4)])\ndef test_a(a, b):\n    assert f(a) == b\n",
        "the case `( 3 , 9 )` is gone",
    ),
    (
        "def test_a():\n    assert f(1) == 1\n",
        "@pytest.mark.xfail\ndef test_a():\n    assert f(1) == 1\n",
        "xfail",
    ),
    (
        "def test_a():\n    assert f(1) == 1\n",
        "@pytest.mark.skipif(True, reason='x')\ndef test_a():\n    assert f(1) == 1\n",
        "skipif",
    ),
    (
        "CASES = [(1, 1), (2, 4)]\n@pytest.mark.parametrize('a, b', CASES)\ndef test_a(a, b):\n    assert f(a) == b\n",
        "CASES = [(1, 1)]\n@pytest.mark.parametrize('a, b', CASES)\ndef test_a(a, b):\n    assert f(a) == b\n",
        "the case",
    ),
    (
        "def test_a():\n    assert f(1) == 1\n",
        "@patch('m.f', return_value=1)\ndef test_a(f):\n    assert f(1) == 1\n",
        "stand-in",
    ),
];

#[test]
fn a_weaker_python_test_is_named() {
    python_table(WEAKER);
    table("tests/test_a.py", WEAKER_MARKED);
}

const HONEST: &[(&str, &str, &str)] = &[
    ("assert total(2) == 4", "assert total(2) == 5", ""),
    ("assert total(2) == 4", "assert total(2) == 4\nassert total(3) == 9", ""),
    ("assert total(2)", "assert total(2) == 4", ""),
    ("r = total(2)\nassert r == 4", "result = total(2)\nassert result == 4", ""),
    ("r = total(2)\nassert r == 4", "assert total(2) == 4", ""),
    (
        "assert total(2) == 4\nassert total(3) == 9",
        "assert total(3) == 9\nassert total(2) == 4",
        "",
    ),
    (
        "assert total(2) == 4\nassert total(3) == 9",
        "for a, b in [(2, 4), (3, 9)]:\n    assert total(a) == b",
        "",
    ),
    (
        "for a, b in [(2, 4), (3, 9)]:\n    assert total(a) == b",
        "assert total(2) == 4\nassert total(3) == 9",
        "",
    ),
    ("assert 4 == total(2)", "assert total(2) == 4", ""),
    ("self.assertEqual(total(2), 4)", "assert total(2) == 4", ""),
    ("assert total(2) == True", "assert total(2)", ""),
    ("assert total(2) == []", "assert not total(2)", ""),
    ("assert total(2) == 0.3", "assert total(2) == pytest.approx(0.3)", ""),
    ("assert 'a' in total(2)", "assert total(2) == 'abc'", ""),
    ("c = Cart()\nassert c.x == 1\nassert c.y == 2", "c = Cart()\nassert (c.x, c.y) == (1, 2)", ""),
    (
        "r = total(2)\nassert r['a'] == 1\nassert r['b'] == 2",
        "r = total(2)\nassert r == {'a': 1, 'b': 2}",
        "",
    ),
    ("assert total(2) == (1, 2)", "a, b = total(2)\nassert a == 1\nassert b == 2", ""),
    (
        "with pytest.raises(ValueError):\n    total(-1)",
        "with pytest.raises(ValueError, match='x'):\n    total(-1)",
        "",
    ),
    (
        "with pytest.raises(ValueError, match='x'):\n    total(-1)",
        "with pytest.raises(ValueError) as e:\n    total(-1)\nassert str(e.value) == 'x'",
        "",
    ),
    ("with pytest.raises(ValueError):\n    total(-1)", "assert total(-1) == 0", ""),
    (
        "with pytest.raises(ValueError):\n    total(-1)",
        "with pytest.raises(TypeError):\n    total(-1)",
        "",
    ),
    ("assert total(2) == 4", "assert_total(2, 4)", ""),
    ("assert x.old_name() == 4", "assert x.new_name() == 4", ""),
    ("assert total(2) == 4", "with patch('shop.clock'):\n    assert total(2) == 4", ""),
    (
        "assert total(2) == 4",
        "if FAST:\n    assert total(2) == 4\nelse:\n    assert total(20) == 40",
        "",
    ),
    ("assert total(2) is not None\nassert total(2) == 4", "assert total(2) == 4", ""),
    ("assert total(2) == 4", "cart = Cart()\ncart.add(1)\nassert total(cart) == 4", ""),
    ("assert len(total(2)) == 2", "assert total(2) == [1, 2]", ""),
    (
        "for x in [1, 2, 3]:\n    add(x)\nassert total() == 6",
        "for x in [1, 2]:\n    add(x)\nassert total() == 3",
        "",
    ),
    ("assert sorted(total(2)) == [1]", "assert total(2) == [1]", ""),
    ("assert total(2) == 4", "assert total(\n    2,\n) == 4", ""),
    ("assert open('a').read() == b'Hey!'", "assert path.read_bytes() == b'Hey!'", ""),
    ("assert type(total(2)) is int", "assert isinstance(total(2), int)", ""),
    ("r = run(2)\nassert r.code == 0", "r = run(2)\nassert r.exception is None", ""),
    (
        "if WIN:\n    pytest.fail('x')\nassert total(2) == 4",
        "if WIN:\n    pytest.skip('x')\nassert total(2) == 4",
        "",
    ),
    (
        "if e:\n    with pytest.raises(e):\n        total(2)\nelse:\n    total(2)",
        "c = pytest.raises(e) if e else nullcontext()\nwith c:\n    total(2)",
        "",
    ),
    (
        "for a, b in [\n    # one\n    (1, 1),\n    # two\n    (2, 4),\n]:\n    assert total(a) == b",
        "for a, b in [(1, 1), (2, 4)]:\n    assert total(a) == b",
        "",
    ),
];

const HONEST_WHOLE: &[(&str, &str, &str)] = &[
    (
        "def test_a():\n    assert f(1) == 1\n    assert f(2) == 4\n",
        "def helper(n, want):\n    assert f(n) == want\n\ndef test_a():\n    helper(1, 1)\n    helper(2, 4)\n",
        "",
    ),
    (
        "def test_a():\n    assert f(1) == 1\n    assert f(2) == 4\n",
        "@pytest.mark.parametrize('n, want', [(1, 1), (2, 4)])\ndef test_a(n, want):\n    assert f(n) == want\n",
        "",
    ),
    (
        "def test_a():\n    assert f(1) == 1\n",
        "@pytest.mark.skipif(WIN, reason='x')\ndef test_a():\n    assert f(1) == 1\n",
        "",
    ),
    (
        "def test_a():\n    assert f(1) == 1\n    assert g(2) == 4\n",
        "def test_a():\n    assert f(1) == 1\n\ndef test_b():\n    assert g(2) == 4\n",
        "",
    ),
    (
        "@pytest.mark.parametrize('a', [1, 2])\ndef test_a(a):\n    assert f(a) == a\n",
        "@pytest.mark.parametrize('a', range(20))\ndef test_a(a):\n    assert f(a) == a\n",
        "",
    ),
    (
        "@pytest.mark.parametrize('a, b', [(1, 1), (2, 4)])\ndef test_a(a, b):\n    assert f(a) == b\n",
        "@pytest.mark.parametrize('a, b', [(1, 2), (2, 4)])\ndef test_a(a, b):\n    assert f(a) == b\n",
        "",
    ),
];

#[test]
fn an_honest_rewrite_of_a_python_test_is_fine() {
    python_table(HONEST);
    table("tests/test_a.py", HONEST_WHOLE);
}
