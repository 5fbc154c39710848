def price(amount, pieces):
    if pieces < 1:
        raise ValueError("no pieces")
    return amount * pieces
