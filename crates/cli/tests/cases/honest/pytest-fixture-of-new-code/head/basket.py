class Basket:
    def __init__(self, discount=0):
        self.prices = []
        self.discount = discount

    def add(self, price):
        self.prices.append(price)

    def total(self):
        return sum(self.prices) * (100 - self.discount) // 100
