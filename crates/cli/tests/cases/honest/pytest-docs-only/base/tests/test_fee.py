from fee import fee


def test_at_the_edge():
    assert fee(99) == 5
    assert fee(100) == 0
