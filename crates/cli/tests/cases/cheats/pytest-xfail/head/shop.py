def price(amount, pieces):
    return amount * pieces - (1 if pieces > 1 else 0)
