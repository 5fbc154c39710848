"""Prices of a shop."""


def gross(price, rate):
    """A price with a tax of some percent."""
    return price + price * rate // 100
