from dataclasses import dataclass


def distance(a, b):
    return abs(a - b)


@dataclass(frozen=True, order=True)
class Place:
    row: int
    column: int
