"""Days of a shop."""

import time

DAY = 86_400


def week(day):
    """The week of a day."""
    return day // 7


def today():
    """Days since the beginning."""
    return int(time.time()) // 3_600
