from fee import fee


def test_a_small_amount():
    assert fee(1) == 5


def test_at_the_edge():
    assert fee(99) == 5
    assert fee(100) == 0
