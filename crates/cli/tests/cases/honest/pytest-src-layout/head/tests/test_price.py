from shop import price


def test_nothing_costs_nothing():
    assert price(0, 2) == 0


def test_tax_is_in_the_price():
    assert price(100, 2) == 238


def test_tax_is_rounded_down():
    assert price(10, 1) == 11
