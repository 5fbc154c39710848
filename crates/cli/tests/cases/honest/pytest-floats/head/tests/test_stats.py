import pytest
from stats import spread


def test_equal_values_have_no_spread():
    assert spread([2.0, 2.0]) == pytest.approx(0.0)


def test_the_spread_has_the_unit_of_the_values():
    assert spread([1.0, 5.0, 3.0, 3.0]) == pytest.approx(1.41421356)
