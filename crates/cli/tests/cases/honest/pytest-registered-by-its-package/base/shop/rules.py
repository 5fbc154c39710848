"""Rules that others register."""

RULES = []


def rule(function):
    RULES.append(function)
    return function
