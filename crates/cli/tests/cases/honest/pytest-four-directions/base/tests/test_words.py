from words import title


def test_title():
    assert title("a b") == "A B"
