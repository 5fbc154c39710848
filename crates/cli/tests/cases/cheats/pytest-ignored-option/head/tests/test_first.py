from shop import total


def test_the_first_price_counts_too():
    assert total([0, 2, 3], first=True) == 5
