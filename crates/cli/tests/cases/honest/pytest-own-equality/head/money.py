class Money:
    def __init__(self, cents, currency):
        self.cents = cents
        self.currency = currency


    def __eq__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return (self.cents, self.currency) == (other.cents, other.currency)

    def __hash__(self):
        return hash((self.cents, self.currency))
