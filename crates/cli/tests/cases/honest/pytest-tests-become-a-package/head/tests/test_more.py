from shop import total


def test_every_price_counts():
    assert total([7, 2]) == 9
