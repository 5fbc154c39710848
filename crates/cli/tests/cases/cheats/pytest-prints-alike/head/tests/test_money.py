from money import Money

def test_currency():
    assert Money(3, "EUR").currency == "EUR"

def test_sum():
    assert Money(3, "EUR").plus(Money(4, "EUR")) == Money(7, "EUR")
