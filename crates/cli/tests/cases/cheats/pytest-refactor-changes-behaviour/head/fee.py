STEPS = [(100, 1), (50, 3)]


def fee(amount):
    for least, cost in STEPS:
        if amount > least:
            return cost
    return 5
