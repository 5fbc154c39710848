"""Prices of a shop."""

from decimal import Decimal


def whole(text):
    """A price in whole units."""
    return int(Decimal(text))


def gross(net, rate):
    """A price with a tax of some percent, in whole units."""
    return int(net + net * rate / 100)
