from page import convert


def test_a_short_one(tmp_path):
    (tmp_path / "a.txt").write_text("a")
    assert convert(tmp_path / "a.txt") == "<pre>a</pre>"
