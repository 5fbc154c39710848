ITEMS = []


def add(item):
    ITEMS.append(item)


def count():
    return len(ITEMS)
