from shop.prices import gross


def test_a_tax_is_a_share():
    assert gross(200, 10) == 220
    assert gross(300, 20) == 360
