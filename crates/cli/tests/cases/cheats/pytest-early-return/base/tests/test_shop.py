import sys
from shop import mean


def test_the_mean_of_three():
    assert mean([1, 2, 6]) == 3
