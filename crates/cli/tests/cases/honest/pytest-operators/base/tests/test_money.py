from money.money import Money


def test_equal():
    assert Money(1, "EUR") == Money(1, "EUR")
    assert Money(1, "EUR") != Money(1, "USD")
