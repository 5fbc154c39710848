def interest(principal, percent, years):
    """What an amount is worth after some years."""
    return round(principal * (1 + percent / 100 * years))
