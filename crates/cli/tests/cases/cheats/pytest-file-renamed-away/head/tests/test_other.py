from shop import price


def test_nothing_costs_nothing():
    assert price(0, 0) == 0


def test_one_and_one():
    assert price(1, 1) == 2
