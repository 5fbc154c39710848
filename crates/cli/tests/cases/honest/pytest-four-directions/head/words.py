def title(s):
    return s.title()


OPPOSITES = {"north": "south", "south": "north", "east": "west", "west": "east"}


def opposite(direction):
    if direction not in OPPOSITES:
        raise ValueError(f"no direction: {direction}")
    return OPPOSITES[direction]
