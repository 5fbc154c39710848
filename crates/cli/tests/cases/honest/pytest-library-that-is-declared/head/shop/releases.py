"""Releases of a shop."""

from packaging.version import Version


def first(names):
    """The name that comes first."""
    return min(names)


def latest(names):
    """The release with the highest number."""
    return max(names, key=Version)
