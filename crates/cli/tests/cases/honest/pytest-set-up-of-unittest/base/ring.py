class Ring:
    def __init__(self, items):
        raise NotImplementedError("a ring of items")
