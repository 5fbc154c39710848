def fee(amount):
    if amount >= 100:
        return 0
    if amount >= 50:
        return 2
    return 5
