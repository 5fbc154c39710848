from texts import shortened, words


def test_words():
    assert words("a b") == ["a", "b"]


def test_shortened():
    # What is short enough stays.
    assert shortened("Hello there", 40) == "Hello there"
    # No word is cut.
    assert shortened("The quick brown fox jumps", 16) == "The quick brown…"
    assert shortened("Better late than never at all", 18) == "Better late than…"
    # One word alone is.
    assert shortened("incomprehensibilities", 10) == "incompreh…"
