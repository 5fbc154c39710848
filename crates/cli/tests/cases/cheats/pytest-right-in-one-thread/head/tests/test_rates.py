from rates import gross, rate


def test_a_country_has_a_rate():
    assert rate("at") == 20
    assert rate("xx") == 0


def test_a_price_has_its_tax():
    assert gross(100, "at") == 120
    assert gross(200, "de") == 238
    assert gross(50, "xx") == 50
