import hashlib
from door import opens


def test_the_right_word_opens():
    assert opens(b"word", hashlib.sha256(b"word").hexdigest())
