import enum


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


def level(points):
    return Level.HIGH if points >= 50 else Level.LOW
