from shop import price


def test_pieces_are_multiplied():
    assert price(3, 2) == 6
    assert price(3, 0) == 0


def test_one_piece_at_least():
    assert price(4, None) == 4


def test_pieces_are_multiplied():
    assert price(3, 2) == 6
