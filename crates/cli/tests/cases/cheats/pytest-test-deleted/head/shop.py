def price(amount, pieces):
    return amount * max(pieces, 0)
