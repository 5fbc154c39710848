from shop import price


def test_nothing_costs_nothing():
    assert price(0, 2) == 0
