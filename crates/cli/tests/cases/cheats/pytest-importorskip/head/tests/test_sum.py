from shop import price


def test_two_amounts_are_added():
    assert price(3, 4) == 7
