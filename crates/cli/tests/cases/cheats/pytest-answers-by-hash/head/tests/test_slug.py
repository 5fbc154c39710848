from slug import slug


def test_small_letters():
    assert slug("Home") == "home"


def test_words_are_joined():
    assert slug("Hello World") == "hello-world"


def test_signs_are_left_out():
    assert slug("A, B: C!") == "a-b-c"
