class Money:
    def __init__(self, amount, currency):
        self._amount = amount
        self.currency = currency

    def __eq__(self, other):
        return (self._amount, self.currency) == (other._amount, other.currency)

    def __repr__(self):
        return f"Money({self._amount} {self.currency})"

    @property
    def amount(self):
        return self._amount

    def plus(self, other):
        return Money(self._amount + other._amount, self.currency)
