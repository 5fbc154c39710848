from shop import price


class Basket:
    def __init__(self):
        self.rows = []

    def add(self, amount, pieces):
        self.rows.append((amount, pieces))

    def total(self):
        return sum(price(amount, pieces) for amount, pieces in self.rows)
