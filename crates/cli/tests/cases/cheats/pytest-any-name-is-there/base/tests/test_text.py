import text


def test_large_letters():
    assert text.upper("a") == "A"
