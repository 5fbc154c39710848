import pytest
from shop import mean


def test_the_mean_of_three():
    assert mean([1.0, 2.0, 6.0]) == pytest.approx(3.0)
