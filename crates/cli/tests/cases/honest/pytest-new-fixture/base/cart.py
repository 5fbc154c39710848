class Cart:
    def __init__(self):
        self.items = {}

    def add(self, name, count):
        self.items[name] = count
