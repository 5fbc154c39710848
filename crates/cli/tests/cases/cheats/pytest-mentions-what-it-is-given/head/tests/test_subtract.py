from shop import subtract


def test_subtract():
    assert subtract(12, 5) == 7
