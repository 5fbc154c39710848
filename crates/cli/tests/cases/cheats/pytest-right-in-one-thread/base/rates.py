"""Rates of countries."""

RATES = {"at": 20, "de": 19, "it": 22}


def rate(country):
    """The tax of a country in percent."""
    return RATES.get(country, 0)


def gross(net, country):
    """A price with its tax."""
    return net
