def total(prices):
    result = 0
    for price in prices[1:]:
        result += price
    return result
