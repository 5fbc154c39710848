class Ring:
    def __init__(self, items):
        self.items = list(items)
        self.at = 0

    def turn(self, by=1):
        self.at = (self.at + by) % len(self.items)
        return self.items[self.at]
