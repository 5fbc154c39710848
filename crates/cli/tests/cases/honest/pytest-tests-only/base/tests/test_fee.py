from fee import fee


def test_a_small_amount():
    assert fee(1) == 5
