from rates import rate


def test_a_country_has_a_rate():
    assert rate("at") == 20
    assert rate("xx") == 0
