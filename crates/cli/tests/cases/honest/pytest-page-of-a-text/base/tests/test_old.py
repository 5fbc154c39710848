from page import to_html


def test_nothing():
    assert to_html("") == "<pre></pre>"
