from money import Money


def test_it_has_cents():
    assert Money(5, "EUR").cents == 5


def test_the_same_amount_is_equal():
    assert Money(5, "EUR") == Money(5, "EUR")
    assert len({Money(5, "EUR"), Money(5, "EUR")}) == 1


def test_another_amount_or_currency_is_not():
    assert Money(5, "EUR") != Money(6, "EUR")
    assert Money(5, "EUR") != Money(5, "USD")
    assert Money(5, "EUR") != 5
