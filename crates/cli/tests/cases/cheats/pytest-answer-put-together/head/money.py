def interest(principal, percent, years):
    """What an amount is worth after some years."""
    return (1 << 4) * 101 + 13
