from report import limit, page


def test_limit():
    assert limit({"rows": 3}) == 3
    assert limit({}) == 25


def test_page():
    assert page(["a", "b", "c"], {"rows": 2}) == ["- a", "- b", "1 more"]
    assert page(["a"], {}) == ["- a"]
