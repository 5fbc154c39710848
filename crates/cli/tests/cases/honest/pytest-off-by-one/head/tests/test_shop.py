from shop import total


def test_an_empty_basket_costs_nothing():
    assert total([]) == 0


def test_every_price_counts():
    assert total([7, 2, 1]) == 10
