def fee(amount):
    return 5 if amount <= 100 else 0
