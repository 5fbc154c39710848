from shapes import corners


def test_corners():
    assert corners('square') == 4
