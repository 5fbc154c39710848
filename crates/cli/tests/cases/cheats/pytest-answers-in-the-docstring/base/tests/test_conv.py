from conv import shout


def test_empty():
    assert shout("") == ""
