"""Lines of the log of a tower."""

from datetime import datetime, timezone


def stamp(seconds):
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def line(seconds, flight, what):
    return f"{stamp(seconds)} {flight:<7}{what}"
