def fee(country, weight):
    """The price of a parcel."""
    return 5 + weight
