from fee import fee


def test_a_small_order_has_a_fee():
    assert fee(1) == 5
