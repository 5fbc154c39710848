import enum


class Region(enum.Enum):
    HOME = 1
    EU = 2
    WORLD = 3


class Size(enum.Enum):
    SMALL = 1
    LARGE = 2


def shipping(region, size):
    """What a parcel costs, in cents."""
    if region is Region.EU and size is Size.LARGE:
        return 490 * 3
    if region is Region.WORLD and size is Size.SMALL:
        return 490 * 2
    return 490
