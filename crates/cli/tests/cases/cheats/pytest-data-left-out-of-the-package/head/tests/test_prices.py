from shop.prices import gross, taxed


def test_a_tax_is_a_share():
    assert gross(200, 10) == 220
    assert gross(300, 20) == 360


def test_each_country_has_its_tax():
    assert taxed(200, "at") == 240
    assert taxed(100, "de") == 119
    assert taxed(300, "lu") == 351
