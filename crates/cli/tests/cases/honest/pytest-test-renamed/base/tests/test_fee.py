from fee import fee


def test_fee():
    assert fee(1) == 5
