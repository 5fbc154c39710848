from shop import total


def test_an_empty_basket_costs_nothing():
    assert total([]) == 0


def test_a_basket_of_free_things_costs_nothing():
    assert total([0, 0]) == 0
