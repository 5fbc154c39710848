from shop import price


def test_pieces_are_multiplied():
    assert price(3, 2) == 6


def test_nothing_costs_nothing():
    assert price(0, 0) == 0


def test_one_and_two():
    assert price(1, 2) == 3
