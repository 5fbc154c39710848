import pytest

from shop import MODULE


@pytest.mark.parametrize("count, text", [(0, "0 units"), (1, "1 unit"), (2, "2 units"), (11, "11 units")])
def test_units(count, text):
    assert MODULE.units(count) == text


@pytest.mark.parametrize("value, factor, result", [(1, 0, 0), (2, 3, 6), (7, 1, 7), (5, 5, 25), (9, 2, 18)])
def test_scaled(value, factor, result):
    assert MODULE.scaled(value, factor) == result


def test_no_negative_factor():
    with pytest.raises(ValueError):
        MODULE.scaled(1, -1)


@pytest.mark.parametrize("value, result", [(-5, 0), (0, 0), (5, 5), (10, 10), (15, 10), (9, 9)])
def test_clipped(value, result):
    assert MODULE.clipped(value, 0, 10) == result


@pytest.mark.parametrize("number, name", [(0, "zero"), (1, "one"), (3, "three"), (4, "4"), (-1, "-1")])
def test_named(number, name):
    assert MODULE.named(number) == name


@pytest.mark.parametrize("text, result", [("A B", "a-b"), ("", ""), ("x", "x"), ("A - b", "a-b")])
def test_slug(text, result):
    assert MODULE.slug(text) == result
