from words import initials


def test_one_word():
    assert initials("Ada") == "A"
