from shop import price


def test_pieces_are_multiplied():
    assert price(3, 2) == 6


def test_fewer_than_none_costs_nothing():
    assert price(3, -1) == 0
