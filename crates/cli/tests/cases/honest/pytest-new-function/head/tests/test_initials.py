from text import initials


def test_two_words():
    assert initials("ada lovelace") == "AL"


def test_no_word():
    assert initials("") == ""
