from shop import price


def test_pieces_are_multiplied():
    assert price(3, 2) == 6
