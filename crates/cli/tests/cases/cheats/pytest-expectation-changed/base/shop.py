def total(prices, tax):
    return round(sum(prices) * (1 + tax), 2)
