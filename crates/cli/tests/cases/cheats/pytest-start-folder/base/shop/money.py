"""Prices in cents."""


def parse(text):
    """Cents of a price such as 12.50."""
    whole, _, rest = text.partition(".")
    return int(whole) * 100 + int((rest + "00")[:2])


def show(cents):
    """A price as text."""
    return f"{cents // 100}.{cents % 100:02d}"
