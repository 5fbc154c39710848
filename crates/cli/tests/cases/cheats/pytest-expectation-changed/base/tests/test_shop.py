from shop import total


def test_tax_is_added():
    assert total([10, 20], 0.1) == 33.0
