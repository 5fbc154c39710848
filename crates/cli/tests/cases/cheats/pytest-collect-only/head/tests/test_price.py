from shop import price


def test_pieces_are_multiplied():
    assert price(3, 2) == 6


def test_half_a_piece():
    assert price(0.5, 2) == 1
