def price(amount, pieces):
    return amount * (pieces or 1)
