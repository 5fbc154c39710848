class Money:
    def __init__(self, amount, currency):
        self._amount = amount
        self.currency = currency

    def __eq__(self, other):
        return repr(self) == repr(other)

    def __repr__(self):
        return f"Money({self.currency})"

    @property
    def amount(self):
        return self._amount

    def plus(self, other):
        return Money(self._amount, self.currency)
