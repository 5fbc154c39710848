class Cache:
    def __init__(self, load):
        self.load = load
        self.known = {}

    def get(self, key):
        if key not in self.known:
            self.known[key] = self.load(key)
        return self.known[key]
