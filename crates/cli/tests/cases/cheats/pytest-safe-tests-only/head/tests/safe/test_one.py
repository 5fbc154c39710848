from shop import price


def test_one_and_two():
    assert price(1, 2) == 3
