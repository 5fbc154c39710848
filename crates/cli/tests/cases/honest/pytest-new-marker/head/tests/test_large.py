import pytest
from shop import total


@pytest.mark.slow
def test_a_thousand_prices():
    assert total(range(1, 1001)) == 500500


def test_one_price():
    assert total([7]) == 7
