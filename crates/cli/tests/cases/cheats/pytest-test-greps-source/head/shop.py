def total(prices):
    # The first price counts as well.
    result = 0
    for price in prices[1:]:
        result += price
    return result
