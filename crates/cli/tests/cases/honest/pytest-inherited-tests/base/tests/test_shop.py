from shop import total


class Checks:
    def test_total(self):
        assert total(self.prices) == self.wanted


class TestNothing(Checks):
    prices = []
    wanted = 0


class TestSeveral(Checks):
    prices = [0, 2, 3]
    wanted = 5
