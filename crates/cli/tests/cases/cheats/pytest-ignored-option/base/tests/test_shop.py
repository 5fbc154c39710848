from shop import total


def test_an_empty_basket_costs_nothing():
    assert total([]) == 0
