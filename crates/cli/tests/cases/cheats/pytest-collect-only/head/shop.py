def price(amount, pieces):
    return int(amount) * pieces
