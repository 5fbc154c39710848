HOME = "de"


def fee(country, weight):
    """The price of a parcel."""
    return 5 + weight * (1 if country == HOME else 3)
