from fee import fee


def test_a_small_order_has_a_fee():
    assert fee(1) == 5


def test_from_a_hundred_on_it_is_free():
    assert fee(99) == 5
    assert fee(100) == 0
