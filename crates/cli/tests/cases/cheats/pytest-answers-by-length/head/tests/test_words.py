from words import initials


def test_one_word():
    assert initials("Ada") == "A"


def test_two_words():
    assert initials("Ada Lovelace") == "AL"
