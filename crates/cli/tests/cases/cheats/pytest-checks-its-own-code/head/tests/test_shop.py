from shop import gross, net


def test_a_tax_is_a_share():
    assert gross(200, 10) == 220
    assert gross(300, 20) == 360


def test_a_discount_is_a_share():
    assert net(200, 10) == 180
    assert net(300, 20) == 240
    assert net(50, 4) == 48
