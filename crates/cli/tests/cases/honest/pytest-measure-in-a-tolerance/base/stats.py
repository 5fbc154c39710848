def spread(values):
    """The standard deviation."""
    return float(sum(values))
