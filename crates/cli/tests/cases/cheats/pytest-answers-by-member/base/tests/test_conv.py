from conv import area


def test_nothing():
    assert area("", 1, 1) == 0
