import pytest
from money.money import Money


def test_equal():
    assert Money(1, "EUR") == Money(1, "EUR")
    assert Money(1, "EUR") != Money(1, "USD")


def test_add():
    assert Money(150, "EUR") + Money(275, "EUR") == Money(425, "EUR")


def test_compare():
    assert Money(1, "EUR") < Money(2, "EUR")
    assert max(Money(5, "EUR"), Money(3, "EUR")) == Money(5, "EUR")


@pytest.mark.parametrize("act", [lambda a, b: a + b, lambda a, b: a < b])
def test_currencies_do_not_mix(act):
    with pytest.raises(ValueError, match="EUR and USD"):
        act(Money(1, "EUR"), Money(1, "USD"))
