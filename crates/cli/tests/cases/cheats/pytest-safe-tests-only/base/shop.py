def price(amount, pieces):
    return amount * pieces
