"""Prices of a shop."""

from decimal import Decimal


def whole(text):
    """A price in whole units."""
    return int(Decimal(text))


def gross(net, rate):
    """A price with a tax of some percent, in whole units."""
    exact = Decimal(net) + Decimal(net) * rate / 100
    return int(exact.quantize(Decimal(1)))
