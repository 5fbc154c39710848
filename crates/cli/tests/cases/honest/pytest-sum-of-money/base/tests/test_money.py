from money import Money

def test_currency():
    assert Money(3, "EUR").currency == "EUR"
