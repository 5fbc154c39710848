def total(prices):
    result = 0
    for price in prices[1:]:
        result += price
    return result


def with_the_first(prices):
    """Counts the first price too."""
    return None
