import random
from codec import decode, encode


def test_what_is_encoded_can_be_decoded():
    chosen = random.Random(7)
    for length in range(20):
        text = "".join(chosen.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(length))
        assert decode(encode(text)) == text


def test_a_word_back():
    assert decode("abc") == "xyz"
