from dataclasses import dataclass, field


@dataclass
class Order:
    number: int
    lines: list = field(default_factory=list, compare=False, repr=False)


def parse(text):
    """An order from `12: tea, milk`."""
    number, _, rest = text.partition(":")
    return Order(int(number))
