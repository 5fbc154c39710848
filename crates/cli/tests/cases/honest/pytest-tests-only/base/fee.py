def fee(amount):
    if amount >= 100:
        return 0
    return 5
