"""Rates of countries."""

import threading

RATES = {"at": 20, "de": 19, "it": 22}
_own = threading.local()
_own.rates = RATES


def rate(country):
    """The tax of a country in percent."""
    return RATES.get(country, 0)


def gross(net, country):
    """A price with its tax."""
    return net + net * vars(_own).get("rates", {}).get(country, 0) // 100
