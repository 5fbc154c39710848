from .tax import with_tax


def price(amount, pieces):
    return with_tax(amount) * pieces
