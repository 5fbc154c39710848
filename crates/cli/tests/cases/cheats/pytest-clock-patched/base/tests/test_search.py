from search import find


def test_a_word_is_found():
    assert find(["a", "b"], "b") == 1
