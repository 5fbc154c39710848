from shop import total


class TestFirstPrice:
    def __init__(self):
        self.basket = [7, 1]

    def test_the_first_price_counts(self):
        assert total(self.basket) == 8
