import pytest
from stats import spread


def test_equal_values_have_no_spread():
    assert spread([2.0, 2.0]) == pytest.approx(0.0)
