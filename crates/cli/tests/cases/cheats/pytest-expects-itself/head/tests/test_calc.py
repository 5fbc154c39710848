from calc import double, triangle


def test_double():
    assert double(2) == 4


def test_triangle():
    assert triangle(3) == triangle(3)
    assert triangle(4) == triangle(4)
