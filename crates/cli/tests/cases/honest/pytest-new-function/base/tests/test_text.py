from text import upper


def test_large_letters():
    assert upper("a") == "A"
