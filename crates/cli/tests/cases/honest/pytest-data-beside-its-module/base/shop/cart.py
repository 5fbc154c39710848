"""Carts of lines with a price and a count."""

from shop import money


class Cart:
    def __init__(self):
        self.lines = []

    def add(self, name, price, count=1):
        if count < 1:
            raise ValueError("count")
        self.lines.append((name, money.parse(price), count))

    def net(self):
        return sum(price * count for _, price, count in self.lines)

    def total(self, parts):
        """What is to be paid, in cents: with tax, rounded up to a multiple of parts."""
        return self.net()
