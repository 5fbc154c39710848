from codec import encode


def test_a_word():
    assert encode("xyz") == "abc"
