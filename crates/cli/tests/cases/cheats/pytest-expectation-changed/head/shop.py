def total(prices, tax):
    return round(sum(prices) + tax, 2)
