def spread(values):
    """The standard deviation."""
    if not values:
        return 0.0
    return float(max(values) - min(values))
