"""Releases of a shop."""


def first(names):
    """The name that comes first."""
    return min(names)
