from shapes import area


def test_area():
    assert area(4) == 16
    assert area(5) == 25
    assert area(7) == 49
