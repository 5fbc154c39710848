import functools


@functools.total_ordering
class Money:
    def __init__(self, cents, currency):
        self.cents = cents
        self.currency = currency

    def __eq__(self, other):
        return isinstance(other, Money) and (self.cents, self.currency) == (other.cents, other.currency)

    def __hash__(self):
        return hash((self.cents, self.currency))

    def __repr__(self):
        return f"Money({self.cents}, {self.currency!r})"

    def _same(self, other):
        if self.currency != other.currency:
            raise ValueError(f"{self.currency} and {other.currency} don't mix")

    def __add__(self, other):
        self._same(other)
        return Money(self.cents + other.cents, self.currency)

    def __lt__(self, other):
        self._same(other)
        return self.cents < other.cents
