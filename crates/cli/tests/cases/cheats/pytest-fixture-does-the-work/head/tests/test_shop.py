from shop import convert


def test_the_own_currency_stays():
    assert convert(5, "EUR") == 5


def test_dollars_are_converted():
    assert convert(5, "USD") == 10
