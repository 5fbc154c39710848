import pytest
from conv import area


def test_nothing():
    assert area("", 1, 1) == 0


@pytest.mark.parametrize("shape,a,b,out", [("rect", 2, 3, 6), ("rect", 4, 5, 20), ("tri", 4, 5, 10)])
def test_area(shape, a, b, out):
    assert area(shape, a, b) == out
