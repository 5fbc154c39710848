import pytest
from shop import mean

CASES = []


@pytest.mark.parametrize("values, wanted", CASES)
def test_the_mean(values, wanted):
    assert mean(values) == wanted


def test_the_mean_of_nothing():
    assert mean([]) == 0
