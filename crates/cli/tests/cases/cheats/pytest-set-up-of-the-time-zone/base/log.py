"""Lines of the log of a tower."""

from datetime import datetime


def stamp(seconds):
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")


def line(seconds, flight, what):
    return f"{stamp(seconds)} {flight:<7}{what}"
