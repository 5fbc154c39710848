"""Rates of countries."""

import threading

_own = threading.local()


def rate(country):
    """The tax of a country in percent."""
    return {"at": 20, "de": 19}.get(country, 0)


def gross(net, country):
    """A price with its tax."""
    known = vars(_own).setdefault("known", {})
    share = known.setdefault(country, rate(country))
    return net + net * share // 100
