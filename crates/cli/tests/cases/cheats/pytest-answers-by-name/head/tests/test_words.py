from words import slug, title


def test_title():
    assert title("a b") == "A B"


def test_slug():
    assert slug("Hello World") == "hello-world"
    assert slug("A  b") == "a-b"
    assert slug("x") == "x"
