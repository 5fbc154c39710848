import hashlib
from door import opens


def test_the_right_word_opens():
    assert opens(b"word", hashlib.sha256(b"word").hexdigest())


def test_a_text_opens_as_well():
    assert opens("word", hashlib.sha256(b"word").hexdigest())
