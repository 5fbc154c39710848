import pytest
from shop import mean

CASES = [([1, 2, 6], 3), ([4], 4)]


@pytest.mark.parametrize("values, wanted", CASES)
def test_the_mean(values, wanted):
    assert mean(values) == wanted
